/// The name of a header field: a token, compared without regard to case (RFC 9110 §5.1).
package struct HTTPFieldName: Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name as it is written on the wire, such as `Content-Type`.
    package let spelling: String

    /// A name from text; `nil` when it is empty or no token.
    package init?(token spelling: String) {
        guard !spelling.isEmpty, spelling.utf8.allSatisfy(\.isTokenByte) else { return nil }
        self.spelling = spelling
    }

    /// A name written in the source.
    ///
    /// A byte that a token may not have becomes `-`, so that even a slip of the programmer's
    /// cannot break a message's framing.
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
    /// Whether two names differ in case alone.
    package static func == (one: Self, other: Self) -> Bool {
        one.spelling.utf8.span.equalsIgnoringCase(other.spelling.utf8.span)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in spelling.utf8 { hasher.combine(byte.lowercased) }
    }
}

/// The names this product reads or writes.
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
    /// This product's own: how long a screen lives (docs/api.md).
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
    /// The identifier of a request in answers and logs.
    package static var requestID: Self { Self(known: "X-Request-Id") }
}
