internal import Glibc

/// Where a store reads the date that screens expire by; passed in, so that tests decide what it is.
package struct StoreClock: Sendable {
    private let read: @Sendable () -> Int64

    /// Makes a clock out of a reading of milliseconds since 1970-01-01T00:00:00Z.
    package init(unixMilliseconds: @escaping @Sendable () -> Int64) { read = unixMilliseconds }

    /// The present in milliseconds since 1970-01-01T00:00:00Z.
    package var unixMilliseconds: Int64 { read() }

    /// The system's clock.
    package static let system = StoreClock {
        var time = timespec()
        // Cannot fail: the clock exists on every Linux, and the pointer is ours.
        _ = clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
    }
}
