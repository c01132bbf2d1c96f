import Broadsheet
import BroadsheetIO
import BroadsheetStores
import Synchronization

/// A cache of laid-out screens and of the trees and pictures written from them.
///
/// Its size is limited in bytes; the least recently used entries are evicted first. Keys contain
/// the revision of the tree and the catalog, so that an outdated entry is never found. Entries of
/// an older version of a tree are removed as soon as a newer version is inserted, since no request
/// uses them again. A layout that is too large for the cache, or was evicted, is shared as long as
/// it is in use.
final class LayoutCache: Sendable {
    /// The estimated size of an entry besides its value, in bytes: its key twice, and its indices.
    static let entryOverhead = 512

    fileprivate enum Value: Sendable {
        case layout(ReservedLayout)
        case bytes(CachedBytes)
        /// The length of a tree that is written while it is sent.
        case length(Int)
        /// That a content is not compressed.
        case plain

        /// The tree or picture; `nil` for a layout.
        var content: CachedContent? {
            switch self {
            case .bytes(let bytes): .bytes(bytes)
            case .length(let length): .length(length)
            case .layout, .plain: nil
            }
        }

        func takeRepetition() -> Bool {
            if case .bytes(let bytes) = self { bytes.takeRepetition() } else { false }
        }
    }

    private let state: Mutex<State>
    private let metrics: ServiceMetrics

    /// `limit` is the maximum size in bytes; 0 disables the cache.
    init(limit: Int, metrics: ServiceMetrics) {
        state = Mutex(State(entries: LRUCache(limit: max(0, limit))))
        self.metrics = metrics
        metrics.layoutCacheLimit.set(Int64(max(0, limit)))
    }

    var byteCount: Int { state.withLock { $0.entries.cost } }

    var count: Int { state.withLock { $0.entries.count } }

    /// Returns the laid-out screen of a key; otherwise calls `make` and inserts its result.
    ///
    /// - Parameters:
    ///   - lower: The page before the highest one of the layout, if there is one.
    ///   - outcome: Returns the outcome of the key's conditions in the pages up to another page.
    ///   - make: Lays the screen out; it can reuse the layout that it is given, of fewer pages or
    ///     of an earlier version.
    func layout<Failure: Error>(
        for key: LayoutKey, after lower: Int?, or similar: ReservedLayout? = nil,
        outcome: (Int) -> Outcome = { _ in .none },
        orMake make: (ReservedLayout?) throws(Failure) -> ReservedLayout
    ) throws(Failure) -> ReservedLayout {
        if case .layout(let known) = value(for: key) { return known }
        let earlier = layoutToContinue(for: key, after: lower, outcome: outcome)
        let made = try make(earlier?.layout ?? similar)
        insert(
            .layout(made), for: key, cost: made.byteCount,
            continuing: made.continuedByteCount.flatMap { count in
                earlier.map { ($0.key, count) }
            })
        return made
    }

    /// Returns a layout from which that of a key can be made: of an earlier version of the tree, or
    /// else of fewer pages.
    ///
    /// - Parameters:
    ///   - key: The key of the layout to make.
    ///   - lower: The page before its highest one, if there is one.
    ///   - outcome: Returns the outcome of the key's conditions in the pages up to another page.
    /// - Complexity: O(1) if there is one of the same pages or without the last page; O(layouts of
    ///   the screen) otherwise.
    func layoutToContinue(
        for key: LayoutKey, after lower: Int?, outcome: (Int) -> Outcome = { _ in .none }
    ) -> (key: LayoutKey, layout: ReservedLayout)? {
        let (known, hasTrees) = state.withLock { state in
            (state.layout(like: key, of: key.tree.page), state.screens[key.screen] != nil)
        }
        guard known == nil, hasTrees, let lower else { return known }
        if let known = layout(like: key, of: lower, outcome) { return known }
        for page in pages(of: key, below: lower).prefix(Self.searchedPages) {
            if let known = layout(like: key, of: page, outcome) { return known }
        }
        return nil
    }

    private func layout(
        like key: LayoutKey, of page: Int, _ outcome: (Int) -> Outcome
    ) -> (key: LayoutKey, layout: ReservedLayout)? {
        var key = key
        // Outside of the lock, because it takes another one.
        key.outcome = outcome(page)
        return state.withLock { [key] state in state.layout(like: key, of: page) }
    }

    /// Returns the pages below another one of which there are trees by the catalog of a key,
    /// descending.
    private func pages(of key: LayoutKey, below page: Int) -> [Int] {
        state.withLock { state in
            let trees = state.screens[key.screen]?.keys.filter {
                $0.catalog == key.tree.catalog && !$0.isOpen
            }
            return (trees ?? []).compactMap(\.page).filter { $0 < page }.sorted(by: >)
        }
    }

    /// The number of trees of fewer pages among which a layout to reuse is looked for.
    private static let searchedPages = 8

    /// Returns the tree or picture of a key; otherwise calls `make` and inserts its result.
    ///
    /// - Parameter memory: The reservation from which the entry takes its own.
    func content(
        for key: LayoutKey, _ memory: MemoryReservation,
        orMake make: () throws(Problem) -> LayoutContent
    ) throws(Problem) -> CachedContent {
        if let known = value(for: key)?.content { return known }
        switch try make() {
        case .bytes(let bytes):
            // A writer reserves more capacity than it uses, which the cache would keep too.
            let trimmed = bytes.trimmed()
            let kept = CachedBytes(trimmed, memory.split(trimmed.count, for: .layouts))
            insert(.bytes(kept), for: key, cost: kept.bytes.count)
            return .bytes(kept)
        case .source(let source):
            insert(.length(source.byteCount), for: key, cost: 0)
            return .length(source.byteCount)
        }
    }

    /// The absence of a content is not counted; `counted` says whether its use is.
    func cachedContent(for key: LayoutKey, counted: Bool = true) -> CachedContent? {
        let known = state.withLock { $0.entries.value(for: key) }?.content
        if counted, known != nil { metrics.layoutCacheHits.add(at: key.content.labelIndex) }
        return known
    }

    /// Returns the outcome of the compression of a content if it is in the cache; its absence is
    /// not counted, because the plain content is requested then.
    func cachedCompression(for key: LayoutKey) -> CompressedContent? {
        switch state.withLock({ $0.entries.value(for: key) }) {
        case .bytes(let known)?:
            metrics.layoutCacheHits.add(at: key.content.labelIndex)
            return .bytes(known.bytes)
        case .plain?: return .plain(isPermanent: true)
        case .layout?, .length?, nil: return nil
        }
    }

    /// Inserts the outcome of a compression, if it depends on the content alone.
    ///
    /// - Parameter memory: The reservation from which the entry takes its own.
    func insert(_ content: CompressedContent, for key: LayoutKey, _ memory: MemoryReservation) {
        switch content {
        case .bytes(let bytes):
            let kept = CachedBytes(bytes.trimmed(), memory.split(bytes.count, for: .layouts))
            insert(.bytes(kept), for: key, cost: kept.bytes.count)
        case .plain(isPermanent: true): insert(.plain, for: key, cost: 0)
        case .plain(isPermanent: false): break
        }
    }

    /// Returns the layout if it is in the cache or in use; its absence is not counted.
    func cachedLayout(for key: LayoutKey, counted: Bool = true) -> ReservedLayout? {
        guard case .layout(let known) = state.withLock({ $0.value(for: key) }) else { return nil }
        if counted { metrics.layoutCacheHits.add(at: key.content.labelIndex) }
        return known
    }

    /// Removes the entries of a screen's trees that have not changed since `revision`; all its
    /// entries if that is `nil`.
    func drop(_ screen: ScreenName, before revision: UInt64?) {
        drop(screen) { version, _ in revision.map { version.revision < $0 } ?? true }
    }

    /// Removes the entries of those trees of a screen that its snapshot does not have.
    ///
    /// - Returns: The layouts among them.
    func dropOutdated(
        by snapshot: ScreenSnapshot
    ) -> [(key: LayoutKey, layout: ReservedLayout)] {
        let dropped = drop(snapshot.name) { version, tree in
            // The next reader by another catalog drops those of it.
            guard tree.catalog == snapshot.catalog.position,
                // The next reader of a tree drops it if a part of the screen does not show it.
                let revision = snapshot.revision(of: tree)
            else { return false }
            return version < snapshot.layoutVersion(at: revision)
        }
        return dropped.compactMap { key, value in
            if case .layout(let layout) = value { (key, layout) } else { nil }
        }
    }

    /// Removes entries, and returns them so that they are freed outside of the lock.
    @discardableResult
    private func drop(
        _ screen: ScreenName, where isOutdated: (LayoutKey.Version, LayoutKey.Tree) -> Bool
    ) -> [(key: LayoutKey, value: Value)] {
        state.withLock { state in
            guard let trees = state.screens[screen] else { return [] }
            defer { metrics.layoutCacheBytes.set(Int64(state.entries.cost)) }
            return trees.flatMap { tree, known in
                isOutdated(known.version, tree) ? state.remove(known.keys) : []
            }
        }
    }

    func removeAll() {
        // The values are freed outside of the lock.
        _ = state.withLock { state in
            var removed = State(entries: LRUCache(limit: state.entries.limit))
            swap(&removed, &state)
            metrics.layoutCacheBytes.set(0)
            return removed
        }
    }

    private func value(for key: LayoutKey) -> Value? {
        let value = state.withLock { $0.value(for: key) }
        (value == nil ? metrics.layoutCacheMisses : metrics.layoutCacheHits)
            .add(at: key.content.labelIndex)
        return value
    }

    private func insert(
        _ value: Value, for key: LayoutKey, cost: Int,
        continuing shorter: (key: LayoutKey, cost: Int)? = nil
    ) {
        let removed = state.withLock { state in
            let removed = state.insert(
                value, for: key, cost: cost + Self.entryOverhead, continuing: shorter)
            metrics.layoutCacheBytes.set(Int64(state.entries.cost))
            return removed
        }
        // The removed values are freed here, outside of the lock.
        metrics.layoutCacheEvictions.add(UInt64(removed.evicted.count))
    }
}

extension LayoutCache {
    /// The newest version of a tree that the cache has entries of, and their keys.
    private struct Known: Sendable {
        var version: LayoutKey.Version
        var keys: Set<LayoutKey>
    }

    private struct State: Sendable {
        var entries: LRUCache<LayoutKey, Value>
        /// The layouts that are too large for the cache, or were evicted.
        var inUse = ValuesInUse<LayoutKey, LayoutInUse>()
        var screens: [ScreenName: [LayoutKey.Tree: Known]] = [:]
        /// The layouts that others continue, whose shared memory counts with those, by the others.
        private var continued: [LayoutKey: LayoutKey] = [:]
        /// The layouts that continue others, by those.
        private var continuing: [LayoutKey: LayoutKey] = [:]

        init(entries: LRUCache<LayoutKey, Value>) { self.entries = entries }

        /// Returns a value that is in the cache, or a layout that is in use.
        mutating func value(for key: LayoutKey) -> Value? {
            if let value = entries.value(for: key) { return value }
            return inUse[key]?.layout.map(Value.layout)
        }

        /// Returns the layout of a page with the parameters of a key, of whatever version.
        mutating func layout(
            like key: LayoutKey, of page: Int?
        ) -> (key: LayoutKey, layout: ReservedLayout)? {
            var known = key
            known.tree = LayoutKey.Tree(catalog: key.tree.catalog, page: page)
            guard let version = screens[key.screen]?[known.tree]?.version else { return nil }
            known.version = version
            guard case .layout(let layout) = value(for: known) else { return nil }
            return (known, layout)
        }

        /// Inserts a value unless a newer version of its tree is known.
        ///
        /// - Parameter shorter: The key of a layout that this one continues, and the memory that
        ///   it needs beside this one.
        /// - Returns: The values removed because they were of an older version, and those evicted
        ///   because of the limit.
        mutating func insert(
            _ value: Value, for key: LayoutKey, cost: Int,
            continuing shorter: (key: LayoutKey, cost: Int)? = nil
        ) -> (outdated: [Value], evicted: [Value]) {
            var outdated: [Value] = []
            if let known = screens[key.screen]?[key.tree], known.version != key.version {
                guard known.version < key.version else { return ([], []) }
                outdated = remove(known.keys).map(\.value)
            }
            if entries.contains(key) { endContinuation(of: key) }
            if let (shorter, cost) = shorter, continuing[shorter] == nil, entries.contains(shorter)
            {
                entries.setCost(cost + LayoutCache.entryOverhead, for: shorter)
                (continued[key], continuing[shorter]) = (shorter, key)
            }
            var evicted = entries.insert(value, for: key, cost: cost) { $0.takeRepetition() }
            forget(evicted)
            if !entries.contains(key) { endContinuation(of: key) }
            while entries.cost > entries.limit {
                let more = entries.shrink()
                forget(more)
                evicted += more
            }
            if entries.contains(key) {
                screens[key.screen, default: [:]][
                    key.tree, default: Known(version: key.version, keys: [])
                ].keys.insert(key)
            } else {
                share(value, for: key)
            }
            return (outdated, evicted.map(\.value))
        }

        /// Forgets entries that were evicted; layouts are kept for as long as they are in use.
        private mutating func forget(_ evicted: [(key: LayoutKey, value: Value)]) {
            for (key, value) in evicted {
                forget(key)
                share(value, for: key)
            }
        }

        /// Keeps a layout that the cache does not have for as long as it is in use.
        private mutating func share(_ value: Value, for key: LayoutKey) {
            guard case .layout(let layout) = value else { return }
            inUse.insert(LayoutInUse(layout: layout), for: key)
        }

        mutating func remove(_ keys: Set<LayoutKey>) -> [(key: LayoutKey, value: Value)] {
            keys.compactMap { key in
                forget(key)
                return entries.remove(key).map { (key, $0) }
            }
        }

        private mutating func forget(_ key: LayoutKey) {
            endContinuation(of: key)
            screens[key.screen]?[key.tree]?.keys.remove(key)
            if screens[key.screen]?[key.tree]?.keys.isEmpty == true {
                screens[key.screen]?[key.tree] = nil
            }
            if screens[key.screen]?.isEmpty == true { screens[key.screen] = nil }
        }

        /// Lets the memory of the layout that another one continues count again when that other is
        /// removed, and the other way round.
        private mutating func endContinuation(of key: LayoutKey) {
            if let longer = continuing.removeValue(forKey: key) { continued[longer] = nil }
            guard let shorter = continued.removeValue(forKey: key) else { return }
            continuing[shorter] = nil
            guard case .layout(let layout)? = entries.value(for: shorter) else { return }
            entries.setCost(layout.byteCount + LayoutCache.entryOverhead, for: shorter)
        }
    }
}

/// A layout that others keep.
private struct LayoutInUse: WeakReference {
    weak let layout: ReservedLayout?

    init(layout: ReservedLayout) { self.layout = layout }

    var isInUse: Bool { layout != nil }
}
