import BroadsheetIO

/// The reads of a store, on a thread and a connection of their own that never delay the writer.
struct SQLiteReadWorker {
    /// A screen and its expiry.
    typealias ScreenRead = (screen: StoredScreen, expiry: Int64?)

    /// A read and the function that receives its result exactly once.
    enum Job: Sendable {
        /// A screen with all its pages.
        case screen(ScreenName, @Sendable (Result<ScreenRead?, StoreError>) -> Void)
        /// A part of the list of screens.
        case list(
            after: ScreenName?, prefix: ScreenNamePrefix, limit: Int,
            @Sendable (Result<[ScreenListing], StoreError>) -> Void)
        /// A minimal read of the file, for readiness.
        case probe(@Sendable (Result<Void, StoreError>) -> Void)
    }

    /// The maximum number of waiting reads.
    static let maxWaiting = 4096

    private let connection: SQLiteConnection
    private let rows: SQLiteRowReader
    private let begin: SQLiteStatement
    private let end: SQLiteStatement
    private let context: SQLiteStoreContext

    /// Opens a connection for reading.
    init(_ context: SQLiteStoreContext) throws(SQLiteFailure) {
        connection = try SQLiteConnection(
            path: context.path, mode: .readOnly, busyTimeout: context.options.busyTimeout)
        rows = try SQLiteRowReader(on: connection)
        begin = try connection.prepare("BEGIN")
        end = try connection.prepare("COMMIT")
        self.context = context
    }

    /// Performs the jobs of the queue until it is closed and empty.
    func serve(_ queue: JobQueue<Job>) {
        while let jobs = queue.dequeue(atMost: 1) {
            for job in jobs { serve(job) }
        }
    }

    /// Reads a screen with ``SQLiteRowReader/screen(_:at:)`` in a transaction, so that its row and
    /// its pages are consistent.
    func screen(_ name: ScreenName) throws(SQLiteFailure) -> ScreenRead? {
        let now = context.options.clock.unixMilliseconds
        return try transaction { () throws(SQLiteFailure) in
            let found = try rows.screen(name, at: now)
            // In a damaged file the screen may exist although it was not found.
            if found == nil { try context.health.check() }
            return found
        }
    }

    /// Reads a part of the list of screens.
    func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix = .none, limit: Int
    ) throws(SQLiteFailure) -> [ScreenListing] {
        try context.health.check()
        return try rows.screens(
            after: name, prefix: prefix, limit: limit, at: context.options.clock.unixMilliseconds)
    }

    private func serve(_ job: Job) {
        switch job {
        case .screen(let name, let finish):
            finish(result { () throws(SQLiteFailure) in try screen(name) })
        case .list(let name, let prefix, let limit, let finish):
            finish(
                result { () throws(SQLiteFailure) in
                    try screens(after: name, prefix: prefix, limit: limit)
                })
        case .probe(let finish):
            finish(result { () throws(SQLiteFailure) in _ = try screens(after: nil, limit: 1) })
        }
    }

    private func result<Value>(
        _ body: () throws(SQLiteFailure) -> Value
    ) -> Result<Value, StoreError> {
        do throws(SQLiteFailure) {
            return .success(try body())
        } catch {
            context.health.record(error)
            return .failure(error.storeError)
        }
    }

    private func transaction<Value>(
        _ body: () throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        try begin.run { statement throws(SQLiteFailure) in _ = try statement.step() }
        defer { try? end.run { statement throws(SQLiteFailure) in _ = try statement.step() } }
        return try body()
    }
}
