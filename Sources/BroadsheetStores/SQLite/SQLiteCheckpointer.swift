import Dispatch
import Synchronization

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
    func serve(_ requests: CheckpointRequests, _ context: SQLiteStoreContext) {
        while requests.wait() {
            do throws(SQLiteFailure) {
                try WriteAheadLog.checkpoint(connection, .passive)
            } catch {
                context.health.record(error)
                context.report(
                    .maintenanceFailed("the write-ahead log stays long (\(error.message))"))
            }
            requests.finish()
        }
    }
}

/// Where the writer asks for the log to be checkpointed, and sees whether it has been.
final class CheckpointRequests: Sendable {
    private struct State {
        /// How many requests are being served or wait.
        var unfinished = 0
        /// Whether there is nobody to ask.
        var isAbandoned = false
    }

    // One that waits is as good as many.
    private let queue = JobQueue<Void>(capacity: 1)
    private let state = Mutex(State())
    /// Signalled at the end of each piece of work.
    private let ends = DispatchSemaphore(value: 0)

    /// Whether nothing is being checkpointed, and nothing is requested for.
    var isIdle: Bool { state.withLock { $0.unfinished == 0 } }

    /// Asks for the log to be checkpointed; nothing happens when there is nobody who does.
    func request() {
        state.withLock { state in
            guard !state.isAbandoned, queue.enqueue(()) == .accepted else { return }
            state.unfinished += 1
        }
    }

    /// Says that there will be no more requests.
    func close() { queue.close() }

    /// Blocks until nothing is being checkpointed; for one thread, the one that asks.
    func waitUntilIdle() {
        // Ends that nobody waited for come first.
        while !isIdle { ends.wait() }
    }

    /// Waits for the next request; false when there will be none.
    func wait() -> Bool { queue.dequeue(atMost: 1) != nil }

    /// Says that what was requested for is done, or has failed.
    func finish() {
        state.withLock { $0.unfinished = max(0, $0.unfinished - 1) }
        ends.signal()
    }

    /// Says that nobody will do what is requested for.
    func abandon() {
        state.withLock { $0 = State(unfinished: 0, isAbandoned: true) }
        ends.signal()
    }
}

/// Decides when the write-ahead log is checkpointed into the file, and by whom.
///
/// Folding copies every page that was written to its place in the file and flushes that, which takes
/// as long as many commits do. So another thread does it while the writer goes on
/// (``SQLiteCheckpointer``). What is written meanwhile stays behind, and the log starts from its
/// beginning again only when a commit finds nothing left to fold: so the writer folds that small rest
/// itself, once, when the other thread is done. Asking the other thread again would leave another
/// rest, and keep the disk busy with flushes that no write waits for but every write waits behind.
///
/// A reader keeps in the log what came after it began. Where reads follow each other without a
/// pause there is always one in the way, so the second time the writer waits a moment for them.
struct CheckpointPlan: Hashable {
    /// What the writer does about the log.
    enum Step: Hashable {
        /// Nothing.
        case none
        /// Has the other thread fold what there is.
        case requestCheckpoint
        /// Folds the rest itself, or else all that readers are in the way of when they are waited for.
        case checkpointRest(waitingForReaders: Bool)
        /// Waits until the other thread is done, and folds the rest itself: that thread does not keep
        /// up, and only writes that wait keep the log from growing on.
        case waitAndCheckpoint
    }

    private enum State: Hashable {
        /// The log is short.
        case short
        /// The other thread was requested, for the first time or again, and is to be done before the log
        /// has so many pages.
        case requested(until: Int, isRepeated: Bool)
        /// The rest was checkpointed when it had so many; a commit that still finds it long means that a
        /// reader was in the way.
        case checkpointed(at: Int)
    }

    private let limit: Int
    private var state = State.short

    /// Plans for a log that should not grow beyond `limit` pages by much.
    init(limit: Int) { self.limit = limit }

    /// What is to be done after a transaction that left the log with so many pages.
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
        // A reader that is in no hurry costs a moment now and then.
        case .checkpointed(let start) where pages >= start + limit / 2:
            state = .requested(until: pages + limit, isRepeated: true)
            return .requestCheckpoint
        case .requested, .checkpointed: return .none
        }
    }
}
