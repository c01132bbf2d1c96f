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

/// The policy of checkpoints of the write-ahead log.
///
/// A checkpoint copies every changed page into the database file and syncs it, which takes as long
/// as many commits. Another thread therefore performs it while the writer continues
/// (``SQLiteCheckpointer``). What is written in the meantime remains in the log, and SQLite
/// restarts the log only when a commit finds nothing left to checkpoint. So once the other thread
/// is done, the writer checkpoints the small rest itself. A second request to the other thread
/// would leave another rest, and would keep the disk busy with syncs that delay every write.
///
/// A reader keeps those pages in the log that were written after it began. With uninterrupted reads
/// there is always such a reader, so at the second attempt the writer waits a short time for
/// readers.
struct CheckpointPlan: Hashable {
    /// The action of the writer after a transaction.
    enum Step: Hashable {
        case none
        /// Requests a checkpoint from the other thread.
        case requestCheckpoint
        /// Checkpoints the rest, without the pages that readers keep in the log unless it waits for
        /// readers.
        case checkpointRest(waitingForReaders: Bool)
        /// Waits for the other thread and checkpoints the rest. That thread is too slow, and only a
        /// pause of the writes limits the log.
        case waitAndCheckpoint
    }

    private enum State: Hashable {
        /// The log is within the limit.
        case short
        /// A checkpoint was requested from the other thread, for the first time or again; it should
        /// end before the log has `until` pages.
        case requested(until: Int, isRepeated: Bool)
        /// The rest was checkpointed when the log had `at` pages. If a commit finds the log still
        /// long, a reader kept its pages.
        case checkpointed(at: Int)
    }

    private let limit: Int
    private var state = State.short

    init(limit: Int) { self.limit = limit }

    /// Returns the action after a transaction that left the log with `pages` pages.
    mutating func step(pages: Int, isCheckpointerIdle: Bool) -> Step {
        guard pages >= limit else {
            state = .short
            return .none
        }
        switch state {
        case .short:
            state = .requested(until: 2 * limit, isRepeated: false)
            return .requestCheckpoint
        case .requested(_, let isRepeated) where isCheckpointerIdle:
            state = .checkpointed(at: pages)
            return .checkpointRest(waitingForReaders: isRepeated)
        case .requested(let end, _) where pages >= end:
            state = .checkpointed(at: pages)
            return .waitAndCheckpoint
        // A slow reader delays the writer occasionally, for a short time.
        case .checkpointed(let start) where pages >= start + limit / 2:
            state = .requested(until: pages + limit, isRepeated: true)
            return .requestCheckpoint
        case .requested, .checkpointed: return .none
        }
    }
}
