import Synchronization

/// A number of bytes of a budget, which are returned when the last reference is released.
///
/// So whatever ends a request (a response, a reset, a timeout, an error) returns its memory.
package final class MemoryReservation: Sendable {
    package let budget: MemoryBudget
    private let currentKind: Atomic<MemoryKind>
    private let bytes = Atomic(0)
    private let isMarked = Atomic(false)
    private let isPermanent: Bool
    /// The number of bytes that the work has in other reservations all the time.
    package let others: Int

    /// Creates a reservation of no bytes.
    ///
    /// - Parameters:
    ///   - kind: The kind of the bytes.
    ///   - isPermanent: A Boolean value that indicates whether it is useless to wait for the bytes,
    ///     because no end of a request returns them (``MemoryBudget/available(for:)``).
    ///   - others: The number of bytes that the work has in other reservations all the time.
    package init(
        in budget: MemoryBudget, for kind: MemoryKind, isPermanent: Bool = false,
        beside others: Int = 0
    ) {
        self.budget = budget
        currentKind = Atomic(kind)
        self.isPermanent = isPermanent
        self.others = others
    }

    deinit {
        let count = self.count
        guard count > 0 else { return }
        if isPermanent { budget.addPermanent(-count) }
        budget.release(count, for: kind)
    }

    package var kind: MemoryKind { currentKind.load(ordering: .relaxed) }

    package var count: Int { bytes.load(ordering: .relaxed) }

    /// A Boolean value that indicates whether the work that uses the memory has begun: more was
    /// reserved already than what any small request may have, or ``markAsBegun()`` was called.
    package var hasBegun: Bool {
        count > MemoryBudget.maxUnqueuedBytes || isMarked.load(ordering: .relaxed)
    }

    /// Gives the reservation the precedence of work that has begun, because it uses memory of other
    /// reservations, which is returned when it is complete.
    package func markAsBegun() { isMarked.store(true, ordering: .relaxed) }

    /// Changes the number of bytes; a smaller number is always granted.
    ///
    /// - Returns: `false`, without a change, if the additional bytes are not free.
    package func resize(to count: Int) -> Bool {
        let more = count - self.count
        if more > 0 {
            guard budget.take(more, for: kind, hasBegun: hasBegun) else { return false }
        } else if more < 0 {
            budget.release(-more, for: kind)
        }
        add(more)
        return true
    }

    /// Changes the number of bytes to that of memory that is in use already, and cannot be refused;
    /// while there is too little, others wait for it.
    package func charge(to count: Int) {
        let more = count - self.count
        guard more > 0 else { return shrink(to: count) }
        budget.charge(more, for: kind)
        add(more)
    }

    package func shrink(to count: Int) {
        if count < self.count { _ = resize(to: count) }
    }

    /// Makes the reservation at least `count` bytes large, and waits for the bytes if necessary.
    ///
    /// A reservation of work that has begun is served before others (``hasBegun``).
    ///
    /// - Returns: `false`, without a change, if they were not free in time, or if the task was
    ///   cancelled.
    package func grow(to count: Int) async -> Bool {
        let more = count - self.count
        guard more > 0, !resize(to: count) else { return true }
        guard await budget.wait(for: more, kind, hasBegun: hasBegun) else { return false }
        add(more)
        return true
    }

    package func adopt(_ waiter: MemoryWaiter) { add(waiter.count) }

    /// Moves up to `count` bytes into a reservation of another kind.
    package func split(_ count: Int, for kind: MemoryKind) -> MemoryReservation {
        let moved = min(max(0, count), self.count)
        let part = MemoryReservation(in: budget, for: kind)
        guard moved > 0 else { return part }
        budget.move(moved, from: self.kind, to: kind)
        add(-moved)
        part.add(moved)
        return part
    }

    /// Moves all bytes to another kind, whose share is not checked: they are in use already.
    ///
    /// The number of bytes must not change meanwhile.
    package func move(to other: MemoryKind) {
        let kind = currentKind.exchange(other, ordering: .relaxed)
        if kind != other { budget.move(count, from: kind, to: other) }
    }

    /// The largest number of bytes that the reservation could have if nothing else was in use.
    package var available: Int { budget.available(for: kind) }

    package func countRefusal() { budget.countRefusal(of: kind) }

    private func add(_ count: Int) {
        bytes.wrappingAdd(count, ordering: .relaxed)
        if isPermanent { budget.addPermanent(count) }
    }
}

extension MemoryKind: AtomicRepresentable {}
