package import BroadsheetIO
import Broadsheet
import Synchronization

/// A store that lives and dies with the daemon: for tests, demos, and pages that are posted anew
/// anyway.
///
/// Page bytes are shared with whoever posted them, not copied. All state is behind one lock that is
/// held for a dictionary access and, when a screen is made or removed, for the shift of a sorted
/// array of names.
package final class MemoryStore: ScreenStore {
    private let ownIdentity: StoreIdentity
    private let state = Mutex(State())
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

extension MemoryStore {
    /// What a ``MemoryStore`` holds, as a value.
    fileprivate struct State: Sendable {
        /// A screen and when it is over, in milliseconds since 1970; nil for never.
        private struct Entry: Sendable {
            var screen = StoredScreen(revision: 0)
            var expiry: Int64?

            mutating func write(
                _ change: ScreenChange, _ revision: UInt64, _ lifetime: ScreenLifetime,
                at now: Int64
            ) {
                screen.apply(change, revision: revision)
                expiry = lifetime.expiry(at: now, before: expiry)
            }

            func isExpired(at now: Int64) -> Bool { expiry.map { $0 <= now } ?? false }
        }

        /// How many screens each write looks at to see whether they are over: more than it can make, so
        /// that what nobody asks for any more goes, too.
        static let screensPerSweep = 4

        /// Every screen by its name, among them some that are over and that nobody is shown.
        private var entries: [ScreenName: Entry] = [:]
        /// The names of `entries`, ascending.
        private var names: [ScreenName] = []
        /// Where in `names` the next sweep begins.
        private var sweepIndex = 0
        /// The highest revision that any screen ever had that is gone.
        private var floor: UInt64 = 0

        /// How many screens take up room.
        var count: Int { entries.count }

        /// The screen as it is at `now`; nil when there is none.
        func screen(_ name: ScreenName, at now: Int64) -> StoredScreen? {
            guard let entry = entries[name], !entry.isExpired(at: now) else { return nil }
            return entry.screen
        }

        /// Compare-and-set as ``ScreenStore/commit(_:to:expecting:lifetime:)`` has it.
        mutating func commit(
            _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?,
            lifetime: ScreenLifetime, at now: Int64
        ) throws(StoreError) -> UInt64 {
            sweep(at: now)
            if entries[screen]?.isExpired(at: now) ?? false { remove(screen) }
            let current = entries[screen]?.screen.revision
            guard current == expected else { throw .conflict(current: current) }
            switch change {
            case .put: if current == nil { insertName(screen) }
            case _ where current == nil: throw .conflict(current: nil)
            case .removeScreen: return remove(screen)
            case .removePage, .removeAllPages: break
            }
            let revision = (current ?? floor) &+ 1
            // In place: a copy of the page list on each write would make appending cost what is stored.
            entries[screen, default: Entry()].write(change, revision, lifetime, at: now)
            return revision
        }

        /// The listing as ``ScreenStore/screens(after:limit:)`` has it.
        func screens(after name: ScreenName?, limit: Int, at now: Int64) -> [ScreenListing] {
            let start = name.map { name in names.partitioningIndex { $0 > name } } ?? 0
            let listed = names[start...].lazy.compactMap { name in
                screen(name, at: now).map { ScreenListing(name: name, revision: $0.revision) }
            }
            return Array(listed.prefix(max(0, limit)))
        }

        /// Removes what is over among the next few screens.
        private mutating func sweep(at now: Int64) {
            for _ in 0..<min(Self.screensPerSweep, names.count) {
                if sweepIndex >= names.count { sweepIndex = 0 }
                guard sweepIndex < names.count, let entry = entries[names[sweepIndex]] else {
                    return
                }
                // What is removed makes room for the next one under the sweepIndex.
                if entry.isExpired(at: now) { remove(names[sweepIndex]) } else { sweepIndex += 1 }
            }
        }

        /// Removes a screen, whose last revision it answers.
        @discardableResult
        private mutating func remove(_ screen: ScreenName) -> UInt64 {
            guard let removed = entries.removeValue(forKey: screen) else { return 0 }
            names.remove(at: names.partitioningIndex { $0 >= screen })
            floor = max(floor, removed.screen.revision)
            return removed.screen.revision
        }

        private mutating func insertName(_ screen: ScreenName) {
            names.insert(screen, at: names.partitioningIndex { $0 >= screen })
        }
    }
}
