import Dispatch
import Testing
import TestSupport

@testable import BroadsheetIO

@Suite("Worker threads", .timeLimit(.minutes(hangMinutes)))
struct WorkerPoolTests {
    private let first = ClientKey(IPAddress("192.0.2.1") ?? .unspecified)
    private let second = ClientKey(IPAddress("192.0.2.2") ?? .unspecified)
    private let third = ClientKey(IPAddress("192.0.2.3") ?? .unspecified)

    /// A pool of one thread that is blocked until ``release()``, so that the order of what is
    /// queued meanwhile is exact.
    private final class BlockedPool: Sendable {
        let pool: WorkerPool
        let clock = ManualClock()
        private let gate = DispatchSemaphore(value: 0)

        init(limits: WorkerPool.Limits = WorkerPool.Limits()) async throws {
            pool = try WorkerPool(threads: 1, limits: limits, clock: clock.time)
            let isBlocked = Recorder<Void>()
            start(for: ClientKey(.unspecified)) { [gate] in
                isBlocked.record(())
                gate.wait()
            }
            _ = await isBlocked.first(1)
        }

        func release() { gate.signal() }

        /// Queues a work behind those that are queued; returns its task.
        @discardableResult
        func queue(
            for client: ClientKey, _ body: @escaping @Sendable () async -> Void
        ) async -> Task<Void, Never> {
            let count = pool.queueLength + 1
            let task = start(for: client, body)
            while pool.queueLength < count { await Task.yield() }
            return task
        }

        @discardableResult
        private func start(
            for client: ClientKey, _ body: @escaping @Sendable () async -> Void
        ) -> Task<Void, Never> {
            Task.detached { [pool] in
                guard let work = pool.begin(for: client) else { return }
                await withTaskCancellationHandler {
                    await withTaskExecutorPreference(work) { await body() }
                } onCancel: {
                    work.expedite()
                }
                work.end()
            }
        }
    }

    @Test("Clients take turns: one with many jobs does not delay the others")
    func fairness() async throws {
        let blocked = try await BlockedPool()
        let order = Recorder<String>()
        for number in 1...4 { await blocked.queue(for: first) { order.record("a\(number)") } }
        for number in 1...2 { await blocked.queue(for: second) { order.record("b\(number)") } }
        await blocked.queue(for: third) { order.record("c1") }
        blocked.release()
        #expect(await order.first(7) == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"])
        blocked.pool.shutdown()
    }

    @Test("Within a client, work that has begun continues before other work begins")
    func continuationsFirst() async throws {
        let blocked = try await BlockedPool()
        let order = Recorder<String>()
        for name in ["a", "b"] {
            await blocked.queue(for: first) {
                order.record(name + "1")
                await Task.yield()
                order.record(name + "2")
            }
        }
        blocked.release()
        #expect(await order.first(4) == ["a1", "a2", "b1", "b2"])
        blocked.pool.shutdown()
    }

    @Test("A cancelled task runs before all others, so that it ends and releases what it holds")
    func cancellation() async throws {
        let blocked = try await BlockedPool()
        let order = Recorder<String>()
        await blocked.queue(for: second) { order.record("other") }
        await blocked.queue(for: first) { order.record("own") }
        let cancelled = await blocked.queue(for: first) {
            order.record(Task.isCancelled ? "cancelled" : "running")
        }
        cancelled.cancel()
        #expect(blocked.pool.queueLength == 3)
        blocked.release()
        #expect(await order.first(3) == ["cancelled", "other", "own"])
        _ = await cancelled.value
        blocked.pool.shutdown()
        #expect(blocked.pool.queueLength == 0)
    }

    @Test("Clients that come back keep one turn each")
    func oneTurnEach() async throws {
        let blocked = try await BlockedPool()
        let order = Recorder<String>()
        // The jobs of the first client leave the queue, and its turn stays in the order.
        let gone = await blocked.queue(for: first) { order.record("gone") }
        gone.cancel()
        for number in 1...3 { await blocked.queue(for: first) { order.record("a\(number)") } }
        for number in 1...3 { await blocked.queue(for: second) { order.record("b\(number)") } }
        blocked.release()
        #expect(await order.first(7) == ["gone", "a1", "b1", "a2", "b2", "a3", "b3"])
        blocked.pool.shutdown()
    }

    @Test("A work above the limit of its client, or of all clients, is refused")
    func limits() async throws {
        var limits = WorkerPool.Limits()
        #expect(limits.perClient == 256 && limits.total == 1024)
        limits.perClient = 2
        limits.total = 3
        let pool = try WorkerPool(threads: 1, limits: limits)
        let works = [pool.begin(for: first), pool.begin(for: first)]
        #expect(works.allSatisfy { $0 != nil })
        #expect(pool.begin(for: first) == nil)
        let other = try #require(pool.begin(for: second))
        #expect(pool.begin(for: third) == nil)
        // Work that has had an effect continues.
        let required = try #require(pool.begin(for: first, isLimited: false))
        #expect(pool.workCount == 4)
        for work in works { work?.end() }
        required.end()
        other.end()
        #expect(pool.workCount == 0)
        let again = try #require(pool.begin(for: first))
        again.end()
        pool.shutdown()
    }

    @Test("Waiting times are reported when jobs start")
    func waitingTimes() async throws {
        let blocked = try await BlockedPool()
        let waits = Recorder<UInt64>()
        blocked.pool.observeStarts { waits.record($0) }
        await blocked.queue(for: first) {}
        blocked.clock.advance(milliseconds: 30)
        blocked.release()
        #expect(await waits.first(1) == [30_000_000])
        blocked.pool.shutdown()
    }

    @Test("The parts of a task that prefers the pool run there, and the rest on its loop")
    func preference() async throws {
        let pool = try WorkerPool(threads: 2)
        try await withLoop { loop, _ in
            let places = await Task(executorPreference: loop) {
                guard let work = pool.begin(for: first) else { return [false] }
                let before = loop.isCurrent
                let within = await withTaskExecutorPreference(work) {
                    let start = loop.isCurrent
                    await Task.yield()
                    await Task.detached {}.value
                    return [start, loop.isCurrent]
                }
                work.end()
                return [before] + within + [loop.isCurrent]
            }.value
            #expect(places == [true, false, false, true])
        }
        pool.shutdown()
    }

    @Test("A pool that stops runs the jobs that are queued, and accepts no others")
    func stop() async throws {
        let blocked = try await BlockedPool()
        let order = Recorder<Int>()
        for number in 1...3 { await blocked.queue(for: first) { order.record(number) } }
        blocked.pool.stop()
        blocked.release()
        #expect(await order.first(3) == [1, 2, 3])
        blocked.pool.shutdown()
        let late = try #require(blocked.pool.begin(for: first))
        Task.detached(executorPreference: late) { order.record(4) }
        #expect(order.count == 3 && blocked.pool.queueLength == 0)
    }
}
