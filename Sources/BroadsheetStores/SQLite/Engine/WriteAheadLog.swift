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

    /// How a folding treats readers, each of whom keeps in the log what came after it began.
    enum Folding {
        /// Folds what nobody is in the way of.
        case passing
        /// Waits ``readerPatience`` for them, so that the log is written from its beginning again.
        case restarting
        /// Waits for them as for any lock, and cuts the log to nothing.
        case truncating

        fileprivate var mode: Int32 {
            switch self {
            case .passing: SQLITE_CHECKPOINT_PASSIVE
            case .restarting: SQLITE_CHECKPOINT_RESTART
            case .truncating: SQLITE_CHECKPOINT_TRUNCATE
            }
        }
    }

    /// How long writes are held up for readers when the log is folded: time enough for a screen to be
    /// read, so that readings that follow each other without a pause do not make the log grow for
    /// ever; too little for a backup, which only delays the folding.
    static let readerPatience = Duration.milliseconds(10)

    /// Folds all that the log holds, so that it is written from its beginning again; what readers are
    /// in the way of only when they are waited for and done in time.
    ///
    /// Throws when the file has no room to grow; the log then holds what it held.
    func foldAll(outwaitingReaders: Bool) throws(SQLiteFailure) {
        guard outwaitingReaders else { return try Self.fold(connection, .passing) }
        try connection.withLockPatience(Self.readerPatience) { () throws(SQLiteFailure) in
            try Self.fold(connection, .restarting)
        }
    }

    /// Copies what the log holds into the file, as far as readers let it.
    static func fold(_ connection: SQLiteConnection, _ folding: Folding) throws(SQLiteFailure) {
        let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, folding.mode, nil, nil)
        // A reader was not done in time, or another thread is at it.
        guard code & 0xFF != SQLITE_BUSY else { return }
        try connection.check(code)
    }
}
