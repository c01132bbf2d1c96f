import BroadsheetIO
import Dispatch
import Glibc
import Synchronization

/// Threads that have a connection each, and the requests that wait for one.
///
/// Requests are served in the order of arrival, except that commits never have more than their part
/// of the threads, so that reads go on while commits wait for replicas. A request that is not
/// complete in time fails for its caller; its thread stays with it until the server replies or the
/// connection is lost, because a commit that is cancelled is reported as done although no replica
/// has it.
final class PostgresPool: Sendable {
    /// The kind of a request.
    enum Kind: Sendable, Hashable {
        /// It writes, and may wait for replicas.
        case write
        /// It waits for nothing but the server.
        case other
    }

    /// A request for a thread.
    private struct Job: Sendable {
        let number: UInt64
        let deadline: PostgresDeadline
        let perform: @Sendable (PostgresWorker) -> Void
    }

    private struct State {
        var writes = FIFO<Job>()
        var others = FIFO<Job>()
        var lastNumber: UInt64 = 0
        var busyWrites = 0
        var busy = 0
        /// The threads that wait for a request, the last of which is the next: its connection, and
        /// the server's process, were used most recently.
        var idle: [Int] = []
        var isClosed = false
        /// The requests that may not be complete, in the order of their deadlines.
        var deadlines = FIFO<PostgresDeadline>()
    }

    static let maxWaiting = 65_536

    private let state = Mutex(State())
    /// The signal of each thread that it has a request, or that the pool is closed.
    private let arrivals: [DispatchSemaphore]
    private let threads = Mutex<[WorkerThread]>([])
    private let workers: [PostgresWorker]
    private let maxWrites: Int
    private let timeout: Duration
    private let clock: TimeSource

    /// Creates a pool and starts its threads, which connect when they are first needed.
    ///
    /// - Parameters:
    ///   - count: The number of connections, at least 2.
    ///   - timeout: The time that a request may take.
    /// - Throws: ``IOError/system(call:code:)`` when the system's limit of threads is reached.
    init(
        _ connector: PostgresConnector, connections count: Int, timeout: Duration,
        clock: TimeSource = .system
    ) throws(IOError) {
        maxWrites = max(1, count * 3 / 4)
        self.timeout = timeout
        self.clock = clock
        workers = (0..<max(2, count)).map { _ in PostgresWorker(connector, clock) }
        arrivals = workers.map { _ in DispatchSemaphore(value: 0) }
        for (index, worker) in workers.enumerated() {
            let thread: WorkerThread
            do throws(IOError) {
                thread = try WorkerThread("store-\(index)") { self.serve(worker, index) }
            } catch {
                stop()
                throw error
            }
            threads.withLock { $0.append(thread) }
        }
    }

    var connections: (busy: Int, idle: Int, lost: Int) {
        let busy = state.withLock { $0.busy }
        let connected = workers.reduce(0) {
            $0 + ($1.isConnected.load(ordering: .relaxed) ? 1 : 0)
        }
        return (busy, max(0, connected - busy), max(0, workers.count - max(busy, connected)))
    }

    /// Performs a request on a thread, again after a failure that permits it, and returns its
    /// value.
    ///
    /// - Parameters:
    ///   - kind: The kind of the request.
    ///   - isRepeated: A Boolean value that indicates whether it is sent again after a failure.
    ///   - isSentOnce: A Boolean value that indicates whether it is not sent again to a server that
    ///     may have performed it, and fails with ``StoreError/unknown(_:)``.
    ///   - body: Performs the request, which the server may have performed before.
    func run<Value: Sendable>(
        _ kind: Kind, isRepeated: Bool = true, isSentOnce: Bool = false,
        _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Value
    ) async throws(StoreError) -> Value {
        let closed = Result<Value, StoreError>.failure(.unavailable("the store is closed"))
        let result = await Waiter.wait(orElse: closed) { waiter in
            let deadline = self.deadline {
                waiter.resume(.failure(.unavailable("the server has not replied in time")))
            }
            let isAccepted = submit(kind, deadline) { worker in
                let result = worker.result(
                    until: isRepeated ? deadline.instant : nil, isSentOnce: isSentOnce, body)
                deadline.finish()
                waiter.resume(result.mapError { $0.storeError })
            }
            if !isAccepted {
                deadline.finish()
                waiter.resume(.failure(.unavailable("too many requests wait for the store")))
            }
        }
        return try result.get()
    }

    /// Returns a deadline that begins now, and calls `body` when it passes before it is finished.
    func deadline(_ body: @escaping @Sendable () -> Void) -> PostgresDeadline {
        state.withLock { state in
            let now = clock.now
            let end = StoreDeadline.end(of: timeout, from: now)
            let deadline = PostgresDeadline(end, body)
            while state.deadlines.first?.isFinished == true { _ = state.deadlines.popFirst() }
            let position =
                (state.deadlines.last?.instant ?? end) <= end
                ? state.deadlines.count
                : state.deadlines.firstPosition { $0.instant > end }
            state.deadlines.insert(deadline, at: position)
            return deadline
        }
    }

    /// Performs a request on a thread, unless its deadline passes before.
    ///
    /// - Returns: `false` if too many requests wait, or if the pool is closed.
    func submit(
        _ kind: Kind, _ deadline: PostgresDeadline,
        _ perform: @escaping @Sendable (PostgresWorker) -> Void
    ) -> Bool {
        let (isAccepted, idle): (Bool, Int?) = state.withLock { state in
            guard !state.isClosed, state.writes.count + state.others.count < Self.maxWaiting else {
                return (false, nil)
            }
            state.lastNumber += 1
            let job = Job(number: state.lastNumber, deadline: deadline, perform: perform)
            switch kind {
            case .write: state.writes.append(job)
            case .other: state.others.append(job)
            }
            return (true, state.idle.popLast())
        }
        if let idle { arrivals[idle].signal() }
        return isAccepted
    }

    /// Ends the waiting of requests whose time is over.
    ///
    /// - Returns: The time of the next deadline, or `nil` for none.
    func passDeadlines() -> MonotonicInstant? {
        let now = clock.now
        while true {
            let (passed, next): (PostgresDeadline?, MonotonicInstant?) = state.withLock { state in
                guard let first = state.deadlines.first else { return (nil, nil) }
                guard first.isFinished || first.instant <= now else { return (nil, first.instant) }
                return (state.deadlines.popFirst(), nil)
            }
            guard let passed else { return next }
            passed.pass()
        }
    }

    /// Accepts no more requests; those that wait are performed.
    func close() { stop() }

    /// Waits until all requests are complete.
    func waitForEnd() async {
        for thread in threads.withLock({ $0 }) { await thread.waitForEnd() }
    }

    private func stop() {
        state.withLock { $0.isClosed = true }
        for arrival in arrivals { arrival.signal() }
    }

    private func serve(_ worker: PostgresWorker, _ index: Int) {
        while true {
            while let (job, kind) = take(orWaitAs: index) {
                // Its caller waits no more, and nothing was sent.
                if !job.deadline.isFinished { job.perform(worker) }
                state.withLock { state in
                    state.busy -= 1
                    if kind == .write { state.busyWrites -= 1 }
                }
            }
            let isFinished = state.withLock { state in
                state.isClosed && state.writes.isEmpty && state.others.isEmpty
            }
            if isFinished { break }
            arrivals[index].wait()
        }
        // The others may wait for a write that this thread has performed.
        for arrival in arrivals { arrival.signal() }
        worker.disconnect()
    }

    /// Removes the next request that a thread may perform; if there is none, the thread is idle.
    private func take(orWaitAs index: Int) -> (Job, Kind)? {
        state.withLock { state in
            let write = state.busyWrites < maxWrites ? state.writes.first : nil
            let other = state.others.first
            let kind: Kind
            switch (write, other) {
            case (nil, nil):
                state.idle.append(index)
                return nil
            case (let write?, let other?): kind = write.number < other.number ? .write : .other
            case (_?, nil): kind = .write
            case (nil, _?): kind = .other
            }
            let job = kind == .write ? state.writes.popFirst() : state.others.popFirst()
            guard let job else { return nil }
            state.busy += 1
            if kind == .write { state.busyWrites += 1 }
            return (job, kind)
        }
    }
}

/// The time at which a request fails for its caller.
final class PostgresDeadline: Sendable {
    let instant: MonotonicInstant
    /// In a structure for the reason of `Observer`.
    private struct State {
        var body: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    init(_ instant: MonotonicInstant, _ body: @escaping @Sendable () -> Void) {
        self.instant = instant
        state = Mutex(State(body: body))
    }

    /// A Boolean value that indicates whether the request is complete, or its time was over.
    var isFinished: Bool { state.withLock { $0.body == nil } }

    /// Ends the waiting, unless the request is complete.
    func pass() { state.withLock { $0.body.take() }?() }

    /// Returns `false` if the request was complete, or if its time was over.
    @discardableResult
    func finish() -> Bool { state.withLock { $0.body.take() != nil } }
}

/// A thread's connection, which is made when it is needed.
///
/// Unchecked: only its thread uses it, except for the atomic values.
final class PostgresWorker: @unchecked Sendable {
    /// The time between two attempts of a request, in microseconds.
    private static let repeatMicroseconds: UInt32 = 50_000

    let isConnected = Atomic(false)
    private let connector: PostgresConnector
    private let clock: TimeSource
    private var connection: PostgresConnection?

    init(_ connector: PostgresConnector, _ clock: TimeSource) {
        self.connector = connector
        self.clock = clock
    }

    /// Performs a request, and again after a failure that permits it: at once, then every 50 ms.
    ///
    /// - Parameters:
    ///   - deadline: The time after which it is not sent again; `nil` to send it once, and again at
    ///     once only if the connection was an old one.
    ///   - isSentOnce: A Boolean value that indicates whether it is not sent again to a server that
    ///     may have performed it.
    ///   - body: Performs the request.
    func result<Value>(
        until deadline: MonotonicInstant?, isSentOnce: Bool = false,
        _ body: (PostgresConnection) throws(PostgresFailure) -> Value
    ) -> Result<Value, PostgresFailure> {
        var attempts = 0
        while true {
            attempts += 1
            var wasSent = false
            do throws(PostgresFailure) {
                let connection = try connected()
                wasSent = true
                return .success(try body(connection))
            } catch {
                var isPermitted = true
                switch error.effect {
                case .nothing: break
                case .nothingHere: disconnect()
                case .unknown:
                    disconnect()
                    if wasSent, isSentOnce { return .failure(.unanswered(error.description)) }
                case .final:
                    isPermitted = false
                    if case .malformed = error { disconnect() }
                }
                let isInTime = deadline.map { clock.now < $0 } ?? (attempts == 1 && wasSent)
                guard isPermitted, isInTime, !connector.isClosed else {
                    return .failure(error)
                }
            }
            if attempts > 1 { usleep(Self.repeatMicroseconds) }
        }
    }

    func disconnect() {
        connection = nil
        isConnected.store(false, ordering: .relaxed)
    }

    private func connected() throws(PostgresFailure) -> PostgresConnection {
        if let connection, connection.isConnected { return connection }
        disconnect()
        let connection = try connector.connect()
        self.connection = connection
        isConnected.store(true, ordering: .relaxed)
        return connection
    }
}
