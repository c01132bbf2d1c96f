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
        guard !FilePlace.exists(target) else { throw .exists(path: target) }
        let draft = try DraftDatabase(copying: source, beside: target)
        let summary = try draft.inspect()
        try draft.settle(at: target, replacing: false)
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
        let lock: FileLock
        do throws(StoreOpenError) {
            try SQLiteDatabase.makeFolder(of: path)
            lock = try FileLock(database: path)
        } catch {
            if case .locked = error { throw .inUse(path: path) }
            throw .cannotWrite(path: path, detail: error.description)
        }
        let draft = try DraftDatabase(copying: backup, beside: path)
        let summary = try draft.inspect()
        try draft.raiseRevisions(by: revisionGap)
        foldLog(of: path)
        try draft.settle(at: path, replacing: true)
        lock.release()
        return summary
    }

    /// Folds what the database's write-ahead log holds into it, or removes the log of one that cannot
    /// be opened: it must not be taken for that of the file that comes in its place.
    ///
    /// After this the database that is about to go is still whole, should the machine stop here.
    private static func foldLog(of path: String) {
        if FilePlace.exists(path) {
            do throws(SQLiteFailure) {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                try connection.execute("PRAGMA journal_mode = DELETE")
            } catch {
                // A damaged database is what a backup is restored for.
            }
        }
        FilePlace.remove(path + "-wal")
        FilePlace.remove(path + "-shm")
    }
}
