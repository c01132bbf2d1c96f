/// A store of screens.
///
/// A store keeps bytes and revisions and does not interpret pages. Its methods may wait for a disk
/// or a network but never block the calling thread. Any number of calls may be in progress at once,
/// from any number of daemons if the store is shared.
///
/// **Revisions.** The first write to a new store creates revision 1; each write to a screen
/// increments the revision of the screen. A store records the highest revision of all screens
/// that were removed or expired, and new screens start above it. No revision of a name is assigned
/// twice, so an `If-Match` cannot match a later screen by accident. For the same reason a store
/// that was restored from a backup continues far above the revisions in the backup.
///
/// **Expiry.** A write may set a ``ScreenLifetime``. An expired screen is absent to every call,
/// although its storage may be freed later.
///
/// **Writes** are compare-and-set. A write that returns a revision is as durable as the store makes
/// any write; one that throws another error than ``StoreError/unavailable(_:)`` has changed
/// nothing. Writes to one screen are ordered by revision; writes to different screens are not
/// ordered, so a store may commit many of them together.
///
/// **A store of one's own** has to implement ``identity()``, ``load(_:unlessAt:_:within:)``,
/// ``commit(_:to:expecting:lifetime:)``, ``screens(after:prefix:limit:)``, ``checkReadiness()`` and
/// ``close()``; the rest has a default. It may keep what it likes as long as it can make a
/// ``StoredScreen`` of it, whose methods have the rules: `apply` for a commit, `load` for a part.
///
/// Every store passes the conformance suite of `BroadsheetTesting` in its tests.
public protocol ScreenStore: Sendable {
    /// Returns the stable identity of the store.
    func identity() async throws(StoreError) -> StoreIdentity

    /// Returns a part of the screen, unless its revision is still `revision`.
    ///
    /// The result reflects every write that any daemon had acknowledged before the call. This
    /// method is called on every request that reads a screen, so a store that can decide it locally
    /// returns ``ScreenLoad/unchanged`` without I/O. If there is no such screen, the result is
    /// ``ScreenLoad/absent`` for any `revision`.
    ///
    /// Pages outside of the part are not read. Nothing but the head of a screen is read if the
    /// screen, or a page of the part, exceeds a limit; a part without pages exceeds none.
    func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad

    /// Returns the screen without its pages, and one of them; `nil` if there is no such screen.
    ///
    /// - Parameters:
    ///   - number: The number of the page; `nil` for the highest.
    ///   - screen: The screen.
    ///   - byteCount: The number of bytes above which the bytes of the page are not read; `nil` to
    ///     read none.
    func page(
        _ number: Int?, of screen: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad?

    /// Returns whether ``load(_:unlessAt:_:within:)`` would return ``ScreenLoad/unchanged``, if the
    /// store can decide it on the calling thread without waiting; otherwise `false`.
    func isKnown(_ screen: ScreenName, toBeAt revision: UInt64) -> Bool

    /// Applies a commit if the screen is at the expected revision.
    ///
    /// - Parameters:
    ///   - commit: The commit to apply.
    ///   - screen: The screen to write to.
    ///   - expected: The revision that the screen must have; `nil` if it must not exist.
    ///   - lifetime: The lifetime of the screen from now on.
    /// - Returns: The new revision of the screen, or its last revision if it was removed.
    /// - Throws: ``StoreError/conflict(current:)`` if the screen has another revision, or if a
    ///   commit finds no screen and does not create one (``ScreenCommit/createsScreen``).
    func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64

    /// Applies a commit, as ``ScreenStore/commit(_:to:expecting:lifetime:)`` does, and keeps the
    /// revision that it replaces. The record of the new revision has the facts of the note.
    func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime, as note: RevisionNote
    ) async throws(StoreError) -> UInt64

    /// Returns a part of the screen as it was at a revision.
    ///
    /// - Returns: ``ScreenLoad/absent`` for a revision that is not kept, or does not exist yet.
    func load(
        _ screen: ScreenName, at revision: UInt64, _ part: ScreenPart, within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad

    /// Returns up to `limit` revisions of the screen, the newest first, of those before `revision`;
    /// `nil` if there is no such screen. Without `revision` the first one is the current one.
    func revisions(
        of screen: ScreenName, before revision: UInt64?, limit: Int
    ) async throws(StoreError) -> RevisionList?

    /// Forgets all earlier revisions of the screen; their pages are deleted.
    ///
    /// - Returns: `false` if there is no such screen.
    func removeRevisions(of screen: ScreenName) async throws(StoreError) -> Bool

    /// Returns the number of bytes of the earlier pages of all screens, as far as it is known.
    func historyByteCount() async throws(StoreError) -> Int

    /// The bounds of each feed.
    var feedBounds: FeedBounds { get }

    /// The number of events that the writes of this object have dropped because of the bounds.
    ///
    /// The events of screens that end are not dropped ones.
    var droppedEventCount: UInt64 { get }

    /// Stores events of a screen, all or none, as durably as a commit, without a new revision.
    ///
    /// - Returns: `false` if there is no such screen, and nothing was stored.
    func append(_ events: [[UInt8]], to screen: ScreenName) async throws(StoreError) -> Bool

    /// Returns events of a screen after a number: about `byteCount` bytes of them, and one at least
    /// if there is any; `nil` if there is no such screen.
    func feed(
        of screen: ScreenName, after number: UInt64, byteCount: Int
    ) async throws(StoreError) -> FeedPart?

    /// Returns up to `limit` screens in name order, beginning with the first one after `name`, of
    /// those whose names begin with `prefix`.
    func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing]

    /// The number of transactions in which writes were committed since the store was opened, or
    /// `nil` if the store has no transactions. Concurrent writes may share one.
    var transactionCount: UInt64? { get }

    /// Delivers the store's invalidations to `handler`, which replaces the one set before.
    ///
    /// A store that only one daemon uses has none.
    func observeInvalidations(_ handler: @escaping StoreInvalidation.Handler)

    /// Returns if the store can serve requests, and throws otherwise. Called by each readiness
    /// probe.
    func checkReadiness() async throws(StoreError)

    /// Returns if a write of a page of `byteCount` bytes would succeed, and throws the error of
    /// such a write otherwise.
    ///
    /// A store that can fail to write finds out by a write that changes no screen. Reads may work
    /// while this throws.
    func checkWrites(ofBytes byteCount: Int) async throws(StoreError)

    /// Completes accepted writes and closes files and connections. No call may follow.
    func close() async
}

extension ScreenStore {
    /// The numbers of a store on a server that daemons share; `nil` for another store.
    package var server: (any ServerStore)? {
        if let store = self as? BackedStore { return store.isShared ? store : nil }
        return self as? any ServerStore
    }
}

/// The former name of the protocol.
public typealias HistoryStore = ScreenStore
/// The former name of the protocol.
public typealias FeedStore = ScreenStore

extension ScreenStore {
    /// Returns the screen with all its pages, whatever their size, unless its revision is still
    /// `revision`.
    public func load(
        _ screen: ScreenName, unlessAt revision: UInt64?
    ) async throws(StoreError) -> ScreenLoad {
        try await load(screen, unlessAt: revision, .all, within: .unlimited)
    }

    /// Returns up to `limit` screens in name order, beginning with the first one after `name`.
    public func screens(
        after name: ScreenName?, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await screens(after: name, prefix: .none, limit: limit)
    }

    /// Loads the screen with all its pages, and returns one of them.
    public func page(
        _ number: Int?, of screen: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad? {
        guard case .screen(let stored) = try await load(screen, unlessAt: nil) else { return nil }
        return stored.load(number, atMost: byteCount)
    }

    /// Returns at once: a store whose writes do not depend on anything outside of the process.
    public func checkWrites(ofBytes byteCount: Int) async throws(StoreError) {}

    /// `false`: the store has to be asked.
    public func isKnown(_ screen: ScreenName, toBeAt revision: UInt64) -> Bool { false }

    /// `nil`: the store has no transactions.
    public var transactionCount: UInt64? { nil }

    /// Does nothing: the store has no invalidations.
    public func observeInvalidations(_ handler: @escaping StoreInvalidation.Handler) {}

    /// Applies a commit and keeps the lifetime of the screen.
    public func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?
    ) async throws(StoreError) -> UInt64 {
        try await self.commit(commit, to: screen, expecting: expected, lifetime: .unchanged)
    }
}

/// The result of ``ScreenStore/load(_:unlessAt:_:within:)``.
public enum ScreenLoad: Hashable, Sendable {
    /// There is no such screen.
    case absent
    /// The screen is at the revision that the caller has.
    case unchanged
    /// The part of the current screen.
    case screen(StoredScreen)
    /// The screen exceeds a limit, so its pages were not read.
    case tooLarge(ScreenHead, ReadExcess)
}

/// An entry in the list of screens.
public struct ScreenListing: Hashable, Sendable {
    /// The name of the screen.
    public var name: ScreenName
    /// The revision of the screen.
    public var revision: UInt64
    /// The bytes of its pages, if they are known without reading them.
    public var byteCount: Int?

    /// Creates an entry.
    public init(name: ScreenName, revision: UInt64, byteCount: Int? = nil) {
        self.name = name
        self.revision = revision
        self.byteCount = byteCount
    }

    /// Creates the entry of a screen.
    init(_ name: ScreenName, _ head: ScreenHead) {
        self.init(name: name, revision: head.revision, byteCount: head.size.byteCount)
    }
}
