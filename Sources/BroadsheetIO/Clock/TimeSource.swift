import Glibc

/// A source of the present time: the system's clocks, or a test's own.
///
/// Timeouts, deadlines and durations are measured on the monotonic clock, so a change of the
/// system's date does not affect them. The date is for expiries, log lines and the `Date` header
/// only.
package struct TimeSource: Sendable {
    private let readNow: @Sendable () -> MonotonicInstant
    private let readUnixMilliseconds: @Sendable () -> Int64

    /// Creates a time source from two functions, which are called from any thread.
    package init(
        now: @escaping @Sendable () -> MonotonicInstant = Self.monotonicInstant,
        unixMilliseconds: @escaping @Sendable () -> Int64 = Self.systemUnixMilliseconds
    ) {
        readNow = now
        readUnixMilliseconds = unixMilliseconds
    }

    /// The system's clocks: `CLOCK_MONOTONIC` and `CLOCK_REALTIME`.
    package static let system = TimeSource()

    package var now: MonotonicInstant { readNow() }

    package var unixMilliseconds: Int64 { readUnixMilliseconds() }

    /// The date, in whole seconds since 1970-01-01T00:00:00Z, rounded down.
    package var unixSeconds: Int64 {
        let milliseconds = unixMilliseconds
        return (milliseconds >= 0 ? milliseconds : milliseconds - 999) / 1000
    }

    @Sendable
    package static func monotonicInstant() -> MonotonicInstant {
        let time = reading(of: CLOCK_MONOTONIC)
        return MonotonicInstant(
            nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    @Sendable
    package static func systemUnixMilliseconds() -> Int64 {
        let time = reading(of: CLOCK_REALTIME)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
    }

    @inline(__always)
    private static func reading(of clock: clockid_t) -> timespec {
        var time = timespec()
        // Cannot fail: both clocks exist on every Linux, and the pointer is valid.
        _ = clock_gettime(clock, &time)
        return time
    }
}

/// A point on the monotonic clock, in nanoseconds since an arbitrary start.
///
/// Arithmetic saturates: a deadline beyond the clock's range is never reached.
package struct MonotonicInstant: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static let distantFuture = MonotonicInstant(nanoseconds: .max)

    /// Returns the instant `duration` later (or earlier, when it is negative), saturating.
    package func advanced(by duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        guard overflow else { return MonotonicInstant(nanoseconds: sum) }
        return MonotonicInstant(nanoseconds: duration < .zero ? .min : .max)
    }

    package func duration(to later: MonotonicInstant) -> Duration {
        let (difference, overflow) = later.nanoseconds.subtractingReportingOverflow(nanoseconds)
        guard overflow else { return .nanoseconds(difference) }
        return .nanoseconds(later < self ? Int64.min : Int64.max)
    }

    /// Returns the nanoseconds that have passed since `earlier`; 0 when it is not earlier.
    package func nanoseconds(since earlier: MonotonicInstant) -> UInt64 {
        UInt64(max(0, nanoseconds &- earlier.nanoseconds))
    }

    package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The duration in nanoseconds, rounded towards zero and saturating at 64 bits.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard overflow || carried else { return sum }
        return seconds < 0 ? .min : .max
    }
}
