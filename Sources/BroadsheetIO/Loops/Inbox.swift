import Synchronization

/// Where other threads leave work for a loop.
///
/// The loop looks at one atomic flag a turn and takes the lock only when something has come in.
/// Whoever raises the flag wakes the loop, so a burst of work costs one wake-up.
final class Inbox: Sendable {
    private struct Contents {
        var work: [Work] = []
        var isClosed = false
    }

    /// What became of a piece of work that was handed in.
    enum Receipt: Hashable {
        /// The loop has been told of earlier work and will find this with it.
        case queued
        /// The loop may be asleep: wake it.
        case queuedFirst
        /// The loop has stopped, and the work is dropped.
        case refused
    }

    private let contents = Mutex(Contents())
    private let hasWork = Atomic(false)

    /// Leaves `work` for the loop.
    ///
    /// Safe from any thread.
    func add(_ work: Work) -> Receipt {
        let refused = contents.withLock { contents in
            if !contents.isClosed { contents.work.append(work) }
            return contents.isClosed
        }
        if refused { return .refused }
        let wasRaised = hasWork.exchange(true, ordering: .acquiringAndReleasing)
        return wasRaised ? .queued : .queuedFirst
    }

    /// Takes everything out; empty, and without touching the lock, when nothing has come in.
    func takeAll() -> [Work] {
        guard hasWork.load(ordering: .relaxed) else { return [] }
        // Lowered before the take: work that comes in between raises it again, at worst for nothing.
        _ = hasWork.exchange(false, ordering: .acquiringAndReleasing)
        return contents.withLock { contents in
            var taken: [Work] = []
            swap(&taken, &contents.work)
            return taken
        }
    }

    /// Refuses all further work, and returns what was left.
    func close() -> [Work] {
        contents.withLock { contents in
            contents.isClosed = true
            var taken: [Work] = []
            swap(&taken, &contents.work)
            return taken
        }
    }
}

/// A unit of work that a loop runs between two waits for its sockets.
enum Work: Sendable {
    /// The next part of a task that runs on the loop.
    case job(UnownedJob)
    /// A closure submitted by another thread, or for later.
    case call(@Sendable () -> Void)
}
