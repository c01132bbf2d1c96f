import BroadsheetIO
import Synchronization

/// The failures in a row of an origin, and those of single pages, after which the origin, or the
/// page, is not requested for a time.
///
/// After that time one more failure is enough for the next rest, until a fetch succeeds.
final class OriginCircuit: Sendable {
    /// The number of failures in a row after which the origin, or a page, rests.
    static let maxFailures = 5
    /// The maximum number of pages with failures; the ones that failed least recently are
    /// forgotten.
    static let maxPages = 10_000

    /// A row of failures.
    private struct Row: Sendable {
        var failures = 0
        var end: MonotonicInstant?

        /// Adds a failure, and returns whether a rest begins with it.
        mutating func add(at now: MonotonicInstant, rest: Duration) -> Bool {
            failures += 1
            guard failures >= OriginCircuit.maxFailures else { return false }
            // Fetches that had begun before the rest do not prolong it.
            if let end, now < end { return false }
            end = now.advanced(by: rest)
            return true
        }
    }

    private struct State: Sendable {
        var origin = Row()
        var pages = LRUCache<PagesOnDemand.SharedFetch, Row>(limit: OriginCircuit.maxPages)
    }

    private let rest: Duration
    private let clock: TimeSource
    private let state = Mutex(State())

    init(rest: Duration, clock: TimeSource) {
        self.rest = rest
        self.clock = clock
    }

    /// Returns the time until a page may be requested again, rounded up to seconds, and whether the
    /// whole origin rests; `nil` if it may be requested now.
    func rest(of page: PagesOnDemand.SharedFetch) -> (seconds: Int, isOfOrigin: Bool)? {
        let ends = state.withLock { ($0.origin.end, $0.pages.value(for: page)?.end) }
        if let seconds = seconds(until: ends.0) { return (seconds, true) }
        return seconds(until: ends.1).map { ($0, false) }
    }

    private func seconds(until end: MonotonicInstant?) -> Int? {
        guard let left = end.map({ clock.now.duration(to: $0) }), left > .zero else { return nil }
        return Int(left.components.seconds) + (left.components.attoseconds > 0 ? 1 : 0)
    }

    /// Records that the origin has responded with a page, or that it does not have it.
    ///
    /// - Returns: A Boolean value that indicates whether the origin had rested.
    func recordSuccess(of page: PagesOnDemand.SharedFetch) -> Bool {
        state.withLock { state in
            _ = state.pages.remove(page)
            defer { state.origin = Row() }
            return state.origin.end != nil
        }
    }

    /// Records a failure that says that the origin is ill.
    ///
    /// - Returns: A Boolean value that indicates whether the origin rests from now on.
    func recordFailure() -> Bool {
        state.withLock { $0.origin.add(at: clock.now, rest: rest) }
    }

    /// Records that the origin has responded, and that the page cannot be used.
    ///
    /// - Returns: Boolean values that indicate whether the page rests from now on, and whether the
    ///   origin had rested.
    func recordFailure(
        of page: PagesOnDemand.SharedFetch
    ) -> (isResting: Bool, hadRested: Bool) {
        state.withLock { state in
            var row = state.pages.value(for: page) ?? Row()
            let isResting = row.add(at: clock.now, rest: rest)
            _ = state.pages.insert(row, for: page, cost: 1)
            defer { state.origin = Row() }
            return (isResting, state.origin.end != nil)
        }
    }
}
