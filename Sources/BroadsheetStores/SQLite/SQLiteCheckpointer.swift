import Dispatch
import Synchronization

/// The checkpoints that run on a thread of their own, at the request of the writer.
struct SQLiteCheckpointer {
    private let connection: SQLiteConnection

    init(path: String) throws(SQLiteFailure) {
        connection = try SQLiteConnection(path: path, mode: .readWrite)
        // The pages that a checkpoint copies must be on the disk before the log is overwritten.
        try connection.execute("PRAGMA synchronous = FULL")
    }

    /// Performs a checkpoint for each request until the requests are closed.
    func serve(_ requests: CheckpointRequests, _ context: SQLiteContext) {
        while requests.wait() {
            do throws(SQLiteFailure) {
                try WriteAheadLog.checkpoint(connection, .passive)
            } catch {
                context.health.record(error)
                context.report(
                    .maintenanceFailed("a checkpoint failed (\(error.message))"))
            }
            requests.finish()
        }
    }
}

/// The writer's requests for checkpoints, and their state.
final class CheckpointRequests: Sendable {
    private struct State {
        /// The number of requests that are waiting or in progress.
        var unfinished = 0
        /// A Boolean value that indicates whether no thread performs requests.
        var isAbandoned = false
    }

    // One waiting request covers all that follow it.
    private let queue = JobQueue<Void>(capacity: 1)
    private let state = Mutex(State())
    /// A semaphore that is signalled at the end of each checkpoint.
    private let ends = DispatchSemaphore(value: 0)

    /// A Boolean value that indicates whether no checkpoint is requested or in progress.
    var isIdle: Bool { state.withLock { $0.unfinished == 0 } }

    /// Requests a checkpoint, unless the requests were abandoned.
    func request() {
        state.withLock { state in
            guard !state.isAbandoned, queue.enqueue(()) == .accepted else { return }
            state.unfinished += 1
        }
    }

    func close() { queue.close() }

    /// Blocks until no checkpoint is requested or in progress; called on the writer's thread only.
    func waitUntilIdle() {
        // Signals of earlier checkpoints may be pending.
        while !isIdle { ends.wait() }
    }

    /// Waits for a request; returns `false` when none will follow.
    func wait() -> Bool { queue.dequeue(atMost: 1) != nil }

    /// Declares that the current checkpoint has ended, successfully or not.
    func finish() {
        state.withLock { $0.unfinished = max(0, $0.unfinished - 1) }
        ends.signal()
    }

    func abandon() {
        state.withLock { $0 = State(unfinished: 0, isAbandoned: true) }
        ends.signal()
    }
}
