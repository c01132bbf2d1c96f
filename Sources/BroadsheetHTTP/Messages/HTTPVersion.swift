/// The versions of HTTP this room speaks (RFC 9112 §2.3).
package enum HTTPVersion: Sendable, Hashable {
    /// HTTP/1.0: a connection closes after an answer unless the client asked to keep it.
    case http10
    /// HTTP/1.1, and any later 1.x, which must be readable as 1.1 (RFC 9110 §2.5).
    case http11
}
