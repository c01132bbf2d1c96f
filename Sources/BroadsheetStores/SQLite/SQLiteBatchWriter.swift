/// The writes of batches on the connection that writes, in transactions of the caller.
struct SQLiteBatchWriter {
    /// The values of the store that batches change.
    struct State {
        var server: PlanContext.ServerState
        var names: RecordTable.Names
        /// The sum of the weights of the records that were written, less those of former ones.
        var weight = 0
    }

    /// The outcome of a batch in a transaction.
    enum Outcome {
        /// It was applied, and changed a revision, or none.
        case applied(SQLiteRevisionCache.Change?)
        case conflict(RecordReply)
    }

    private let store: StoreTable
    private let records: RecordTable
    private let recordWriter: RecordWriter
    private var objects: ObjectWriter
    private var nextID: Int64
    private(set) var state: State

    /// `onDamage` receives damage that does not fail a batch.
    init(
        on connection: SQLiteConnection, onDamage: @escaping (SQLiteFailure) -> Void = { _ in }
    ) throws(SQLiteFailure) {
        store = try StoreTable(on: connection)
        records = try RecordTable(on: connection)
        recordWriter = try RecordWriter(on: connection)
        objects = try ObjectWriter(on: connection)
        objects.onDamage = onDamage
        state = State(server: try store.server(), names: try store.names())
        var last: Int64 = 0
        for query in [
            "SELECT max(id) FROM records", "SELECT max(creation) FROM objects",
            "SELECT max(creation) FROM leftovers",
        ] {
            do throws(SQLiteFailure) {
                last = max(last, try connection.integer(query) ?? 0)
            } catch {
                // Nothing is written to a damaged structure, but what is intact is read.
                guard error.isStructural else { throw error }
                onDamage(error)
            }
        }
        guard last < Int64.max / 2 else { throw .damaged("the id of a creation") }
        nextID = last + 1
    }

    /// A Boolean value that indicates whether there are objects that wait for their deletion.
    var hasLeftovers: Bool { objects.hasLeftovers }

    /// Runs `body` in a transaction, and deletes leftovers, as many as one transaction may.
    mutating func transaction(
        in space: DatabaseSpace, _ body: (inout Self) throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        let before = state
        objects.begin()
        do throws(SQLiteFailure) {
            try space.transaction { () throws(SQLiteFailure) in
                try body(&self)
                try objects.deleteLeftovers()
            }
        } catch {
            state = before
            try objects.rollBack()
            throw error
        }
    }

    /// Stores bytes, or removes them, to find out whether writes succeed.
    func setProbe(to bytes: [UInt8]) throws(SQLiteFailure) { try store.setProbe(to: bytes) }

    /// Stores an identity, or the mark of a copy that is not complete.
    func set(_ identity: StoreIdentity?) throws(SQLiteFailure) { try store.set(identity) }

    mutating func apply(_ batch: StoreBatch, at now: Int64) throws(SQLiteFailure) -> Outcome {
        let screen = batch.screen
        var row = try records.row(of: screen)
        let server = state.server
        var found = RecordReply(
            line: server.line, floor: server.floor,
            records: [row.map { .present($0.stored(at: now)) } ?? .absent])
        guard batch.matches(found) else {
            found.records = [try records.record(of: screen, at: now)]
            return .conflict(found)
        }
        let floor = batch.floor(over: server.floor)
        if floor != server.floor {
            try store.set(floor)
            state.server.floor = floor
        }
        if batch.clears, let former = row {
            try remove(former, screen)
            row = nil
        }
        if case .remove = batch.change { return .applied(.removed) }
        guard let written = try write(batch, over: row, at: now) else { return .applied(nil) }
        try objects.delete(batch.deletes, of: written.id, nextID: &nextID)
        for put in batch.puts { try objects.put(put, of: written.id) }
        guard case .write = batch.change else { return .applied(nil) }
        return .applied(.written(written.version.revision, expiry: written.expiry))
    }

    private mutating func takeID() -> Int64 {
        defer { nextID += 1 }
        return nextID
    }

    private mutating func remove(
        _ row: RecordTable.Row, _ screen: ScreenName
    ) throws(SQLiteFailure) {
        try recordWriter.remove(row, screen)
        try objects.leave(row.id)
        state.names.add(screen, row.id, factor: -1)
        state.weight -= row.weight
        try store.set(state.names)
    }

    /// Writes the record and the feed record of a batch; returns the row, or `nil` if there is
    /// none.
    private mutating func write(
        _ batch: StoreBatch, over former: RecordTable.Row?, at now: Int64
    ) throws(SQLiteFailure) -> RecordTable.Row? {
        var values: RecordWriter.Values = (nil, nil)
        var row = former
        if case .write(let record) = batch.change {
            let expiry = record.lifetime.expiry(at: now, before: former?.expiry)
            row = RecordTable.Row(
                id: former?.id ?? takeID(), version: record.version,
                feedVersion: former?.feedVersion ?? record.version.revision, expiry: expiry,
                due: record.due, weight: record.weight, listedBytes: record.listedBytes,
                byteCount: record.bytes.count, feedByteCount: former?.feedByteCount)
            values.bytes = record.bytes
        }
        guard var row else { return nil }
        if let feed = batch.feed {
            row.feedVersion = feed.version
            row.feedByteCount = feed.bytes.count
            values.feed = feed.bytes
        }
        state.weight += row.weight - (former?.weight ?? 0)
        if let former {
            let isUnchanged = values.bytes == nil && values.feed == nil
            if !isUnchanged { try recordWriter.replace(former, by: row, batch.screen, values) }
        } else {
            try recordWriter.create(row, batch.screen, values)
            state.names.add(batch.screen, row.id)
            try store.set(state.names)
        }
        return row
    }
}
