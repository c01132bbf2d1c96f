package import BroadsheetIO

/// The options of a Redis store besides its endpoint.
package struct RedisStoreOptions: Sendable {
    /// The clock by which cached revisions expire.
    package var clock: TimeSource
    /// The maximum size of the pages of one screen together, in bytes.
    package var maxScreenBytes: Int
    /// The time for which a request is sent again whose connection was lost.
    package var timeout: Duration
    /// The budget that large requests and replies are charged to.
    package var memory: MemoryBudget
    package var onEvent: StoreEvent.Handler
    package var history: HistoryBounds
    package var feeds: FeedBounds

    package static let defaultMaxScreenBytes = 256 << 20

    package init(
        clock: TimeSource = .system, maxScreenBytes: Int = defaultMaxScreenBytes,
        timeout: Duration = PostgresStoreOptions.defaultTimeout,
        memory: MemoryBudget = .unlimited, history: HistoryBounds = .none,
        feeds: FeedBounds = .none, onEvent: @escaping StoreEvent.Handler = { _ in }
    ) {
        self.clock = clock
        self.maxScreenBytes = maxScreenBytes
        self.timeout = timeout
        self.memory = memory
        self.history = history
        self.feeds = feeds
        self.onEvent = onEvent
    }
}
