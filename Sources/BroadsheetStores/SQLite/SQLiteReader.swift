import BroadsheetIO
import Synchronization

/// The reads of a store, on a thread and a connection of their own that never delay the writer.
final class SQLiteReader {
    /// A read, which sends its outcome itself.
    typealias Job = @Sendable (SQLiteReader) -> Void

    static let maxWaiting = 4096

    private let records: RecordTable
    private let objects: ObjectTable
    private let begin: SQLiteStatement
    private let end: SQLiteStatement
    private let context: SQLiteContext

    init(_ context: SQLiteContext) throws(SQLiteFailure) {
        let connection = try SQLiteConnection(
            path: context.path, mode: .readOnly, busyTimeout: context.options.busyTimeout)
        records = try RecordTable(on: connection)
        objects = try ObjectTable(on: connection)
        begin = try connection.prepare("BEGIN")
        end = try connection.prepare("COMMIT")
        self.context = context
    }

    /// Performs the jobs of the queue until it is closed and empty.
    func serve(_ queue: JobQueue<Job>) {
        while let jobs = queue.dequeue(atMost: 1) {
            for job in jobs { job(self) }
        }
    }

    /// Returns the outcome of a read in a transaction, so that all of it is consistent.
    func result<Value>(
        _ body: (SQLiteReader) throws(SQLiteFailure) -> Value
    ) -> Result<Value, StoreError> {
        do throws(SQLiteFailure) {
            try begin.run { statement throws(SQLiteFailure) in _ = try statement.step() }
            defer { try? end.run { statement throws(SQLiteFailure) in _ = try statement.step() } }
            return .success(try body(self))
        } catch {
            context.health.record(error)
            return .failure(error.storeError)
        }
    }

    /// Returns records, and remembers their revisions.
    func records(_ wanted: [RecordQuery]) throws(SQLiteFailure) -> RecordReply {
        // Batches that are applied from here on may be missing in the reply.
        let server = context.server.withLock { $0 }
        let commits = context.revisions.beginRead()
        let now = context.options.clock.unixMilliseconds
        var reply = RecordReply(line: server.line, floor: server.floor, records: [])
        reply.records.reserveCapacity(wanted.count)
        for query in wanted {
            let state = try records.record(of: query.screen, unlessAt: query.known, at: now)
            let found: (revision: UInt64, timeLeft: Int64?)
            switch state {
            case .present(let record): found = (record.version.revision, record.timeLeft)
            case .unchanged(let timeLeft): found = (query.known?.revision ?? 0, timeLeft)
            case .absent:
                // In a damaged file the screen may exist although it was not found.
                try context.health.check()
                reply.records.append(state)
                continue
            }
            context.revisions.recordRead(
                found.revision, expiry: found.timeLeft.map { $0 &+ now }, of: query.screen,
                since: commits)
            reply.records.append(state)
        }
        return reply
    }

    func objects(
        _ keys: [ObjectKey], of screen: ScreenName, within byteCount: Int
    ) throws(SQLiteFailure) -> [ObjectReply] {
        guard let row = try records.row(of: screen) else {
            try context.health.check()
            return keys.map { _ in .absent }
        }
        return try objects.objects(keys, of: row.id, within: byteCount)
    }

    func names(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) throws(SQLiteFailure) -> [ScreenListing] {
        try context.health.check()
        return try records.list(
            after: name, prefix: prefix, limit: limit, at: context.options.clock.unixMilliseconds)
    }

    func due(before time: Int64, limit: Int) throws(SQLiteFailure) -> [ScreenName] {
        let now = context.options.clock.unixMilliseconds
        let expired = try records.expired(at: now, limit: limit)
        let gone = Set(expired)
        return expired + (try records.due(before: time, limit: limit)).filter { !gone.contains($0) }
    }

    /// Reads a bit of the file, to find out whether it can be read.
    func probe() throws(SQLiteFailure) {
        try context.files.check()
        _ = try names(after: nil, prefix: .none, limit: 1)
    }
}
