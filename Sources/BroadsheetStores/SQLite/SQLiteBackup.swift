import BroadsheetIO
import CSQLite

/// Backup and restore of a database: a backup while a daemon uses it, a restore while none does.
///
/// Both block until they are done; they are for the command line.
package enum SQLiteBackup {
    /// The contents of a backup.
    package struct Summary: Hashable, Sendable {
        package var screens: Int
        package var pages: Int
    }

    /// Copies the database at `source`, which a daemon may be writing to, as of one moment.
    ///
    /// The backup is a single file, checked completely before it gets its name. The write-ahead log
    /// of the daemon grows in the meantime.
    ///
    /// - Throws: ``SQLiteBackupError``. No file is created at `target`, and an existing one is
    ///   unchanged.
    /// - Complexity: O(size of the database).
    package static func copy(
        from source: String, to target: String
    ) throws(SQLiteBackupError) -> Summary {
        guard !FileOperations.exists(target) else { throw .exists(path: target) }
        let copy = try DatabaseCopy(copying: source, beside: target)
        let summary = try copy.inspect()
        try copy.moveIntoPlace(at: target, replacing: false)
        return summary
    }

    /// Replaces the database at `path`, if there is one, with the backup at `backup`.
    ///
    /// The backup is copied and checked completely before anything is changed. Revisions continue
    /// far above those in the backup. The file has the owner, the group and the permissions of the
    /// one that it replaces, or the owner and the group of the folder: a restore by the superuser
    /// must not take the database from the user of the daemon.
    ///
    /// - Throws: ``SQLiteBackupError``, with ``SQLiteBackupError/inUse(path:)`` while a daemon uses
    ///   the database. The database at `path` is unchanged.
    /// - Complexity: O(size of the backup).
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
        try copy.beginLine()
        checkpointLog(of: path)
        if let ownership = FileOwnership(ofFileAt: path) {
            copy.give(ownership)
            ownership.applyOwner(to: DatabaseLock.path(ofDatabase: path))
        }
        try copy.moveIntoPlace(at: path, replacing: true)
        lock.markInitialised()
        lock.release()
        return summary
    }

    /// Removes from the file at `path` what was removed or replaced, expired screens included: no
    /// byte of it remains in the file, and its log is removed.
    ///
    /// Earlier revisions that are kept, and events of feeds, are not removed. The file keeps its
    /// owner and its permissions.
    ///
    /// - Returns: The sizes of the file before and after, in bytes.
    /// - Throws: ``SQLiteBackupError``, with ``SQLiteBackupError/inUse(path:)`` while a daemon uses
    ///   the database. An interruption leaves the database complete, and perhaps not compacted.
    /// - Complexity: O(size of the file), in as much further space in its folder, and in that for
    ///   temporary files.
    package static func compact(
        _ path: String
    ) throws(SQLiteBackupError) -> (before: Int, after: Int) {
        let path = SQLiteDatabase.realPath(of: path)
        guard FileOperations.exists(path) else { throw .missing(path: path) }
        do throws(SQLiteFailure) {
            // Before the lock, which makes a file beside it.
            let connection = try SQLiteConnection(path: path, mode: .readOnly)
            try SQLiteFormat.check(connection)
        } catch {
            throw SQLiteBackupError(error, source: path, target: path)
        }
        let lock: DatabaseLock
        do throws(StoreOpenError) {
            lock = try DatabaseLock(database: path)
        } catch {
            if case .locked = error { throw .inUse(path: path) }
            throw .cannotWrite(path: path, detail: error.description)
        }
        // The lock file may be new, and belong to the superuser.
        FileOwnership(ofFileAt: path)?.applyOwner(to: DatabaseLock.path(ofDatabase: path))
        let before = FileOperations.size(of: path) + FileOperations.size(of: path + "-wal")
        do throws(StoreOpenError) {
            let connection = try SQLiteDatabase.openForWriting(
                path: path, options: SQLiteStoreOptions())
            do throws(SQLiteFailure) {
                try compact(
                    connection, DatabaseSpace(of: connection, lock.database, path: path))
            } catch {
                throw StoreOpenError(error, path: path)
            }
        } catch {
            if case .corrupt(_, let detail) = error { throw .damaged(path: path, detail: detail) }
            throw .unreadable(error)
        }
        lock.release()
        return (before, FileOperations.size(of: path))
    }

    private static func compact(
        _ connection: SQLiteConnection, _ space: DatabaseSpace
    ) throws(SQLiteFailure) {
        try SQLiteFormat.checkAll(connection)
        // Also in parts of the file that a step frees and no later one writes.
        try connection.execute("PRAGMA secure_delete = ON")
        try removeDiscarded(connection, space)
        try connection.execute("VACUUM")
        try connection.execute("PRAGMA journal_mode = DELETE")
    }

    /// Removes expired screens, and the objects that wait for their deletion.
    private static func removeDiscarded(
        _ connection: SQLiteConnection, _ space: DatabaseSpace
    ) throws(SQLiteFailure) {
        let records = try RecordTable(on: connection)
        var batches = try SQLiteBatchWriter(on: connection)
        let now = TimeSource.system.unixMilliseconds
        while true {
            let expired = try records.expired(at: now, limit: 32)
            guard !expired.isEmpty || batches.hasLeftovers else { return }
            try batches.transaction(in: space) { (batches) throws(SQLiteFailure) in
                for screen in expired { try remove(screen, records, &batches, at: now) }
            }
        }
    }

    private static func remove(
        _ screen: ScreenName, _ records: RecordTable, _ batches: inout SQLiteBatchWriter,
        at now: Int64
    ) throws(SQLiteFailure) {
        guard case .present(let stored) = try records.record(of: screen, at: now) else {
            throw .broken("the expiry index names screen \(screen)")
        }
        let record = try ScreenCheck.decode { () throws(BinaryDamage) in
            try ScreenRecord(stored.bytes, of: screen)
        }
        let context = PlanContext(
            server: batches.state.server, now: now, bounds: StoreBounds())
        let plan = CommitPlanner.removal(of: screen, record, in: context, hasExpired: true)
        guard case .applied = try batches.apply(plan.batch, at: now) else {
            throw .broken("the expiry index names screen \(screen)")
        }
    }

    /// Checkpoints the write-ahead log into the database and removes it.
    ///
    /// The log of a database that cannot be opened is removed as well, so that it is not applied to
    /// the file that replaces the database.
    ///
    /// Until then the old database is complete, even if the machine stops here.
    private static func checkpointLog(of path: String) {
        if FileOperations.exists(path) {
            do throws(SQLiteFailure) {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                try connection.execute("PRAGMA journal_mode = DELETE")
            } catch {
                // Damage is the reason for a restore, so it is not an error here.
            }
        }
        FileOperations.remove(path + "-wal")
        FileOperations.remove(path + "-shm")
    }
}

/// An error in a backup or restore; nothing was changed.
package enum SQLiteBackupError: Error, Hashable, Sendable {
    /// A file exists at the path of the backup.
    case exists(path: String)
    case missing(path: String)
    /// The backup and the database to restore are the same file.
    case sameFile(path: String)
    /// A daemon uses the database.
    case inUse(path: String)
    /// The file to copy is not readable, belongs to another program, or has a newer version.
    case unreadable(StoreOpenError)
    case damaged(path: String, detail: String)
    case cannotWrite(path: String, detail: String)

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
    /// The cause and the remedy, in one sentence.
    package var description: String {
        switch self {
        case .exists(let path): "\(path) exists already; name another file"
        case .missing(let path): "\(path): there is no such file; name the file of a store"
        case .sameFile(let path): "\(path) cannot be restored from itself"
        case .inUse(let path): "\(path) is in use; stop the daemon first"
        case .unreadable(let error): error.description
        case .damaged(let path, let detail): "\(path) is damaged (\(detail)) and was not copied"
        case .cannotWrite(let path, let detail): "\(path) cannot be written (\(detail))"
        }
    }
}
