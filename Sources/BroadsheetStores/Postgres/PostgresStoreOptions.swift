package import BroadsheetIO

extension ScreenStore {
    /// Connects to the database and creates the schema if there is none, and blocks the thread
    /// until then.
    ///
    /// - Throws: ``StoreOpenError`` if there is no such server, if the role lacks rights, and if a
    ///   newer program, or one of a former format, wrote the store.
    package convenience init(
        _ address: PostgresAddress, options: PostgresStoreOptions = PostgresStoreOptions()
    ) throws(StoreOpenError) {
        self.init(
            try PostgresBackend(address, options: options),
            bounds: StoreBounds(history: options.history, feeds: options.feeds),
            clock: options.clock, timeout: options.timeout, onEvent: options.onEvent)
    }

    package var postgres: PostgresBackend? { backend as? PostgresBackend }
}

/// The options of a PostgreSQL store besides its address.
package struct PostgresStoreOptions: Sendable {
    /// The connection for notifications.
    package enum Listening: Hashable, Sendable {
        /// To the server of the store.
        case sameServer
        /// To an address that leads to the same server, past a pooler.
        case server(PostgresAddress)
        case off
    }

    package var connections: Int
    /// The time that a request may take.
    package var timeout: Duration
    package var listening: Listening
    package var clock: TimeSource
    /// The budget that requests and replies are reserved from.
    package var memory: MemoryBudget
    /// A Boolean value that indicates whether a store is opened that a copy has not filled.
    package var allowsIncomplete = false
    package var history: HistoryBounds
    package var feeds: FeedBounds
    package var onEvent: StoreEvent.Handler

    package static let connectionRange = 2...200
    package static let defaultConnections = 8
    package static let defaultTimeout = Duration.seconds(5)

    package init(
        connections: Int = defaultConnections, timeout: Duration = defaultTimeout,
        listening: Listening = .sameServer, clock: TimeSource = .system,
        memory: MemoryBudget = .unlimited, history: HistoryBounds = .none,
        feeds: FeedBounds = .none, onEvent: @escaping StoreEvent.Handler = { _ in }
    ) {
        self.connections = connections
        self.timeout = timeout
        self.listening = listening
        self.clock = clock
        self.memory = memory
        self.history = history
        self.feeds = feeds
        self.onEvent = onEvent
    }
}
