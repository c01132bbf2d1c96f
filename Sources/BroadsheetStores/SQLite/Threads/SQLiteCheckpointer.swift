/// The thread that folds the write-ahead log into the file whenever the writer finds it long.
struct SQLiteCheckpointer {
    /// How many requests may wait: one is as good as many.
    static let maxWaiting = 1

    private let connection: SQLiteConnection

    /// Opens a connection of its own to the file at `path`.
    init(path: String) throws(SQLiteFailure) {
        connection = try SQLiteConnection(path: path, mode: .readWrite)
        // The pages that it copies must be on the disk before the log forgets them.
        try connection.execute("PRAGMA synchronous = FULL")
    }

    /// Folds once for each request until the mailbox is closed.
    func serve(_ requests: Mailbox<Void>, _ shared: SQLiteShared) {
        while requests.take(atMost: Self.maxWaiting) != nil {
            do throws(SQLiteFailure) {
                try WriteAheadLog.fold(connection, waiting: false)
            } catch {
                shared.health.note(error)
                shared.tell(.neglected("the write-ahead log stays long (\(error.message))"))
            }
        }
    }
}
