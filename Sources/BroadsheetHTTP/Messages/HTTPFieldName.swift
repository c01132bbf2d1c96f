/// The name of a header field: a token, compared case-insensitively (RFC 9110 §5.1).
package struct HTTPFieldName: Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name as it is sent, such as `Content-Type`.
    package let spelling: String

    /// Creates a name from text; `nil` when it is not a token.
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
    /// RFC 9110 §12.5.1.
    package static var accept: Self { Self(known: "Accept") }
    /// RFC 9110 §10.2.1.
    package static var allow: Self { Self(known: "Allow") }
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
    /// RFC 9110 §6.6.1.
    package static var date: Self { Self(known: "Date") }
    /// RFC 9110 §8.8.3.
    package static var etag: Self { Self(known: "ETag") }
    /// RFC 9110 §10.1.1.
    package static var expect: Self { Self(known: "Expect") }
    /// RFC 9110 §7.2.
    package static var host: Self { Self(known: "Host") }
    /// RFC 9110 §13.1.1.
    package static var ifMatch: Self { Self(known: "If-Match") }
    /// RFC 9110 §13.1.2.
    package static var ifNoneMatch: Self { Self(known: "If-None-Match") }
    /// RFC 9110 §10.2.2.
    package static var location: Self { Self(known: "Location") }
    /// The lifetime of a screen; a field of this product (docs/api.md).
    package static var screenLifetime: Self { Self(known: "Broadsheet-TTL") }
    /// RFC 7240 §2.
    package static var prefer: Self { Self(known: "Prefer") }
    /// RFC 7240 §3.
    package static var preferenceApplied: Self { Self(known: "Preference-Applied") }
    /// RFC 9110 §10.2.3.
    package static var retryAfter: Self { Self(known: "Retry-After") }
    /// RFC 9112 §6.1.
    package static var transferEncoding: Self { Self(known: "Transfer-Encoding") }
    /// RFC 9110 §12.5.5.
    package static var vary: Self { Self(known: "Vary") }
    /// The identifier of a request in responses and logs.
    package static var requestID: Self { Self(known: "X-Request-Id") }
}
