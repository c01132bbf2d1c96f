import Synchronization

/// The work that other threads submit to a loop.
///
/// The loop reads one atomic flag a turn and takes the lock only when there is work. The thread
/// that sets the flag wakes the loop, so a burst of work costs one wake-up.
final class Inbox: Sendable {
    private struct Contents {
        var work: [InboxItem] = []
        var isClosed = false
    }

    enum Receipt: Hashable {
        /// The loop was woken for earlier work and will find this with it.
        case queued
        /// The loop may be waiting: wake it.
        case queuedFirst
        case refused
    }

    private let contents = Mutex(Contents())
    private let hasWork = Atomic(false)

    func add(_ work: InboxItem) -> Receipt {
        let refused = contents.withLock { contents in
            if !contents.isClosed { contents.work.append(work) }
            return contents.isClosed
        }
        if refused { return .refused }
        let wasSet = hasWork.exchange(true, ordering: .acquiringAndReleasing)
        return wasSet ? .queued : .queuedFirst
    }

    /// Removes and returns all work; empty, and without taking the lock, when there is none.
    func takeAll() -> [InboxItem] {
        guard hasWork.load(ordering: .relaxed) else { return [] }
        // Cleared before the work is taken: work that arrives in between sets it again, at worst
        // for a turn without work.
        _ = hasWork.exchange(false, ordering: .acquiringAndReleasing)
        return contents.withLock { contents in
            var taken: [InboxItem] = []
            swap(&taken, &contents.work)
            return taken
        }
    }

    func close() -> [InboxItem] {
        contents.withLock { contents in
            contents.isClosed = true
            var taken: [InboxItem] = []
            swap(&taken, &contents.work)
            return taken
        }
    }
}

/// A unit of work that a loop runs between two waits for its sockets.
enum InboxItem: Sendable {
    case job(UnownedJob)
    case call(@Sendable () -> Void)
}
