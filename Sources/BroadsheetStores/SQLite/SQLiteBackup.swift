import CSQLite

/// Copies of a database, taken while a daemon uses it, and put back while none does.
///
/// Both block for as long as they take; they are for the command line.
package enum SQLiteBackup {
    /// What a copy holds.
    package struct Summary: Hashable, Sendable {
        /// How many screens.
        package var screens: Int
        /// How many pages they have together.
        package var pages: Int
    }

    /// How far above all that a backup holds the next revisions are: its store went on after it was
    /// taken, and no revision may come back with another content.
    static let revisionGap: UInt64 = 1 << 20

    /// Copies the database at `source`, which a daemon may be writing to, as it is at one moment.
    ///
    /// The copy is one file, checked as a whole before it gets its name. O(its size); the daemon's
    /// write-ahead log grows meanwhile.
    ///
    /// - Throws: ``SQLiteBackupError``; nothing is left at `target` then, and what was there stays:
    ///   a file is never overwritten.
    package static func copy(
        from source: String, to target: String
    ) throws(SQLiteBackupError) -> Summary {
        guard !FileOperations.exists(target) else { throw .exists(path: target) }
        let copy = try DatabaseCopy(copying: source, beside: target)
        let summary = try copy.inspect()
        try copy.moveIntoPlace(at: target, replacing: false)
        return summary
    }

    /// Puts the backup at `backup` in place of the database at `path`, or where none is yet.
    ///
    /// The backup is copied and checked as a whole before anything changes. Revisions go on far above
    /// those that it holds. O(its size).
    ///
    /// - Throws: ``SQLiteBackupError``, ``SQLiteBackupError/inUse(path:)`` while a daemon runs on it;
    ///   the database at `path` is as it was then.
    package static func restore(
        from backup: String, to path: String
    ) throws(SQLiteBackupError) -> Summary {
        let path = SQLiteDatabase.realPath(of: path)
        guard path != SQLiteDatabase.realPath(of: backup) else { throw .sameFile(path: path) }
        let lock: DatabaseLock
        do throws(StoreOpenError) {
            try SQLiteDatabase.makeFolder(of: path)
            lock = try DatabaseLock(database: path)
        } catch {
            if case .locked = error { throw .inUse(path: path) }
            throw .cannotWrite(path: path, detail: error.description)
        }
        let copy = try DatabaseCopy(copying: backup, beside: path)
        let summary = try copy.inspect()
        try copy.raiseRevisions(by: revisionGap)
        checkpointLog(of: path)
        try copy.moveIntoPlace(at: path, replacing: true)
        lock.release()
        return summary
    }

    /// Folds what the database's write-ahead log holds into it, or removes the log of one that cannot
    /// be opened: it must not be taken for that of the file that comes in its place.
    ///
    /// After this the database that is about to go is still whole, should the machine stop here.
    private static func checkpointLog(of path: String) {
        if FileOperations.exists(path) {
            do throws(SQLiteFailure) {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                try connection.execute("PRAGMA journal_mode = DELETE")
            } catch {
                // A damaged database is what a backup is restored for.
            }
        }
        FileOperations.remove(path + "-wal")
        FileOperations.remove(path + "-shm")
    }
}

/// Why a backup was not taken or not put back; nothing was changed.
package enum SQLiteBackupError: Error, Hashable, Sendable {
    /// There is a file already where the backup is to be.
    case exists(path: String)
    /// A backup cannot be put in its own place.
    case sameFile(path: String)
    /// A daemon runs on the database.
    case inUse(path: String)
    /// The file to copy cannot be read, or is none of ours, or of a newer version.
    case unreadable(StoreOpenError)
    /// The file to copy is damaged.
    case damaged(path: String, detail: String)
    /// The copy cannot be written.
    case cannotWrite(path: String, detail: String)

    /// What a failure means that came up while the copy of `source` was made at `target`.
    init(_ failure: SQLiteFailure, source: String, target: String) {
        switch failure.primaryCode {
        case SQLITE_CORRUPT: self = .damaged(path: source, detail: failure.message)
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_PERM:
            self = .cannotWrite(path: target, detail: failure.message)
        default: self = .unreadable(StoreOpenError(failure, path: source))
        }
    }
}

extension SQLiteBackupError: CustomStringConvertible {
    /// What is wrong and what to do about it, in one sentence.
    package var description: String {
        switch self {
        case .exists(let path): "\(path) exists already; name another file"
        case .sameFile(let path): "\(path) cannot be restored from itself"
        case .inUse(let path): "\(path) is in use; stop the daemon first"
        case .unreadable(let error): error.description
        case .damaged(let path, let detail): "\(path) is damaged (\(detail)) and was not copied"
        case .cannotWrite(let path, let detail): "\(path) cannot be written (\(detail))"
        }
    }
}
