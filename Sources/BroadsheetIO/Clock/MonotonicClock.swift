import Glibc

/// Where an event loop reads the time: the machine's monotonic clock, or a test's own.
///
/// Loops never read wall-clock time, so a change of the system's date moves no timeout.
package struct MonotonicClock: Sendable {
    private let read: @Sendable () -> MonotonicInstant

    /// Makes a clock of `now`, which is called from every loop's thread and never goes backwards.
    package init(now: @escaping @Sendable () -> MonotonicInstant) {
        read = now
    }

    /// The present.
    package var now: MonotonicInstant { read() }

    /// The machine's `CLOCK_MONOTONIC`.
    package static let system = MonotonicClock {
        var time = timespec()
        // Cannot fail: the clock exists on every Linux, and the pointer is ours.
        _ = clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(
            nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }
}
