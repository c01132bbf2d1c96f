internal import Synchronization

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
                try WriteAheadLog.fold(connection, waiting: false)
            } catch {
                shared.health.note(error)
                shared.tell(.neglected("the write-ahead log stays long (\(error.message))"))
            }
            requests.finish()
        }
    }
}

/// Where the writer asks for the log to be folded, and sees whether it has been.
final class FoldingRequests: Sendable {
    // One that waits is as good as many.
    private let mailbox = Mailbox<Void>(capacity: 1)
    private let hasWork = Atomic(false)

    /// Whether nothing is being folded, and nothing is asked for.
    var isIdle: Bool { !hasWork.load(ordering: .acquiring) }

    /// Asks for the log to be folded.
    func ask() {
        hasWork.store(true, ordering: .releasing)
        _ = mailbox.send(())
    }

    /// Says that there will be no more requests.
    func close() { mailbox.close() }

    /// Waits for the next request; false when there will be none.
    func wait() -> Bool { mailbox.take(atMost: 1) != nil }

    /// Says that what was asked for is done.
    func finish() { hasWork.store(false, ordering: .releasing) }
}
