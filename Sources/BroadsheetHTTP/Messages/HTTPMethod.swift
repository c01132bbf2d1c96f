/// A request method: a token whose case matters (RFC 9110 §9.1).
package struct HTTPMethod: Sendable, Hashable, CustomStringConvertible {
    /// The token as it was sent, such as `GET`.
    package let token: String

    /// Creates a method from its token; `nil` when it is empty or contains a byte that is not
    /// allowed.
    package init?(_ token: String) {
        guard !token.isEmpty, token.utf8.allSatisfy(\.isTokenByte) else { return nil }
        self.token = token
    }

    init(unchecked token: String) { self.token = token }

    /// Retrieves (RFC 9110 §9.3.1).
    package static var get: Self { Self(unchecked: "GET") }
    /// Retrieves the head alone (RFC 9110 §9.3.2).
    package static var head: Self { Self(unchecked: "HEAD") }
    /// Processes the content (RFC 9110 §9.3.3).
    package static var post: Self { Self(unchecked: "POST") }
    /// Stores or replaces (RFC 9110 §9.3.4).
    package static var put: Self { Self(unchecked: "PUT") }
    /// Changes in part (RFC 5789).
    package static var patch: Self { Self(unchecked: "PATCH") }
    /// Removes (RFC 9110 §9.3.5).
    package static var delete: Self { Self(unchecked: "DELETE") }
    /// Requests the allowed methods (RFC 9110 §9.3.7).
    package static var options: Self { Self(unchecked: "OPTIONS") }
    /// Requests a tunnel from a proxy (RFC 9110 §9.3.6); never served here.
    package static var connect: Self { Self(unchecked: "CONNECT") }

    package var description: String { token }

    /// A Boolean value that indicates whether a request must declare its content's length (411
    /// otherwise, RFC 9110 §15.5.12).
    var requiresContentLength: Bool { self == .post || self == .put || self == .patch }
}

/// The supported versions of HTTP (RFC 9112 §2.3).
package enum HTTPVersion: Sendable, Hashable {
    /// HTTP/1.0: a connection closes after a response unless the client requested to keep it.
    case http10
    /// HTTP/1.1, and any later 1.x, which must be readable as 1.1 (RFC 9110 §2.5).
    case http11
}
