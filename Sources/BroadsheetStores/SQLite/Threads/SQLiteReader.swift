import BroadsheetIO

/// The thread that reads: a connection of its own, which the writer never waits for.
struct SQLiteReader {
    /// A screen that was read, and when it is over.
    typealias Reading = (screen: StoredScreen, expiry: Int64?)

    /// A reading on its way, and what to call with its answer, exactly once.
    enum Job: Sendable {
        /// A screen with all its pages.
        case screen(ScreenName, @Sendable (Result<Reading?, StoreError>) -> Void)
        /// A piece of the list of screens.
        case list(
            after: ScreenName?, limit: Int,
            @Sendable (Result<[ScreenListing], StoreError>) -> Void)
        /// A look at the file and no more: what readiness asks.
        case probe(@Sendable (Result<Void, StoreError>) -> Void)
    }

    /// The most readings that may wait; the next is answered "too busy".
    static let maxWaiting = 4096

    private let connection: SQLiteConnection
    private let rows: SQLiteRowReader
    private let begin: SQLiteStatement
    private let end: SQLiteStatement
    private let shared: SQLiteShared

    /// Opens a connection for reading.
    init(_ shared: SQLiteShared) throws(SQLiteFailure) {
        connection = try SQLiteConnection(
            path: shared.path, mode: .readOnly, busyTimeout: shared.options.busyTimeout)
        rows = try SQLiteRowReader(on: connection)
        begin = try connection.prepare("BEGIN")
        end = try connection.prepare("COMMIT")
        self.shared = shared
    }

    /// Serves the mailbox until it is closed and empty.
    func serve(_ mailbox: Mailbox<Job>) {
        while let jobs = mailbox.take(atMost: 1) {
            for job in jobs { serve(job) }
        }
    }

    /// Reads a screen as ``SQLiteRowReader/screen(_:at:)`` does, in a transaction, so that its row
    /// and its pages are of one moment.
    func screen(_ name: ScreenName) throws(SQLiteFailure) -> Reading? {
        let now = shared.options.clock.unixMilliseconds
        return try transaction { () throws(SQLiteFailure) in
            let found = try rows.screen(name, at: now)
            // In a broken file it may be there all the same.
            if found == nil { try shared.health.check() }
            return found
        }
    }

    /// Reads a piece of the list of screens.
    func screens(after name: ScreenName?, limit: Int) throws(SQLiteFailure) -> [ScreenListing] {
        try shared.health.check()
        return try rows.screens(
            after: name, limit: limit, at: shared.options.clock.unixMilliseconds)
    }

    private func serve(_ job: Job) {
        switch job {
        case .screen(let name, let finish):
            finish(answer { () throws(SQLiteFailure) in try screen(name) })
        case .list(let name, let limit, let finish):
            finish(answer { () throws(SQLiteFailure) in try screens(after: name, limit: limit) })
        case .probe(let finish):
            finish(answer { () throws(SQLiteFailure) in _ = try screens(after: nil, limit: 1) })
        }
    }

    private func answer<Answer>(
        _ body: () throws(SQLiteFailure) -> Answer
    ) -> Result<Answer, StoreError> {
        do throws(SQLiteFailure) {
            return .success(try body())
        } catch {
            shared.health.note(error)
            return .failure(error.storeError)
        }
    }

    private func transaction<Answer>(
        _ body: () throws(SQLiteFailure) -> Answer
    ) throws(SQLiteFailure) -> Answer {
        try begin.run { statement throws(SQLiteFailure) in _ = try statement.step() }
        defer { try? end.run { statement throws(SQLiteFailure) in _ = try statement.step() } }
        return try body()
    }
}
