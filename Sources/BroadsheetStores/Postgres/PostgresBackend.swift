import BroadsheetIO
import Synchronization

/// A backend in a PostgreSQL database, shared by any number of daemons.
///
/// A batch is one statement, which calls one function of the server in one transaction, and every
/// read is made at the primary. A batch whose reply was lost fails with
/// ``StoreError/unknown(_:)``. The line of the server changes when a replica is promoted.
/// Durability is that of the server and its replicas (docs/operations.md).
package final class PostgresBackend: CopyableBackend {
    private let connector: PostgresConnector
    /// The connector of the connection for notifications, if there is one.
    private let listening: PostgresConnector?
    private let pool: PostgresPool
    private let notifier: PostgresNotifier
    private let stop = PostgresStop()
    private let threads: [WorkerThread]
    private let invalidations = Observer<StoreInvalidation>()
    private let options: PostgresStoreOptions
    private let connectionMemory: MemoryReservation

    package let statistics = PostgresStatistics()
    package let limits = BackendLimits(batchBytes: PostgresBatch.maxBytes, isShared: true)

    /// The memory of a connection, in bytes.
    private static let connectionBytes = 64 << 10

    /// Connects to the database and creates the schema if there is none, and blocks the thread
    /// until then.
    ///
    /// - Throws: ``StoreOpenError`` if there is no such server, if the role lacks rights, and if a
    ///   newer program, or one of a former format, wrote the store.
    package init(
        _ address: PostgresAddress, options: PostgresStoreOptions = PostgresStoreOptions()
    ) throws(StoreOpenError) {
        let location = address.description
        self.options = options
        let (settings, listenSettings) = try Self.settings(address, options)
        let warnings = PostgresWarnings()
        connector = PostgresConnector(
            settings, location: location, allowsIncomplete: options.allowsIncomplete,
            warnings: warnings, onEvent: options.onEvent)
        listening = listenSettings.map { settings in
            PostgresConnector(
                settings, location: location, warnings: warnings, onEvent: options.onEvent)
        }
        try PostgresStartup(connector: connector, location: location).prepare()
        connectionMemory = MemoryReservation(in: options.memory, for: .store, isPermanent: true)
        connectionMemory.charge(to: (options.connections + 1) * Self.connectionBytes)
        do throws(IOError) {
            pool = try PostgresPool(
                connector, connections: options.connections, timeout: options.timeout,
                clock: options.clock)
            notifier = PostgresNotifier(pool, statistics)
            let subscription = PostgresSubscription(
                isOff: listenSettings == nil, invalidations, notifier, statistics, options)
            threads = try Self.startThreads(pool, subscription, options, stop, listening)
        } catch {
            throw .cannotOpen(path: location, detail: error.description)
        }
    }

    /// Begins another line of a store, so that all revisions go on a million higher, after a
    /// restore that a daemon cannot notice.
    ///
    /// - Throws: ``StoreOpenError`` as ``init(_:options:)`` does.
    package static func advance(_ address: PostgresAddress) throws(StoreOpenError) {
        let (settings, _) = try settings(address, PostgresStoreOptions(listening: .off))
        let connector = PostgresConnector(
            settings, location: address.description, onEvent: { _ in })
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
        var threads: [WorkerThread] = []
        do throws(IOError) {
            threads.append(
                try PostgresTicker.start(pool, stop, clock: options.clock) { subscription.tick() })
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

    package var maxConnections: Int { options.connections }

    private static let readRecords = "SELECT * FROM broadsheet.records_1($1, $2, $3)"

    /// Returns records in the order of the queries.
    package func records(_ wanted: [RecordQuery]) async throws(StoreError) -> RecordReply {
        // The function returns the state of the server with a record.
        let queries = wanted.isEmpty ? [RecordQuery(screen: .any)] : wanted
        var parameters = PostgresParameters()
        parameters.add(queries.map(\.screen.text))
        // No record has a version of -1.
        parameters.add(queries.map { Int64(bitPattern: $0.known?.revision ?? .max) })
        parameters.add(queries.map { Int64(bitPattern: $0.known?.edit ?? .max) })
        return try await pool.run(.other) { [parameters] connection throws(PostgresFailure) in
            var reply: RecordReply?
            var records: [RecordState] = []
            try connection.run(Self.readRecords, parameters) { row throws(PostgresFailure) in
                if reply == nil { reply = try RecordReply(serverIn: row) }
                guard records.count < wanted.count else { return }
                records.append(try RecordState(row, knowing: wanted[records.count].known))
            }
            reply?.records = records
            guard let reply, records.count == wanted.count else {
                throw .malformed("the reply about \(wanted.count) screens lacks rows")
            }
            return reply
        }
    }

    private static let readObjects = """
        SELECT o.length, o.bytes FROM broadsheet.objects_1($1, $2, $3, $4, $5) AS o
        """

    /// Returns objects in the order of their keys.
    package func objects(
        _ keys: [ObjectKey], of screen: ScreenName, within byteCount: Int
    ) async throws(StoreError) -> [ObjectReply] {
        guard !keys.isEmpty else { return [] }
        var parameters = PostgresParameters()
        parameters.add(screen.text)
        parameters.add(keys: keys)
        parameters.add(Int64(byteCount))
        return try await pool.run(.other) { [parameters] connection throws(PostgresFailure) in
            var found: [ObjectReply] = []
            found.reserveCapacity(keys.count)
            // Row by row, so that the bytes are in memory once.
            try connection.run(Self.readObjects, parameters, byRow: true) { row in
                guard let length = row.integer(0) else { return found.append(.absent) }
                found.append(row.bytes(1).map(ObjectReply.bytes) ?? .length(length))
            }
            guard found.count == keys.count else {
                throw .malformed("the reply about \(keys.count) objects has \(found.count) rows")
            }
            return found
        }
    }

    /// Applies a batch, and returns after the server, and its synchronous replicas, have it.
    package func apply(_ batch: StoreBatch) async throws(StoreError) -> BatchOutcome {
        let memory = await options.memory.waitForReservation(of: batch.byteCount, for: .store)
        guard let memory else { throw .unavailable("there is no memory for a write") }
        let parameters = PostgresBatch.parameters(of: batch)
        let outcome = try await pool.run(.write, isSentOnce: true) {
            connection throws(PostgresFailure) in
            defer { withExtendedLifetime(memory) {} }
            return try PostgresBatch.apply(parameters, on: connection)
        }
        if case .applied = outcome, let message = batch.message { notifier.send(message) }
        return outcome
    }

    /// Delivers the messages of other daemons to a handler, and that some may have been missed.
    package func observe(_ handler: @escaping StoreInvalidation.Handler) {
        invalidations.set(handler)
    }

    /// Returns if the primary is reached.
    package func checkReadiness() async throws(StoreError) {
        try await pool.run(.other, isRepeated: false) { connection throws(PostgresFailure) in
            _ = try connection.run("SELECT broadsheet.primary_1()")
        }
    }

    /// Returns if the server, and its synchronous replicas, perform a write, which is then undone.
    package func checkWrites(ofBytes byteCount: Int) async throws(StoreError) {
        let count = min(max(0, byteCount), PostgresBatch.maxBytes)
        let memory = await options.memory.waitForReservation(of: count, for: .store)
        guard let memory else { throw .unavailable("there is no memory for a write") }
        try await pool.run(.write) { connection throws(PostgresFailure) in
            defer { withExtendedLifetime(memory) {} }
            var parameters = PostgresParameters(capacity: count)
            parameters.add(Self.randomBytes(count))
            let warnings = try connection.run("SELECT broadsheet.probe_1($1)", parameters)
            if warnings > 0 { throw .warned }
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

/// Lists, and the maintenance of the tables.
extension PostgresBackend {
    /// Has a row in any case, so that the function is called.
    private static let listing = """
        SELECT n.name, n.revision, n.listed_bytes
        FROM (SELECT broadsheet.primary_1()) AS l LEFT JOIN (
            SELECT r.name, r.revision, r.listed_bytes FROM broadsheet.records r
            WHERE r.name >= $1 AND r.name < $2
                AND (r.expires IS NULL OR r.expires > clock_timestamp())
            ORDER BY r.name LIMIT $3) AS n ON true
        ORDER BY n.name
        """

    package func names(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        guard limit > 0 else { return [] }
        var parameters = PostgresParameters()
        parameters.add(prefix.lowerBound(after: name))
        parameters.add(prefix.upperBound)
        parameters.add(Int64(limit))
        return try await pool.run(.other) { [parameters] connection throws(PostgresFailure) in
            var found: [ScreenListing] = []
            try connection.run(Self.listing, parameters) { row throws(PostgresFailure) in
                guard let text = row.text(0) else { return }
                guard let name = ScreenName(text), let revision = row.number(1) else {
                    throw .malformed("a row of broadsheet.records has no name")
                }
                found.append(
                    ScreenListing(name: name, revision: revision, byteCount: row.integer(2)))
            }
            return found
        }
    }

    private static let schedule = """
        (SELECT r.name FROM broadsheet.records r WHERE r.expires <= clock_timestamp()
            ORDER BY r.expires LIMIT $2)
        UNION ALL
        (SELECT r.name FROM broadsheet.records r WHERE r.due < $1 ORDER BY r.due LIMIT $2)
        """

    /// Returns screens that have expired, and then those that are due.
    package func due(before time: Int64, limit: Int) async throws(StoreError) -> [ScreenName] {
        var parameters = PostgresParameters()
        parameters.add(time)
        parameters.add(Int64(limit))
        return try await pool.run(.other) { [parameters] connection throws(PostgresFailure) in
            var found: [ScreenName] = []
            var known: Set<ScreenName> = []
            try connection.run(Self.schedule, parameters) { row in
                guard let name = row.text(0).flatMap({ ScreenName($0) }) else { return }
                if known.insert(name).inserted { found.append(name) }
            }
            return found
        }
    }

    package func weight() async throws(StoreError) -> Int {
        try await pool.run(.other) { connection throws(PostgresFailure) in
            var sum = 0
            try connection.run(
                "SELECT coalesce(sum(r.weight), 0)::bigint FROM broadsheet.records r"
            ) { sum = $0.integer(0) ?? 0 }
            return sum
        }
    }

    /// Makes the space of deleted objects available at once, if the role owns the tables; else the
    /// server does that later.
    package func reclaim() async throws(StoreError) {
        // On a full disk it fails after it has freed space, when it extends a map of free space.
        _ = try? await pool.run(.other, isRepeated: false) {
            connection throws(PostgresFailure) in
            try connection.run("VACUUM broadsheet.objects, broadsheet.records")
        }
    }
}

/// The row of the store.
extension PostgresBackend {
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

    private func storedIdentity() async throws(StoreError) -> StoreIdentity? {
        let found = try await pool.run(.other) { connection throws(PostgresFailure) in
            var found: (name: String, key: [UInt8])?
            try connection.run("SELECT s.name, s.sealing_key FROM broadsheet.store s") { row in
                if let name = row.text(0) { found = (name, row.bytes(1) ?? []) }
            }
            return found
        }
        guard let found else { return nil }
        guard found.name != StoreIdentity.incompleteName else {
            throw .unavailable(StoreIdentity.incompleteReason)
        }
        guard let identity = StoreIdentity(name: found.name, sealingKey: found.key) else {
            throw .corrupt("the table broadsheet.store has no sealing key")
        }
        return identity
    }

    /// Returns the number of times that another line was begun after a restore.
    package func epoch() async throws(StoreError) -> UInt64 {
        try await pool.run(.other) { connection throws(PostgresFailure) in
            var epoch: UInt64?
            try connection.run("SELECT s.epoch FROM broadsheet.store s") { epoch = $0.number(0) }
            guard let epoch else { throw .malformed("the table broadsheet.store has no row") }
            return epoch
        }
    }

    package func isIncomplete() async throws(StoreError) -> Bool {
        try await pool.run(.other) { connection throws(PostgresFailure) in
            var name: String?
            try connection.run("SELECT s.name FROM broadsheet.store s") { name = $0.text(0) }
            return name == StoreIdentity.incompleteName
        }
    }

    package func setIdentity(_ identity: StoreIdentity?) async throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.add(identity?.name ?? StoreIdentity.incompleteName)
        parameters.add(identity?.sealingKey ?? [])
        try await updateStore("name = $1, sealing_key = $2", parameters)
    }

    /// Changes the row of the store, as durably as a batch changes a screen.
    ///
    /// A row that has the values already is written again: the statement, too, waits for replicas.
    private func updateStore(
        _ assignments: String, _ parameters: PostgresParameters
    ) async throws(StoreError) {
        try await pool.run(.write) { connection throws(PostgresFailure) in
            let warnings = try connection.run(
                """
                WITH begun AS MATERIALIZED (SELECT broadsheet.begin_1())
                UPDATE broadsheet.store s SET \(assignments) FROM begun
                """, parameters)
            if warnings > 0 { throw .warned }
        }
    }
}
