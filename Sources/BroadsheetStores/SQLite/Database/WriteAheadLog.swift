import CSQLite

/// The length of the write-ahead log, and its checkpoints by the writer.
///
/// Used on the thread of the connection.
final class WriteAheadLog {
    private let connection: SQLiteConnection
    private var plan: CheckpointPlan
    private var pages = 0

    /// Observes the log that `connection` writes, which should not exceed `limit` pages by much.
    ///
    /// Replaces SQLite's automatic checkpoint after every thousand pages.
    init(of connection: SQLiteConnection, limit: Int) throws(SQLiteFailure) {
        self.connection = connection
        plan = CheckpointPlan(limit: limit)
        // A log that grew during a long read is truncated afterwards.
        let pageSize = try connection.integer("PRAGMA page_size") ?? 4096
        try connection.execute("PRAGMA journal_size_limit = \(Int64(limit) * 2 * pageSize)")
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                // The log outlives the hook, which its deinitializer removes.
                let log = Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue()
                log.pages = Int(pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { sqlite3_wal_hook(connection.handle, nil, nil) }

    /// Returns the next action after a transaction (``CheckpointPlan``).
    func nextStep(isCheckpointerIdle: Bool) -> CheckpointPlan.Step {
        plan.step(pages: pages, isCheckpointerIdle: isCheckpointerIdle)
    }

    /// The treatment of readers, each of which keeps those pages in the log that were written after
    /// it began.
    enum CheckpointMode {
        /// Checkpoints the pages that no reader keeps.
        case passive
        /// Waits ``readerTimeout`` for readers, so that the log restarts from its beginning.
        case restart
        /// Waits for readers as for any lock, and truncates the log.
        case truncate

        fileprivate var code: Int32 {
            switch self {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        }
    }

    /// The time that a checkpoint delays writes for readers.
    ///
    /// Long enough to read a screen, so that uninterrupted reads do not let the log grow
    /// indefinitely; too short for a backup, which only delays the checkpoint.
    static let readerTimeout = Duration.milliseconds(10)

    /// Checkpoints the complete log, so that it restarts from its beginning.
    ///
    /// Pages that a reader still keeps remain in the log. If `waitingForReaders` is true, the
    /// checkpoint first waits up to the timeout.
    ///
    /// - Throws: A failure if the file cannot grow; the log is then unchanged.
    func checkpointAll(waitingForReaders: Bool) throws(SQLiteFailure) {
        guard waitingForReaders else { return try Self.checkpoint(connection, .passive) }
        try connection.withBusyTimeout(Self.readerTimeout) { () throws(SQLiteFailure) in
            try Self.checkpoint(connection, .restart)
        }
    }

    /// Copies the pages in the log into the file, except for those that readers keep.
    static func checkpoint(
        _ connection: SQLiteConnection, _ mode: CheckpointMode
    ) throws(SQLiteFailure) {
        let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode.code, nil, nil)
        // A reader was too slow, or another thread performs a checkpoint.
        guard code & 0xFF != SQLITE_BUSY else { return }
        try connection.check(code)
    }
}
