import BroadsheetStores
import BroadsheetTesting
import Embedding
import Synchronization
import Testing

@Suite("A backend over a dictionary")
struct DictionaryBackendTests {
    // [embedded-conformance]
    @Test(
        "The backend conforms to every requirement of backends",
        arguments: BackendConformance.requirements)
    func conforms(to requirement: BackendConformance.Requirement) async throws {
        let clock = ManualClock()
        let backend = DictionaryBackend(now: { clock.milliseconds })
        try await requirement.check(
            TestedBackend(backend, letPass: { clock.advance(seconds: $0) }))
    }
    // [/embedded-conformance]

    @Test(
        "A store over the backend conforms to every requirement of stores",
        arguments: StoreConformance.requirements + StoreConformance.feedRequirements)
    func store(conformsTo requirement: StoreConformance.Requirement) async throws {
        let clock = ManualClock()
        let store = ScreenStore(DictionaryBackend(now: { clock.milliseconds }))
        try await requirement.check(store, letPass: { clock.advance(seconds: $0) })
        await store.close()
    }
}

/// A clock that only a test advances.
final class ManualClock: Sendable {
    private let time = Atomic<Int64>(1_700_000_000_000)

    var milliseconds: Int64 { time.load(ordering: .relaxed) }

    func advance(seconds: Int) {
        time.wrappingAdd(Int64(seconds) * 1000, ordering: .relaxed)
    }
}
