/// A point on the machine's monotonic clock, in nanoseconds since an arbitrary start.
///
/// Arithmetic saturates: a deadline that lies beyond the clock's range is simply never reached.
package struct MonotonicInstant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's start.
    package var nanoseconds: Int64

    /// Makes the instant that lies `nanoseconds` after the clock's start.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The instant that no clock reaches.
    package static let distantFuture = MonotonicInstant(nanoseconds: .max)

    /// The instant `duration` later (or earlier, when it is negative), saturating.
    package func advanced(by duration: Duration) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        guard overflow else { return MonotonicInstant(nanoseconds: sum) }
        return MonotonicInstant(nanoseconds: duration < .zero ? .min : .max)
    }

    /// How long it is from here to `later`; negative when `later` came first.
    package func duration(to later: MonotonicInstant) -> Duration {
        let (difference, overflow) = later.nanoseconds.subtractingReportingOverflow(nanoseconds)
        guard overflow else { return .nanoseconds(difference) }
        return .nanoseconds(later < self ? Int64.min : Int64.max)
    }

    /// The nanoseconds that have passed since `earlier`; 0 when it is not earlier.
    package func nanoseconds(since earlier: MonotonicInstant) -> UInt64 {
        UInt64(max(0, nanoseconds &- earlier.nanoseconds))
    }

    /// Orders instants by time.
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
