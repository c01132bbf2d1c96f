/// The thread that folds the write-ahead log into the file whenever the writer asks for it.
struct SQLiteCheckpointer {
    private let connection: SQLiteConnection

    /// Opens a connection of its own to the file at `path`.
    init(path: String) throws(SQLiteFailure) {
        connection = try SQLiteConnection(path: path, mode: .readWrite)
        // The pages that it copies must be on the disk before the log forgets them.
        try connection.execute("PRAGMA synchronous = FULL")
    }

    /// Folds once for each request until there are to be no more.
    func serve(_ requests: FoldingRequests, _ shared: SQLiteShared) {
        while requests.wait() {
            do throws(SQLiteFailure) {
                try WriteAheadLog.fold(connection, .passing)
            } catch {
                shared.health.note(error)
                shared.tell(.maintenanceFailed("the write-ahead log stays long (\(error.message))"))
            }
            requests.finish()
        }
    }
}
