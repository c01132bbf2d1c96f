import BroadsheetIO
import BroadsheetStores
import BroadsheetTesting
import TestSupport
import Testing

@Suite("The history of the memory store")
struct MemoryHistoryTests {
    @Test(
        "The memory store conforms to every requirement of stores with a history",
        arguments: StoreConformance.historyRequirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        let clock = ManualClock()
        try await requirement.check(
            ScreenStore.inMemory(clock: clock.time, history: HistoryBounds()),
            letPass: { clock.advance(seconds: $0) })
    }

    @Test(
        "The memory store with a history conforms to every other requirement",
        arguments: StoreConformance.requirements)
    func conformsBesides(to requirement: StoreConformance.Requirement) async throws {
        let clock = ManualClock()
        try await requirement.check(
            ScreenStore.inMemory(clock: clock.time, history: HistoryBounds()),
            letPass: { clock.advance(seconds: $0) })
    }

    @Test("Beyond --keep-revisions the oldest revisions go at once", arguments: [1, 3])
    func maxRevisions(_ count: Int) async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds(maxRevisions: count))
        for _ in 0..<9 { try await store.put(0, to: name("home")) }
        let list = try #require(
            try await store.revisions(of: name("home"), before: nil, limit: 99))
        #expect(list.first == 9 - UInt64(count))
        #expect(list.entries.count == count + 1)
    }

    @Test("With --keep-revisions 0 only the current revision is known")
    func none() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds(maxRevisions: 0))
        for _ in 0..<3 { try await store.put(0, to: name("home")) }
        let list = try #require(
            try await store.revisions(of: name("home"), before: nil, limit: 99))
        #expect(list.entries.map(\.revision) == [3])
        #expect(try await store.historyByteCount() == 0)
    }

    @Test("The history of all screens is within its limit; the oldest of any screen go first")
    func limitOfAllScreens() async throws {
        let store = ScreenStore.inMemory(history: HistoryBounds(), historyBytes: 10_000)
        let (one, two) = (try name("one"), try name("two"))
        let page = String(repeating: "a", count: 1000)
        for _ in 0..<8 { try await store.put(0, page, to: one) }
        for _ in 0..<8 { try await store.put(0, page, to: two) }
        #expect(try await store.historyByteCount() <= 10_000)
        let first = try #require(try await store.revisions(of: one, before: nil, limit: 9)).first
        #expect(first > 1)
        #expect(try #require(try await store.revisions(of: two, before: nil, limit: 9)).first == 1)
    }

    @Test("Old revisions are absent at once, and a sweep forgets them")
    func aged() async throws {
        let clock = ManualClock()
        let store = ScreenStore.inMemory(clock: clock.time, history: HistoryBounds(maxAge: 100))
        let (one, two) = (try name("one"), try name("two"))
        for text in ["a", "b", "c"] { try await store.put(0, text, to: one) }
        clock.advance(by: .seconds(60))
        try await store.put(0, "d", to: one)
        let before = try await store.historyByteCount()
        clock.advance(by: .seconds(60))
        let list = try #require(try await store.revisions(of: one, before: nil, limit: 9))
        #expect(list.entries.map(\.revision) == [4, 3])
        try await store.sweep()
        #expect(try await store.historyByteCount() < before)
        clock.advance(by: .seconds(60))
        try await store.put(0, "e", to: two)
        try await store.sweep()
        #expect(try await store.historyByteCount() == 0)
    }

    @Test("Earlier revisions are dropped before a write is refused for want of memory")
    func droppedForMemory() async throws {
        let memory = MemoryBudget(limit: MemoryBudget.minLimit)
        let store = ScreenStore.inMemory(memory: memory, history: HistoryBounds(maxBytes: .max))
        let size = MemoryKind.store.maxBytes(of: memory.limit) / 4
        let page = String(repeating: "a", count: size)
        for _ in 0..<6 { try await store.put(0, page, to: name("home")) }
        #expect(try await store.stored(name("home")).revision == 6)
    }
}
