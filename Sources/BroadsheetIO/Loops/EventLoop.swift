import CEpoll
import Glibc
import Synchronization

/// A thread that serves many sockets: it waits for the kernel's events, delivers each to its
/// handler, fires timers, and runs the tasks that prefer it.
///
/// A turn handles the kernel's events first, then readiness that was postponed, timers, and jobs,
/// of which it does a bounded amount, so that neither sockets nor tasks prevent the others from
/// running. An async function runs on the loop's thread by `Task(executorPreference: loop)`; a job
/// that it starts within a turn ends in that turn unless it suspends.
///
/// All members except ``submit(_:)``, ``enqueue(_:)``, ``wake()`` and ``isCurrent`` are for the
/// loop's thread only.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    // Unchecked: `inbox`, `thread` and `selector.wake()` are thread-safe; all other state is used
    // by the loop's thread only, which each entry point asserts.

    /// The maximum number of jobs that a turn runs before it polls the sockets again.
    static let jobsPerTurn = 256
    /// The time after which a turn starts no further job, because jobs may take long.
    static let jobTimePerTurn = Duration.milliseconds(5)

    /// The time after which a turn delivers no further postponed readiness, with which a large
    /// response has its next part written.
    static let redeliveryTimePerTurn = Duration.milliseconds(2)

    package let clock: TimeSource
    /// The time at the beginning of this turn; read once a turn because deadlines are coarse.
    package private(set) var now: MonotonicInstant

    private let selector: Selector
    private let inbox = Inbox()
    private let thread = Atomic<UInt>(0)
    private var registrations = RegistrationTable()
    private var timers = TimerHeap()
    private var ready = FIFO<InboxItem>()
    private var redeliveries = FIFO<UInt64>()
    private var isStopping = false

    /// Creates a loop that does not run yet; ``EventLoopGroup`` starts its thread.
    ///
    /// - Throws: ``IOError/system(call:code:)`` when the process is out of descriptors.
    init(clock: TimeSource, wait: @escaping Selector.Wait = Selector.systemWait) throws(IOError) {
        self.clock = clock
        now = clock.now
        selector = try Selector(wait: wait)
    }

    package var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    // MARK: From any thread

    /// Queues the next part of a task, for `TaskExecutor`.
    ///
    /// After the loop has stopped the task never continues: its owner shuts down before the loops
    /// do.
    package func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    /// Schedules a call of `body` on the loop's thread, later in this turn or in the next.
    ///
    /// - Returns: `false` when the loop has stopped; `body` is then never called.
    @discardableResult
    package func submit(_ body: @escaping @Sendable () -> Void) -> Bool {
        add(.call(body))
    }

    /// Makes the loop take a turn now, so that it reads its clock again.
    package func wake() {
        selector.wake()
    }

    /// Calls `body` on the loop's thread and returns its result.
    ///
    /// - Throws: ``IOError/loopStopped`` when the loop has stopped; `body` is then never called.
    package func perform<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async throws(IOError) -> Value {
        let value = await Waiter<Value?>.wait(orElse: nil) { waiter in
            submit { waiter.resume(body()) }
        }
        guard let value else { throw .loopStopped }
        return value
    }

    @discardableResult
    private func add(_ work: InboxItem) -> Bool {
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

    /// Runs the loop until ``stop()``, then releases every registered handler.
    func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        while !isStopping { turn() }
        // Work that was submitted before the inbox closed still runs; work that it starts does not.
        ready.append(contentsOf: inbox.close())
        for _ in 0..<ready.count { runJob() }
        registrations.removeAll()
        thread.store(0, ordering: .relaxed)
    }

    /// Ends ``run()`` after the current turn; callable from any thread.
    func stop() {
        submit { self.isStopping = true }
    }

    private func turn() {
        let events = selector.poll(milliseconds: pollTimeout())
        // Deadlines count from this instant. A long turn therefore does not time out a peer whose
        // bytes have arrived.
        now = clock.now
        let dueCount = redeliveries.count
        for event in events {
            registrations[event.data.u64]?.becameReady(Readiness(events: event.events))
        }
        redeliver(atMost: dueCount)
        fireTimers()
        ready.append(contentsOf: inbox.takeAll())
        runJobs()
    }

    /// Returns the timeout of the next wait in milliseconds, rounded up so that no timer is early.
    private func pollTimeout() -> Int32 {
        guard ready.isEmpty, redeliveries.isEmpty else { return 0 }
        guard let wakeUp = timers.nextWakeUp else { return -1 }
        let nanoseconds = max(0, clock.now.duration(to: wakeUp).wholeNanoseconds)
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0))
    }

    /// What is postponed in this turn, by an event, too, is due in the next.
    private func redeliver(atMost count: Int) {
        guard count > 0 else { return }
        let end = clock.now.advanced(by: Self.redeliveryTimePerTurn)
        for _ in 0..<count {
            guard let token = redeliveries.popFirst() else { return }
            let readiness = registrations.takePostponed(for: token)
            registrations[token]?.becameReady(readiness)
            guard clock.now < end else { return }
        }
    }

    private func fireTimers() {
        // At most once each: a timer that sets itself to the current time waits for the next turn.
        for _ in 0..<timers.count {
            guard let timer = timers.popDue(at: now) else { return }
            timer.fire()
        }
    }

    private func runJobs() {
        guard !ready.isEmpty else { return }
        let end = clock.now.advanced(by: Self.jobTimePerTurn)
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
    /// Registers `handler` for the readiness of `descriptor`; the loop keeps `handler` alive.
    ///
    /// - Throws: ``IOError/system(call:code:)`` when the kernel is out of memory or of epoll
    ///   watches; nothing is registered then.
    package func register(
        _ descriptor: Int32, for interest: Readiness, trigger: Trigger,
        handler: any ReadinessHandler
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

    /// Changes the readiness that a level-triggered `registration` reports; only errors for an
    /// empty set.
    ///
    /// - Throws: ``IOError/system(call:code:)``; the registration is then unchanged.
    package func setInterest(
        _ interest: Readiness, of registration: Registration
    ) throws(IOError) {
        assert(isCurrent)
        try selector.change(registration, to: interest)
    }

    /// Reverses ``register(_:for:trigger:handler:)``; called before the descriptor is closed.
    package func deregister(_ registration: Registration) {
        assert(isCurrent)
        selector.remove(registration)
        registrations.remove(registration)
    }

    /// Delivers `readiness` to the handler of `registration` in the next turn that has time for it.
    ///
    /// For a handler that has more to read than its share of a turn: the kernel does not repeat an
    /// edge. A second call within a turn has no further effect.
    package func redeliver(_ readiness: Readiness, to registration: Registration) {
        assert(isCurrent)
        if registrations.postpone(readiness, for: registration.token) {
            redeliveries.append(registration.token)
        }
    }

    /// Sets, moves or (with `nil`) clears the deadline of `timer`.
    ///
    /// - Complexity: O(1) when it is moved later or cleared, else O(log n).
    package func setDeadline(_ deadline: MonotonicInstant?, of timer: DeadlineTimer) {
        assert(isCurrent)
        timers.setDeadline(deadline, of: timer)
    }

    /// Removes `timer`; its owner calls this before it is released.
    ///
    /// - Complexity: O(log n) in the loop's timers.
    package func remove(_ timer: DeadlineTimer) {
        assert(isCurrent)
        timers.remove(timer)
    }
}
