/// What the owner of a ``RedisLink`` hears of it, on the loop's thread.
struct RedisListening: Sendable {
    /// The channel whose messages are heard; it is subscribed to before the link counts as open.
    var channel: String?
    /// The connection stands, to this place, and nothing has been asked on it yet; what the channel
    /// says from now on is heard.
    var opened: @Sendable (RedisPlace, RedisSession) -> Void = { _, _ in }
    /// The connection is lost, or an attempt to make it has failed.
    var lost: @Sendable (String) -> Void = { _ in }
    /// A message has come, with its elements: its kind, the channel, what is said there.
    var heard: @Sendable ([RESPValue]) -> Void = { _ in }
}
