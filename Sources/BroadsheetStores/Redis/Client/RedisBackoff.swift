/// How long to wait before the next attempt to connect: longer after each that failed, and never the
/// same for all daemons, so that a server that comes back is not met by everybody at once.
struct RedisBackoff {
    /// The first wait at most.
    static let first = Duration.milliseconds(50)
    /// The longest wait.
    static let longest = Duration.seconds(2)

    private var failures = 0

    /// Starts anew: a connection stands.
    mutating func reset() { failures = 0 }

    /// The wait after one more failure: between a half and the whole of what doubles each time.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let whole = min(Self.first * (1 << min(failures, 16)), Self.longest)
        failures += 1
        return whole * Double.random(in: 0.5...1, using: &generator)
    }
}
