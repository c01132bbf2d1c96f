/// One thing for a loop to do between two looks at its sockets.
enum Work: Sendable {
    /// The next stretch of a task that runs on the loop.
    case job(UnownedJob)
    /// A call from another thread or for later.
    case call(@Sendable () -> Void)
}

/// A loop's own queue: first in, first out, without a lock, its storage kept from turn to turn.
struct WorkQueue {
    private var items: [Work] = []
    private var head = 0

    /// Whether nothing is waiting.
    var isEmpty: Bool { head == items.count }
    /// How much is waiting.
    var count: Int { items.count - head }

    /// Puts `work` last.
    ///
    /// Amortised O(1).
    mutating func append(_ work: Work) {
        items.append(work)
    }

    /// Puts all of `work` last, in its order.
    mutating func append(contentsOf work: [Work]) {
        items.append(contentsOf: work)
    }

    /// Takes the first one out.
    mutating func popFirst() -> Work? {
        guard head < items.count else { return nil }
        let work = items[head]
        head += 1
        if head == items.count {
            items.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1024, head * 2 >= items.count {
            // A queue that never runs empty would otherwise keep all that ever went through it.
            items.removeFirst(head)
            head = 0
        }
        return work
    }
}
