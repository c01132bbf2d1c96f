import BroadsheetStores
import Synchronization
import Testing

@testable import BroadsheetService

@Suite("Writers' turns")
struct WriterTurnsTests {
    /// How many writers are inside, the most that ever were, and all there were.
    private struct Tally: Sendable {
        var inside = 0
        var most = 0
        var total = 0
    }

    @Test("never overlap on one screen, and none is lost")
    func exclusive() async throws {
        let turns = WriterTurns()
        let screen = try #require(ScreenName("home"))
        let state = Shared(Tally())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    await turns.taking(screen) {
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

    @Test("are taken first come, first served")
    func order() async throws {
        let turns = WriterTurns()
        let screen = try #require(ScreenName("home"))
        let served = Shared<[Int]>([])
        let gate = Gate()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await turns.taking(screen) { await gate.wait() } }
            await until { turns.waiting(for: screen) == 0 }
            for writer in 0..<20 {
                group.addTask {
                    await turns.taking(screen) { served.withLock { $0.append(writer) } }
                }
                await until { turns.waiting(for: screen) == writer + 1 }
            }
            gate.open()
        }
        #expect(served.value == Array(0..<20))
    }

    @Test("of different screens do not wait for each other")
    func independent() async throws {
        let turns = WriterTurns()
        let one = try #require(ScreenName("one"))
        let two = try #require(ScreenName("two"))
        let gate = Gate()
        async let first: Void = turns.taking(one) { await gate.wait() }
        await until { turns.waiting(for: one) == 0 }
        await turns.taking(two) { gate.open() }
        await first
    }

    @Test("end when a writer fails, and leave nothing behind")
    func failing() async throws {
        struct Failure: Error {}
        let turns = WriterTurns()
        let screen = try #require(ScreenName("home"))
        await #expect(throws: Failure.self) {
            try await turns.taking(screen) { () async throws(Failure) in throw Failure() }
        }
        #expect(turns.waiting(for: screen) == nil)
        await turns.taking(screen) {}
        #expect(turns.waiting(for: screen) == nil)
    }
}

/// Holds whoever waits until it is opened.
final class Gate: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>
    private let state = Mutex<(isOpen: Bool, waiters: [Waiter])>((false, []))

    func wait() async {
        await withCheckedContinuation { waiter in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(waiter) }
                return state.isOpen
            }
            if isOpen { waiter.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// Lets others run until `condition` holds.
func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}
