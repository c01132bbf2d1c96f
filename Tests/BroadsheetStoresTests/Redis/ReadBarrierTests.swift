import BroadsheetIO
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetStores

@Suite("The read barrier", .timeLimit(.minutes(hangMinutes)))
struct ReadBarrierTests {
    /// Round trips that a test ends.
    final class RoundTrips: Sendable {
        private let begun = Mutex<[@Sendable (Bool) -> Void]>([])
        private let canBegin = Mutex(true)
        private let passed = Mutex(0)

        var count: Int { begun.withLock { $0.count } }
        var passedCount: Int { passed.withLock { $0 } }

        func pass(_ barrier: ReadBarrier) async -> Bool {
            defer { passed.withLock { $0 += 1 } }
            return await barrier.pass()
        }

        func begin(_ over: @escaping @Sendable (Bool) -> Void) -> Bool {
            guard canBegin.withLock({ $0 }) else { return false }
            begun.withLock { $0.append(over) }
            return true
        }

        func end(_ number: Int, _ isMade: Bool = true) { begun.withLock { $0[number] }(isMade) }

        func refuse() { canBegin.withLock { $0 = false } }
    }

    /// Passes a barrier, its round trips and its loop to `body`.
    private func withBarrier(
        _ body: (ReadBarrier, RoundTrips, EventLoop) async throws -> Void
    ) async throws {
        let group = try EventLoopGroup(count: 1)
        let trips = RoundTrips()
        let barrier = ReadBarrier(on: group.loops[0]) { trips.begin($0) }
        try await body(barrier, trips, group.loops[0])
        group.stop()
        await group.waitForEnd()
    }

    @Test("A read returns after the end of the round trip that it began")
    func lone() async throws {
        try await withBarrier { barrier, trips, loop in
            async let result = trips.pass(barrier)
            #expect(await eventually { trips.count == 1 })
            #expect(trips.passedCount == 0)
            try await loop.perform { trips.end(0) }
            let isMade = await result
            #expect(isMade)
        }
    }

    @Test("Reads that arrive during a round trip share the next one")
    func shared() async throws {
        try await withBarrier { barrier, trips, loop in
            async let first = barrier.pass()
            #expect(await eventually { trips.count == 1 })
            let others = 100
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<others {
                    group.addTask { await trips.pass(barrier) }
                }
                #expect(await eventually { barrier.waiterCount == others })
                #expect(trips.count == 1)
                try await loop.perform { trips.end(0) }
                // A read does not pass with a round trip that began before it.
                #expect(trips.count == 2)
                #expect(trips.passedCount == 0)
                try await loop.perform { trips.end(1) }
                for try await result in group { #expect(result) }
            }
            let firstIsMade = await first
            #expect(firstIsMade)
            #expect(trips.count == 2)
        }
    }

    @Test("A failed round trip fails its own reads, and the others have another round trip")
    func failure() async throws {
        try await withBarrier { barrier, trips, loop in
            async let first = barrier.pass()
            #expect(await eventually { trips.count == 1 })
            async let second = barrier.pass()
            #expect(await eventually { barrier.waiterCount == 1 })
            try await loop.perform { trips.end(0, false) }
            let firstIsMade = await first
            #expect(!firstIsMade)
            #expect(await eventually { trips.count == 2 })
            try await loop.perform { trips.end(1) }
            let secondIsMade = await second
            #expect(secondIsMade)
        }
    }

    @Test("Reads fail at once if no round trip can begin, or without a loop")
    func noWay() async throws {
        try await withBarrier { barrier, trips, loop in
            async let first = barrier.pass()
            #expect(await eventually { trips.count == 1 })
            async let second = barrier.pass()
            #expect(await eventually { barrier.waiterCount == 1 })
            trips.refuse()
            try await loop.perform { trips.end(0, false) }
            let results = await [first, second]
            #expect(results == [false, false])
            #expect(await !barrier.pass())
        }
        let group = try EventLoopGroup(count: 1)
        let barrier = ReadBarrier(on: group.loops[0]) { _ in true }
        group.stop()
        await group.waitForEnd()
        #expect(await !barrier.pass())
    }
}
