internal import CEpoll
import Glibc
import Synchronization

/// One thread that serves many sockets: it waits for the kernel's events, hands each to its owner,
/// fires timers, and runs the tasks that prefer it.
///
/// A turn takes the kernel's events first, then timers, then a bounded number of jobs, so that
/// neither sockets nor tasks starve the others. An async function runs on the loop's thread by
/// `Task(executorPreference: loop)`; what it starts within the same turn ends in that turn unless
/// it suspends.
///
/// Everything but ``submit(_:)``, ``enqueue(_:)``, ``wake()`` and ``isCurrent`` is for the loop's
/// own thread.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    // Unchecked: `inbox`, `thread` and `selector.wake()` are safe from any thread; all other state
    // is touched by the loop's thread only, which each entry point asserts.

    /// How many jobs a turn runs before it looks at the sockets again.
    static let jobsPerTurn = 256
    /// After how long a turn starts no further job, however few it has run: jobs may be big.
    static let jobTimePerTurn = Duration.milliseconds(5)

    /// The clock that timers go by.
    package let clock: TimeSource
    /// The present as of the beginning of this turn; read once a turn because deadlines are coarse.
    package private(set) var now: MonotonicInstant

    private let selector: Selector
    private let inbox = Inbox()
    private let thread = Atomic<UInt>(0)
    private var registrations = RegistrationTable()
    private var timers = TimerHeap()
    private var ready = FIFO<Work>()
    private var redeliveries: [UInt64] = []
    private var isStopping = false

    /// Makes a loop that does not run yet; ``EventLoopGroup`` gives it its thread.
    ///
    /// - Throws: ``IOError/system(call:code:)`` when the process is out of descriptors.
    init(clock: TimeSource, wait: @escaping Selector.Wait = Selector.systemWait) throws(IOError) {
        self.clock = clock
        now = clock.now
        selector = try Selector(wait: wait)
    }

    /// Whether the caller is on this loop's thread.
    package var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    // MARK: From any thread

    /// Queues the next stretch of a task, as the protocol asks.
    ///
    /// After the loop has stopped the task never continues: its owner shuts down before the loops
    /// do.
    package func enqueue(_ job: consuming ExecutorJob) {
        hand(.job(UnownedJob(job)))
    }

    /// Has `body` called on the loop's thread, later in this turn or in the next.
    ///
    /// - Returns: False when the loop has stopped, and `body` is never called.
    @discardableResult
    package func submit(_ body: @escaping @Sendable () -> Void) -> Bool {
        hand(.call(body))
    }

    /// Makes the loop take a turn now, and so notice that its clock has moved.
    package func wake() {
        selector.wake()
    }

    /// Calls `body` on the loop's thread and waits for what it returns.
    ///
    /// - Throws: ``IOError/loopStopped``, and `body` is never called.
    package func perform<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async throws(IOError) -> Value {
        let value: Value? = await withCheckedContinuation { continuation in
            let isQueued = submit { continuation.resume(returning: body()) }
            if !isQueued { continuation.resume(returning: nil) }
        }
        guard let value else { throw .loopStopped }
        return value
    }

    @discardableResult
    private func hand(_ work: Work) -> Bool {
        if isCurrent {
            ready.append(work)
            return true
        }
        switch inbox.add(work) {
        case .queued: return true
        case .queuedFirst:
            selector.wake()
            return true
        case .refused: return false
        }
    }

    // MARK: The thread

    /// Takes turns until ``stop()``, then lets go of everything that is registered.
    func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        while !isStopping { turn() }
        // What was handed in before the loop refused more still happens; what that starts does not.
        ready.append(contentsOf: inbox.close())
        for _ in 0..<ready.count { runJob() }
        registrations.removeAll()
        thread.store(0, ordering: .relaxed)
    }

    /// Ends ``run()`` after the present turn.
    ///
    /// Safe from any thread.
    func stop() {
        submit { self.isStopping = true }
    }

    private func turn() {
        let events = selector.poll(milliseconds: patience())
        // The present comes before the events: each moves its owner's deadline from here, so that
        // a turn that took long makes nobody late whose bytes had arrived meanwhile.
        now = clock.now
        redeliver()
        for event in events {
            registrations[event.data.u64]?.becameReady(Readiness(events: event.events))
        }
        fireTimers()
        ready.append(contentsOf: inbox.takeAll())
        runJobs()
    }

    /// How many milliseconds the next wait may take, rounded up so that no timer is met too early.
    private func patience() -> Int32 {
        guard ready.isEmpty, redeliveries.isEmpty else { return 0 }
        guard let wakeUp = timers.nextWakeUp else { return -1 }
        let nanoseconds = max(0, clock.now.duration(to: wakeUp).wholeNanoseconds)
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0))
    }

    private func redeliver() {
        guard !redeliveries.isEmpty else { return }
        let due = redeliveries
        redeliveries.removeAll(keepingCapacity: true)
        for token in due {
            let readiness = registrations.takePostponed(for: token)
            registrations[token]?.becameReady(readiness)
        }
    }

    private func fireTimers() {
        // At most one visit each: a timer that sets itself to the present waits for the next turn.
        for _ in 0..<timers.count {
            guard let timer = timers.popDue(at: now) else { return }
            timer.fire()
        }
    }

    private func runJobs() {
        guard !ready.isEmpty else { return }
        let end = now.advanced(by: Self.jobTimePerTurn)
        for _ in 0..<Self.jobsPerTurn {
            runJob()
            guard !ready.isEmpty, clock.now < end else { return }
        }
    }

    private func runJob() {
        switch ready.popFirst() {
        case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .call(let body): body()
        case nil: break
        }
    }
}

// MARK: - On the loop's thread

extension EventLoop {
    /// Has `handler` told when `descriptor` becomes ready; the loop keeps `handler` alive.
    ///
    /// - Throws: ``IOError/system(call:code:)`` when the kernel is out of memory or of watches;
    ///   nothing is registered then.
    package func register(
        _ descriptor: Int32, for interest: Readiness, _ trigger: Trigger,
        _ handler: any ReadinessHandler
    ) throws(IOError) -> Registration {
        assert(isCurrent)
        let registration = registrations.add(handler, for: descriptor)
        do {
            try selector.add(registration, for: interest, trigger)
        } catch {
            registrations.remove(registration)
            throw error
        }
        return registration
    }

    /// Changes what a level-triggered `registration` is told; nothing but errors for an empty set.
    ///
    /// - Throws: ``IOError/system(call:code:)``, and nothing has changed.
    package func setInterest(
        _ interest: Readiness, of registration: Registration
    ) throws(IOError) {
        assert(isCurrent)
        try selector.change(registration, to: interest)
    }

    /// Ends what ``register(_:for:_:_:)`` began; to be called before the descriptor is closed.
    package func deregister(_ registration: Registration) {
        assert(isCurrent)
        selector.remove(registration)
        registrations.remove(registration)
    }

    /// Tells the handler of `registration` in the next turn that it is `readiness`.
    ///
    /// For a handler that has more to read than one turn's fair share: an edge is not repeated.
    /// Asking more than once within a turn is asking once.
    package func redeliver(_ readiness: Readiness, to registration: Registration) {
        assert(isCurrent)
        if registrations.postpone(readiness, for: registration.token) {
            redeliveries.append(registration.token)
        }
    }

    /// Sets, moves or (with `nil`) clears when `timer` is due.
    ///
    /// O(1) when moved later or cleared.
    package func setDeadline(_ deadline: MonotonicInstant?, of timer: DeadlineTimer) {
        assert(isCurrent)
        timers.setDeadline(deadline, of: timer)
    }

    /// Forgets `timer`, as its owner must before it goes away.
    ///
    /// O(log n) in the loop's timers.
    package func remove(_ timer: DeadlineTimer) {
        assert(isCurrent)
        timers.remove(timer)
    }
}
