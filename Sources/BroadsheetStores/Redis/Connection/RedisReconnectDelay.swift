/// The delay before the next connection attempt.
///
/// It grows with each failure and is randomized, so that a restarted server is not contacted by all
/// daemons at once.
struct RedisReconnectDelay {
    /// The maximum of the first delay.
    static let first = Duration.milliseconds(50)
    /// The maximum delay.
    static let longest = Duration.seconds(2)

    private var failures = 0

    /// Starts again with the first delay after a successful connection.
    mutating func reset() { failures = 0 }

    /// Returns the delay after one more failure: between half and all of a value that doubles each
    /// time.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let whole = min(Self.first * (1 << min(failures, 16)), Self.longest)
        failures += 1
        return whole * Double.random(in: 0.5...1, using: &generator)
    }
}
