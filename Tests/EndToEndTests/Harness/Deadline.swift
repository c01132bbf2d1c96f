/// The instant by which something must have happened.
struct Deadline {
    private let instant: ContinuousClock.Instant

    /// So far from now.
    ///
    /// Generous by default: a deadline that a healthy run meets a thousand times
    /// over and a hung one still ends at.
    static func within(_ duration: Duration = .seconds(20)) -> Deadline {
        Deadline(instant: .now + duration)
    }

    /// Milliseconds left, rounded up, as `poll` takes them; 0 when it has passed.
    var milliseconds: Int32 {
        let left = instant - .now
        guard left > .zero else { return 0 }
        let whole =
            left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
        return Int32(clamping: whole + 1)
    }

    /// Whether it has passed.
    var hasPassed: Bool { ContinuousClock.now >= instant }

    /// Seconds left, never below 0.
    var seconds: Double { Double(milliseconds) / 1_000 }
}

/// What a test waited for did not happen, or the harness could not do its part.
struct HarnessError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
