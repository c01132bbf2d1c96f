import BroadsheetStores
import BroadsheetTesting
import TestSupport
import Testing

@Suite("The memory store")
struct MemoryStoreTests {
    @Test(
        "The memory store conforms to every requirement of stores",
        arguments: StoreConformance.requirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        let clock = ManualClock()
        try await requirement.check(
            ScreenStore.inMemory(clock: clock.time), letPass: { clock.advance(seconds: $0) })
    }

    @Test("The memory store knows every revision without waiting")
    func knownRevision() async throws {
        let store = ScreenStore.inMemory()
        try await store.put(0, to: name("home"))
        #expect(try store.isKnown(name("home"), toBeAt: 1))
    }

    @Test("A sweep removes up to 1,000 expired screens, and raises the floor by their revisions")
    func sweeps() async throws {
        let clock = ManualClock()
        let store = ScreenStore.inMemory(clock: clock.time)
        for index in 0..<1100 {
            try await store.put(0, to: name("old-\(index)"), lifetime: .seconds(10))
        }
        clock.advance(seconds: 11)
        #expect(store.count == 1100)
        #expect(try await store.screens(after: nil, limit: 2000).isEmpty)
        #expect(try await store.sweep() == 1000)
        #expect(store.count == 100)
        #expect(try await store.sweep() == 100)
        #expect(store.count == 0)
        #expect(try await store.put(0, to: name("old-0")) == 2)
    }

    @Test("The memory store shares the posted bytes instead of copying them")
    func sharesBytes() async throws {
        let store = ScreenStore.inMemory()
        let posted = [UInt8](repeating: 7, count: 4096)
        try await store.write(.put(page: 0, bytes: posted), to: name("home"))
        let kept = try await store.stored(name("home")).pages[0].bytes
        let same = posted.withUnsafeBufferPointer { one in
            kept.withUnsafeBufferPointer { $0.baseAddress == one.baseAddress }
        }
        #expect(same)
    }

    @Test("The memory store has the given identity, or creates a different one by default")
    func identity() async throws {
        let identity = StoreIdentity.random()
        #expect(try await ScreenStore.inMemory(identity: identity).identity() == identity)
        #expect(try await ScreenStore.inMemory().identity() != ScreenStore.inMemory().identity())
    }
}
