/// Where screens are kept.
///
/// A store keeps bytes and revisions and knows nothing of what is in a page. All its methods are
/// async, so that one may wait for a disk or a network, and none may block the thread it is called
/// on. Any number of calls may be under way at once, from any number of daemons where the store is
/// shared.
///
/// **Revisions.** The first write of a fresh store gives revision 1, and each write of a screen one
/// more than the screen had. A store remembers the highest revision of all the screens that were
/// ever removed or that expired; a screen made anew starts above it, so no revision of a name ever
/// comes back and an `If-Match` cannot meet a later screen by accident. A store that was restored
/// from a backup goes on far above what the backup holds, for the same reason.
///
/// **Expiry.** A write may give its screen a ``ScreenLifetime``. A screen whose time has come is
/// absent to every call from then on, though what it took up may go later.
///
/// **Writes** are compare-and-set. A write that is answered with a revision is as durable as the
/// store makes anything; one that throws ``StoreError/conflict(current:)``, ``StoreError/full(_:)``
/// or ``StoreError/corrupt(_:)`` has changed nothing. Order among writes of one screen is that of
/// their revisions; there is none between screens, so a store may commit many together.
///
/// Every store passes the conformance suite in its tests.
package protocol ScreenStore: Sendable {
    /// What tells this store from any other; the same at every call.
    func identity() async throws(StoreError) -> StoreIdentity

    /// The screen, unless it is at `revision` still.
    ///
    /// What is answered is no older than any write that had been answered, to whichever daemon, when
    /// the call began. A store that knows without asking anybody that nothing has changed answers
    /// ``ScreenLoad/unchanged`` at once: this is called on every request that reads a screen.
    /// Answers ``ScreenLoad/absent`` when there is no such screen, whatever `revision` is.
    func load(
        _ screen: ScreenName, unlessAt revision: UInt64?
    ) async throws(StoreError) -> ScreenLoad

    /// Applies `change` if the screen is at the `expected` revision (nil: if it does not exist), and
    /// answers the revision that it has now; after a `removeScreen` the one that it had. From then on
    /// the screen lives as `lifetime` has it.
    ///
    /// Throws ``StoreError/conflict(current:)`` when it is at another, and when a removal finds no
    /// screen: only a put makes one.
    func commit(
        _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64

    /// Up to `limit` screens in name order, beginning with the first one after `name`.
    func screens(
        after name: ScreenName?, limit: Int
    ) async throws(StoreError) -> [ScreenListing]

    /// How many transactions writes were committed in since the store was opened, writes that came in
    /// at once sharing one; nil for a store that has no such thing.
    var transactionCount: UInt64? { get }

    /// Delivers the store's invalidations to `handler`, which replaces the one set before.
    ///
    /// A store that only one daemon uses has none.
    func observeInvalidations(_ handler: @escaping StoreInvalidation.Handler)

    /// Returns when the store can serve, else throws: what readiness asks. May be called often.
    func checkReadiness() async throws(StoreError)

    /// Finishes what was accepted and lets go of files and connections. The store's last call.
    func close() async
}

extension ScreenStore {
    /// None: every write is by itself.
    package var transactionCount: UInt64? { nil }

    /// Does nothing: the store has no invalidations.
    package func observeInvalidations(_ handler: @escaping StoreInvalidation.Handler) {}

    /// The same for a write that leaves the screen's lifetime as it was.
    package func commit(
        _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?
    ) async throws(StoreError) -> UInt64 {
        try await commit(change, to: screen, expecting: expected, lifetime: .unchanged)
    }
}

/// The answer of ``ScreenStore/load(_:unlessAt:)``.
package enum ScreenLoad: Hashable, Sendable {
    /// There is no such screen.
    case absent
    /// The screen is at the revision that the caller has.
    case unchanged
    /// The screen as it is.
    case screen(StoredScreen)
}

/// One line of the list of screens.
package struct ScreenListing: Hashable, Sendable {
    /// The screen's name.
    package var name: ScreenName
    /// The screen's revision.
    package var revision: UInt64

    /// Puts a line together.
    package init(name: ScreenName, revision: UInt64) {
        self.name = name
        self.revision = revision
    }
}
