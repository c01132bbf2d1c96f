package import BroadsheetIO
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
    private let clock: TimeSource

    /// Makes an empty store whose screens expire by `clock`.
    package init(identity: StoreIdentity = .random(), clock: TimeSource = .system) {
        ownIdentity = identity
        self.clock = clock
    }

    /// How many screens take up room, those included that are over and have not been swept yet.
    package var count: Int { state.withLock { $0.count } }

    /// What the store was made with.
    package func identity() async throws(StoreError) -> StoreIdentity { ownIdentity }

    /// The screen, unless it is at `revision` still.
    ///
    /// Never throws.
    package func load(
        _ screen: ScreenName, unlessAt revision: UInt64?
    ) async throws(StoreError) -> ScreenLoad {
        let now = clock.unixMilliseconds
        return state.withLock { state in
            guard let stored = state.screen(screen, at: now) else { return .absent }
            return stored.revision == revision ? .unchanged : .screen(stored)
        }
    }

    /// Applies the change; throws a conflict when the screen is at another revision.
    package func commit(
        _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        let now = clock.unixMilliseconds
        return try state.withLock { state throws(StoreError) in
            try state.commit(
                change, to: screen, expecting: expected, lifetime: lifetime, at: now)
        }
    }

    /// Up to `limit` screens after `name`.
    ///
    /// O(log screens + limit), and what lies between that is over. Never throws.
    package func screens(
        after name: ScreenName?, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        let now = clock.unixMilliseconds
        return state.withLock { $0.screens(after: name, limit: limit, at: now) }
    }

    /// Memory is always ready.
    package func checkReadiness() async throws(StoreError) {}

    /// Nothing to let go of.
    package func close() async {}
}
