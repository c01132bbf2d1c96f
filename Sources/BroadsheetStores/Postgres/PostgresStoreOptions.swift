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

    /// The backend of a store in PostgreSQL; `nil` for another one.
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
        /// None.
        case off
    }

    /// The number of connections for requests.
    package var connections: Int
    /// The time that a request may take.
    package var timeout: Duration
    /// The connection for notifications.
    package var listening: Listening
    /// The clock that times are measured by.
    package var clock: TimeSource
    /// The budget that requests and replies are reserved from.
    package var memory: MemoryBudget
    /// A Boolean value that indicates whether a store is opened that a copy has not filled.
    package var allowsIncomplete = false
    /// The bounds of the history of each screen.
    package var history: HistoryBounds
    /// The bounds of the feed of each screen.
    package var feeds: FeedBounds
    /// A function that receives background events.
    package var onEvent: StoreEvent.Handler

    /// The valid numbers of connections.
    package static let connectionRange = 2...200
    /// The default number of connections.
    package static let defaultConnections = 8
    /// The default time that a request may take.
    package static let defaultTimeout = Duration.seconds(5)

    /// Creates options.
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
