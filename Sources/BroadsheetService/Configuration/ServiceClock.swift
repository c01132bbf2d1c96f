import Glibc

/// Where the service gets the time from; passed in, so that tests decide what time it is.
package struct ServiceClock: Sendable {
    /// Nanoseconds since some moment in the past, never going back: what durations are taken from.
    package var monotonicNanoseconds: @Sendable () -> UInt64
    /// Milliseconds since 1970-01-01T00:00:00Z: what log lines say.
    package var unixMilliseconds: @Sendable () -> Int64

    /// Makes a clock out of the two readings.
    package init(
        monotonicNanoseconds: @escaping @Sendable () -> UInt64,
        unixMilliseconds: @escaping @Sendable () -> Int64
    ) {
        self.monotonicNanoseconds = monotonicNanoseconds
        self.unixMilliseconds = unixMilliseconds
    }

    /// The system's clocks.
    package static let system = ServiceClock(
        monotonicNanoseconds: {
            let time = reading(of: CLOCK_MONOTONIC)
            return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
        },
        unixMilliseconds: {
            let time = reading(of: CLOCK_REALTIME)
            return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
        })

    private static func reading(of clock: clockid_t) -> timespec {
        var time = timespec()
        // Fails for clocks that the kernel does not have only; these two it has.
        _ = clock_gettime(clock, &time)
        return time
    }
}
