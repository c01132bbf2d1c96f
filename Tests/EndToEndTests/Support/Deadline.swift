import TestSupport

/// An instant by which an event must have occurred.
struct Deadline {
    private let instant: ContinuousClock.Instant

    /// Returns the deadline that is the given duration from now.
    ///
    /// The default is much longer than a correct run needs, and ends a run that does not end by
    /// itself.
    static func within(_ duration: Duration = waitTimeout) -> Deadline {
        Deadline(instant: .now + duration)
    }

    /// The remaining time in milliseconds, rounded up, as `poll` expects it; 0 after the deadline.
    var milliseconds: Int32 {
        let left = instant - .now
        guard left > .zero else { return 0 }
        let whole =
            left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
        return Int32(clamping: whole + 1)
    }

    /// A Boolean value that indicates whether the deadline has passed.
    var hasPassed: Bool { ContinuousClock.now >= instant }

    /// The remaining time in seconds, at least 0.
    var seconds: Double { Double(milliseconds) / 1_000 }
}

/// A failure of the harness, or an event that did not occur before its deadline.
struct HarnessError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
