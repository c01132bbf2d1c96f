package import BroadsheetIO
import Synchronization

/// A store in a PostgreSQL database, shared by any number of daemons.
///
/// Every write is a compare-and-set that one function of the server performs in one transaction,
/// and every read is made at the primary. A commit whose reply was lost is sent again with its
/// number, by which the server knows whether it was applied. Revisions leave a gap when a replica
/// is promoted, so that none has two contents. Durability is that of the server and its replicas
/// (docs/operations.md).
package final class PostgresStore: ServerStore, FeedStore {
    let connector: PostgresConnector
    /// The connector of the connection for notifications, if there is one.
    private let listening: PostgresConnector?
    let pool: PostgresPool
    private let reader: PostgresScreenReader
    let notifier: PostgresNotifier
    /// The damage of earlier revisions.
    let damages = DamagedHistories()
    private let stop = PostgresStop()
    private let threads: [WorkerThread]
    private let invalidations = InvalidationObserver()
    let options: PostgresStoreOptions
    private let connectionMemory: MemoryReservation

    /// The numbers for metrics.
    package let statistics = PostgresStatistics()
    /// The commits that were sent again because their reply was lost.
    package let commitsSentAgain = CommitStatistics()
    /// The events of feeds that were dropped.
    let droppedEvents = DroppedEvents()

    /// The memory of a connection, in bytes.
    private static let connectionBytes = 64 << 10

    /// Connects to the database and brings its schema to the version of this program, and blocks
    /// the thread until then.
    ///
    /// - Throws: ``StoreOpenError`` if there is no such server, if the role lacks rights, and if a
    ///   newer program wrote the store.
    package init(
        _ address: PostgresAddress, options: PostgresStoreOptions = PostgresStoreOptions()
    ) throws(StoreOpenError) {
        let location = address.description
        self.options = options
        let (settings, listenSettings) = try Self.settings(address, options)
        let warnings = PostgresWarnings()
        connector = PostgresConnector(
            settings, location: location, allowsIncomplete: options.allowsIncomplete,
            warnings: warnings, onEvent: options.onEvent,
            onRestart: { [invalidations] in invalidations.notify(.restarted) })
        listening = listenSettings.map { settings in
            PostgresConnector(
                settings, location: location, warnings: warnings, onEvent: options.onEvent,
                onRestart: {})
        }
        try PostgresStartup(connector: connector, location: location).prepare()
        connectionMemory = MemoryReservation(in: options.memory, for: .store, isPermanent: true)
        connectionMemory.charge(to: (options.connections + 1) * Self.connectionBytes)
        do throws(IOError) {
            pool = try PostgresPool(
                connector, connections: options.connections, timeout: options.timeout,
                clock: options.clock)
            notifier = PostgresNotifier(pool, statistics)
            reader = PostgresScreenReader(
                pool: pool, line: connector.line, heads: PostgresHeads(pool, connector.line),
                memory: options.memory, timeout: options.timeout)
            let subscription = PostgresSubscription(
                isOff: listenSettings == nil, invalidations, notifier, statistics, options)
            threads = try Self.startThreads(pool, subscription, options, stop, listening)
        } catch {
            throw .cannotOpen(path: location, detail: error.description)
        }
    }

    /// Raises all revisions of a store by a million, after a restore that a daemon cannot notice.
    ///
    /// - Throws: ``StoreOpenError`` as ``init(_:options:)`` does.
    package static func advance(_ address: PostgresAddress) throws(StoreOpenError) {
        let (settings, _) = try settings(address, PostgresStoreOptions(listening: .off))
        let connector = PostgresConnector(
            settings, location: address.description, onEvent: { _ in }, onRestart: {})
        try PostgresStartup(connector: connector, location: address.description).advance()
    }

    private static func settings(
        _ address: PostgresAddress, _ options: PostgresStoreOptions
    ) throws(StoreOpenError) -> (
        PostgresAddress.PostgresSettings, listen: PostgresAddress.PostgresSettings?
    ) {
        do throws(PostgresAddressError) {
            let settings = try address.settings()
            switch options.listening {
            case .sameServer: return (settings, settings)
            case .server(let other): return (settings, try other.settings())
            case .off: return (settings, nil)
            }
        } catch {
            throw .cannotOpen(path: address.description, detail: "it \(error)")
        }
    }

    /// Starts the threads beside those of the connections.
    private static func startThreads(
        _ pool: PostgresPool, _ subscription: PostgresSubscription,
        _ options: PostgresStoreOptions, _ stop: PostgresStop, _ listening: PostgresConnector?
    ) throws(IOError) -> [WorkerThread] {
        let expiry = PostgresExpiry(pool, options)
        var threads: [WorkerThread] = []
        do throws(IOError) {
            threads.append(
                try PostgresTicker.start(pool, stop, clock: options.clock) {
                    subscription.tick()
                    expiry.tick()
                })
            if let listening {
                threads.append(try PostgresListener.start(listening, subscription, stop))
            }
            return threads
        } catch {
            stop.set()
            pool.close()
            throw error
        }
    }

    deinit {
        stop.set()
        connector.abandon()
        listening?.abandon()
        pool.close()
    }

    /// The numbers of connections that are busy, idle and not established.
    package var connections: (busy: Int, idle: Int, lost: Int) { pool.connections }

    /// The maximum number of connections for requests.
    package var maxConnections: Int { options.connections }

    /// The number of times that another line of the server was found.
    package var lineCount: UInt64 { connector.line.changeCount }

    /// Returns the identity of the store, which the first daemon creates.
    package func identity() async throws(StoreError) -> StoreIdentity {
        if let known = try await storedIdentity() { return known }
        let fresh = StoreIdentity.random()
        var parameters = PostgresParameters()
        parameters.add(fresh.name)
        parameters.add(fresh.sealingKey)
        try await updateStore(
            """
            sealing_key = CASE WHEN s.name IS NULL THEN $2 ELSE s.sealing_key END,
            name = coalesce(s.name, $1)
            """, parameters)
        guard let kept = try await storedIdentity() else {
            throw .corrupt("the table broadsheet.store has no identity")
        }
        return kept
    }

    /// Changes the row of the store, as durably as a commit changes a screen.
    ///
    /// A row that has the values already is written again: the statement, too, waits for replicas.
    func updateStore(
        _ assignments: String, _ parameters: PostgresParameters
    ) async throws(StoreError) {
        try await pool.run(.write) { connection, _ throws(PostgresFailure) in
            let warnings = try connection.run(
                """
                WITH begun AS MATERIALIZED (SELECT broadsheet.begin_1())
                UPDATE broadsheet.store s SET \(assignments) FROM begun
                """, parameters)
            if warnings > 0 { throw PostgresFailure.warned }
        }
    }

    private func storedIdentity() async throws(StoreError) -> StoreIdentity? {
        try await pool.run(.other) { connection, _ throws(PostgresFailure) in
            var found: StoreIdentity?
            try connection.run("SELECT name, sealing_key FROM broadsheet.store") {
                row throws(PostgresFailure) in
                guard let name = row.text(0) else { return }
                found = row.bytes(1).flatMap { StoreIdentity(name: name, sealingKey: $0) }
                if found == nil {
                    throw PostgresFailure.malformed("the table broadsheet.store has no sealing key")
                }
            }
            return found
        }
    }

    /// Returns a part of the screen, unless its revision is still `revision`.
    package func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        try await reader.load(screen, unlessAt: revision, part, within: limits)
    }

    /// Returns the screen without its pages, and one of them.
    package func page(
        _ number: Int?, of screen: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad? {
        try await reader.page(number, of: screen, atMost: byteCount)
    }

    /// Applies a commit and returns after the server, and its synchronous replicas, have it.
    package func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        try await self.commit(
            commit, to: screen, expecting: expected, lifetime: lifetime, as: RevisionNote())
    }

    /// Performs a commit, without an attempt to make space for it.
    ///
    /// - Parameter memory: The memory that is reserved for the request.
    func perform(
        _ request: PostgresCommit, _ memory: MemoryReservation
    ) async throws(StoreError) -> CommitOutcome {
        let (line, statistics) = (connector.line, commitsSentAgain)
        return try await pool.run(.write) { connection, mayBeDone throws(PostgresFailure) in
            defer { withExtendedLifetime(memory) {} }
            let outcome = try request.perform(on: connection, line, mayBeDone: mayBeDone)
            if mayBeDone { statistics.count(outcome) }
            return outcome
        }
    }

    /// Returns up to `limit` screens after `name` whose names begin with `prefix`.
    package func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        guard limit > 0 else { return [] }
        let (lowest, end) = (prefix.lowerBound(after: name), prefix.upperBound)
        return try await pool.run(.other) {
            [line = connector.line] connection, _ throws(PostgresFailure) in
            var parameters = PostgresParameters()
            parameters.add(lowest)
            parameters.add(end)
            parameters.add(Int64(limit))
            var found: [ScreenListing] = []
            try connection.run(Self.listing, parameters) { row throws(PostgresFailure) in
                if found.isEmpty { try line.record(row.integer(2)) }
                guard let name = row.text(0).flatMap({ ScreenName($0) }),
                    let revision = row.revision(1)
                else { throw PostgresFailure.malformed("a row of broadsheet.screens has no name") }
                found.append(
                    ScreenListing(name: name, revision: revision, byteCount: row.integer(3)))
            }
            if found.isEmpty { try PostgresScreenReader.checkPrimary(connection, line) }
            return found
        }
    }

    private static let listing = """
        SELECT s.name, s.revision, (SELECT broadsheet.line_1()), s.byte_count
        FROM broadsheet.screens s
        WHERE s.name >= $1 AND s.name < $2 AND (s.expires_at IS NULL OR s.expires_at > now())
        ORDER BY s.name LIMIT $3
        """

    /// Delivers writes of any daemon to `handler`, that some may have been missed, and a restart if
    /// the server may lack acknowledged writes.
    package func observeInvalidations(_ handler: @escaping StoreInvalidation.Handler) {
        invalidations.set(handler)
    }

    /// Returns if the primary is reached.
    package func checkReadiness() async throws(StoreError) {
        try await pool.run(.other, isRepeated: false) { connection, _ throws(PostgresFailure) in
            var isReplica = true
            try connection.run("SELECT pg_is_in_recovery()") { isReplica = $0.isTrue(0) }
            if isReplica { throw PostgresFailure.replica }
        }
    }

    /// Returns if the server, and its synchronous replicas, perform a write, which is then undone.
    package func checkWrites(ofBytes byteCount: Int) async throws(StoreError) {
        let count = min(max(0, byteCount), PostgresCommit.maxBytes)
        let memory = await options.memory.waitForReservation(of: count, for: .store)
        guard let memory else { throw .unavailable("there is no memory for a write") }
        try await pool.run(.write) { connection, _ throws(PostgresFailure) in
            defer { withExtendedLifetime(memory) {} }
            var parameters = PostgresParameters(capacity: count)
            parameters.add(Self.randomBytes(count))
            let warnings = try connection.run("SELECT broadsheet.probe_1($1)", parameters)
            if warnings > 0 { throw PostgresFailure.warned }
        }
    }

    /// Returns bytes that the server cannot compress, so that they take as much space as a page.
    private static func randomBytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { bytes += $0 }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Completes accepted writes, as far as the server replies in time, and closes the connections.
    package func close() async {
        stop.set()
        listening?.abandon()
        pool.close()
        let limit = Task { [connector, options] in
            try? await Task.sleep(for: options.timeout)
            if !Task.isCancelled { connector.abandon() }
        }
        await pool.waitForEnd()
        limit.cancel()
        for thread in threads { await thread.waitForEnd() }
        options.onEvent(.closed)
    }
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

extension PostgresStore {
    package var timeout: Duration { options.timeout }
}
