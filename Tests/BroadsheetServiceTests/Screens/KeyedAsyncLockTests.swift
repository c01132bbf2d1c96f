import BroadsheetStores
import Testing

@testable import BroadsheetService

@Suite("The keyed async lock")
struct KeyedAsyncLockTests {
    /// The present, the maximum and the total number of tasks that hold the lock.
    private struct Tally: Sendable {
        var inside = 0
        var most = 0
        var total = 0
    }

    @Test("The lock excludes the tasks of one key from each other, and loses none")
    func exclusive() async throws {
        let lock = KeyedAsyncLock<ScreenName>()
        let screen = try #require(ScreenName("home"))
        let state = Shared(Tally())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    await lock.withLock(of: screen) {
                        state.withLock { state in
                            state.inside += 1
                            state.most = max(state.most, state.inside)
                        }
                        await Task.yield()
                        state.withLock { state in
                            state.inside -= 1
                            state.total += 1
                        }
                    }
                }
            }
        }
        #expect(state.value.most == 1)
        #expect(state.value.total == 200)
    }

    @Test("The lock is acquired in the order of the requests")
    func order() async throws {
        let lock = KeyedAsyncLock<ScreenName>()
        let screen = try #require(ScreenName("home"))
        let served = Shared<[Int]>([])
        let gate = Gate()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await lock.withLock(of: screen) { await gate.wait() } }
            await until { lock.waiterCount(for: screen) == 0 }
            for writer in 0..<20 {
                group.addTask {
                    await lock.withLock(of: screen) { served.withLock { $0.append(writer) } }
                }
                await until { lock.waiterCount(for: screen) == writer + 1 }
            }
            gate.open()
        }
        #expect(served.value == Array(0..<20))
    }

    @Test("Tasks with different keys do not wait for each other")
    func independent() async throws {
        let lock = KeyedAsyncLock<ScreenName>()
        let one = try #require(ScreenName("one"))
        let two = try #require(ScreenName("two"))
        let gate = Gate()
        async let first: Void = lock.withLock(of: one) { await gate.wait() }
        await until { lock.waiterCount(for: one) == 0 }
        await lock.withLock(of: two) { gate.open() }
        await first
    }

    @Test("A task whose time is over has its error, and the lock goes to those behind it")
    func timeout() async throws {
        struct Late: Error {}
        let lock = KeyedAsyncLock<ScreenName>()
        let screen = try #require(ScreenName("home"))
        let (gate, sleep) = (Gate(), ManualSleep())
        let holder = Task { await lock.withLock(of: screen) { await gate.wait() } }
        await until { lock.waiterCount(for: screen) == 0 }
        let late = Task {
            try await lock.withLock(
                of: screen, atMost: .seconds(1), sleep: sleep.sleep, orThrow: Late()
            ) { () async throws(Late) in Issue.record("the lock was not free") }
        }
        await until { sleep.durations == [.seconds(1)] }
        let patient = Task { await lock.withLock(of: screen) {} }
        await until { lock.waiterCount(for: screen) == 2 }
        sleep.end()
        await #expect(throws: Late.self) { try await late.value }
        gate.open()
        await holder.value
        await patient.value
        #expect(lock.waiterCount(for: screen) == nil)
    }

    @Test("The lock is released by an error, and leaves no entry")
    func failing() async throws {
        struct Failure: Error {}
        let lock = KeyedAsyncLock<ScreenName>()
        let screen = try #require(ScreenName("home"))
        await #expect(throws: Failure.self) {
            try await lock.withLock(of: screen) { () async throws(Failure) in throw Failure() }
        }
        #expect(lock.waiterCount(for: screen) == nil)
        await lock.withLock(of: screen) {}
        #expect(lock.waiterCount(for: screen) == nil)
    }
}
