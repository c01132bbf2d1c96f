import Synchronization

/// The memory that requests, responses, caches and stores may use together.
///
/// Memory is reserved before it is allocated (``MemoryReservation``). A request that cannot have it
/// at once waits, without blocking a thread, for at most ``maxWait``. Work that has begun
/// (``MemoryReservation/hasBegun``) is served first, because it returns what it holds when it is
/// complete. It cannot take precedence permanently, since only what was served before becomes such
/// work. Any of it for which there is enough memory is served, since that may release what the rest
/// needs. All other reservations of a kind are served in turns by client (``ClientTurns``), each
/// client's in the order of arrival, and wait while work of their kind that has begun waits. Since
/// every wait ends, requests that wait for each other's memory cannot block each other permanently.
package final class MemoryBudget: Sendable {
    package static let maxWait = Duration.seconds(2)

    /// The size up to which a reservation does not queue behind larger ones that wait, and is not
    /// subject to the share of its kind, in bytes: small requests are served as long as there is
    /// any memory.
    package static let maxUnqueuedBytes = 128 << 10

    /// The smallest budget, in bytes: 128 MiB.
    package static let minLimit = 128 << 20

    package let limit: Int

    private let pause: @Sendable (Duration) async -> Void
    private let state = Mutex(State())

    /// Creates a budget of `limit` bytes; `pause` is for the timeouts of requests that wait.
    package init(
        limit: Int,
        pause: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.limit = max(0, limit)
        self.pause = pause
    }

    package static var unlimited: MemoryBudget { MemoryBudget(limit: .max) }

    /// Returns the largest number of bytes that a kind can have while nothing else uses the budget
    /// but what is reserved permanently.
    package func available(for kind: MemoryKind) -> Int {
        let permanent = state.withLock { $0.permanent }
        return max(0, min(kind.maxBytes(of: limit), limit - permanent))
    }

    package func cacheBytes(for kind: MemoryKind) -> Int { kind.cacheBytes(of: limit) }

    package func reservation(of count: Int, for kind: MemoryKind) -> MemoryReservation? {
        let reservation = MemoryReservation(in: self, for: kind)
        return reservation.resize(to: count) ? reservation : nil
    }

    /// Returns `nil` if the memory was not free in time, or if the task was cancelled.
    package func waitForReservation(
        of count: Int, for kind: MemoryKind
    ) async -> MemoryReservation? {
        let reservation = MemoryReservation(in: self, for: kind)
        return await reservation.grow(to: count) ? reservation : nil
    }

    package var statistics: MemoryStatistics {
        state.withLock { state in
            MemoryStatistics(used: state.usedByKind, refused: state.refused, waiting: state.waiting)
        }
    }

    package func countRefusal(of kind: MemoryKind) {
        state.withLock { $0.refused[kind.rawValue] += 1 }
    }
}

package struct MemoryStatistics: Sendable, Hashable {
    fileprivate let used: [Int]
    fileprivate let refused: [UInt64]
    package let waiting: Int

    package var total: Int { used.reduce(0, +) }

    package func used(by kind: MemoryKind) -> Int { used[kind.rawValue] }

    package func refused(_ kind: MemoryKind) -> UInt64 { refused[kind.rawValue] }
}

// MARK: - Reserving

extension MemoryBudget {
    /// Takes bytes if they are free, and if nothing waits for them that has precedence.
    func take(_ count: Int, for kind: MemoryKind, hasBegun: Bool) -> Bool {
        state.withLock { state in
            let mayPass =
                hasBegun || count <= Self.maxUnqueuedBytes || !state.hasWaiters(for: kind)
            return mayPass && state.take(count, for: kind, of: limit)
        }
    }

    /// Takes bytes that are in use already, whether they are free or not.
    func charge(_ count: Int, for kind: MemoryKind) {
        state.withLock { state in
            state.used += count
            state.usedByKind[kind.rawValue] += count
        }
    }

    /// Returns bytes, and grants them to those that wait.
    func release(_ count: Int, for kind: MemoryKind) {
        let granted = state.withLock { state in
            state.used -= count
            state.usedByKind[kind.rawValue] -= count
            return state.waiting > 0 ? state.grant(of: limit) : []
        }
        for waiter in granted { waiter.resume(true) }
    }

    /// Adds bytes to those that are reserved permanently, or subtracts them.
    func addPermanent(_ count: Int) { state.withLock { $0.permanent += count } }

    /// Moves reserved bytes to another kind, whose share is not checked: they are in use already.
    func move(_ count: Int, from kind: MemoryKind, to other: MemoryKind) {
        state.withLock { state in
            state.usedByKind[kind.rawValue] -= count
            state.usedByKind[other.rawValue] += count
        }
    }

    /// Waits for bytes; the waiter then owns them.
    ///
    /// `waiter` resumes at once if they are free, if they can never be free, or if it was cancelled
    /// before.
    package func enqueue(_ waiter: MemoryWaiter) {
        let outcome: Bool? = state.withLock { state in
            guard waiter.isWaiting, waiter.count <= waiter.kind.maxBytes(of: limit) else {
                waiter.isWaiting = false
                return false
            }
            if waiter.hasBegun || !state.hasWaiters(for: waiter.kind),
                state.take(waiter.count, for: waiter.kind, of: limit)
            {
                waiter.isWaiting = false
                return true
            }
            state.append(waiter)
            waiter.isQueued = true
            return nil
        }
        if let outcome { waiter.resume(outcome) }
    }

    /// Ends the waiting; does nothing if the bytes were granted before.
    package func cancel(_ waiter: MemoryWaiter) {
        let (isCancelled, granted) = state.withLock { state in
            guard waiter.isWaiting else { return (false, [MemoryWaiter]()) }
            waiter.isWaiting = false
            guard waiter.isQueued else { return (false, []) }
            state.waiting -= 1
            // Those behind a large reservation may have space.
            return (true, state.grant(of: limit))
        }
        if isCancelled { waiter.resume(false) }
        for waiter in granted { waiter.resume(true) }
    }

    /// Returns the bytes of a waiter that they were granted to too late.
    package func giveBack(_ waiter: MemoryWaiter) { release(waiter.count, for: waiter.kind) }

    /// Waits for bytes until they are granted, the time is over, or the task is cancelled.
    func wait(for count: Int, _ kind: MemoryKind, hasBegun: Bool) async -> Bool {
        let waiter = MemoryWaiter(for: count, kind, hasBegun: hasBegun)
        let timeout = Task { [pause] in
            await pause(Self.maxWait)
            cancel(waiter)
        }
        defer { timeout.cancel() }
        let isGranted = await withTaskCancellationHandler {
            await Waiter.wait(orElse: false) { task in
                waiter.onEnd { task.resume($0) }
                enqueue(waiter)
            }
        } onCancel: {
            cancel(waiter)
        }
        if !isGranted, !Task.isCancelled { countRefusal(of: kind) }
        return isGranted
    }
}

package final class MemoryWaiter: @unchecked Sendable {
    // Unchecked: `isWaiting` and `isQueued` are used while the budget's lock is held, and `end` is
    // set before the waiter is queued, and then used once, by the thread that ended the waiting.

    let count: Int
    let kind: MemoryKind
    let hasBegun: Bool
    fileprivate var isWaiting = true
    fileprivate var isQueued = false
    /// The client whose turns the reservation takes; what belongs to none of them shares the turns
    /// of one.
    fileprivate let client = ClientKey.current ?? .address(.unspecified)
    private var end: (@Sendable (Bool) -> Void)?

    package init(for count: Int, _ kind: MemoryKind, hasBegun: Bool = false) {
        self.count = count
        self.kind = kind
        self.hasBegun = hasBegun
    }

    /// Sets the function that is called once, on any thread, with whether the bytes were granted.
    package func onEnd(_ end: @escaping @Sendable (_ isGranted: Bool) -> Void) { self.end = end }

    /// Calls the function, once, and releases it: a waiter that was cancelled stays in its queue
    /// until those before it are served, and must not keep what waited, which no longer counts.
    fileprivate func resume(_ isGranted: Bool) {
        let end = self.end
        self.end = nil
        end?(isGranted)
    }
}

/// The reservations of a kind that wait, in turns by client, each client's in the order of arrival.
private struct MemoryQueue: Sendable {
    private var waiters: [ClientKey: FIFO<MemoryWaiter>] = [:]
    private var turns = ClientTurns()

    var isEmpty: Bool { turns.count == 0 }
    var first: MemoryWaiter? { turns.first.flatMap { waiters[$0]?.first } }

    mutating func append(_ waiter: MemoryWaiter) {
        if waiters[waiter.client] == nil { turns.append(waiter.client) }
        waiters[waiter.client, default: FIFO()].append(waiter)
    }

    mutating func removeFirst() {
        guard let client = turns.popFirst() else { return }
        _ = waiters[client]?.popFirst()
        if waiters[client]?.isEmpty == true {
            waiters[client] = nil
        } else {
            turns.append(client)
        }
    }
}

private struct State: Sendable {
    var used = 0
    /// The bytes among them that no end of a request returns.
    var permanent = 0
    var usedByKind = [Int](repeating: 0, count: MemoryKind.allCases.count)
    var refused = [UInt64](repeating: 0, count: MemoryKind.allCases.count)
    /// The work that has not begun.
    private var queues = [MemoryQueue](
        repeating: MemoryQueue(), count: MemoryKind.allCases.count)
    /// The work that has begun, in the order of arrival.
    private var begun = [[MemoryWaiter]](repeating: [], count: MemoryKind.allCases.count)
    var waiting = 0

    func hasWaiters(for kind: MemoryKind) -> Bool {
        !queues[kind.rawValue].isEmpty || !begun[kind.rawValue].isEmpty
    }

    mutating func append(_ waiter: MemoryWaiter) {
        if waiter.hasBegun {
            begun[waiter.kind.rawValue].append(waiter)
        } else {
            queues[waiter.kind.rawValue].append(waiter)
        }
        waiting += 1
    }

    /// Takes bytes if they are free; small reservations are not subject to the share of a kind.
    mutating func take(_ count: Int, for kind: MemoryKind, of limit: Int) -> Bool {
        guard count <= limit - used,
            count <= MemoryBudget.maxUnqueuedBytes
                || count <= kind.maxBytes(of: limit) - usedByKind[kind.rawValue]
        else { return false }
        used += count
        usedByKind[kind.rawValue] += count
        return true
    }

    /// Takes bytes for waiters as long as they are free: first for work that has begun.
    mutating func grant(of limit: Int) -> [MemoryWaiter] {
        var granted: [MemoryWaiter] = []
        for kind in MemoryKind.allCases where !begun[kind.rawValue].isEmpty {
            var waiters: [MemoryWaiter] = []
            swap(&waiters, &begun[kind.rawValue])
            waiters.removeAll { !$0.isWaiting || take(for: $0, of: limit, &granted) }
            swap(&waiters, &begun[kind.rawValue])
        }
        for kind in MemoryKind.allCases where begun[kind.rawValue].isEmpty {
            while let waiter = queues[kind.rawValue].first {
                // Those that were cancelled are removed at the front of the queue.
                if waiter.isWaiting, !take(for: waiter, of: limit, &granted) { break }
                queues[kind.rawValue].removeFirst()
            }
        }
        return granted
    }

    private mutating func take(
        for waiter: MemoryWaiter, of limit: Int, _ granted: inout [MemoryWaiter]
    ) -> Bool {
        guard take(waiter.count, for: waiter.kind, of: limit) else { return false }
        waiter.isWaiting = false
        waiting -= 1
        granted.append(waiter)
        return true
    }
}
