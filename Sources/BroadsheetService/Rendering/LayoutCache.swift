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
        case layout(LaidOutScreen)
        case bytes(CachedBytes)
        /// The length of a tree that is written while it is sent.
        case length(Int)
        /// That a content is not compressed.
        case plain

        /// Returns whether the value was repeated since the last call.
        func takeRepetition() -> Bool {
            if case .bytes(let bytes) = self { bytes.takeRepetition() } else { false }
        }
    }

    private let state: Mutex<State>
    private let metrics: ServiceMetrics

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - limit: The maximum size in bytes; 0 disables the cache.
    ///   - metrics: The metrics of the cache.
    init(limit: Int, metrics: ServiceMetrics) {
        state = Mutex(State(entries: LRUCache(limit: max(0, limit))))
        self.metrics = metrics
    }

    /// The estimated size of all entries, in bytes.
    var byteCount: Int { state.withLock { $0.entries.cost } }

    /// The number of entries.
    var count: Int { state.withLock { $0.entries.count } }

    /// Returns the laid-out screen of a key; otherwise calls `make` and inserts its result.
    func layout<Failure: Error>(
        _ key: LayoutKey, make: () throws(Failure) -> LaidOutScreen
    ) throws(Failure) -> LaidOutScreen {
        if case .layout(let known) = value(for: key) { return known }
        let made = try make()
        insert(.layout(made), for: key, cost: made.byteCount)
        return made
    }

    /// Returns the tree or picture of a key; otherwise calls `make` and inserts its result.
    ///
    /// - Parameter memory: The reservation from which the entry takes its own.
    func content(
        _ key: LayoutKey, _ memory: MemoryReservation, make: () throws(Problem) -> CachedContent
    ) throws(Problem) -> CachedContent {
        switch value(for: key) {
        case .bytes(let known)?: return .bytes(known.bytes)
        case .length(let known)?: return .length(known)
        case .layout?, .plain?, nil: break
        }
        let made = try make()
        switch made {
        case .bytes(let bytes):
            // A writer reserves more capacity than it uses, which the cache would keep too.
            let trimmed = bytes.trimmed()
            let kept = CachedBytes(trimmed, memory.split(trimmed.count, for: .layouts))
            insert(.bytes(kept), for: key, cost: kept.bytes.count)
            return .bytes(kept.bytes)
        case .length(let length): insert(.length(length), for: key, cost: 0)
        }
        return made
    }

    /// Returns the layout of a key if it is in the cache or in use, without a record of its use in
    /// the metrics.
    func layoutInMemory(_ key: LayoutKey) -> LaidOutScreen? {
        state.withLock { state in
            if case .layout(let known)? = state.value(for: key) { known } else { nil }
        }
    }

    /// Returns the bytes of a key, without a record of their use in the metrics.
    func cachedBytes(_ key: LayoutKey) -> CachedBytes? {
        state.withLock { state in
            if case .bytes(let bytes)? = state.entries.value(for: key) { bytes } else { nil }
        }
    }

    /// Returns the content of a key if it is in the cache; its absence is not counted.
    func knownContent(_ key: LayoutKey) -> CachedContent? {
        let known: CachedContent? =
            switch state.withLock({ $0.entries.value(for: key) }) {
            case .bytes(let known)?: .bytes(known.bytes)
            case .length(let known)?: .length(known)
            case .layout?, .plain?, nil: nil
            }
        if known != nil { metrics.layoutCacheHits.add(key.content.label) }
        return known
    }

    /// Returns the outcome of the compression of a content if it is in the cache; its absence is
    /// not counted, because the plain content is requested then.
    func compressedContent(_ key: LayoutKey) -> CompressedContent? {
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
    func keep(_ content: CompressedContent, for key: LayoutKey, _ memory: MemoryReservation) {
        switch content {
        case .bytes(let bytes):
            let kept = CachedBytes(bytes.trimmed(), memory.split(bytes.count, for: .layouts))
            insert(.bytes(kept), for: key, cost: kept.bytes.count)
        case .plain(isPermanent: true): insert(.plain, for: key, cost: 0)
        case .plain(isPermanent: false): break
        }
    }

    /// Returns the laid-out screen of a key if it is in the cache; its absence is not counted.
    func knownLayout(_ key: LayoutKey) -> LaidOutScreen? {
        guard case .layout(let known) = state.withLock({ $0.value(for: key) }) else { return nil }
        metrics.layoutCacheHits.add(key.content.label)
        return known
    }

    /// Removes the entries of a screen's trees that have not changed since `revision`; all its
    /// entries if that is `nil`.
    func drop(_ screen: ScreenName, before revision: UInt64?) {
        drop(screen) { version, _ in revision.map { version.revision < $0 } ?? true }
    }

    /// Removes the entries of those trees of a screen that its snapshot does not have.
    func dropOutdated(by snapshot: ScreenSnapshot) {
        drop(snapshot.name) { version, page in
            // Not known from a part of the screen; the next reader of that tree drops them.
            if let page, !snapshot.hasLoaded(page) { return false }
            let isStored =
                page.map { snapshot.history[$0] != nil } ?? (snapshot.head.highestPage == nil)
            let revision =
                isStored ? snapshot.treeRevision(upTo: page) : snapshot.revision &+ 1
            return version < snapshot.layoutVersion(at: revision)
        }
    }

    private func drop(
        _ screen: ScreenName, where isOutdated: (LayoutKey.Version, _ page: Int?) -> Bool
    ) {
        // The values are freed outside of the lock.
        _ = state.withLock { state -> [Value] in
            guard let trees = state.screens[screen] else { return [] }
            defer { metrics.layoutCacheBytes.set(Int64(state.entries.cost)) }
            return trees.flatMap { page, known in
                isOutdated(known.version, page) ? state.remove(known.keys) : []
            }
        }
    }

    /// Removes all entries.
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

    private func insert(_ value: Value, for key: LayoutKey, cost: Int) {
        let removed = state.withLock { state in
            let removed = state.insert(value, for: key, cost: cost + Self.entryOverhead)
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
        /// The trees of each screen by their highest pages.
        var screens: [ScreenName: [Int?: Known]] = [:]

        init(entries: LRUCache<LayoutKey, Value>) { self.entries = entries }

        /// Returns a value that is in the cache, or a layout that is in use.
        mutating func value(for key: LayoutKey) -> Value? {
            if let value = entries.value(for: key) { return value }
            return inUse[key]?.layout.map(Value.layout)
        }

        /// Inserts a value unless a newer version of its tree is known.
        ///
        /// - Returns: The values removed because they were of an older version, and those evicted
        ///   because of the limit.
        mutating func insert(
            _ value: Value, for key: LayoutKey, cost: Int
        ) -> (outdated: [Value], evicted: [Value]) {
            var outdated: [Value] = []
            if let known = screens[key.screen]?[key.page], known.version != key.version {
                guard known.version < key.version else { return ([], []) }
                outdated = remove(known.keys)
            }
            let evicted = entries.insert(value, for: key, cost: cost) { $0.takeRepetition() }
            for (key, value) in evicted {
                forget(key)
                share(value, for: key)
            }
            if entries.contains(key) {
                screens[key.screen, default: [:]][
                    key.page, default: Known(version: key.version, keys: [])
                ].keys.insert(key)
            } else {
                share(value, for: key)
            }
            return (outdated, evicted.map(\.value))
        }

        /// Keeps a layout that the cache does not have for as long as it is in use.
        private mutating func share(_ value: Value, for key: LayoutKey) {
            guard case .layout(let layout) = value else { return }
            inUse.insert(LayoutInUse(layout: layout), for: key)
        }

        /// Removes entries, and returns their values.
        mutating func remove(_ keys: Set<LayoutKey>) -> [Value] {
            keys.compactMap { key in
                forget(key)
                return entries.remove(key)
            }
        }

        /// Removes the key of an entry that was removed.
        private mutating func forget(_ key: LayoutKey) {
            screens[key.screen]?[key.page]?.keys.remove(key)
            if screens[key.screen]?[key.page]?.keys.isEmpty == true {
                screens[key.screen]?[key.page] = nil
            }
            if screens[key.screen]?.isEmpty == true { screens[key.screen] = nil }
        }
    }
}

/// A layout that others keep.
private struct LayoutInUse: WeakReference {
    weak let layout: LaidOutScreen?

    init(layout: LaidOutScreen) { self.layout = layout }

    var isInUse: Bool { layout != nil }
}

/// A tree or a picture, as far as the layout cache keeps it.
enum CachedContent: Sendable {
    /// All bytes.
    case bytes([UInt8])
    /// The number of bytes of a tree that is written while it is sent.
    case length(Int)
}

/// The bytes of a tree or of a picture.
///
/// The cache owns it. Repeated responses refer to it weakly, so its memory is free once the cache
/// has dropped it.
final class CachedBytes: Sendable {
    /// The bytes.
    let bytes: [UInt8]
    private let memory: MemoryReservation
    private let wasRepeated = Atomic(false)

    /// Creates the content of an entry.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - memory: The reservation of their memory.
    init(_ bytes: [UInt8], _ memory: MemoryReservation) {
        self.bytes = bytes
        self.memory = memory
    }

    /// Records a use that the cache is not asked for.
    func noteRepetition() {
        // Written once, so that the loops share the cache line.
        if !wasRepeated.load(ordering: .relaxed) { wasRepeated.store(true, ordering: .relaxed) }
    }

    /// Returns whether there was a repetition since the last call.
    fileprivate func takeRepetition() -> Bool {
        wasRepeated.exchange(false, ordering: .relaxed)
    }
}

/// The key of an entry of the layout cache: everything that the entry depends on.
struct LayoutKey: Sendable, Hashable {
    /// The screen.
    let screen: ScreenName
    /// The version of the tree.
    let version: Version
    /// The highest page in the layout; `nil` if the screen has no pages.
    let page: Int?
    /// The parameters of the layout; those without influence on the content have their defaults.
    let parameters: LayoutParameters
    /// The content of the entry.
    let content: Content
    /// A Boolean value that indicates whether the bytes are compressed with gzip.
    var isCompressed = false

    /// The content of an entry.
    enum Content: Sendable, Hashable {
        /// The laid-out screen.
        case frames
        /// The bytes of its tree.
        case tree
        /// The bytes of its picture.
        case picture
        /// The bytes of the changes to it.
        ///
        /// - Parameters:
        ///   - since: The revision that the client has.
        ///   - page: The highest page that the client has; `nil` if there was none.
        case changes(since: UInt64, page: Int?)

        /// A Boolean value that indicates whether the content depends on the options of a tree.
        var hasTreeOptions: Bool {
            switch self {
            case .tree, .changes: true
            case .frames, .picture: false
            }
        }

        /// The label of the content in metrics: a value of the label `kind`, which is part of the
        /// API.
        var label: String { Self.labels[labelIndex] }

        /// All labels of metrics.
        static let labels = ["layout", "answer"]

        /// The position of ``label`` in ``labels``.
        var labelIndex: Int { self == .frames ? 0 : 1 }
    }

    /// A revision of a tree, resolved by a catalog.
    struct Version: Sendable, Hashable, Comparable {
        /// The number of restarts of the store before the screen was read.
        let restarts: UInt64
        /// The generation of the catalog.
        let catalog: UInt64
        /// The revision of the tree.
        let revision: UInt64

        static func < (one: Version, other: Version) -> Bool {
            (one.restarts, one.catalog, one.revision)
                < (other.restarts, other.catalog, other.revision)
        }
    }
}

extension ScreenSnapshot {
    /// Returns the version of a tree with a revision.
    func layoutVersion(at revision: UInt64) -> LayoutKey.Version {
        LayoutKey.Version(
            restarts: restarts, catalog: catalog.generation, revision: revision)
    }
}
