import BroadsheetStores
import Synchronization

/// Several stores of one database, to which calls go in turn: commits, and calls of other kinds.
///
/// The two are counted apart. A write is often a read and a commit, and otherwise the commits of
/// two stores would all be those of one.
final class AlternatingStore: ScreenStore {
    private let stores: [any ScreenStore]
    private let commits = Atomic(0)
    private let otherCalls = Atomic(0)

    /// Creates a store of at least one other.
    init(_ stores: [any ScreenStore]) { self.stores = stores }

    private var nextOfCommits: any ScreenStore {
        stores[commits.add(1, ordering: .relaxed).oldValue % stores.count]
    }

    private var next: any ScreenStore {
        stores[otherCalls.add(1, ordering: .relaxed).oldValue % stores.count]
    }

    func identity() async throws(StoreError) -> StoreIdentity { try await next.identity() }

    func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        try await next.load(screen, unlessAt: revision, part, within: limits)
    }

    func page(
        _ number: Int?, of screen: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad? {
        try await next.page(number, of: screen, atMost: byteCount)
    }

    func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        try await nextOfCommits.commit(commit, to: screen, expecting: expected, lifetime: lifetime)
    }

    func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await next.screens(after: name, prefix: prefix, limit: limit)
    }

    func checkReadiness() async throws(StoreError) { try await next.checkReadiness() }

    func close() async { for store in stores { await store.close() } }
}
