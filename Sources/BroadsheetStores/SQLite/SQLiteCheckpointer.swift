import Dispatch
import Synchronization

/// The checkpoints that run on a thread of their own, at the request of the writer.
struct SQLiteCheckpointer {
    private let connection: SQLiteConnection

    /// Opens a connection to the file at `path`.
    init(path: String) throws(SQLiteFailure) {
        connection = try SQLiteConnection(path: path, mode: .readWrite)
        // The pages that a checkpoint copies must be on the disk before the log is overwritten.
        try connection.execute("PRAGMA synchronous = FULL")
    }

    /// Performs a checkpoint for each request until the requests are closed.
    func serve(_ requests: CheckpointRequests, _ context: SQLiteStoreContext) {
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

    /// Declares that no more requests follow.
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

    /// Declares that no thread performs requests.
    func abandon() {
        state.withLock { $0 = State(unfinished: 0, isAbandoned: true) }
        ends.signal()
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
        /// No action.
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

    /// Creates a policy for a log that should not exceed `limit` pages by much.
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
