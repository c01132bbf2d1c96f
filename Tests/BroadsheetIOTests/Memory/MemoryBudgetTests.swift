import Synchronization
import Testing
import TestSupport

@testable import BroadsheetIO

@Suite("The memory budget", .timeLimit(.minutes(hangMinutes)))
struct MemoryBudgetTests {
    private static let mebibyte = 1 << 20

    /// Creates a budget of 8 MiB in which a wait ends only by a grant or by cancellation.
    private func patientBudget() -> MemoryBudget {
        MemoryBudget(limit: 8 * Self.mebibyte) { _ in try? await Task.sleep(for: .seconds(3600)) }
    }

    /// Returns once `count` reservations wait.
    private func waitForWaiters(_ count: Int, in budget: MemoryBudget) async {
        while budget.statistics.waiting != count { await Task.yield() }
    }

    @Test("Memory is granted up to the limit, and returned with the last reference")
    func limit() throws {
        let budget = MemoryBudget(limit: 8 * Self.mebibyte)
        var one = budget.reservation(of: 5 * Self.mebibyte, for: .work)
        #expect(one != nil && budget.statistics.total == 5 * Self.mebibyte)
        #expect(budget.reservation(of: 4 * Self.mebibyte, for: .work) == nil)
        let other = try #require(budget.reservation(of: 3 * Self.mebibyte, for: .screens))
        #expect(budget.statistics.used(by: .screens) == 3 * Self.mebibyte)
        #expect(!other.resize(to: 3 * Self.mebibyte + 1) && other.count == 3 * Self.mebibyte)
        one = nil
        #expect(other.resize(to: 8 * Self.mebibyte))
        other.shrink(to: 1)
        #expect(budget.statistics.total == 1)
    }

    @Test("What is reserved permanently is not available, whatever else is in use")
    func available() throws {
        let budget = MemoryBudget(limit: 8 * Self.mebibyte)
        let other = try #require(budget.reservation(of: 6 * Self.mebibyte, for: .screens))
        #expect(budget.available(for: .work) == 8 * Self.mebibyte)
        #expect(budget.available(for: .requests) == 2 * Self.mebibyte)
        var texts: MemoryReservation? = MemoryReservation(
            in: budget, for: .texts, isPermanent: true)
        #expect(texts?.resize(to: Self.mebibyte) == true)
        #expect(budget.available(for: .work) == 7 * Self.mebibyte)
        #expect(other.available == 7 * Self.mebibyte)
        texts?.shrink(to: 1)
        #expect(budget.available(for: .work) == 8 * Self.mebibyte - 1)
        texts = nil
        #expect(budget.available(for: .work) == 8 * Self.mebibyte)
        other.countRefusal()
        #expect(budget.statistics.refused(.screens) == 1)
    }

    @Test("What is in use already is charged above the limit, and others wait for it")
    func charged() throws {
        let budget = MemoryBudget(limit: 8 * Self.mebibyte)
        let memory = MemoryReservation(in: budget, for: .store)
        memory.charge(to: 9 * Self.mebibyte)
        #expect(budget.statistics.used(by: .store) == 9 * Self.mebibyte)
        #expect(budget.reservation(of: 1, for: .work) == nil)
        memory.charge(to: 8 * Self.mebibyte - 1)
        #expect(budget.reservation(of: 1, for: .work) != nil)
        memory.charge(to: 0)
        #expect(budget.statistics.total == 0)
    }

    @Test("A part of a reservation moves to another kind, and is returned by itself")
    func split() throws {
        let budget = MemoryBudget(limit: 8 * Self.mebibyte)
        let whole = try #require(budget.reservation(of: 100, for: .work))
        var part: MemoryReservation? = whole.split(60, for: .layouts)
        #expect(whole.count == 40 && part?.count == 60)
        #expect(budget.statistics.used(by: .layouts) == 60 && budget.statistics.total == 100)
        part = whole.split(1000, for: .layouts)
        #expect(whole.count == 0 && part?.count == 40 && budget.statistics.total == 40)
        part = nil
        #expect(budget.statistics.total == 0)
    }

    @Test("A whole reservation moves to another kind, from which it is returned")
    func move() throws {
        let budget = MemoryBudget(limit: 8 * Self.mebibyte)
        var whole = budget.reservation(of: 100, for: .screens)
        for kind in [MemoryKind.history, .history, .layouts] {
            whole?.move(to: kind)
            #expect(whole?.kind == kind && budget.statistics.used(by: kind) == 100)
            #expect(budget.statistics.total == 100)
        }
        whole = nil
        #expect(budget.statistics.total == 0 && budget.statistics.used(by: .layouts) == 0)
    }

    @Test("Requests, responses and a store in memory have a quarter; small requests have any rest")
    func shares() throws {
        let budget = MemoryBudget(limit: 8 * Self.mebibyte)
        for kind in [MemoryKind.requests, .responses, .store] {
            let share = try #require(budget.reservation(of: 2 * Self.mebibyte, for: kind))
            #expect(budget.reservation(of: Self.mebibyte, for: kind) == nil)
            let small = budget.reservation(of: MemoryBudget.maxUnqueuedBytes, for: kind)
            #expect(small != nil && share.count == 2 * Self.mebibyte)
        }
        #expect(budget.cacheBytes(for: .screens) == 2 * Self.mebibyte)
        #expect(budget.cacheBytes(for: .layouts) == Self.mebibyte)
        #expect(budget.cacheBytes(for: .work) == 0)
    }

    @Test("Those that wait are served in order; only small reservations pass them")
    func order() async throws {
        let budget = patientBudget()
        let holder = try #require(budget.reservation(of: 7 * Self.mebibyte, for: .work))
        let served = Recorder<Int>()
        var tasks: [Task<MemoryReservation?, Never>] = []
        for (index, size) in [4, 3, 2].enumerated() {
            tasks.append(
                Task {
                    let memory = await budget.waitForReservation(
                        of: size * Self.mebibyte, for: .work)
                    served.record(index)
                    return memory
                })
            await waitForWaiters(index + 1, in: budget)
        }
        #expect(budget.reservation(of: Self.mebibyte, for: .work) == nil)
        #expect(budget.reservation(of: MemoryBudget.maxUnqueuedBytes, for: .work) != nil)
        holder.shrink(to: 5 * Self.mebibyte)
        #expect(budget.statistics.waiting == 3)
        holder.shrink(to: Self.mebibyte)
        let first = await tasks[0].value
        let second = await tasks[1].value
        #expect(first?.count == 4 * Self.mebibyte && second?.count == 3 * Self.mebibyte)
        #expect(budget.statistics.waiting == 1)
        holder.shrink(to: 0)
        tasks[2].cancel()
        #expect(await tasks[2].value == nil)
        #expect(Set(served.values.prefix(2)) == [0, 1])
    }

    @Test("Work that has begun is served before the rest, and any of it that there is memory for")
    func begun() async throws {
        let budget = patientBudget()
        let holder = try #require(budget.reservation(of: 4 * Self.mebibyte, for: .work))
        let begun = try (0..<3).map { index in
            let memory = try #require(budget.reservation(of: Self.mebibyte, for: .work))
            if index == 2 {
                memory.shrink(to: 0)
                memory.markAsBegun()
            }
            return memory
        }
        let served = Recorder<String>()
        let small = try #require(
            budget.reservation(of: MemoryBudget.maxUnqueuedBytes, for: .work))
        let (new, bound) = (MemoryReservation(in: budget, for: .work), Self.mebibyte)
        let waiting: [(String, MemoryReservation, Int)] = [
            ("new", new, 2 * bound), ("new, small before", small, 2 * bound),
            ("begun, large", begun[0], 5 * bound), ("begun", begun[1], 4 * bound),
            ("begun, marked", begun[2], 2 * bound),
        ]
        var tasks: [Task<Void, Never>] = []
        for (index, (name, memory, size)) in waiting.enumerated() {
            tasks.append(
                Task {
                    #expect(await memory.grow(to: size))
                    served.record(name)
                    memory.shrink(to: 0)
                })
            await waitForWaiters(index + 1, in: budget)
        }
        #expect(served.values.isEmpty)
        holder.shrink(to: 3 * bound)
        await tasks[4].value
        #expect(budget.statistics.waiting == 4)
        holder.shrink(to: 2 * bound)
        for task in tasks { await task.value }
        let order = ["begun, marked", "begun", "begun, large"]
        #expect(Array(served.values.prefix(3)) == order && served.values.count == 5)
        #expect(budget.statistics.total == 2 * bound)
    }

    @Test("A reservation that is not served in time, or never can be, is refused and counted")
    func timeout() async throws {
        let budget = MemoryBudget(limit: 8 * Self.mebibyte) { #expect($0 == MemoryBudget.maxWait) }
        let holder = try #require(budget.reservation(of: 7 * Self.mebibyte, for: .work))
        #expect(await budget.waitForReservation(of: 2 * Self.mebibyte, for: .work) == nil)
        #expect(await budget.waitForReservation(of: 9 * Self.mebibyte, for: .work) == nil)
        #expect(budget.statistics.refused(.work) == 2 && budget.statistics.waiting == 0)
        // The queue is usable afterwards.
        #expect(budget.reservation(of: Self.mebibyte, for: .work) != nil)
        #expect(budget.statistics.total == holder.count)
    }

    @Test("A cancelled wait is not a refusal, and makes way for those behind it")
    func cancelled() async throws {
        let budget = patientBudget()
        let holder = try #require(budget.reservation(of: 7 * Self.mebibyte, for: .work))
        let large = Task { await budget.waitForReservation(of: 8 * Self.mebibyte, for: .work) }
        await waitForWaiters(1, in: budget)
        let small = Task { await budget.waitForReservation(of: Self.mebibyte, for: .work) }
        await waitForWaiters(2, in: budget)
        large.cancel()
        #expect(await large.value == nil)
        #expect(await small.value?.count == Self.mebibyte)
        #expect(budget.statistics.refused(.work) == 0 && budget.statistics.waiting == 0)
        #expect(holder.count == 7 * Self.mebibyte)
    }

    @Test("A cancelled wait keeps nothing of what waited, also behind others that still wait")
    func cancelledIsFreed() throws {
        final class Waiting: Sendable {}
        let budget = patientBudget()
        let holder = try #require(budget.reservation(of: 8 * Self.mebibyte, for: .work))
        let first = MemoryWaiter(for: Self.mebibyte, .requests)
        let second = MemoryWaiter(for: Self.mebibyte, .requests)
        let outcomes = Mutex<[Bool]>([])
        weak var kept: Waiting?
        do {
            let waiting = Waiting()
            kept = waiting
            budget.enqueue(first)
            second.onEnd { isGranted in
                withExtendedLifetime(waiting) { outcomes.withLock { $0.append(isGranted) } }
            }
            budget.enqueue(second)
        }
        #expect(kept != nil && budget.statistics.waiting == 2)
        budget.cancel(second)
        budget.cancel(second)
        #expect(kept == nil && budget.statistics.waiting == 1)
        holder.shrink(to: 0)
        #expect(outcomes.withLock { $0 } == [false])
        budget.giveBack(first)
        #expect(budget.statistics.total == 0)
    }

    @Test("Two holders that wait for each other's memory both end")
    func noDeadlock() async throws {
        let budget = MemoryBudget(limit: 8 * Self.mebibyte) { _ in await Task.yield() }
        let holders = (0..<2).compactMap { _ in
            budget.reservation(of: 4 * Self.mebibyte, for: .work)
        }
        async let one = holders[0].grow(to: 5 * Self.mebibyte)
        async let other = holders[1].grow(to: 5 * Self.mebibyte)
        let outcomes = await [one, other]
        #expect(outcomes == [false, false])
        #expect(budget.statistics.total == 8 * Self.mebibyte)
    }

    @Test("Whatever many tasks reserve, wait for and cancel, all memory is returned")
    func random() async {
        let seed = SeededGenerator.seed(of: "MemoryBudgetTests")
        let budget = MemoryBudget(limit: 8 * Self.mebibyte) { _ in await Task.yield() }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    var generator = SeededGenerator(seed: seed &+ UInt64(number))
                    for _ in 0..<50 {
                        let kind = MemoryKind.allCases.randomElement(using: &generator) ?? .work
                        let size = Int.random(in: 0...3 * Self.mebibyte, using: &generator)
                        let more = Int.random(in: 0...Self.mebibyte, using: &generator)
                        let task = Task {
                            let memory = await budget.waitForReservation(of: size, for: kind)
                            let part = memory?.split(size / 2, for: .layouts)
                            _ = await part?.grow(to: more)
                            memory?.shrink(to: size / 3)
                        }
                        if Bool.random(using: &generator) { task.cancel() }
                        await task.value
                    }
                }
            }
        }
        let statistics = budget.statistics
        #expect(statistics.total == 0 && statistics.waiting == 0, "seed \(seed)")
    }
}
