import BroadsheetIO
import Testing
import TestSupport

@testable import BroadsheetService

@Suite("Work that requests share", .timeLimit(.minutes(hangMinutes)))
struct SharedWorkTests {
    private let work = SharedWork<String, Int>()
    private let memory = MemoryReservation(in: .unlimited, for: .work)

    /// Begins the work of a key and returns once it is in progress; it ends with the gate.
    private func begin(
        _ result: Result<Int, Problem>, until gate: Gate
    ) async -> Task<Result<Int, Problem>, Never> {
        let task = Task {
            await outcome {
                await gate.wait()
                return result
            }
        }
        await until { work.waiterCount(for: "key") != nil }
        return task
    }

    private func outcome(
        _ body: @escaping @Sendable () async -> Result<Int, Problem>
    ) async -> Result<Int, Problem> {
        do throws(Problem) {
            let done = try await work.perform("key", releasing: memory) {
                () async throws(Problem) in
                try await body().get()
            }
            return .success(done.value)
        } catch {
            return .failure(error)
        }
    }

    /// Starts requests, and returns once all of them wait.
    private func join(
        _ count: Int, doing body: @escaping @Sendable () async -> Result<Int, Problem>
    ) async -> [Task<Result<Int, Problem>, Never>] {
        let tasks = (0..<count).map { _ in Task { await outcome(body) } }
        await until { work.waiterCount(for: "key") == count }
        return tasks
    }

    @Test("Requests that come meanwhile have the outcome of the first", arguments: [true, false])
    func shared(succeeds: Bool) async throws {
        let gate = Gate()
        let result: Result<Int, Problem> = succeeds ? .success(1) : .failure(.tooLittleMemory)
        let first = await begin(result, until: gate)
        let others = await join(20) { .success(2) }
        #expect(memory.count == 0)
        gate.open()
        for task in others + [first] {
            switch await task.value {
            case .success(let value): #expect(succeeds && value == 1)
            case .failure(let problem): #expect(!succeeds && problem.code == .overloaded)
            }
        }
        #expect(work.waiterCount(for: "key") == nil)
    }

    @Test("If the first loses its connection, one of the others does the work for the rest")
    func lost() async throws {
        let gate = Gate()
        let first = await begin(.failure(.connectionLost), until: gate)
        let count = Shared(0)
        let others = await join(20) {
            count.withLock { $0 += 1 }
            // The rest has joined again before the end.
            await until { work.waiterCount(for: "key") == 19 }
            return .success(2)
        }
        gate.open()
        guard case .failure = await first.value else { Issue.record("no failure"); return }
        for task in others {
            guard case .success(2) = await task.value else { Issue.record("a failure"); return }
        }
        #expect(count.value == 1)
    }

    @Test("A request whose connection is lost no longer waits")
    func cancelled() async throws {
        let gate = Gate()
        let first = await begin(.success(1), until: gate)
        let others = await join(3) { .success(2) }
        others[1].cancel()
        guard case .failure(let problem) = await others[1].value else {
            Issue.record("no failure")
            return
        }
        #expect(problem.isConnectionLost && work.waiterCount(for: "key") == 2)
        gate.open()
        for task in [others[0], others[2], first] {
            guard case .success(1) = await task.value else { Issue.record("a failure"); return }
        }
    }

    @Test("A request releases its memory before it waits")
    func releases() async throws {
        let budget = MemoryBudget(limit: 1 << 20)
        let gate = Gate()
        let first = await begin(.success(1), until: gate)
        let held = try #require(budget.reservation(of: 1000, for: .work))
        let task = Task {
            try? await work.perform("key", releasing: held) { () throws(Problem) in 2 }
        }
        await until { work.waiterCount(for: "key") == 1 }
        #expect(budget.statistics.total == 0)
        gate.open()
        let (shared, own) = (await task.value, await first.value)
        #expect(shared?.value == 1 && shared?.isShared == true)
        guard case .success(1) = own else { Issue.record("a failure"); return }
    }

    private final class Object: Sendable {}

    private struct Reference: WeakReference {
        weak let object: Object?
        init(_ object: Object?) { self.object = object }
        var isInUse: Bool { object != nil }
    }

    @Test("References to values that are released do not accumulate")
    func references() {
        var values = ValuesInUse<Int, Reference>()
        let kept = Object()
        values.insert(Reference(kept), for: -1)
        for key in 0..<10_000 {
            values.insert(Reference(nil), for: key)
            #expect(values.count <= ValuesInUse<Int, Reference>.minCleanup)
        }
        #expect(values[-1]?.isInUse == true)
        values.remove(-1)
        #expect(values[-1] == nil)
    }
}
