import BroadsheetIO

/// A serializer of responses (RFC 9112 §4, §6), one for each event loop.
package struct HTTPResponseSerializer: Sendable {
    /// `HTTP/1.1 100 Continue` and an empty line (RFC 9110 §15.2.1).
    package static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    private var date = HTTPDate()

    package init() {}

    /// Appends the status line and all fields, with the empty line; ``sendsBody(_:to:)`` decides
    /// whether the body follows.
    ///
    /// - Parameters:
    ///   - response: The response; its Date, Content-Length, Connection and Transfer-Encoding
    ///     fields are omitted.
    ///   - method: The request's method, if known.
    ///   - version: The request's version; for HTTP/1.0 a connection that stays open is announced,
    ///     and nothing is chunked (RFC 9112 §6.1).
    ///   - keepAlive: A Boolean value that indicates whether the connection stays open after this
    ///     response.
    ///   - unixSeconds: The date, in whole seconds since 1970.
    ///   - bytes: The bytes to append to.
    package mutating func appendHead(
        of response: HTTPResponse, to method: HTTPMethod?, version: HTTPVersion = .http11,
        keepAlive: Bool, unixSeconds: Int64, into bytes: inout [UInt8]
    ) {
        bytes.reserveCapacity(bytes.count + response.headers.bytes.count + Self.usualOverhead)
        appendStatusLine(response.status, to: &bytes)
        bytes += "Date: ".utf8
        bytes += date.bytes(at: unixSeconds)
        bytes += "\r\n".utf8
        for field in response.headers.fields where !Self.isReserved(field, of: response.headers) {
            append(field, of: response.headers, to: &bytes)
        }
        if response.stream == nil {
            appendContentLength(of: response, to: &bytes)
        } else if version == .http11, !response.status.forbidsContent {
            bytes += "Transfer-Encoding: chunked\r\n".utf8
        }
        if !keepAlive {
            bytes += "Connection: close\r\n".utf8
        } else if version == .http10 {
            bytes += "Connection: keep-alive\r\n".utf8
        }
        bytes += "\r\n".utf8
    }

    mutating func dateField(at unixSeconds: Int64) -> [UInt8] { date.bytes(at: unixSeconds) }

    /// Returns whether a response's body is sent: not to HEAD, not with 1xx, 204 and 304, and not
    /// when it is empty (RFC 9110 §6.4.1).
    package static func sendsBody(_ response: HTTPResponse, to method: HTTPMethod?) -> Bool {
        response.contentLength > 0 && method != .head && !response.status.forbidsContent
    }

    /// Appends `HTTP/1.1` for any version of the client: it is the server's version (RFC 9110
    /// §6.2).
    private func appendStatusLine(_ status: HTTPStatus, to bytes: inout [UInt8]) {
        bytes += "HTTP/1.1 ".utf8
        bytes.appendDecimal(status.code)
        bytes.append(.space)
        bytes += status.reasonPhrase.utf8
        bytes += "\r\n".utf8
    }

    private func append(
        _ field: HTTPHeaders.Field, of headers: HTTPHeaders, to bytes: inout [UInt8]
    ) {
        bytes += headers.bytes[field.name]
        bytes += ": ".utf8
        bytes += headers.bytes[field.value]
        bytes += "\r\n".utf8
    }

    /// Appends the length, also to HEAD, as GET's would be (RFC 9110 §8.6); never with 1xx and 204,
    /// and not with 304, where it would have to be the length of the content that is not sent.
    private func appendContentLength(of response: HTTPResponse, to bytes: inout [UInt8]) {
        guard !response.status.forbidsContent else { return }
        bytes += "Content-Length: ".utf8
        bytes.appendDecimal(response.contentLength)
        bytes += "\r\n".utf8
    }

    /// Returns whether the serializer writes a field itself.
    private static func isReserved(_ field: HTTPHeaders.Field, of headers: HTTPHeaders) -> Bool {
        switch field.name.count {
        case 4: headers.isNamed(field, .date)
        case 10: headers.isNamed(field, .connection)
        case 14: headers.isNamed(field, .contentLength)
        case 17: headers.isNamed(field, .transferEncoding)
        default: false
        }
    }

    /// An upper estimate of the bytes that are added to the handler's fields.
    private static let usualOverhead = 192
}

extension [UInt8] {
    /// Appends a number that is not negative, in decimal digits.
    fileprivate mutating func appendDecimal(_ value: Int) {
        if value >= 10 { appendDecimal(value / 10) }
        append(UInt8(truncatingIfNeeded: value % 10) &+ 0x30)
    }
}

/// The date in HTTP's format, `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110 §5.6.7),
/// rendered only when the second changes.
struct HTTPDate: Sendable {
    private var second: Int64?
    private var text: [UInt8] = []

    /// Returns the 29 bytes for a date in whole seconds since 1970, clamped to the years 0…9999.
    mutating func bytes(at unixSeconds: Int64) -> [UInt8] {
        if second != unixSeconds {
            second = unixSeconds
            text = Self.render(min(max(unixSeconds, Self.earliest), Self.latest))
        }
        return text
    }

    private static let earliest: Int64 = -62_167_219_200
    private static let latest: Int64 = 253_402_300_799
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func render(_ unixSeconds: Int64) -> [UInt8] {
        let time = CivilTime(unixSeconds: unixSeconds)
        var text: [UInt8] = []
        text.reserveCapacity(29)
        text += "\(weekdays[time.weekday]), ".utf8
        appendDigits(time.day, width: 2, to: &text)
        text += " \(months[time.month - 1]) ".utf8
        appendDigits(time.year, width: 4, to: &text)
        text.append(.space)
        appendDigits(time.hour, width: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        appendDigits(time.minute, width: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        appendDigits(time.second, width: 2, to: &text)
        text += " GMT".utf8
        return text
    }

    private static func appendDigits(_ value: Int, width: Int, to text: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(truncatingIfNeeded: value / divisor % 10) + 0x30)
            divisor /= 10
        }
    }
}
