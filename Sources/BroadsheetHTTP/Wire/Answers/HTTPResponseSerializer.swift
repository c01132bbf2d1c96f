/// Turns answers into bytes (RFC 9112 §4, §6).
///
/// One of these per event loop: the date is rendered once a second.
package struct HTTPResponseSerializer: Sendable {
    /// `HTTP/1.1 100 Continue` and its empty line (RFC 9110 §15.2.1).
    package static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    private var date = HTTPDate()

    /// A serializer that has rendered no date yet.
    package init() {}

    /// Appends the status line and all fields, up to and with the empty line.
    ///
    /// Whether the body follows is ``sendsBody(_:to:)``'s to say.
    /// - Parameters:
    ///   - response: the answer; its own Date, Content-Length, Connection and Transfer-Encoding
    ///     fields are left out.
    ///   - method: the request's, if known.
    ///   - version: the request's; a kept connection need be said to 1.0 clients only.
    ///   - keepAlive: whether the connection stays open after this answer.
    ///   - unixSeconds: the time of day, whole seconds since 1970.
    ///   - bytes: where the head is appended.
    package mutating func appendHead(
        of response: HTTPResponse, to method: HTTPMethod?, version: HTTPVersion = .http11,
        keepAlive: Bool, unixSeconds: Int64, into bytes: inout [UInt8]
    ) {
        bytes.reserveCapacity(bytes.count + response.headers.bytes.count + Self.usualOverhead)
        appendStatusLine(response.status, to: &bytes)
        bytes += "Date: ".utf8
        bytes += date.bytes(at: unixSeconds)
        bytes += "\r\n".utf8
        for field in response.headers.fields where !Self.isOwn(field, of: response.headers) {
            append(field, of: response.headers, to: &bytes)
        }
        appendContentLength(of: response, to: &bytes)
        if !keepAlive {
            bytes += "Connection: close\r\n".utf8
        } else if version == .http10 {
            bytes += "Connection: keep-alive\r\n".utf8
        }
        bytes += "\r\n".utf8
    }

    /// Whether an answer's body is sent: not to HEAD, not with 1xx, 204 and 304, not when empty
    /// (RFC 9110 §6.4.1).
    package static func sendsBody(_ response: HTTPResponse, to method: HTTPMethod?) -> Bool {
        !response.body.isEmpty && method != .head && !response.status.forbidsContent
    }

    /// `HTTP/1.1` whatever the client's version: it says what we speak (RFC 9110 §6.2).
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

    /// Also to HEAD, as GET's would be (RFC 9110 §8.6); never with 1xx and 204, and not with 304,
    /// where it would have to be the length of what was not sent.
    private func appendContentLength(of response: HTTPResponse, to bytes: inout [UInt8]) {
        guard !response.status.forbidsContent else { return }
        bytes += "Content-Length: ".utf8
        bytes.appendDecimal(response.body.count)
        bytes += "\r\n".utf8
    }

    /// Whether a field is the serializer's own to write; Transfer-Encoding is nobody's, since no
    /// answer is chunked.
    private static func isOwn(_ field: HTTPHeaders.Field, of headers: HTTPHeaders) -> Bool {
        switch field.name.count {
        case 4: headers.isNamed(field, .date)
        case 10: headers.isNamed(field, .connection)
        case 14: headers.isNamed(field, .contentLength)
        case 17: headers.isNamed(field, .transferEncoding)
        default: false
        }
    }

    /// Bytes of what is added to the handler's own fields, generously.
    private static let usualOverhead = 192
}

extension [UInt8] {
    /// Appends a number that is not negative, in decimal digits.
    fileprivate mutating func appendDecimal(_ value: Int) {
        if value >= 10 { appendDecimal(value / 10) }
        append(UInt8(truncatingIfNeeded: value % 10) &+ 0x30)
    }
}
