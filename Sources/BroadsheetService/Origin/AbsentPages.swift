import BroadsheetIO
import Synchronization

/// The pages that an origin is not asked for again, for a time.
final class AbsentPages: Sendable {
    /// The time for which a page is known not to exist.
    static let duration = Duration.seconds(5)
    /// The maximum number of pages; the ones that were asked for least recently are forgotten.
    static let limit = 10_000

    private let ends = Mutex(LRUCache<PagesOnDemand.Key, MonotonicInstant>(limit: limit))
    private let clock: TimeSource
    private let duration: Duration

    init(clock: TimeSource, for duration: Duration = duration) {
        (self.clock, self.duration) = (clock, duration)
    }

    func contains(_ key: PagesOnDemand.Key) -> Bool {
        let now = clock.now
        return ends.withLock { ends in
            guard let end = ends.value(for: key) else { return false }
            if end <= now { _ = ends.remove(key) }
            return end > now
        }
    }

    func insert(_ key: PagesOnDemand.Key) {
        let end = clock.now.advanced(by: duration)
        _ = ends.withLock { $0.insert(end, for: key, cost: 1) }
    }
}
