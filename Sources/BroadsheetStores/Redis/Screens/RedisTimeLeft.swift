/// How long a key has to live, as `PTTL` says it.
struct RedisTimeLeft: Hashable, Sendable {
    /// How long; nil for ever, and nothing at all when the key is gone or the answer makes no sense.
    let duration: Duration?

    /// Reads the answer: milliseconds, -1 for a key that does not expire, -2 for no key.
    init(_ answer: RESPValue) {
        guard let milliseconds = answer.integer else {
            duration = .zero
            return
        }
        duration = milliseconds == -1 ? nil : .milliseconds(max(0, milliseconds))
    }
}
