package import BroadsheetIO
import BroadsheetCollections
import Synchronization

/// A store in the memory of the process, for tests, demonstrations, and pages that are posted again
/// after a restart.
///
/// Page bytes are shared with the caller that posted them, not copied. One lock protects the state;
/// it is held for a dictionary access and, if a screen is created or removed, for a move in a
/// sorted array of names.
public final class MemoryStore: ScreenStore {
    private let ownIdentity: StoreIdentity
    private let state = Mutex(State())
    private let clock: TimeSource
    /// The memory of the screens; changed only while the lock is held.
    private let memory: MemoryReservation

    /// Creates an empty store.
    public convenience init() { self.init(clock: .system) }

    /// Creates an empty store whose screens expire by `clock`.
    ///
    /// - Parameter memory: The budget of which the store uses its share.
    package init(
        identity: StoreIdentity = .random(), clock: TimeSource = .system,
        memory: MemoryBudget = .unlimited
    ) {
        ownIdentity = identity
        self.clock = clock
        self.memory = MemoryReservation(in: memory, for: .store, isPermanent: true)
    }

    /// The number of screens in memory, including expired ones that are not swept yet.
    package var count: Int { state.withLock { $0.count } }

    /// Returns the identity that the store was created with.
    public func identity() async throws(StoreError) -> StoreIdentity { ownIdentity }

    /// Returns a part of the screen, unless its revision is still `revision`.
    ///
    /// Never throws.
    public func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        let now = clock.unixMilliseconds
        let (revisionFound, stored) = state.withLock { state in
            // A screen that is not needed is not shared, so that the next write copies no array.
            let current = state.revision(of: screen, at: now)
            return (current, current == revision ? nil : state.screen(screen, at: now))
        }
        guard let revisionFound else { return .absent }
        if revisionFound == revision { return .unchanged }
        return stored?.load(part, within: limits) ?? .absent
    }

    /// Returns the screen without its pages, and one of them.
    ///
    /// Never throws.
    public func page(
        _ number: Int?, of screen: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad? {
        let now = clock.unixMilliseconds
        return state.withLock({ $0.screen(screen, at: now) })?.load(number, atMost: byteCount)
    }

    /// Returns whether the screen is at a revision.
    public func isKnown(_ screen: ScreenName, toBeAt revision: UInt64) -> Bool {
        let now = clock.unixMilliseconds
        return state.withLock { $0.revision(of: screen, at: now) } == revision
    }

    /// Applies a commit; throws a conflict if the screen is at another revision, and that the store
    /// is full if there is no memory for the pages.
    public func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        let now = clock.unixMilliseconds
        return try state.withLock { state throws(StoreError) in
            let needed = state.byteCount + State.maxGrowth(by: commit)
            guard memory.resize(to: max(needed, memory.count)) else {
                throw .full("the memory for screens is in use (--memory)")
            }
            defer { memory.shrink(to: state.byteCount) }
            return try state.commit(
                commit, to: screen, expecting: expected, lifetime: lifetime, at: now)
        }
    }

    /// Returns up to `limit` screens after `name`.
    ///
    /// Never throws.
    ///
    /// - Complexity: O(log screens + limit), plus the expired screens in between.
    public func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        let now = clock.unixMilliseconds
        return state.withLock { $0.screens(after: name, prefix: prefix, limit: limit, at: now) }
    }

    /// Returns at once: memory is always ready.
    public func checkReadiness() async throws(StoreError) {}

    /// Does nothing.
    public func close() async {}
}

extension MemoryStore {
    /// The screens of a store, as a value.
    fileprivate struct State: Sendable {
        /// A screen and its expiry in milliseconds since 1970; `nil` for never.
        private struct Entry: Sendable {
            var screen = StoredScreen(revision: 0)
            var expiry: Int64?

            mutating func write(
                _ commit: ScreenCommit, _ revision: UInt64, _ lifetime: ScreenLifetime,
                at now: Int64
            ) {
                screen.apply(commit, revision: revision)
                expiry = lifetime.expiry(at: now, before: expiry)
            }

            func isExpired(at now: Int64) -> Bool { expiry.map { $0 <= now } ?? false }
        }

        /// The estimated size of a screen, and of a page, without the bytes of pages.
        private static let (screenOverhead, pageOverhead) = (1024, 128 + TreeHistory.bytesPerPage)

        /// The estimated size of all screens, in bytes.
        private(set) var byteCount = 0

        /// Returns the number of bytes by which a commit can make the store larger.
        static func maxGrowth(by commit: ScreenCommit) -> Int {
            let pages = commit.storedPages
            return pages.isEmpty
                ? 0 : commit.byteCount + screenOverhead + pages.count * pageOverhead
        }

        /// Returns the estimated size of a screen.
        private static func size(of screen: StoredScreen?) -> Int {
            guard let screen else { return 0 }
            return screen.pages.reduce(screenOverhead) { $0 + $1.bytes.count + pageOverhead }
        }

        /// The number of screens that each write checks for expiry: more than a write can create,
        /// so that screens that no client requests are removed as well.
        static let screensPerSweep = 4

        /// All screens by name, including expired ones that are not swept yet.
        private var entries: [ScreenName: Entry] = [:]
        /// The names of `entries`, ascending.
        private var names: [ScreenName] = []
        /// The index in `names` at which the next sweep begins.
        private var sweepIndex = 0
        /// The highest revision of any screen that was removed.
        private var floor: UInt64 = 0

        /// The number of screens in memory.
        var count: Int { entries.count }

        /// Returns the screen as of `now`, or `nil` if there is none.
        func screen(_ name: ScreenName, at now: Int64) -> StoredScreen? {
            guard let entry = entries[name], !entry.isExpired(at: now) else { return nil }
            return entry.screen
        }

        /// Returns the revision of the screen as of `now`, or `nil` if there is none.
        func revision(of name: ScreenName, at now: Int64) -> UInt64? {
            guard let entry = entries[name], !entry.isExpired(at: now) else { return nil }
            return entry.screen.revision
        }

        /// Performs a compare-and-set, as ``ScreenStore/commit(_:to:expecting:lifetime:)``
        /// requires.
        mutating func commit(
            _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
            lifetime: ScreenLifetime, at now: Int64
        ) throws(StoreError) -> UInt64 {
            sweep(at: now)
            if entries[screen]?.isExpired(at: now) ?? false { remove(screen) }
            let current = entries[screen]?.screen.revision
            guard current == expected else { throw .conflict(current: current) }
            if current == nil {
                guard commit.createsScreen else { throw .conflict(current: nil) }
                insertName(screen)
            }
            if commit == .removeScreen { return remove(screen) }
            let revision = (current ?? floor) &+ 1
            // In place: a copy of the page array at each write would make an append O(pages).
            byteCount -= Self.size(of: entries[screen]?.screen)
            entries[screen, default: Entry()].write(commit, revision, lifetime, at: now)
            byteCount += Self.size(of: entries[screen]?.screen)
            return revision
        }

        /// Returns a list, as ``ScreenStore/screens(after:prefix:limit:)`` requires.
        func screens(
            after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int, at now: Int64
        ) -> [ScreenListing] {
            let bound = prefix.lowerBound(after: name)
            let start = names.partitioningIndex {
                !$0.text.utf8.lexicographicallyPrecedes(bound.utf8)
            }
            let listed = names[start...].lazy.prefix(while: prefix.matches).compactMap { name in
                screen(name, at: now).map { ScreenListing(name: name, revision: $0.revision) }
            }
            return Array(listed.prefix(max(0, limit)))
        }

        /// Removes the expired ones among the next few screens.
        private mutating func sweep(at now: Int64) {
            for _ in 0..<min(Self.screensPerSweep, names.count) {
                if sweepIndex >= names.count { sweepIndex = 0 }
                guard sweepIndex < names.count, let entry = entries[names[sweepIndex]] else {
                    return
                }
                // A removal moves the next screen to the sweep index.
                if entry.isExpired(at: now) { remove(names[sweepIndex]) } else { sweepIndex += 1 }
            }
        }

        /// Removes a screen and returns its last revision.
        @discardableResult
        private mutating func remove(_ screen: ScreenName) -> UInt64 {
            guard let removed = entries.removeValue(forKey: screen) else { return 0 }
            names.remove(at: names.partitioningIndex { $0 >= screen })
            byteCount -= Self.size(of: removed.screen)
            floor = max(floor, removed.screen.revision)
            return removed.screen.revision
        }

        private mutating func insertName(_ screen: ScreenName) {
            names.insert(screen, at: names.partitioningIndex { $0 >= screen })
        }
    }
}
