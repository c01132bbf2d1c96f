import Dispatch
import Glibc
import Synchronization

/// Threads for expensive work, with a queue in which clients take turns.
///
/// The work of a request is the executor of its task (``PooledWork``): each part of the task
/// between two suspensions is one job. A free thread runs the first job of the client whose turn it
/// is, so a client with many jobs waits for itself and not others for it. Within a client, work
/// that has begun goes first: it may hold a lock or much memory. Jobs of cancelled tasks go before
/// all others, since they end at once and release what they hold.
package final class WorkerPool: Sendable {
    /// The limits of the work in a pool: waiting, running, or suspended in between.
    package struct Limits: Sendable, Hashable {
        /// The maximum number of works of one client.
        package var perClient = 256
        /// The maximum number of works of all clients.
        package var total = 1024

        /// Creates the default limits (docs/operations.md, "Expensive requests").
        package init() {}
    }

    /// The value that the priority of a worker thread is lowered by: event loops and the threads of
    /// stores run first on a busy machine.
    private static let niceness: Int32 = 5

    private let limits: Limits
    private let clock: TimeSource
    private let state = Mutex(State())
    /// One signal for each queued job, and one for each thread when the pool stops.
    private let arrivals = DispatchSemaphore(value: 0)
    private let threads = Mutex<[WorkerThread]>([])
    private let onStart = Mutex<(@Sendable (_ waited: UInt64) -> Void)?>(nil)

    /// Creates a pool and starts its threads.
    ///
    /// - Parameters:
    ///   - count: The number of threads, at least one.
    ///   - limits: The limits of the work.
    ///   - clock: The clock that waiting times are measured by.
    /// - Throws: ``IOError/system(call:code:)`` when the system's limit of threads is reached;
    ///   threads that had started end.
    package init(
        threads count: Int = WorkerPool.defaultThreadCount, limits: Limits = Limits(),
        clock: TimeSource = .system
    ) throws(IOError) {
        self.limits = limits
        self.clock = clock
        do {
            for index in 0..<max(1, count) {
                let thread = try WorkerThread("worker-\(index)") { [self] in runJobs() }
                threads.withLock { $0.append(thread) }
            }
        } catch {
            stop()
            throw error
        }
    }

    /// The number of threads unless another is configured: one a core, and at least two, so that
    /// one long job leaves a thread for others.
    package static var defaultThreadCount: Int { max(2, EventLoopGroup.coreCount) }

    /// The number of jobs that wait for a thread.
    package var queueLength: Int { state.withLock { $0.queued } }

    /// The number of works that have begun and have not ended.
    package var workCount: Int { state.withLock { $0.works } }

    /// Calls `observer` with the waiting time of each job, in nanoseconds, when it starts, on its
    /// thread; replaces the observer before.
    package func observeStarts(_ observer: @escaping @Sendable (_ waited: UInt64) -> Void) {
        onStart.withLock { $0 = observer }
    }

    /// Begins the work of a request; it ends with ``PooledWork/end()``.
    ///
    /// - Parameters:
    ///   - client: The client whose turns the work takes.
    ///   - isLimited: A Boolean value that indicates whether the limits apply; work that has had an
    ///     effect already must continue in any case.
    /// - Returns: The executor of the work, or `nil` at a limit.
    package func begin(for client: ClientKey, isLimited: Bool = true) -> PooledWork? {
        let isAdmitted = state.withLock { $0.admit(client, isLimited ? limits : nil) }
        return isAdmitted ? PooledWork(client, in: self) : nil
    }

    /// Returns whether jobs of other clients than `client` wait.
    package func hasOthersWaiting(than client: ClientKey) -> Bool {
        state.withLock { $0.hasOthersWaiting(than: client) }
    }

    /// Makes the threads end once no job is queued, and returns at once.
    ///
    /// A job that is queued later never runs: the owner of the tasks shuts down before. A second
    /// call does nothing.
    package func stop() {
        guard state.withLock({ $0.close() }) else { return }
        for _ in threads.withLock({ $0 }) { arrivals.signal() }
    }

    /// Stops, and waits until the threads have ended.
    ///
    /// Blocks for as long as the jobs that are running take.
    package func shutdown() {
        stop()
        for thread in threads.withLock({ $0 }) { thread.join() }
    }

    fileprivate func enqueue(_ job: UnownedJob, of work: PooledWork, isFirst: Bool) {
        let entry = Entry(job: job, work: work, since: clock.now)
        guard state.withLock({ $0.append(entry, isFirst: isFirst) }) else { return }
        arrivals.signal()
    }

    fileprivate func end(_ client: ClientKey) {
        state.withLock { $0.end(client) }
    }

    fileprivate func expedite(_ work: PooledWork) {
        state.withLock { $0.expedite(work) }
    }

    private func runJobs() {
        // Linux applies it to the calling thread only. Without the permission the priority stays.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
        while let entry = next() {
            let waited = clock.now.nanoseconds(since: entry.since)
            onStart.withLock { $0 }?(waited)
            entry.job.runSynchronously(on: entry.work.asUnownedTaskExecutor())
        }
    }

    /// Waits for a job and removes it from the queue; `nil` once the pool has stopped.
    private func next() -> Entry? {
        arrivals.wait()
        return state.withLock { $0.takeNext() }
    }
}

/// The identity of a client, for fair turns.
package enum ClientKey: Sendable, Hashable {
    /// A client without a name, by its address.
    case address(IPAddress)
    /// A client by the name of its key.
    case name(String)

    /// The number of bits of an IPv6 address that identify a client.
    ///
    /// A client usually has a whole /64 and could use another address for each request (RFC 4291
    /// §2.5.4).
    private static let prefixLength = 64

    /// Creates the key of the client at an address.
    package init(_ address: IPAddress) {
        self = .address(address.isIPv4 ? address : address.prefix(Self.prefixLength))
    }
}

/// The work of one request in a pool: the executor of its task's parts.
package final class PooledWork: TaskExecutor {
    fileprivate let client: ClientKey
    private let pool: WorkerPool
    private let hasBegun = Atomic(false)

    fileprivate init(_ client: ClientKey, in pool: WorkerPool) {
        self.client = client
        self.pool = pool
    }

    /// Queues the next part of the task, for `TaskExecutor`.
    package func enqueue(_ job: consuming ExecutorJob) {
        let begun = hasBegun.exchange(true, ordering: .relaxed)
        pool.enqueue(UnownedJob(job), of: self, isFirst: !begun)
    }

    /// Ends the work; called once, when the task uses the executor no more.
    package func end() { pool.end(client) }

    /// Moves the queued jobs of the work before all others: its task is cancelled and only has to
    /// end.
    package func expedite() { pool.expedite(self) }
}

// MARK: - The queue

/// A job that waits for a thread.
private struct Entry: Sendable {
    let job: UnownedJob
    let work: PooledWork
    let since: MonotonicInstant
}

/// The queued jobs of one client, and the number of its works.
private struct ClientQueue: Sendable {
    var works = 0
    /// A Boolean value that indicates whether the client is in the order of turns, where it is at
    /// most once.
    var hasTurn = false
    /// The first jobs of works.
    var beginnings = FIFO<Entry>()
    /// The jobs of works that have begun before.
    var continuations = FIFO<Entry>()

    var isEmpty: Bool { beginnings.isEmpty && continuations.isEmpty }

    mutating func popFirst() -> Entry? { continuations.popFirst() ?? beginnings.popFirst() }

    mutating func removeAll(of work: PooledWork) -> [Entry] {
        beginnings.removeAll { $0.work === work } + continuations.removeAll { $0.work === work }
    }
}

extension FIFO {
    /// Removes and returns the elements for which `isRemoved` holds.
    ///
    /// - Complexity: O(elements).
    fileprivate mutating func removeAll(where isRemoved: (Element) -> Bool) -> [Element] {
        guard !isEmpty else { return [] }
        let all = removeAll()
        append(contentsOf: all.filter { !isRemoved($0) })
        return all.filter(isRemoved)
    }
}

/// The queue of a pool: an entry for each client that has work.
private struct State: Sendable {
    private var clients: [ClientKey: ClientQueue] = [:]
    /// The clients with queued jobs, in the order of their turns.
    private var turns = FIFO<ClientKey>()
    /// The jobs of cancelled tasks.
    private var expedited = FIFO<Entry>()
    private(set) var works = 0
    private(set) var queued = 0
    private var isClosed = false

    /// Counts a work, unless a limit is reached.
    mutating func admit(_ client: ClientKey, _ limits: WorkerPool.Limits?) -> Bool {
        if let limits {
            guard works < limits.total, clients[client]?.works ?? 0 < limits.perClient else {
                return false
            }
        }
        works += 1
        clients[client, default: ClientQueue()].works += 1
        return true
    }

    /// Removes a work from the counts; a client without work is forgotten.
    mutating func end(_ client: ClientKey) {
        works -= 1
        clients[client]?.works -= 1
        forgetIfIdle(client)
    }

    private mutating func forgetIfIdle(_ client: ClientKey) {
        guard let queue = clients[client], queue.works == 0, queue.isEmpty, !queue.hasTurn else {
            return
        }
        clients[client] = nil
    }

    /// Appends a job to the queue of its client; returns `false` once the pool has stopped.
    mutating func append(_ entry: Entry, isFirst: Bool) -> Bool {
        guard !isClosed else { return false }
        let client = entry.work.client
        if isFirst {
            clients[client, default: ClientQueue()].beginnings.append(entry)
        } else {
            clients[client, default: ClientQueue()].continuations.append(entry)
        }
        giveTurn(to: client)
        queued += 1
        return true
    }

    /// Appends a client with queued jobs to the order of turns, unless it is there.
    private mutating func giveTurn(to client: ClientKey) {
        guard clients[client]?.hasTurn == false, clients[client]?.isEmpty == false else { return }
        clients[client]?.hasTurn = true
        turns.append(client)
    }

    /// Removes the job whose turn it is; `nil` without any.
    mutating func takeNext() -> Entry? {
        if let entry = expedited.popFirst() {
            queued -= 1
            return entry
        }
        while let client = turns.popFirst() {
            clients[client]?.hasTurn = false
            // A client whose jobs were expedited may have none left.
            guard let entry = clients[client]?.popFirst() else {
                forgetIfIdle(client)
                continue
            }
            giveTurn(to: client)
            queued -= 1
            return entry
        }
        return nil
    }

    /// Moves the queued jobs of a work before all others.
    mutating func expedite(_ work: PooledWork) {
        guard let entries = clients[work.client]?.removeAll(of: work) else { return }
        expedited.append(contentsOf: entries)
    }

    /// Returns whether jobs of other clients wait.
    func hasOthersWaiting(than client: ClientKey) -> Bool {
        let own = clients[client].map { $0.isEmpty ? 0 : 1 } ?? 0
        return !expedited.isEmpty || turns.count > own
    }

    /// Accepts no more jobs; returns `false` if that is so already.
    mutating func close() -> Bool {
        defer { isClosed = true }
        return !isClosed
    }
}
