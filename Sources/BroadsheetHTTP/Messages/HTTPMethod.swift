/// A request method: a token whose case matters (RFC 9110 §9.1).
package struct HTTPMethod: Sendable, Hashable, CustomStringConvertible {
    /// The token as it was sent, such as `GET`.
    package let token: String

    /// A method by its token; `nil` when `token` is empty or holds a byte that no token may have.
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
    /// Asks what is allowed (RFC 9110 §9.3.7).
    package static var options: Self { Self(unchecked: "OPTIONS") }
    /// Asks a proxy for a tunnel (RFC 9110 §9.3.6); never served here.
    package static var connect: Self { Self(unchecked: "CONNECT") }

    package var description: String { token }

    /// Whether a request must announce its content's length (411 otherwise, RFC 9110 §15.5.12).
    var requiresContentLength: Bool { self == .post || self == .put || self == .patch }
}
