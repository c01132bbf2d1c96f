import Broadsheet
import BroadsheetStores
import Synchronization

/// A stored screen at one revision, with its pages resolved by one catalog: all of them, or those
/// up to one of them.
///
/// It is immutable, so any number of requests can read it without waiting.
struct ScreenSnapshot: Sendable {
    let name: ScreenName
    let head: ScreenHead
    /// The resolved pages; a store in memory shares their bytes.
    var model: PaginatedViewModel
    /// The revisions of these pages, from which those of the trees follow.
    let history: TreeHistory
    /// The estimated size in memory, in bytes.
    let byteCount: Int
    let catalog: ActiveCatalog
    /// The number of the store's restarts before the screen was read (``SnapshotCache/restarts``).
    ///
    /// After a restart, the same revision may have other contents.
    let restarts: UInt64

    /// The estimated size of a screen without its pages, in bytes.
    static let ownByteCount = 4096

    var revision: UInt64 { head.revision }

    var isComplete: Bool { model.highestPage == head.highestPage }

    /// Returns whether the snapshot knows the page of that number, stored or not.
    func hasLoaded(_ page: Int) -> Bool {
        isComplete || model.highestPage.map { page <= $0 } ?? false
    }

    func covers(_ end: ScreenPart.End) -> Bool {
        switch end {
        case .none: true
        case .lowest: isComplete || model.hasPageData
        case .after(let page): isComplete || model.page(after: page) != nil
        case .highest: isComplete
        }
    }

    func isCurrent(at revision: UInt64, by catalog: ActiveCatalog) -> Bool {
        self.revision == revision && self.catalog === catalog
    }

    /// Returns whether this snapshot is newer than `other`, or has more pages.
    func supersedes(_ other: ScreenSnapshot) -> Bool {
        (catalog.generation, revision, model.pageCount)
            > (other.catalog.generation, other.revision, other.model.pageCount)
    }

    /// Returns the revision of the tree up to a page, or, for `nil`, that of a screen without
    /// pages.
    ///
    /// - Parameters:
    ///   - page: The highest page of the tree.
    ///   - isOpen: A Boolean value that indicates whether the bound of the tree lies above that
    ///     page (``PageExtent/isOpen(above:)``); then the next page, if there is one, is loaded.
    /// - Complexity: O(pages / 64).
    func treeRevision(upTo page: Int?, isOpen: Bool = false) -> UInt64 {
        let own = history.treeRevision(
            upTo: page, declaresNext: page.flatMap(model.storedPage)?.hasNext ?? false)
        guard isOpen, let page else { return own }
        return max(own, history.lastChange(above: page))
    }

    func pageHead(_ number: Int) -> PageHead? {
        guard let page = model.storedPage(number), let revision = history[number] else {
            return nil
        }
        return PageHead(number: number, revision: revision, byteCount: page.bytes.count)
    }
}

/// The latest known snapshots of the recently used screens.
///
/// Their size is bounded in bytes; the least recently used snapshot is removed first and is read
/// from the store again when it is needed.
///
/// The store confirms each snapshot before it is used (``Screens/current(_:upTo:by:_:_:)``). The
/// cache saves resolving a screen again; it does not decide whether a screen exists. A snapshot
/// that is too large for it, or was evicted, is shared as long as its pages are in use.
final class SnapshotCache: Sendable {
    fileprivate struct State: Sendable {
        var snapshots: LRUCache<ScreenKey, ScreenSnapshot>
        /// The snapshots that are too large for the cache, or were evicted.
        var inUse = ValuesInUse<ScreenKey, SnapshotInUse>()
        /// The highest position of a catalog that a snapshot was kept of.
        var lastCatalog = 0
        var drops: UInt64 = 0
    }

    /// The state of the cache at the time when a reader began to resolve a screen.
    struct Ticket: Sendable {
        fileprivate let drops: UInt64
        let restarts: UInt64
    }

    /// The maximum size, in bytes.
    let limit: Int
    private let state: Mutex<State>
    /// The number of restarts; changed only while the lock is held.
    private let restartCount = Atomic<UInt64>(0)

    init(limit: Int) {
        self.limit = limit
        state = Mutex(State(snapshots: LRUCache(limit: limit)))
    }

    var count: Int { state.withLock { $0.snapshots.count } }

    /// Returns at most so many snapshots, in no particular order; this does not count as their use.
    ///
    /// - Complexity: O(these snapshots).
    func first(_ count: Int = .max) -> [ScreenSnapshot] {
        state.withLock { $0.snapshots.values(atMost: count) }
    }

    var byteCount: Int { state.withLock { $0.snapshots.cost } }

    /// The number of the store's restarts.
    ///
    /// A restart begins the count of revisions again, so that nothing read before it is valid after
    /// it.
    var restarts: UInt64 { restartCount.load(ordering: .acquiring) }

    /// Returns the snapshot of a screen as a catalog resolves it, and a ticket to publish a newer
    /// one.
    func lookUp(_ key: ScreenKey) -> (known: ScreenSnapshot?, ticket: Ticket) {
        let (known, shared, ticket) = state.withLock { state in
            let known = state.snapshots.value(for: key)
            return (
                known, known == nil ? state.inUse[key] : nil,
                Ticket(drops: state.drops, restarts: restarts)
            )
        }
        return (known ?? shared?.snapshot, ticket)
    }

    /// Stores a reader's snapshot, unless a newer one is known, or any screen was dropped since the
    /// ticket.
    ///
    /// If the dropped screen was this one, its snapshot would stay in memory unused.
    func publish(_ snapshot: ScreenSnapshot, ticket: Ticket) {
        // The evicted snapshots are deallocated outside of the lock.
        _ = state.withLock { state in
            state.drops == ticket.drops ? state.keep(snapshot) : []
        }
    }

    /// Stores a writer's snapshot, unless a newer one is known, or the store has restarted since.
    func publish(_ snapshot: ScreenSnapshot) {
        _ = state.withLock { snapshot.restarts == restarts ? $0.keep(snapshot) : [] }
    }

    /// Removes all snapshots and counts a restart of the store, after which revisions may have
    /// other contents.
    func restart() {
        // The removed snapshots are deallocated outside of the lock.
        _ = state.withLock { state in
            restartCount.add(1, ordering: .acquiringAndReleasing)
            state.drops &+= 1
            var removed = LRUCache<ScreenKey, ScreenSnapshot>(limit: state.snapshots.limit)
            swap(&removed, &state.snapshots)
            state.inUse = ValuesInUse()
            return removed
        }
    }

    /// Removes the snapshots of a removed screen whose revision is not later than `revision`.
    func drop(_ screen: ScreenName, upTo revision: UInt64) {
        _ = state.withLock { state -> [ScreenSnapshot] in
            state.drops &+= 1
            return ScreenKey.all(of: screen, upTo: state.lastCatalog).compactMap { key in
                state.inUse.remove(key)
                guard let known = state.snapshots.value(for: key), known.revision <= revision
                else { return nil }
                return state.snapshots.remove(key)
            }
        }
    }
}

extension SnapshotCache.State {
    /// Stores a snapshot unless a newer one is known, and returns the removed snapshots.
    fileprivate mutating func keep(_ snapshot: ScreenSnapshot) -> [ScreenSnapshot] {
        let key = snapshot.key
        let known = snapshots.value(for: key)
        if let known, !snapshot.supersedes(known) { return [] }
        if let shared = inUse[key], shared.isInUse, !shared.isSuperseded(by: snapshot) {
            return []
        }
        lastCatalog = max(lastCatalog, key.catalog)
        let evicted = snapshots.insert(snapshot, for: key, cost: snapshot.byteCount)
        if snapshots.contains(key) {
            inUse.remove(key)
        } else if snapshot.byteCount > Work.maxInlineCost {
            inUse.insert(SnapshotInUse(snapshot), for: key)
        }
        for (key, snapshot) in evicted where snapshot.byteCount > Work.maxInlineCost {
            inUse.insert(SnapshotInUse(snapshot), for: key)
        }
        return evicted.map(\.value) + (known.map { [$0] } ?? [])
    }
}

/// The memory to read a screen.
extension MemoryCost {
    /// Returns the memory to index the largest of the pages of a stored screen that `known` has not
    /// resolved, and of all of them without their items and sections.
    static func loading(_ stored: StoredScreen, reusing known: ScreenSnapshot?) -> Int {
        var (total, largest) = (0, 0)
        for page in stored.pages where known?.history[page.number] != page.revision {
            total += page.bytes.count + ResolvedPage.ownByteCount
            largest = max(largest, page.bytes.count)
        }
        return total + indexing(bytes: largest)
    }
}

extension ScreenSnapshot {
    /// Returns the number of bytes that are reserved for those pages that a later state of the
    /// screen has as well.
    func reservedByteCount(sharedWith stored: StoredScreen) -> Int {
        stored.pages.reduce(0) { count, page in
            guard history[page.number] == page.revision else { return count }
            return count + (model.storedPage(page.number)?.reservedByteCount ?? 0)
        }
    }

    /// A Boolean value that indicates whether a layout of the screen may have to run on a worker
    /// thread (``WorkCost/layout(of:upTo:)``).
    ///
    /// - Complexity: O(1).
    var mayBeExpensive: Bool {
        byteCount > Work.maxInlineCost / catalog.registry.resolvingFactor
    }
}

extension WorkCost {
    /// The cost of resolving the pages of a stored screen, except those that `known` has resolved.
    ///
    /// - Complexity: O(1), because the sum ends above the maximum cost on an event loop.
    static func resolving(
        _ stored: StoredScreen, reusing known: ScreenSnapshot?, by registry: CellRegistry
    ) -> Int {
        let factor = registry.resolvingFactor
        var cost = 0
        for page in stored.pages where cost <= Work.maxInlineCost {
            let isKnown = known?.history[page.number] == page.revision
            cost += entry + (isKnown ? 0 : page.bytes.count * factor)
        }
        return cost
    }
}
