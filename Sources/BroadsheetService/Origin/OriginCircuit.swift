import BroadsheetIO
import Synchronization

/// The failures of an origin in a row, after which it is not asked for a time.
///
/// After that time one more failure is enough for the next rest, until a fetch succeeds.
final class OriginCircuit: Sendable {
    /// The number of failures in a row after which the origin rests.
    static let maxFailures = 5

    private struct State: Sendable {
        var failures = 0
        var end: MonotonicInstant?
    }

    private let rest: Duration
    private let clock: TimeSource
    private let state = Mutex(State())

    /// Creates a record without failures.
    init(rest: Duration, clock: TimeSource) {
        self.rest = rest
        self.clock = clock
    }

    /// The time until the origin may be asked again, rounded up to seconds; `nil` if it may be
    /// asked now.
    var secondsLeft: Int? {
        guard let end = state.withLock({ $0.end }) else { return nil }
        let left = clock.now.duration(to: end)
        guard left > .zero else { return nil }
        return Int(left.components.seconds) + (left.components.attoseconds > 0 ? 1 : 0)
    }

    /// Records that the origin has responded as it should.
    ///
    /// - Returns: A Boolean value that indicates whether it had rested.
    func recordSuccess() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.end != nil
        }
    }

    /// Records a failure.
    ///
    /// - Returns: A Boolean value that indicates whether the origin rests from now on.
    func recordFailure() -> Bool {
        state.withLock { state in
            state.failures += 1
            guard state.failures >= Self.maxFailures else { return false }
            // Fetches that had begun before the rest do not prolong it.
            if let end = state.end, clock.now < end { return false }
            state.end = clock.now.advanced(by: rest)
            return true
        }
    }
}
