package import BroadsheetIO

/// A store in the memory of the process, for tests, demonstrations, and pages that are posted again
/// after a restart.
///
/// Page bytes are shared with the caller that posted them, not copied. Earlier revisions and feeds
/// are kept as long as the process lives.
extension ScreenStore {
    /// Creates an empty store in memory.
    public static func inMemory() -> ScreenStore { inMemory(clock: .system) }

    /// Creates an empty store in memory whose screens expire by `clock`.
    ///
    /// - Parameters:
    ///   - identity: The identity.
    ///   - clock: The clock.
    ///   - memory: The budget of which the store uses its share.
    ///   - history: The bounds of the history of each screen.
    ///   - historyBytes: The maximum number of bytes of the history of all screens.
    ///   - feeds: The bounds of the feed of each screen, and the maximum number of bytes of the
    ///     feeds of all.
    package static func inMemory(
        identity: StoreIdentity = .random(), clock: TimeSource = .system,
        memory: MemoryBudget = .unlimited, history: HistoryBounds = .none,
        historyBytes: Int = .max, feeds: (bounds: FeedBounds, limit: Int) = (.none, .max)
    ) -> ScreenStore {
        let backend = MemoryBackend(
            identity: identity, clock: clock, memory: memory, historyLimit: historyBytes,
            feedLimit: feeds.limit)
        return ScreenStore(
            backend, bounds: StoreBounds(history: history, feeds: feeds.bounds), clock: clock,
            memory: backend)
    }

    /// The number of screens in memory, including expired ones that are not removed yet; 0 of a
    /// store that is not in memory.
    package var count: Int { memory?.count ?? 0 }
}
