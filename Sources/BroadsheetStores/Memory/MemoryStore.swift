package import BroadsheetIO
import BroadsheetCollections
import Synchronization

/// A store in the memory of the process, for tests, demonstrations, and pages that are posted again
/// after a restart.
///
/// Page bytes are shared with the caller that posted them, not copied. One lock protects the state;
/// it is held for a dictionary access and, if a screen is created or removed, for a move in a
/// sorted array of names.
///
/// Earlier revisions (``HistoryStore``) and feeds (``FeedStore``) are kept as long as the process
/// lives.
public final class MemoryStore: FeedStore {
    private let ownIdentity: StoreIdentity
    /// The bounds of the feed of each screen.
    public let feedBounds: FeedBounds
    private let state: Mutex<State>
    private let clock: TimeSource
    /// The memory of the screens; changed only while the lock is held.
    private let memory: MemoryReservation

    /// Creates an empty store.
    public convenience init() { self.init(clock: .system) }

    /// Creates an empty store whose screens expire by `clock`.
    ///
    /// - Parameters:
    ///   - memory: The budget of which the store uses its share.
    ///   - history: The bounds of the history of each screen.
    ///   - historyBytes: The maximum number of bytes of the history of all screens.
    ///   - feeds: The bounds of the feed of each screen, and the maximum number of bytes of the
    ///     feeds of all.
    package init(
        identity: StoreIdentity = .random(), clock: TimeSource = .system,
        memory: MemoryBudget = .unlimited, history: HistoryBounds = .none,
        historyBytes: Int = .max, feeds: (bounds: FeedBounds, limit: Int) = (.none, .max)
    ) {
        ownIdentity = identity
        feedBounds = feeds.bounds
        state = Mutex(
            State(
                history: MemoryHistory(bounds: history, limit: historyBytes),
                feeds: MemoryFeeds(bounds: feeds.bounds, limit: feeds.limit)))
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
        try await self.commit(
            commit, to: screen, expecting: expected, lifetime: lifetime, as: RevisionNote())
    }

    /// Applies a commit and keeps the revision that it replaces; earlier revisions are dropped
    /// before the store is full.
    public func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime, as note: RevisionNote
    ) async throws(StoreError) -> UInt64 {
        let now = clock.unixMilliseconds
        return try state.withLock { state throws(StoreError) in
            let growth = State.maxGrowth(by: commit, note.forwarded)
            defer { memory.shrink(to: state.byteCount) }
            try reserve(growth, for: &state)
            return try state.commit(
                commit, as: note, to: screen, (expecting: expected, lifetime: lifetime), at: now)
        }
    }

    /// Reserves memory for what a write adds; drops earlier revisions if it is not free.
    private func reserve(_ growth: Int, for state: inout State) throws(StoreError) {
        guard !memory.resize(to: max(state.byteCount + growth, memory.count)) else { return }
        state.history.shrink(to: max(0, state.history.byteCount - growth))
        guard memory.resize(to: max(state.byteCount + growth, memory.count)) else {
            throw .full("the memory for screens is in use (--memory)")
        }
    }

    /// Stores events of a screen; throws that the store is full if there is no memory for them.
    public func append(
        _ events: [[UInt8]], to screen: ScreenName
    ) async throws(StoreError) -> Bool {
        let now = clock.unixMilliseconds
        return try state.withLock { state throws(StoreError) in
            guard state.revision(of: screen, at: now) != nil else { return false }
            defer { memory.shrink(to: state.byteCount) }
            try reserve(State.size(of: events), for: &state)
            state.feeds.append(events, to: screen)
            return true
        }
    }

    /// The number of events that were dropped because of the bounds or of the limit.
    public var droppedEventCount: UInt64 { state.withLock { $0.feeds.droppedCount } }

    /// Returns a part of the feed of a screen.
    ///
    /// Never throws.
    public func feed(
        of screen: ScreenName, after number: UInt64, byteCount: Int
    ) async throws(StoreError) -> FeedPart? {
        let now = clock.unixMilliseconds
        return state.withLock { state in
            guard state.revision(of: screen, at: now) != nil else { return nil }
            return state.feeds.part(of: screen, after: number, byteCount: byteCount)
        }
    }

    /// Returns a part of the screen as it was at a revision.
    ///
    /// Never throws.
    public func load(
        _ screen: ScreenName, at revision: UInt64, _ part: ScreenPart, within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        let now = clock.unixMilliseconds
        let found = state.withLock { $0.earlier(screen, revision: revision, at: now) }
        return found?.load(part, within: limits) ?? .absent
    }

    /// Returns the revisions of a screen.
    ///
    /// Never throws.
    public func revisions(
        of screen: ScreenName, before revision: UInt64?, limit: Int
    ) async throws(StoreError) -> RevisionList? {
        let now = clock.unixMilliseconds
        return state.withLock {
            $0.revisions(of: screen, before: revision, limit: limit, at: now)
        }
    }

    /// Forgets the earlier revisions of a screen, whose memory is free at once.
    ///
    /// Never throws.
    public func removeRevisions(of screen: ScreenName) async throws(StoreError) -> Bool {
        let now = clock.unixMilliseconds
        return state.withLock { state in
            guard state.screen(screen, at: now) != nil else { return false }
            state.history.removeRevisions(of: screen)
            memory.shrink(to: state.byteCount)
            return true
        }
    }

    /// Returns the number of bytes of the earlier pages of all screens, after those that are too
    /// old were dropped.
    ///
    /// Never throws.
    public func historyByteCount() async throws(StoreError) -> Int {
        let now = clock.unixMilliseconds
        return state.withLock { state in
            state.history.pruneAll(at: now)
            memory.shrink(to: state.byteCount)
            return state.history.byteCount
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

        /// The earlier revisions of the screens.
        var history: MemoryHistory
        /// The events of the screens.
        var feeds: MemoryFeeds
        /// The estimated size of all screens without their history, in bytes.
        private var currentByteCount = 0

        /// The estimated size of all screens, in bytes.
        var byteCount: Int { currentByteCount + history.byteCount + feeds.byteCount }

        /// Creates a state without screens.
        init(history: MemoryHistory, feeds: MemoryFeeds) {
            self.history = history
            self.feeds = feeds
        }

        /// Returns the number of bytes by which a commit with events can make the store larger.
        static func maxGrowth(by commit: ScreenCommit, _ events: [[UInt8]]) -> Int {
            let pages = commit.storedPages
            let growth =
                pages.isEmpty
                ? 0 : commit.byteCount + screenOverhead + pages.count * pageOverhead
            return growth + size(of: events)
        }

        /// Returns the estimated size of events.
        static func size(of events: [[UInt8]]) -> Int {
            events.reduce(0) { $0 + $1.count + MemoryFeeds.eventByteCount }
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

        /// Returns the screen at a revision as of `now`, or `nil` if that is not kept.
        mutating func earlier(
            _ name: ScreenName, revision: UInt64, at now: Int64
        ) -> StoredScreen? {
            guard let current = screen(name, at: now) else { return nil }
            history.prune(name, beside: current.head.size.byteCount, at: now)
            return history.screen(current, name, at: revision)
        }

        /// Returns the revisions of a screen as of `now`, or `nil` if there is none.
        mutating func revisions(
            of name: ScreenName, before revision: UInt64?, limit: Int, at now: Int64
        ) -> RevisionList? {
            guard let current = screen(name, at: now) else { return nil }
            history.prune(name, beside: current.head.size.byteCount, at: now)
            return history.list(of: current, name, before: revision, limit: limit)
        }

        /// Performs a compare-and-set, as ``ScreenStore/commit(_:to:expecting:lifetime:)``
        /// requires.
        mutating func commit(
            _ commit: ScreenCommit, as note: RevisionNote, to screen: ScreenName,
            _ terms: (expecting: UInt64?, lifetime: ScreenLifetime), at now: Int64
        ) throws(StoreError) -> UInt64 {
            let (expected, lifetime) = terms
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
            currentByteCount -= Self.size(of: entries[screen]?.screen)
            let former = history.bounds.isNone ? nil : entries[screen]?.screen.former(of: commit)
            entries[screen, default: Entry()].write(commit, revision, lifetime, at: now)
            currentByteCount += Self.size(of: entries[screen]?.screen)
            if let after = entries[screen]?.screen {
                history.record(after, before: former, (commit, note), of: screen, at: now)
            }
            feeds.append(note.forwarded, to: screen)
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
                screen(name, at: now).map { ScreenListing(name, $0.head) }
            }
            return Array(listed.prefix(max(0, limit)))
        }

        /// Removes the expired ones among the next few screens, and the revisions of any screen
        /// that are too old.
        private mutating func sweep(at now: Int64) {
            history.pruneAll(at: now)
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
            currentByteCount -= Self.size(of: removed.screen)
            history.removeScreen(screen)
            feeds.remove(screen)
            floor = max(floor, removed.screen.revision)
            return removed.screen.revision
        }

        private mutating func insertName(_ screen: ScreenName) {
            names.insert(screen, at: names.partitioningIndex { $0 >= screen })
        }
    }
}
