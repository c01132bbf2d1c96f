import BroadsheetStores
import Synchronization

/// A store that fails when it is told to, and otherwise does what the one behind it does.
final class FaultyStore: ScreenStore {
    private let inner = MemoryStore()
    private let fault = Mutex<StoreError?>(nil)
    private let observer = Mutex<StoreInvalidation.Handler?>(nil)

    /// Notifies the observer.
    func notify(_ invalidation: StoreInvalidation) { observer.withLock { $0 }?(invalidation) }

    func observeInvalidations(_ handler: @escaping StoreInvalidation.Handler) {
        observer.withLock { $0 = handler }
    }

    /// What every call but `identity` throws from now on; nil for nothing.
    func fail(with error: StoreError?) { fault.withLock { $0 = error } }

    private func check() throws(StoreError) {
        if let error = fault.withLock({ $0 }) { throw error }
    }

    func identity() async throws(StoreError) -> StoreIdentity { try await inner.identity() }

    func load(
        _ screen: ScreenName, unlessAt revision: UInt64?
    ) async throws(StoreError) -> ScreenLoad {
        try check()
        return try await inner.load(screen, unlessAt: revision)
    }

    func commit(
        _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        try check()
        return try await inner.commit(
            change, to: screen, expecting: expected, lifetime: lifetime)
    }

    func screens(
        after name: ScreenName?, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try check()
        return try await inner.screens(after: name, limit: limit)
    }

    func checkReadiness() async throws(StoreError) { try check() }

    func close() async {}
}

/// A store that another daemon writes to, each time just before a commit of this one.
final class ContestedStore: ScreenStore {
    private let inner = MemoryStore()
    private let rivals: Mutex<Int>

    /// The other daemon gets in between `rivals` times.
    init(rivals: Int) { self.rivals = Mutex(rivals) }

    func identity() async throws(StoreError) -> StoreIdentity { try await inner.identity() }

    func load(
        _ screen: ScreenName, unlessAt revision: UInt64?
    ) async throws(StoreError) -> ScreenLoad {
        try await inner.load(screen, unlessAt: revision)
    }

    func commit(
        _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        let rival = rivals.withLock { rivals in
            rivals -= 1
            return rivals
        }
        if rival >= 0 {
            let page = ScreenChange.put(
                page: 1000 + rival, bytes: Array(#"{"sections":[]}"#.utf8))
            _ = try await inner.commit(page, to: screen, expecting: expected)
        }
        return try await inner.commit(
            change, to: screen, expecting: expected, lifetime: lifetime)
    }

    func screens(
        after name: ScreenName?, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await inner.screens(after: name, limit: limit)
    }

    func checkReadiness() async throws(StoreError) {}

    func close() async {}
}
