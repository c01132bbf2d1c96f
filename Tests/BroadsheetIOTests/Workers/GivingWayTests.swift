import Dispatch
import Synchronization
import Testing
import TestSupport

@testable import BroadsheetIO

@Suite("Jobs that give way on worker threads", .timeLimit(.minutes(hangMinutes)))
struct GivingWayTests {
    private static func client(_ number: Int) -> ClientKey { .name("client \(number)") }

    /// A pool of one place, whose first job runs until ``release()``.
    private final class BlockedPool: Sendable {
        let pool: WorkerPool
        private let gate = DispatchSemaphore(value: 0)

        init(spares: Int = WorkerPool.defaultSpareCount) async throws {
            pool = try WorkerPool(threads: 1, spares: spares)
            let isBlocked = Recorder<Void>()
            _ = start(in: pool, for: client(-1)) { [gate] _ in
                isBlocked.record(())
                gate.wait()
            }
            _ = await isBlocked.first(1)
        }

        func release() { gate.signal() }

        /// Queues a job behind those that are queued; returns its task.
        @discardableResult
        func queue(
            for number: Int, _ body: @escaping @Sendable (PooledWork) -> Void
        ) async -> Task<Void, Never> {
            let count = pool.queueLength + 1
            let task = start(in: pool, for: client(number), body)
            while pool.queueLength < count { await Task.yield() }
            return task
        }
    }

    /// Starts a task with one job.
    @discardableResult
    private static func start(
        in pool: WorkerPool, for client: ClientKey,
        _ body: @escaping @Sendable (PooledWork) -> Void
    ) -> Task<Void, Never> {
        Task.detached {
            guard let work = pool.begin(for: client, isLimited: false) else { return }
            await withTaskCancellationHandler {
                await withTaskExecutorPreference(work) { body(work) }
            } onCancel: {
                work.expedite()
            }
            work.end()
        }
    }

    @Test("A job that gives way continues after one job of each other client")
    func fairness() async throws {
        let blocked = try await BlockedPool()
        let order = Recorder<String>()
        await blocked.queue(for: 1) { work in
            for part in 1...3 {
                order.record("a\(part)")
                work.giveWay()
            }
        }
        await blocked.queue(for: 1) { _ in order.record("own") }
        await blocked.queue(for: 2) { _ in order.record("b1") }
        await blocked.queue(for: 2) { _ in order.record("b2") }
        await blocked.queue(for: 3) { _ in order.record("c1") }
        blocked.release()
        #expect(await order.first(7) == ["a1", "b1", "c1", "a2", "b2", "a3", "own"])
        blocked.pool.shutdown()
    }

    @Test("Without jobs of other clients, a job that gives way continues on its thread at once")
    func alone() async throws {
        let blocked = try await BlockedPool()
        let order = Recorder<String>()
        await blocked.queue(for: 1) { work in
            order.record("1")
            work.giveWay()
            order.record("2")
        }
        await blocked.queue(for: 1) { _ in order.record("3") }
        blocked.release()
        #expect(await order.first(3) == ["1", "2", "3"])
        blocked.pool.shutdown()
    }

    @Test("Without a spare thread, a job that gives way continues at once")
    func spares() async throws {
        #expect(WorkerPool.defaultSpareCount == 16)
        let blocked = try await BlockedPool(spares: 1)
        let order = Recorder<String>()
        for (number, name) in [(1, "a"), (2, "b"), (3, "c")] {
            await blocked.queue(for: number) { work in
                order.record(name + "1")
                work.giveWay()
                order.record(name + "2")
            }
        }
        blocked.release()
        // The only spare thread has the place of a, so b continues.
        #expect(await order.first(6) == ["a1", "b1", "b2", "c1", "c2", "a2"])
        blocked.pool.shutdown()
    }

    @Test("A cancelled task that has given way continues before all others")
    func cancellation() async throws {
        let blocked = try await BlockedPool()
        let order = Recorder<String>()
        let (isRunning, mayEnd) = (Recorder<Void>(), DispatchSemaphore(value: 0))
        let cancelled = await blocked.queue(for: 1) { work in
            order.record("a1")
            work.giveWay()
            order.record(Task.isCancelled ? "cancelled" : "a2")
        }
        await blocked.queue(for: 2) { _ in
            isRunning.record(())
            mayEnd.wait()
            order.record("b")
        }
        await blocked.queue(for: 3) { _ in order.record("c") }
        blocked.release()
        _ = await isRunning.first(1)
        #expect(blocked.pool.queueLength == 2)
        cancelled.cancel()
        mayEnd.signal()
        #expect(await order.first(4) == ["a1", "b", "cancelled", "c"])
        await cancelled.value
        blocked.pool.shutdown()
    }

    @Test("A pool that stops completes jobs that have given way, and ends all threads")
    func shutdown() async throws {
        let blocked = try await BlockedPool()
        let order = Recorder<String>()
        let (isRunning, mayEnd) = (Recorder<Void>(), DispatchSemaphore(value: 0))
        for name in ["a", "b"] {
            await blocked.queue(for: name == "a" ? 1 : 2) { work in
                order.record(name + "1")
                work.giveWay()
                order.record(name + "2")
            }
        }
        await blocked.queue(for: 3) { work in
            isRunning.record(())
            mayEnd.wait()
            // The pool has stopped, so there is nothing to give way to.
            work.giveWay()
            order.record("c")
        }
        blocked.release()
        _ = await isRunning.first(1)
        #expect(blocked.pool.queueLength == 2)
        blocked.pool.stop()
        mayEnd.signal()
        blocked.pool.shutdown()
        #expect(order.values == ["a1", "b1", "c", "a2", "b2"])
        #expect(blocked.pool.queueLength == 0)
    }

    @Test("Jobs that give way are no new jobs for the observer of waiting times")
    func observer() async throws {
        let blocked = try await BlockedPool()
        let (starts, order) = (Recorder<UInt64>(), Recorder<Void>())
        blocked.pool.observeStarts { starts.record($0) }
        for number in 1...2 {
            await blocked.queue(for: number) { work in
                for _ in 0..<5 { work.giveWay() }
                order.record(())
            }
        }
        blocked.release()
        _ = await order.first(2)
        #expect(starts.count == 2)
        blocked.pool.shutdown()
    }

    /// A job of a random history: its client and its number of parts, between which it gives way.
    private struct Job {
        var client: Int
        var parts: Int
        var done = 0
    }

    /// Returns the jobs in the order of their parts on one place, as the turns of clients with
    /// lists of jobs.
    private static func order(of jobs: [Job], spares: Int) -> [Int] {
        var jobs = jobs
        var (order, turns, waiting): ([Int], [Int], [Int: (rests: [Int], new: [Int])]) = (
            [], [], [:]
        )
        for (number, job) in jobs.enumerated() {
            if waiting[job.client] == nil { turns.append(job.client) }
            waiting[job.client, default: ([], [])].new.append(number)
        }
        while !turns.isEmpty {
            let client = turns.removeFirst()
            guard var own = waiting[client] else { continue }
            let number = own.rests.isEmpty ? own.new.removeFirst() : own.rests.removeFirst()
            let isLast = own.rests.isEmpty && own.new.isEmpty
            if !isLast { turns.append(client) }
            waiting[client] = isLast ? nil : own
            var isRunning = true
            while isRunning {
                order.append(number)
                jobs[number].done += 1
                isRunning = jobs[number].done < jobs[number].parts
                let parked = waiting.values.reduce(0) { $0 + $1.rests.count }
                guard isRunning, parked < spares, turns.contains(where: { $0 != client }) else {
                    continue
                }
                if waiting[client] == nil { turns.append(client) }
                waiting[client, default: ([], [])].rests.append(number)
                isRunning = false
            }
        }
        return order
    }

    @Test("The parts of random jobs run in the order of turns")
    func randomOrder() async throws {
        for seed in SeededGenerator.seeds(of: "the order of jobs that give way", count: 50) {
            var random = SeededGenerator(seed: seed)
            let spares = Int.random(in: 0...3, using: &random)
            let jobs = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                Job(
                    client: Int.random(in: 0..<4, using: &random),
                    parts: Int.random(in: 1...5, using: &random))
            }
            let blocked = try await BlockedPool(spares: spares)
            let order = Recorder<Int>()
            for (number, job) in jobs.enumerated() {
                await blocked.queue(for: job.client) { work in
                    for part in 0..<job.parts {
                        if part > 0 { work.giveWay() }
                        order.record(number)
                    }
                }
            }
            blocked.release()
            let count = jobs.reduce(0) { $0 + $1.parts }
            #expect(
                await order.first(count) == Self.order(of: jobs, spares: spares), "seed \(seed)")
            blocked.pool.shutdown()
        }
    }

    @Test("Never more jobs run than there are places, and all of them end")
    func places() async throws {
        for seed in SeededGenerator.seeds(of: "places of worker threads", count: 20) {
            var random = SeededGenerator(seed: seed)
            let count = Int.random(in: 1...3, using: &random)
            let pool = try WorkerPool(
                threads: count, spares: Int.random(in: 0...4, using: &random))
            let running = Running()
            var tasks: [Task<Void, Never>] = []
            for _ in 0..<60 {
                let (client, parts) = (
                    Int.random(in: 0..<5, using: &random), Int.random(in: 1...8, using: &random)
                )
                tasks.append(
                    Self.start(in: pool, for: Self.client(client)) { work in
                        for _ in 0..<parts {
                            running.begin()
                            running.end()
                            work.giveWay()
                        }
                    })
                if Int.random(in: 0..<6, using: &random) == 0 {
                    tasks.randomElement(using: &random)?.cancel()
                }
            }
            for task in tasks { await task.value }
            #expect(running.most <= count && running.most > 0, "seed \(seed)")
            #expect(pool.queueLength == 0 && pool.workCount == 0)
            pool.shutdown()
        }
    }

    /// The number of jobs that run, and the greatest number so far.
    private final class Running: Sendable {
        private let state = Mutex((now: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func begin() {
            state.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
        }

        func end() { state.withLock { $0.now -= 1 } }
    }
}
