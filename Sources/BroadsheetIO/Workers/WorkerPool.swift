import Dispatch
import Glibc
import Synchronization

/// Threads for expensive work, with a queue in which clients take turns.
///
/// The work of a request is the executor of its task (``PooledWork``): each part of the task
/// between two suspensions is one job. A free thread runs the first job of the client whose turn it
/// is (``ClientTurns``), so one with many jobs waits for itself and not others for it. Within a
/// client, work that has begun goes first: it may hold a lock or much memory. Jobs of cancelled
/// tasks go before all others, since they end at once and release what they hold.
///
/// A job that computes long gives way (``PooledWork/giveWay()``): its thread hands its place over
/// to a spare thread and blocks until it has its next turn. The thread that takes that turn returns
/// the place and is spare again, so that never more than the number of places run.
package final class WorkerPool: Sendable {
    /// The limits of the work in a pool: waiting, running, or suspended in between.
    package struct Limits: Sendable, Hashable {
        package var perClient = ClientShares.perClient(of: 1024)
        package var perKey = ClientShares.perKey(of: 1024)
        package var total = 1024

        package init() {}
    }

    /// The value that the priority of a worker thread is lowered by: event loops and the threads of
    /// stores run first on a busy machine.
    private static let niceness: Int32 = 5
    /// The number of spare threads: as many jobs can have given way at a time, and further ones
    /// continue.
    package static let defaultSpareCount = 16

    package let limits: Limits
    private let clock: TimeSource
    private let state: Mutex<State>
    /// One signal for each entry of the queue, and one for each thread when the pool stops.
    private let arrivals = DispatchSemaphore(value: 0)
    /// One signal for each place that a spare thread takes over, and one for each thread when the
    /// pool stops.
    private let places = DispatchSemaphore(value: 0)
    private let threads = Mutex<[WorkerThread]>([])
    private let starts = Observer<UInt64>()

    /// Creates a pool and starts its threads.
    ///
    /// - Parameters:
    ///   - count: The number of places, at least one: as many threads run at a time.
    ///   - spareCount: The number of threads besides them, for the places of jobs that give way.
    ///   - limits: The limits of the work.
    ///   - clock: The clock that waiting times are measured by.
    /// - Throws: ``IOError/system(call:code:)`` when the system's limit of threads is reached;
    ///   threads that had started end.
    package init(
        threads count: Int = WorkerPool.defaultThreadCount,
        spares spareCount: Int = WorkerPool.defaultSpareCount, limits: Limits = Limits(),
        clock: TimeSource = .system
    ) throws(IOError) {
        self.limits = limits
        self.clock = clock
        let (count, spareCount) = (max(1, count), max(0, spareCount))
        state = Mutex(State(spares: spareCount))
        do {
            for index in 0..<count + spareCount {
                let thread = try WorkerThread("worker-\(index)") { [self] in
                    // Linux applies it to the calling thread only. Without the permission the
                    // priority stays.
                    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
                    if index < count || takePlace() { runJobs() }
                }
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

    /// The number of jobs that wait for a thread, also those that have given way.
    package var queueLength: Int { state.withLock { $0.queued } }

    package var workCount: Int { state.withLock { $0.works } }

    /// Calls `observer` with the waiting time of each job, in nanoseconds, when it starts, on its
    /// thread; replaces the observer before.
    package func observeStarts(_ observer: @escaping @Sendable (_ waited: UInt64) -> Void) {
        starts.set(observer)
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

    package func hasOthersWaiting(than client: ClientKey) -> Bool {
        state.withLock { $0.hasOthersWaiting(than: client) }
    }

    /// Makes the threads end once no job is queued, and returns at once.
    ///
    /// A job that is queued later never runs: the owner of the tasks shuts down before. A second
    /// call does nothing.
    package func stop() {
        guard state.withLock({ $0.close() }) else { return }
        for _ in threads.withLock({ $0 }) {
            arrivals.signal()
            places.signal()
        }
    }

    /// Stops, and waits until the threads have ended.
    ///
    /// Blocks for as long as the jobs that are running take.
    package func shutdown() {
        stop()
        for thread in threads.withLock({ $0 }) { thread.join() }
    }

    fileprivate func enqueue(_ job: UnownedJob, of work: PooledWork, isFirst: Bool) {
        let entry = Entry(part: .job(job), work: work, since: clock.now)
        guard state.withLock({ $0.append(entry, isFirst: isFirst) }) else { return }
        arrivals.signal()
    }

    fileprivate func end(_ client: ClientKey) { state.withLock { $0.end(client) } }

    fileprivate func expedite(_ work: PooledWork) { state.withLock { $0.expedite(work) } }

    /// Hands the place of the calling thread over to a spare thread, and blocks until it is
    /// returned; does nothing without a spare thread, or without jobs of other clients.
    fileprivate func giveWay(_ work: PooledWork) {
        guard hasOthersWaiting(than: work.client) else { return }
        let gate = DispatchSemaphore(value: 0)
        let entry = Entry(part: .thread(gate), work: work, since: clock.now)
        guard state.withLock({ $0.handOver(entry) }) else { return }
        arrivals.signal()
        places.signal()
        gate.wait()
    }

    private func runJobs() {
        while let entry = next() {
            switch entry.part {
            case .job(let job):
                let waited = clock.now.nanoseconds(since: entry.since)
                starts.notify(waited)
                job.runSynchronously(on: entry.work.asUnownedTaskExecutor())
            case .thread(let gate):
                gate.signal()
                guard takePlace() else { return }
            }
        }
    }

    /// Waits as a spare thread for a place; returns `false` once the pool has stopped.
    private func takePlace() -> Bool {
        places.wait()
        return state.withLock { $0.takePlace() }
    }

    /// Waits for an entry and removes it from the queue; `nil` once the pool has stopped.
    private func next() -> Entry? {
        arrivals.wait()
        return state.withLock { $0.takeNext() }
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

    package func enqueue(_ job: consuming ExecutorJob) {
        let begun = hasBegun.exchange(true, ordering: .relaxed)
        pool.enqueue(UnownedJob(job), of: self, isFirst: !begun)
    }

    /// Ends the work; called once, when the task uses the executor no more.
    package func end() { pool.end(client) }

    /// Moves the queued jobs of the work before all others: its task is cancelled and only has to
    /// end.
    package func expedite() { pool.expedite(self) }

    /// Lets the jobs of other clients that wait have their turns, and returns at the next turn of
    /// this work, or if it is expedited.
    ///
    /// Called within a job of this work, on its thread, which blocks.
    package func giveWay() { pool.giveWay(self) }
}

// MARK: - The queue

/// A job that waits for a thread, or the rest of one that has given way.
private struct Entry: Sendable {
    enum Part: Sendable {
        case job(UnownedJob)
        /// The rest of a job, whose own thread waits for a signal.
        case thread(DispatchSemaphore)
    }

    let part: Part
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
    private var keyWorks: [ClientKey: Int] = [:]
    private var turns = ClientTurns()
    private var expedited = FIFO<Entry>()
    private(set) var works = 0
    private(set) var queued = 0
    /// The number of spare threads that no place was handed over to.
    private var spares: Int
    /// The number of places that were handed over, and that no thread has taken yet.
    private var freePlaces = 0
    private var isClosed = false

    init(spares: Int) { self.spares = spares }

    mutating func admit(_ client: ClientKey, _ limits: WorkerPool.Limits?) -> Bool {
        if let limits {
            let inKey = client.isMember ? keyWorks[client.owner] ?? 0 : 0
            guard works < limits.total, inKey < limits.perKey,
                clients[client]?.works ?? 0 < limits.perClient
            else { return false }
        }
        works += 1
        if client.isMember { keyWorks[client.owner, default: 0] += 1 }
        clients[client, default: ClientQueue()].works += 1
        return true
    }

    mutating func end(_ client: ClientKey) {
        works -= 1
        clients[client]?.works -= 1
        forgetIfIdle(client)
        guard client.isMember, let count = keyWorks[client.owner] else { return }
        keyWorks[client.owner] = count > 1 ? count - 1 : nil
    }

    private mutating func forgetIfIdle(_ client: ClientKey) {
        guard let queue = clients[client] else { return }
        if queue.works == 0, queue.isEmpty, !queue.hasTurn { clients[client] = nil }
    }

    /// Appends a job to the queue of its client; returns `false` once the pool has stopped.
    mutating func append(_ entry: Entry, isFirst: Bool) -> Bool {
        guard !isClosed else { return false }
        insert(entry, isFirst: isFirst)
        return true
    }

    private mutating func insert(_ entry: Entry, isFirst: Bool) {
        let client = entry.work.client
        if isFirst {
            clients[client, default: ClientQueue()].beginnings.append(entry)
        } else {
            clients[client, default: ClientQueue()].continuations.append(entry)
        }
        giveTurn(to: client)
        queued += 1
    }

    /// Appends the rest of a job to the queue of its client, and hands its place over to a spare
    /// thread; returns `false` if the job has to continue.
    mutating func handOver(_ entry: Entry) -> Bool {
        guard !isClosed, spares > 0, hasOthersWaiting(than: entry.work.client) else { return false }
        spares -= 1
        freePlaces += 1
        insert(entry, isFirst: false)
        return true
    }

    mutating func takePlace() -> Bool {
        guard freePlaces > 0 else { return false }
        freePlaces -= 1
        return true
    }

    private mutating func giveTurn(to client: ClientKey) {
        guard clients[client]?.hasTurn == false, clients[client]?.isEmpty == false else { return }
        clients[client]?.hasTurn = true
        turns.append(client)
    }

    /// Removes the entry whose turn it is; `nil` without any.
    ///
    /// The thread that takes the rest of a job returns its place to the job's own thread, and is
    /// spare.
    mutating func takeNext() -> Entry? {
        let entry = popNext()
        if case .thread? = entry?.part { spares += 1 }
        return entry
    }

    private mutating func popNext() -> Entry? {
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

    mutating func expedite(_ work: PooledWork) {
        guard let entries = clients[work.client]?.removeAll(of: work) else { return }
        expedited.append(contentsOf: entries)
    }

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
