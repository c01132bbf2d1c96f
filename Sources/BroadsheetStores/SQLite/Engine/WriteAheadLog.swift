internal import CSQLite

/// The write-ahead log as its writer sees it: how long it is, and when to fold it into the file.
///
/// Belongs to the connection's thread.
final class WriteAheadLog {
    private let connection: SQLiteConnection
    private var plan: FoldingPlan
    private var pages = 0

    /// Watches the log that `connection` writes, which should not grow beyond `limit` pages by much.
    ///
    /// Takes the place of SQLite's own folding after every thousand pages.
    init(of connection: SQLiteConnection, limit: Int) throws(SQLiteFailure) {
        self.connection = connection
        plan = FoldingPlan(limit: limit)
        // A log that a long reading made long gives its room back.
        let pageSize = try connection.integer("PRAGMA page_size") ?? 4096
        try connection.execute("PRAGMA journal_size_limit = \(Int64(limit) * 2 * pageSize)")
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                // The log outlives the hook, which its end takes away.
                let log = Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue()
                log.pages = Int(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { sqlite3_wal_hook(connection.handle, nil, nil) }

    /// What is to be done about the log after a transaction (``FoldingPlan``).
    func nextStep(isOtherThreadIdle: Bool) -> FoldingPlan.Step {
        plan.step(pages: pages, isOtherThreadIdle: isOtherThreadIdle)
    }

    /// Folds all that the log holds, so that it is written from its beginning again.
    ///
    /// Throws when the file has no room to grow; the log then holds what it held.
    func foldAll() throws(SQLiteFailure) { try Self.fold(connection, waiting: false) }

    /// Copies what the log holds into the file, as far as no reader is in the way.
    ///
    /// - Parameter waiting: Whether to wait for readers and to cut the log to nothing.
    static func fold(_ connection: SQLiteConnection, waiting: Bool) throws(SQLiteFailure) {
        let mode = waiting ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
        // Another thread is at it: all the better.
        guard code & 0xFF != SQLITE_BUSY else { return }
        try connection.check(code)
    }
}
