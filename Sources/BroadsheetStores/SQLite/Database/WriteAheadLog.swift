import CSQLite

/// The write-ahead log as its writer sees it: how long it is, and when to fold it into the file.
///
/// Belongs to the connection's thread.
final class WriteAheadLog {
    private let connection: SQLiteConnection
    private var plan: CheckpointPlan
    private var pages = 0

    /// Watches the log that `connection` writes, which should not grow beyond `limit` pages by much.
    ///
    /// Takes the place of SQLite's own folding after every thousand pages.
    init(of connection: SQLiteConnection, limit: Int) throws(SQLiteFailure) {
        self.connection = connection
        plan = CheckpointPlan(limit: limit)
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

    /// What is to be done about the log after a transaction (``CheckpointPlan``).
    func nextStep(isCheckpointerIdle: Bool) -> CheckpointPlan.Step {
        plan.step(pages: pages, isCheckpointerIdle: isCheckpointerIdle)
    }

    /// How a folding treats readers, each of whom keeps in the log what came after it began.
    enum CheckpointMode {
        /// Folds what nobody is in the way of.
        case passive
        /// Waits ``readerTimeout`` for them, so that the log is written from its beginning again.
        case restart
        /// Waits for them as for any lock, and cuts the log to nothing.
        case truncate

        fileprivate var code: Int32 {
            switch self {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        }
    }

    /// How long writes are held up for readers when the log is folded: time enough for a screen to be
    /// read, so that reads that follow each other without a pause do not make the log grow for
    /// ever; too little for a backup, which only delays the folding.
    static let readerTimeout = Duration.milliseconds(10)

    /// Folds all that the log holds, so that it is written from its beginning again; what readers are
    /// in the way of only when they are waited for and done in time.
    ///
    /// Throws when the file has no room to grow; the log then holds what it held.
    func checkpointAll(waitingForReaders: Bool) throws(SQLiteFailure) {
        guard waitingForReaders else { return try Self.checkpoint(connection, .passive) }
        try connection.withBusyTimeout(Self.readerTimeout) { () throws(SQLiteFailure) in
            try Self.checkpoint(connection, .restart)
        }
    }

    /// Copies what the log holds into the file, as far as readers let it.
    static func checkpoint(
        _ connection: SQLiteConnection, _ mode: CheckpointMode
    ) throws(SQLiteFailure) {
        let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode.code, nil, nil)
        // A reader was not done in time, or another thread is at it.
        guard code & 0xFF != SQLITE_BUSY else { return }
        try connection.check(code)
    }
}
