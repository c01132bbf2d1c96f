/// How a request's body is told apart from what follows it (RFC 9112 §6.3).
enum BodyFraming: Sendable, Hashable {
    /// There is none.
    case none
    /// So many bytes; more than 0 and at most the limit.
    case length(Int)
    /// Chunks (RFC 9112 §7.1).
    case chunked
}
