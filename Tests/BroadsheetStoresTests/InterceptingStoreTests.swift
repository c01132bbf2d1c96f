import BroadsheetStores
import BroadsheetTesting
import StoreTestSupport
import TestSupport
import Testing

@Suite("The intercepting store")
struct InterceptingStoreTests {
    @Test(
        "The intercepting store conforms to every requirement of stores until it intercepts",
        arguments: StoreConformance.requirements)
    func conforms(to requirement: StoreConformance.Requirement) async throws {
        let clock = ManualClock()
        let store = InterceptingStore(MemoryStore(clock: clock.time))
        try await requirement.check(store, letPass: { clock.advance(seconds: $0) })
    }

    @Test("The intercepting store records calls, and fails them until the failure is removed")
    func failure() async throws {
        let store = InterceptingStore()
        store.fail(with: .unavailable("maintenance"))
        await #expect(throws: StoreError.unavailable("maintenance")) {
            try await store.checkReadiness()
        }
        store.fail(with: nil)
        try await store.put(1, to: name("home"))
        let home = try name("home")
        #expect(
            store.calls == [
                .checkReadiness, .load(home, unlessAt: nil),
                .commit(.put(page: 1, bytes: Array("{}".utf8)), to: home, expecting: nil),
            ])
    }
}
