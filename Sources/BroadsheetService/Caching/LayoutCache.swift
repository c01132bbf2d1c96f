import Broadsheet
import BroadsheetStores
import Synchronization

/// Laid-out screens and the answers written from them, kept between requests.
///
/// What is kept is bounded in bytes; what was asked for least recently goes first. Keys name the
/// revision and the catalog, so nothing stale is ever found; entries of an older version of a
/// screen go as soon as a newer one is seen, since nobody will ask for them again.
final class LayoutCache: Sendable {
    /// About how much an entry takes besides what it holds, in bytes: its key twice, and its places.
    static let entryOverhead = 512

    fileprivate enum Value: Sendable {
        case layout(LaidOutScreen)
        case answer([UInt8])
    }

    /// The newest version that anything is kept of, and the keys of all that is.
    fileprivate struct Known: Sendable {
        var version: LayoutKey.Version
        var keys: Set<LayoutCacheKey>
    }

    fileprivate struct State: Sendable {
        var table: RecencyTable<LayoutCacheKey, Value>
        var screens: [ScreenName: Known] = [:]
    }

    private let state: Mutex<State>
    private let metrics: ServiceMetrics

    /// An empty cache.
    ///
    /// - Parameter limit: How much may be kept, in bytes; 0 keeps nothing.
    init(limit: Int, metrics: ServiceMetrics) {
        state = Mutex(State(table: RecencyTable(limit: max(0, limit))))
        self.metrics = metrics
    }

    /// How much is kept, in bytes, by the estimates of its entries.
    var byteCount: Int { state.withLock { $0.table.cost } }

    /// How many layouts and answers are kept.
    var count: Int { state.withLock { $0.table.count } }

    /// The layout that is kept for `key`, or else the one that `make` makes, which is then kept.
    func layout(_ key: LayoutKey, make: () -> LaidOutScreen) -> LaidOutScreen {
        if case .layout(let known) = value(for: .layout(key)) { return known }
        let made = make()
        keep(.layout(made), for: .layout(key), cost: made.byteCount)
        return made
    }

    /// The answer that is kept for `key`, or else the one that `make` makes, which is then kept.
    func answer(_ key: LayoutCacheKey, make: () -> [UInt8]) -> [UInt8] {
        if case .answer(let known) = value(for: key) { return known }
        // Writers make room for more than they need, and that would be kept too.
        let made = make().trimmed()
        keep(.answer(made), for: key, cost: made.count)
        return made
    }

    /// Forgets what is kept of a screen's revisions before `revision`; of all when that is nil.
    func drop(_ screen: ScreenName, before revision: UInt64?) {
        // It is freed outside of the lock.
        _ = state.withLock { state -> [Value] in
            guard let known = state.screens[screen] else { return [] }
            defer { metrics.layoutCacheBytes.set(Int64(state.table.cost)) }
            return state.remove(
                known.keys.filter { key in
                    revision.map { key.layout.version.revision < $0 } ?? true
                })
        }
    }

    /// Forgets all.
    func removeAll() {
        // It is freed outside of the lock.
        _ = state.withLock { state in
            var removed = State(table: RecencyTable(limit: state.table.limit))
            swap(&removed, &state)
            metrics.layoutCacheBytes.set(0)
            return removed
        }
    }

    private func value(for key: LayoutCacheKey) -> Value? {
        let value = state.withLock { $0.table.value(for: key) }
        (value == nil ? metrics.layoutCacheMisses : metrics.layoutCacheHits).add(key.kind)
        return value
    }

    private func keep(_ value: Value, for key: LayoutCacheKey, cost: Int) {
        let gone = state.withLock { state in
            let gone = state.keep(value, for: key, cost: cost + Self.entryOverhead)
            metrics.layoutCacheBytes.set(Int64(state.table.cost))
            return gone
        }
        // What had to go is freed here, where nobody waits for it.
        metrics.layoutCacheEvictions.add(UInt64(gone.evicted.count))
    }
}

extension LayoutCache.State {
    /// Keeps a value unless a newer version of its screen is known; answers what went since it was of
    /// an older one, and what had to go for want of room.
    fileprivate mutating func keep(
        _ value: LayoutCache.Value, for key: LayoutCacheKey, cost: Int
    ) -> (outdated: [LayoutCache.Value], evicted: [LayoutCache.Value]) {
        let (screen, version) = (key.layout.screen, key.layout.version)
        var outdated: [LayoutCache.Value] = []
        if let known = screens[screen], known.version != version {
            guard known.version < version else { return ([], []) }
            outdated = remove(known.keys)
        }
        let evicted = table.keep(value, for: key, cost: cost)
        for (key, _) in evicted { forget(key) }
        if table.contains(key) {
            screens[screen, default: .init(version: version, keys: [])].keys.insert(key)
        }
        return (outdated, evicted.map(\.value))
    }

    /// Drops keys, and answers what they had.
    fileprivate mutating func remove(_ keys: Set<LayoutCacheKey>) -> [LayoutCache.Value] {
        keys.compactMap { key in
            forget(key)
            return table.remove(key)
        }
    }

    /// Drops a key that the table has dropped.
    private mutating func forget(_ key: LayoutCacheKey) {
        let screen = key.layout.screen
        screens[screen]?.keys.remove(key)
        if screens[screen]?.keys.isEmpty == true { screens[screen] = nil }
    }
}
