/// The fields of a message, in order; names are compared case-insensitively (RFC 9110 §5).
///
/// All bytes are in one buffer, and a field is four offsets into it: reading a head of ten fields
/// allocates twice, not twenty times. Looking up a name is O(fields).
///
/// No value can break the framing of a message: bytes that a field value must not contain (CR, LF,
/// NUL and other controls) are replaced by spaces when it is added (RFC 9110 §5.5).
package struct HTTPHeaders: Sendable {
    /// The offsets of a field's name and trimmed value in the buffer.
    struct Field: Sendable {
        var nameStart: UInt32
        var nameEnd: UInt32
        var valueStart: UInt32
        var valueEnd: UInt32

        var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    }

    private(set) var bytes: [UInt8]
    private(set) var fields: [Field]

    package init() {
        bytes = []
        fields = []
    }

    /// Creates a list of fields that were parsed, and so validated, in `bytes`.
    init(parsed fields: [Field], in bytes: [UInt8]) {
        self.bytes = bytes
        self.fields = fields
    }

    /// The number of fields, counting each of repeated ones.
    package var count: Int { fields.count }

    package func contains(_ name: HTTPFieldName) -> Bool { firstIndex(of: name) != nil }

    /// Returns whether there is a field whose name begins with some characters, in any case.
    package func contains(namesBeginningWith prefix: String) -> Bool {
        let count = prefix.utf8.count
        return fields.contains { field in
            field.name.count >= count
                && bytes.span.extracting(field.name.prefix(count))
                    .equalsIgnoringCase(prefix.utf8.span)
        }
    }

    /// The first value of that name; bytes that are not UTF-8 are replaced.
    ///
    /// Setting replaces all fields of the name by one, or, with `nil`, removes them.
    package subscript(_ name: HTTPFieldName) -> String? {
        get { firstIndex(of: name).map { text(fields[$0].value) } }
        set {
            remove(name)
            if let newValue { append(name, newValue) }
        }
    }

    /// Returns all values of that name, one for each field line, in order.
    package func values(of name: HTTPFieldName) -> [String] {
        var values: [String] = []
        for field in fields where isNamed(field, name) { values.append(text(field.value)) }
        return values
    }

    /// Adds a field at the end, also when there is one of that name; a byte that cannot be sent
    /// becomes a space, and blanks around the value are removed.
    package mutating func append(_ name: HTTPFieldName, _ value: String) {
        if fields.isEmpty {
            bytes.reserveCapacity(256)
            fields.reserveCapacity(8)
        }
        let nameStart = bytes.count
        bytes.append(contentsOf: name.spelling.utf8)
        let nameEnd = bytes.count
        bytes.append(contentsOf: value.utf8)
        for index in nameEnd..<bytes.count where !bytes[index].isFieldValueByte {
            bytes[index] = .space
        }
        let trimmed = bytes.span.trimmingBlanks(nameEnd..<bytes.count)
        // Fields of 4 GiB are beyond any limit; the offsets clamp instead of trapping.
        fields.append(
            Field(
                nameStart: UInt32(clamping: nameStart), nameEnd: UInt32(clamping: nameEnd),
                valueStart: UInt32(clamping: trimmed.lowerBound),
                valueEnd: UInt32(clamping: trimmed.upperBound)))
    }

    package mutating func remove(_ name: HTTPFieldName) {
        fields.removeAll { [bytes] in
            bytes.span.extracting($0.name).equalsIgnoringCase(name.spelling.utf8.span)
        }
    }

    private func firstIndex(of name: HTTPFieldName) -> Int? {
        fields.firstIndex { isNamed($0, name) }
    }

    func isNamed(_ field: Field, _ name: HTTPFieldName) -> Bool {
        bytes.span.extracting(field.name).equalsIgnoringCase(name.spelling.utf8.span)
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (HTTPFieldName, String)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}

extension HTTPHeaders: Sequence {
    package func makeIterator() -> some IteratorProtocol<(name: String, value: String)> {
        fields.lazy.map { (name: text($0.name), value: text($0.value)) }.makeIterator()
    }
}

extension HTTPHeaders: Equatable {
    /// Returns whether both have the same fields in the same order, at any offsets.
    package static func == (one: Self, other: Self) -> Bool {
        one.count == other.count
            && zip(one.fields, other.fields).allSatisfy { mine, theirs in
                one.bytes.span.extracting(mine.name)
                    .equalsIgnoringCase(other.bytes.span.extracting(theirs.name))
                    && one.bytes[mine.value] == other.bytes[theirs.value]
            }
    }
}

extension Span<UInt8> {
    /// Returns `range` without the spaces and tabs at its two ends (RFC 9110 §5.5).
    func trimmingBlanks(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }
}

/// The name of a header field: a token, compared case-insensitively (RFC 9110 §5.1).
package struct HTTPFieldName: Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name as it is sent, such as `Content-Type`.
    package let spelling: String

    package init?(token spelling: String) {
        guard !spelling.isEmpty, spelling.utf8.allSatisfy(\.isTokenByte) else { return nil }
        self.spelling = spelling
    }

    /// Creates a name from a literal.
    ///
    /// A byte that is not allowed in a token becomes `-`, so that a mistake in the source cannot
    /// break a message's framing.
    package init(stringLiteral literal: String) {
        guard Self(token: literal) == nil else {
            spelling = literal
            return
        }
        let repaired = literal.utf8.map { $0.isTokenByte ? $0 : UInt8(ascii: "-") }
        spelling = repaired.isEmpty ? "-" : String(decoding: repaired, as: UTF8.self)
    }

    private init(known spelling: String) { self.spelling = spelling }

    package var description: String { spelling }
}

extension HTTPFieldName: Hashable {
    /// Returns whether two names are equal, ignoring case.
    package static func == (one: Self, other: Self) -> Bool {
        one.spelling.utf8.span.equalsIgnoringCase(other.spelling.utf8.span)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in spelling.utf8 { hasher.combine(byte.lowercased) }
    }
}

/// The names that this product reads or writes.
extension HTTPFieldName {
    /// The fields that a page may send (Fetch standard, "CORS protocol", also of the next five).
    package static var accessControlAllowHeaders: Self {
        Self(known: "Access-Control-Allow-Headers")
    }
    /// The methods that a page may use.
    package static var accessControlAllowMethods: Self {
        Self(known: "Access-Control-Allow-Methods")
    }
    /// The origin whose pages may read a response.
    package static var accessControlAllowOrigin: Self {
        Self(known: "Access-Control-Allow-Origin")
    }
    /// The fields of a response that a page may read.
    package static var accessControlExposeHeaders: Self {
        Self(known: "Access-Control-Expose-Headers")
    }
    /// The time for which a browser need not ask again.
    package static var accessControlMaxAge: Self { Self(known: "Access-Control-Max-Age") }
    /// The method for which a browser asks.
    package static var accessControlRequestMethod: Self {
        Self(known: "Access-Control-Request-Method")
    }
    /// RFC 9110 §12.5.1.
    package static var accept: Self { Self(known: "Accept") }
    /// RFC 9110 §12.5.3.
    package static var acceptEncoding: Self { Self(known: "Accept-Encoding") }
    /// RFC 5789 §3.1.
    package static var acceptPatch: Self { Self(known: "Accept-Patch") }
    /// RFC 9110 §10.2.1.
    package static var allow: Self { Self(known: "Allow") }
    /// RFC 9110 §11.6.2.
    package static var authorization: Self { Self(known: "Authorization") }
    /// RFC 9111 §5.2.
    package static var cacheControl: Self { Self(known: "Cache-Control") }
    /// RFC 9110 §7.6.1.
    package static var connection: Self { Self(known: "Connection") }
    /// RFC 9110 §8.4.
    package static var contentEncoding: Self { Self(known: "Content-Encoding") }
    /// RFC 9110 §8.6.
    package static var contentLength: Self { Self(known: "Content-Length") }
    /// RFC 9110 §8.3.
    package static var contentType: Self { Self(known: "Content-Type") }
    /// Content Security Policy Level 3.
    package static var contentSecurityPolicy: Self { Self(known: "Content-Security-Policy") }
    /// `Cross-Origin-Opener-Policy` (HTML standard).
    package static var crossOriginOpenerPolicy: Self { Self(known: "Cross-Origin-Opener-Policy") }
    /// `Cross-Origin-Resource-Policy` (Fetch standard).
    package static var crossOriginResourcePolicy: Self {
        Self(known: "Cross-Origin-Resource-Policy")
    }
    /// RFC 9110 §6.6.1.
    package static var date: Self { Self(known: "Date") }
    /// RFC 9110 §8.8.3.
    package static var etag: Self { Self(known: "ETag") }
    /// RFC 9110 §10.1.1.
    package static var expect: Self { Self(known: "Expect") }
    /// RFC 7239 §4.
    package static var forwarded: Self { Self(known: "Forwarded") }
    /// RFC 9110 §7.2.
    package static var host: Self { Self(known: "Host") }
    /// RFC 9110 §13.1.1.
    package static var ifMatch: Self { Self(known: "If-Match") }
    /// RFC 9110 §13.1.2.
    package static var ifNoneMatch: Self { Self(known: "If-None-Match") }
    /// The last event that a client of an event stream has (HTML standard, "Server-sent events").
    package static var lastEventID: Self { Self(known: "Last-Event-ID") }
    /// RFC 9110 §10.2.2.
    package static var location: Self { Self(known: "Location") }
    /// The number of diagnostics of a written page or a composed tree; a field of this product
    /// (docs/api.md).
    package static var diagnostics: Self { Self(known: "Broadsheet-Diagnostics") }
    /// The lifetime of a screen; a field of this product (docs/api.md).
    package static var screenLifetime: Self { Self(known: "Broadsheet-TTL") }
    /// RFC 6454 §7.
    package static var origin: Self { Self(known: "Origin") }
    /// RFC 7240 §2.
    package static var prefer: Self { Self(known: "Prefer") }
    /// RFC 7240 §3.
    package static var preferenceApplied: Self { Self(known: "Preference-Applied") }
    /// Referrer Policy §4.1.
    package static var referrerPolicy: Self { Self(known: "Referrer-Policy") }
    /// RFC 9110 §10.2.3.
    package static var retryAfter: Self { Self(known: "Retry-After") }
    /// RFC 9112 §6.1.
    package static var transferEncoding: Self { Self(known: "Transfer-Encoding") }
    /// RFC 9110 §12.5.5.
    package static var vary: Self { Self(known: "Vary") }
    /// RFC 9110 §7.6.3.
    package static var via: Self { Self(known: "Via") }
    /// RFC 9110 §11.6.1.
    package static var wwwAuthenticate: Self { Self(known: "WWW-Authenticate") }
    /// The WHATWG's Fetch Standard.
    package static var contentTypeOptions: Self { Self(known: "X-Content-Type-Options") }
    /// The buffering of a response by nginx, as the response requests it.
    package static var accelBuffering: Self { Self(known: "X-Accel-Buffering") }
    /// The clients and proxies that a request has passed; every proxy appends the address that it
    /// received the request from.
    package static var forwardedFor: Self { Self(known: "X-Forwarded-For") }
    /// The host that a client has named to a proxy.
    package static var forwardedHost: Self { Self(known: "X-Forwarded-Host") }
    /// The identifier of a request in responses and logs.
    package static var requestID: Self { Self(known: "X-Request-Id") }
}
