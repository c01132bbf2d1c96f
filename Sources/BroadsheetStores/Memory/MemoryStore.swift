import Synchronization

/// A store that lives and dies with the daemon: for tests, demos, and pages that are posted anew
/// anyway.
///
/// Page bytes are shared with whoever posted them, not copied. All state is behind one lock that is
/// held for a dictionary access and, when a screen is made or removed, for the shift of a sorted
/// array of names.
package final class MemoryStore: ScreenStore {
    private let ownIdentity: StoreIdentity
    private let state = Mutex(MemoryStoreState())

    /// Makes an empty store.
    package init(identity: StoreIdentity = .random()) {
        ownIdentity = identity
    }

    /// What the store was made with.
    package func identity() async throws(StoreError) -> StoreIdentity { ownIdentity }

    /// The screen, unless it is at `revision` still.
    ///
    /// Never throws.
    package func load(
        _ screen: ScreenName, unlessAt revision: UInt64?
    ) async throws(StoreError) -> ScreenLoad {
        state.withLock { state in
            guard let stored = state.screens[screen] else { return .absent }
            return stored.revision == revision ? .unchanged : .screen(stored)
        }
    }

    /// Applies the change; throws a conflict when the screen is at another revision.
    package func commit(
        _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?
    ) async throws(StoreError) -> UInt64 {
        try state.withLock { state throws(StoreError) in
            try state.commit(change, to: screen, expecting: expected)
        }
    }

    /// Up to `limit` screens after `name`.
    ///
    /// O(log screens + limit). Never throws.
    package func screens(
        after name: ScreenName?, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        state.withLock { $0.screens(after: name, limit: limit) }
    }

    /// Memory is always ready.
    package func checkReadiness() async throws(StoreError) {}

    /// Nothing to let go of.
    package func close() async {}
}
