import BroadsheetIO
import BroadsheetStores
import Synchronization

/// The number of screens in a store and the size of their pages, for the metrics.
///
/// A store is read through for them, so that takes at most a small part of the time, and while it
/// takes long, scrapes have the numbers of the last time.
final class StoreCensus: Sendable {
    private struct State {
        var isCounting = false
        var duration = Duration.zero
        var next: MonotonicInstant?
    }

    /// The number of screens that are read at once.
    private static let part = 1000
    /// The time until the next count, as a multiple of the duration of the last one.
    private static let rest = 100
    /// The duration above which a scrape does not wait for a count.
    private static let longest = Duration.milliseconds(100)

    private let store: ScreenStore
    private let clock: TimeSource
    private let gauges: (screens: Gauge, bytes: Gauge)
    private let state = Mutex(State())

    /// Creates a census that sets the gauges of the metrics.
    init(of store: ScreenStore, _ metrics: ServiceMetrics, _ clock: TimeSource) {
        self.store = store
        self.clock = clock
        gauges = (metrics.storeScreens, metrics.storeBytes)
    }

    /// Counts, unless that was done lately or is in progress.
    func update() async {
        let now = clock.now
        let (isDue, isLong) = state.withLock { state in
            let isDue = !state.isCounting && state.next.map { now >= $0 } ?? true
            if isDue { state.isCounting = true }
            return (isDue, state.duration > Self.longest)
        }
        guard isDue else { return }
        // Not on an event loop: the list of a store in memory is made without a suspension.
        let counting = Task.detached(priority: isLong ? .low : nil) { await self.count() }
        if !isLong { await counting.value }
    }

    private func count() async {
        let start = clock.now
        var (screens, bytes, after) = (0, 0, ScreenName?.none)
        do throws(StoreError) {
            while true {
                let listed = try await store.screens(after: after, limit: Self.part)
                screens += listed.count
                bytes += listed.reduce(0) { $0 + ($1.byteCount ?? 0) }
                guard listed.count == Self.part, let last = listed.last else { break }
                after = last.name
            }
            gauges.screens.set(Int64(screens))
            gauges.bytes.set(Int64(bytes))
        } catch {
            // The next scrape counts again; whether the store is up is a metric of its own.
        }
        let end = clock.now
        state.withLock { state in
            state.isCounting = false
            state.duration = start.duration(to: end)
            state.next = end.advanced(by: state.duration * Self.rest)
        }
    }
}
