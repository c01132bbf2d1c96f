import BroadsheetStores
import Testing

@Suite("The memory store")
struct MemoryStoreTests {
    @Test("conforms", arguments: StoreConformance.requirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        try await requirement.check(MemoryStore())
    }

    @Test("shares the posted bytes instead of copying them")
    func sharesBytes() async throws {
        let store = MemoryStore()
        let posted = [UInt8](repeating: 7, count: 4096)
        try await store.write(.put(page: 0, bytes: posted), to: name("home"))
        let kept = try await store.stored(name("home")).pages[0].bytes
        let same = posted.withUnsafeBufferPointer { one in
            kept.withUnsafeBufferPointer { $0.baseAddress == one.baseAddress }
        }
        #expect(same)
    }

    @Test("keeps the identity it was made with, and makes a different one each time otherwise")
    func identity() async throws {
        let identity = StoreIdentity.random()
        #expect(try await MemoryStore(identity: identity).identity() == identity)
        #expect(try await MemoryStore().identity() != MemoryStore().identity())
    }
}
