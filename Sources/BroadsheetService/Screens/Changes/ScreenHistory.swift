import Broadsheet
import BroadsheetIO
import BroadsheetStores
import Synchronization

/// The earlier revisions of screens that are still in memory, from which changes are computed.
///
/// A revision costs the pages that the one after it does not share, and the layouts that were made
/// of it; their memory is then that of the history (``MemoryKind/history``). The limit applies to
/// all screens together; the oldest revisions are dropped first.
final class ScreenHistory: Sendable {
    /// The estimated size of a revision besides its pages and layouts, in bytes.
    static let entryByteCount = 4096
    static let maxLayouts = 8

    struct Entry: Sendable {
        let snapshot: ScreenSnapshot
        /// The number of the entry among those of all screens.
        let number: UInt64
        var cost: Int
        /// The memory of the entry besides its pages and layouts.
        let memory: MemoryReservation
        var layouts: [LayoutKey: ReservedLayout] = [:]
    }

    struct State: Sendable {
        /// The revisions of each screen as each catalog resolves it, ascending.
        var screens: [ScreenKey: FIFO<Entry>] = [:]
        /// The highest position of a catalog that a revision was kept of.
        var lastCatalog = 0
        /// All entries in the order of their numbers, and some that were dropped with their screen.
        var order = FIFO<(screen: ScreenKey, number: UInt64)>()
        var nextNumber: UInt64 = 0
        var cost = 0
        var count = 0
        /// The revisions that were read from the store, by their screen and revision.
        var loaded = LRUCache<LoadedKey, Loaded>(limit: 0)
    }

    /// The key of a revision that was read from the store.
    struct LoadedKey: Sendable, Hashable {
        let screen: ScreenKey
        let revision: UInt64
    }

    /// A revision that was read from the store.
    struct Loaded: Sendable {
        let snapshot: ScreenSnapshot
        /// Its memory besides its pages.
        let memory: MemoryReservation
    }

    private let state: Mutex<State>
    private let memory: MemoryBudget
    /// The maximum size of all revisions, in bytes.
    let limit: Int

    init(limit: Int, memory: MemoryBudget) {
        self.limit = limit
        self.memory = memory
        state = Mutex(State(loaded: LRUCache(limit: limit / Self.loadedDivisor)))
    }

    /// The part of the limit that revisions take at most that were read from the store.
    private static let loadedDivisor = 2

    var byteCount: Int { state.withLock { $0.cost + $0.loaded.cost } }

    var count: Int { state.withLock { $0.count } }

    /// Keeps a revision that a newer one replaces, with those of its pages that are in memory.
    ///
    /// - Complexity: O(pages / 64).
    func record(_ snapshot: ScreenSnapshot, replacedBy newer: ScreenSnapshot) {
        guard snapshot.isComparable(with: newer), snapshot.revision < newer.revision,
            snapshot.isComplete || snapshot.model.hasPageData, limit > 0
        else { return }
        let replaced = snapshot.model.pages(missingFrom: newer.model)
        let cost =
            Self.entryByteCount
            + replaced.reduce(0) { $0 + $1.byteCountInMemory + $1.inputByteCount }
        guard cost <= limit,
            let own = memory.reservation(of: Self.entryByteCount, for: .history)
        else { return }
        // The dropped revisions are freed outside of the lock.
        let (isKept, _) = state.withLock { state -> (Bool, [Entry]) in
            let outdated = state.removeOutdated(by: newer)
            if let last = state.screens[snapshot.key]?.last,
                last.snapshot.revision >= snapshot.revision
            {
                return (false, outdated)
            }
            state.append(snapshot, cost: cost, own)
            return (true, outdated + state.shrink(to: limit - state.loaded.cost))
        }
        if isKept { for page in replaced { page.moveMemoryToHistory() } }
    }

    func drop(_ screen: ScreenName) {
        _ = state.withLock { state in
            (
                ScreenKey.all(of: screen, upTo: state.lastCatalog).flatMap { state.remove($0) },
                state.removeLoaded { $0.screen.screen == screen }
            )
        }
    }

    func removeAll() {
        _ = state.withLock { state in
            var removed = State(loaded: LRUCache(limit: state.loaded.limit))
            swap(&removed, &state)
            return removed
        }
    }

    /// Returns the first known state of a screen at a revision or later, with its pages up to
    /// `end`.
    ///
    /// - Parameter current: The screen as it is; it is the result if no earlier one is known.
    func snapshot(
        of current: ScreenSnapshot, from revision: UInt64, upTo end: ScreenPart.End
    ) -> ScreenSnapshot? {
        guard revision <= current.revision else { return nil }
        return state.withLock { state in
            let key = LoadedKey(screen: current.key, revision: revision)
            if let loaded = state.loaded.value(for: key)?.snapshot,
                loaded.isComparable(with: current), loaded.covers(end)
            {
                return loaded
            }
            guard let entries = state.screens[current.key] else { return nil }
            let first = entries.firstPosition { $0.snapshot.revision >= revision }
            for position in first..<entries.count {
                if let snapshot = entries[position]?.snapshot,
                    snapshot.isComparable(with: current), snapshot.covers(end)
                {
                    return snapshot
                }
            }
            return nil
        } ?? current
    }

    /// Returns a revision that was read from the store, if it is in memory.
    func loaded(
        _ read: ScreenRead, at revision: UInt64, restarts: UInt64
    ) -> ScreenSnapshot? {
        let key = LoadedKey(screen: read.key, revision: revision)
        let found = state.withLock { $0.loaded.value(for: key)?.snapshot }
        guard let found, found.catalog === read.catalog, found.restarts == restarts,
            found.covers(read.end)
        else { return nil }
        return found
    }

    /// `known` is the snapshot whose pages it shares.
    func keepLoaded(_ snapshot: ScreenSnapshot, besides known: ScreenSnapshot?) {
        let own = snapshot.model.pages(
            missingFrom: known?.model ?? PaginatedViewModel(limits: .unlimited))
        let cost =
            Self.entryByteCount
            + own.reduce(0) { $0 + $1.byteCountInMemory + $1.inputByteCount }
        guard cost <= limit / Self.loadedDivisor,
            let reserved = memory.reservation(of: Self.entryByteCount, for: .history)
        else { return }
        let key = LoadedKey(screen: snapshot.key, revision: snapshot.revision)
        // The dropped revisions are freed outside of the lock.
        _ = state.withLock { state in
            let evicted = state.loaded.insert(
                Loaded(snapshot: snapshot, memory: reserved), for: key, cost: cost)
            return (evicted, state.shrink(to: limit - state.loaded.cost))
        }
        for page in own { page.moveMemoryToHistory() }
    }

    func cachedLayout(for key: LayoutKey, of snapshot: ScreenSnapshot) -> ReservedLayout? {
        state.withLock { state in
            state.position(of: snapshot).flatMap {
                state.screens[snapshot.key]?[$0]?.layouts[key]
            }
        }
    }

    /// Keeps layouts of a revision that a newer one has replaced, those of the most pages first,
    /// so that the next changes need no layout from nothing.
    ///
    /// Together they take at most a small part of the limit, which is meant for the revisions; and
    /// each replaces that of the same pages and clients of the revision before, which can be made
    /// from it.
    func keep(
        _ layouts: [(key: LayoutKey, layout: ReservedLayout)], of snapshot: ScreenSnapshot
    ) {
        var rest = limit / Self.layoutsDivisor
        for (key, layout) in layouts.sorted(by: { $0.key.tree.page ?? -1 > $1.key.tree.page ?? -1 })
            .prefix(Self.maxLayouts)
        where layout.byteCount <= rest {
            rest -= layout.byteCount
            keep(layout, for: key, of: snapshot)
            // It is freed outside of the lock.
            _ = state.withLock { $0.removeLayout(replacedBy: key, of: snapshot) }
        }
    }

    /// The part of the limit that the layouts of one replaced revision take at most.
    private static let layoutsDivisor = 32

    /// Keeps a layout of an earlier revision, if that is still there.
    func keep(_ screen: ReservedLayout, for layout: StoredLayout) {
        let key = layout.key(for: .frames, lint: layout.parameters.lint)
        keep(screen, for: key, of: layout.snapshot)
    }

    private func keep(_ layout: ReservedLayout, for key: LayoutKey, of snapshot: ScreenSnapshot) {
        // The dropped revisions are freed outside of the lock.
        let dropped = state.withLock { state -> [Entry]? in
            state.keep(layout, for: key, of: snapshot, limit: limit - state.loaded.cost)
        }
        if dropped != nil { layout.moveMemoryToHistory() }
    }
}

extension ScreenSnapshot {
    /// Returns whether a state of the screen is resolved by the same catalog, without a restart of
    /// the store in between.
    fileprivate func isComparable(with other: ScreenSnapshot) -> Bool {
        catalog === other.catalog && restarts == other.restarts
    }
}

extension ScreenHistory.State {
    fileprivate func position(of snapshot: ScreenSnapshot) -> Int? {
        guard let entries = screens[snapshot.key] else { return nil }
        let position = entries.firstPosition { $0.snapshot.revision >= snapshot.revision }
        guard position < entries.count, let known = entries[position]?.snapshot,
            known.revision == snapshot.revision,
            known.catalog === snapshot.catalog
        else { return nil }
        return position
    }

    fileprivate mutating func append(
        _ snapshot: ScreenSnapshot, cost: Int, _ memory: MemoryReservation
    ) {
        let key = snapshot.key
        lastCatalog = max(lastCatalog, key.catalog)
        screens[key, default: FIFO()].append(
            ScreenHistory.Entry(
                snapshot: snapshot, number: nextNumber, cost: cost, memory: memory))
        order.append((key, nextNumber))
        nextNumber += 1
        count += 1
        self.cost += cost
    }

    /// Removes and returns the revisions of a screen that no request can be compared with any more.
    fileprivate mutating func removeOutdated(by newer: ScreenSnapshot) -> [ScreenHistory.Entry] {
        guard let first = screens[newer.key]?.first, !first.snapshot.isComparable(with: newer)
        else { return [] }
        return remove(newer.key)
    }

    fileprivate mutating func remove(_ screen: ScreenKey) -> [ScreenHistory.Entry] {
        var entries = screens.removeValue(forKey: screen)
        let removed = entries?.removeAll() ?? []
        count -= removed.count
        cost -= removed.reduce(0) { $0 + $1.cost }
        return removed
    }

    fileprivate mutating func removeLoaded(
        where isRemoved: (ScreenHistory.LoadedKey) -> Bool
    ) -> [ScreenHistory.Loaded] {
        var keys: [ScreenHistory.LoadedKey] = []
        loaded.forEachFromOldest { key, _ in if isRemoved(key) { keys.append(key) } }
        return keys.compactMap { loaded.remove($0) }
    }

    /// Removes and returns the oldest revisions until all others are within the limit.
    fileprivate mutating func shrink(to limit: Int) -> [ScreenHistory.Entry] {
        var removed: [ScreenHistory.Entry] = []
        while cost > limit, let next = order.popFirst() {
            guard let first = screens[next.screen]?.first, first.number == next.number else {
                continue
            }
            cost -= first.cost
            count -= 1
            removed.append(first)
            _ = screens[next.screen]?.popFirst()
            if screens[next.screen]?.isEmpty == true { screens[next.screen] = nil }
        }
        return removed
    }

    /// Keeps a layout of a revision, if that is still there.
    ///
    /// - Returns: The revisions that are dropped for it; `nil` if it is not kept.
    fileprivate mutating func keep(
        _ layout: ReservedLayout, for key: LayoutKey, of snapshot: ScreenSnapshot, limit: Int
    ) -> [ScreenHistory.Entry]? {
        let layoutCost = layout.byteCount + LayoutCache.entryOverhead
        guard let position = position(of: snapshot), layoutCost <= limit / 2 else { return nil }
        guard let known = screens[snapshot.key]?[position]?.layouts,
            known.count < ScreenHistory.maxLayouts, known[key] == nil
        else { return nil }
        screens[snapshot.key]?[position]?.layouts[key] = layout
        screens[snapshot.key]?[position]?.cost += layoutCost
        cost += layoutCost
        return shrink(to: limit)
    }

    /// Removes and returns the layout of the same pages, for the same clients, of the revision
    /// before another one, if there is one.
    fileprivate mutating func removeLayout(
        replacedBy key: LayoutKey, of snapshot: ScreenSnapshot
    ) -> ReservedLayout? {
        guard let position = position(of: snapshot), position > 0,
            let layouts = screens[snapshot.key]?[position]?.layouts, layouts[key] != nil,
            let (old, layout) = screens[snapshot.key]?[position - 1]?.layouts
                .first(where: { old, _ in
                    old.tree.page == key.tree.page && old.outcome == key.outcome
                        && old.parameters == key.parameters
                })
        else { return nil }
        let freed = layout.byteCount + LayoutCache.entryOverhead
        screens[snapshot.key]?[position - 1]?.layouts[old] = nil
        screens[snapshot.key]?[position - 1]?.cost -= freed
        cost -= freed
        return layout
    }
}
