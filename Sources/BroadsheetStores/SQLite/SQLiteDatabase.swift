/// Opens database files the way the store wants them.
enum SQLiteDatabase {
    /// Opens the file for writing, in WAL mode and fully synchronous, with an up-to-date schema.
    static func openForWriting(path: String) throws(StoreOpenError) -> SQLiteConnection {
        do throws(SQLiteFailure) {
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            try SQLiteSchema.migrate(connection)
            // The journal mode is set behind the checks: it is the first thing that writes to a file
            // that may not be ours.
            let mode = try connection.text("PRAGMA journal_mode = WAL")
            guard mode == "wal" else {
                throw .notPossible("the file system has no shared memory for a write-ahead log")
            }
            try connection.execute("PRAGMA synchronous = FULL")
            return connection
        } catch {
            throw StoreOpenError(error, path: path)
        }
    }
}
