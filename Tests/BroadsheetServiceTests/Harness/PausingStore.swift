import BroadsheetStores
import Synchronization

/// A store in memory whose next load can be held up, and that can lose all that it has.
final class PausingStore: ScreenStore {
    private let current = Mutex(MemoryStore())
    private let observer = Mutex<StoreInvalidation.Handler?>(nil)
    private let gate = Mutex<Gate?>(nil)
    private let held = Atomic<Bool>(false)

    /// Holds up loads from now on.
    func pause() { gate.withLock { $0 = Gate() } }

    /// Whether a load is held up.
    var isHolding: Bool { held.load(ordering: .sequentiallyConsistent) }

    /// Lets loads go on.
    func resume() {
        gate.withLock { gate in
            gate?.open()
            gate = nil
        }
    }

    /// What it keeps things in.
    var inner: MemoryStore { current.withLock { $0 } }

    /// Goes on with what `other` holds, and says so.
    func restart(with other: MemoryStore) {
        current.withLock { $0 = other }
        observer.withLock { $0 }?(.restarted)
    }

    func observeInvalidations(_ handler: @escaping StoreInvalidation.Handler) {
        observer.withLock { $0 = handler }
    }

    func identity() async throws(StoreError) -> StoreIdentity { try await inner.identity() }

    func load(
        _ screen: ScreenName, unlessAt revision: UInt64?
    ) async throws(StoreError) -> ScreenLoad {
        if let gate = gate.withLock({ $0 }) {
            held.store(true, ordering: .sequentiallyConsistent)
            await gate.wait()
        }
        return try await inner.load(screen, unlessAt: revision)
    }

    func commit(
        _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        try await inner.commit(change, to: screen, expecting: expected, lifetime: lifetime)
    }

    func screens(
        after name: ScreenName?, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await inner.screens(after: name, limit: limit)
    }

    func checkReadiness() async throws(StoreError) {}

    func close() async {}
}
