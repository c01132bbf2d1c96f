/// A version of the protocol.
enum RESPVersion: Hashable, Sendable {
    /// The one that every server speaks: a connection that listens to a channel may ask for nothing
    /// but `PING`, and messages look like answers.
    case two
    /// The one since Redis 6.
    case three
}
