import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// The stored screens: snapshots for readers, and a lock for the writers of each screen.
///
/// Readers never wait for writers. They use the snapshot of the store's current revision and
/// resolve the pages that are not in memory; after a reload of the catalog, the first request that
/// uses a screen resolves it again. A writer holds the screen's lock, which excludes other writers
/// of this daemon, and commits by compare-and-set, so that no write of another daemon is
/// overwritten.
final class Screens: Sendable {
    let store: ScreenStore
    let cache: SnapshotCache
    let layouts: LayoutCache
    /// The large screens that are being read.
    let loads = SharedWork<ScreenRead, ScreenSnapshot?>()
    let earlierLoads = SharedWork<ScreenRead, ScreenSnapshot>()
    let writeLock = KeyedAsyncLock<ScreenName>()
    let metrics: ServiceMetrics
    let clock: TimeSource
    let configuration: ServiceConfiguration
    let memory: MemoryBudget
    let writes: WriteStatus
    let history: ScreenHistory
    let census: StoreCensus
    /// The requests that wait for changes, and what receives events of screens.
    let observers: ScreenObservers

    /// The maximum size in memory of a screen of which all pages are read again after a change, so
    /// that those that have not changed need not be resolved again.
    static let maxWholeBytes = 1 << 20

    /// `layouts` is the cache from which outdated layouts are removed.
    init(
        _ writes: WriteStatus, _ configuration: ServiceConfiguration,
        _ memory: MemoryBudget = .unlimited, layouts: LayoutCache, metrics: ServiceMetrics,
        clock: TimeSource, observers: ScreenObservers
    ) {
        self.configuration = configuration
        self.memory = memory
        store = writes.store
        self.writes = writes
        census = StoreCensus(of: writes.store, metrics, clock)
        self.layouts = layouts
        cache = SnapshotCache(
            limit: configuration.screenCacheBytes ?? memory.cacheBytes(for: .screens))
        history = ScreenHistory(
            limit: configuration.historyBytes ?? memory.cacheBytes(for: .history), memory: memory)
        self.observers = observers
        self.metrics = metrics
        self.clock = clock
        store.observeInvalidations { [cache, history] invalidation in
            switch invalidation {
            // Outdated layouts only use space, and cannot be distinguished from current ones
            // before the screen is read, so all earlier ones are dropped. The resolved pages
            // remain, because the next reader reuses those that have not changed.
            case .written(let screen, let lowest):
                layouts.drop(screen, before: lowest)
                observers.notify(.changed(screen))
            case .revisionsRemoved(let screen): history.drop(screen)
            case .missed: observers.notify(.anyChanged)
            case .restarted:
                cache.restart()
                layouts.removeAll()
                history.removeAll()
                observers.notify(.anyChanged)
            }
        }
    }

    /// Returns whether the screen that a request names is in memory, and so large that passes over
    /// its pages belong on a worker thread.
    func isLarge(_ call: Call) -> Bool {
        guard let screen = try? call.screen() else { return false }
        let key = ScreenKey(screen, catalog: call.catalog.position)
        return cache.lookUp(key).known.map { $0.byteCount > Work.maxInlineCost } ?? false
    }

    /// Returns the screen at its current revision with its pages up to `end`, as
    /// ``current(_:upTo:by:_:)``.
    ///
    /// - Throws: `SCREEN_NOT_FOUND` if it does not exist; `STORED_SCREEN_TOO_LARGE` if it exceeds a
    ///   limit.
    func existing(
        _ screen: ScreenName, upTo end: ScreenPart.End = .highest, by catalog: ActiveCatalog,
        _ work: Work
    ) async throws(Problem) -> ScreenSnapshot {
        guard let snapshot = try await current(screen, upTo: end, by: catalog, work) else {
            throw .screenNotFound(screen)
        }
        return snapshot
    }

    func head(of screen: ScreenName) async throws(Problem) -> ScreenHead? {
        try await page(nil, of: screen)?.screen
    }

    /// Returns the screen without its pages, and one of them, or `nil` if it does not exist.
    ///
    /// If the screen is not in memory, only this page is read.
    ///
    /// - Parameters:
    ///   - number: The number of the page; `nil` for the highest.
    ///   - memory: The memory for the bytes of the page; `nil` if they are not needed.
    /// - Throws: `STORED_SCREEN_TOO_LARGE` if the bytes are needed and exceed the limit of a page.
    func page(
        _ number: Int?, of screen: ScreenName, bytesIn memory: MemoryReservation? = nil
    ) async throws(Problem) -> PageLoad? {
        let (known, ticket) = cache.lookUp(ScreenKey(screen))
        if let known, number.map(known.hasLoaded) ?? known.isComplete {
            let loaded = try await load(screen, unlessAt: known.revision, .none)
            guard ticket.restarts == cache.restarts else {
                return try await page(number, of: screen, bytesIn: memory)
            }
            switch loaded {
            case .unchanged:
                let page = (number ?? known.model.highestPage).flatMap(known.pageHead)
                return PageLoad(
                    screen: known.head, page: page,
                    bytes: page.flatMap { known.model.storedPage($0.number)?.bytes })
            case .absent:
                forget(screen, known)
                return nil
            case .screen, .tooLarge: break
            }
        }
        guard let memory else { return try await readPage(number, of: screen, atMost: nil) }
        let found = try await readPage(number, of: screen, memory)
        if let page = found?.page, found?.bytes == nil {
            throw .storedScreenTooLarge(
                ReadExcess(
                    of: .pageBytes(page: page.number), page.byteCount,
                    limit: configuration.readLimits.pageBytes))
        }
        return found
    }

    /// Returns the screen without its pages, and whether its highest page has a next one.
    ///
    /// - Throws: `SCREEN_NOT_FOUND` if it does not exist; `STORED_SCREEN_TOO_LARGE` if the highest
    ///   page exceeds a limit.
    func state(
        of screen: ScreenName, by catalog: ActiveCatalog, _ work: Work
    ) async throws(Problem) -> (head: ScreenHead, hasNext: Bool) {
        guard let found = try await page(nil, of: screen, bytesIn: work.memory) else {
            throw .screenNotFound(screen)
        }
        guard let page = found.page, let bytes = found.bytes else { return (found.screen, false) }
        let known = cache.lookUp(ScreenKey(screen, catalog: catalog.position)).known
        if let known, known.isCurrent(at: found.screen.revision, by: catalog), known.isComplete {
            return (found.screen, known.model.hasNext)
        }
        let stored = StoredPage(number: page.number, revision: page.revision, bytes: bytes)
        try await work.memory.need(
            bytes.count + MemoryCost.indexing(bytes: bytes.count), for: .storedScreen)
        let cost = bytes.count * catalog.registry.resolvingFactor
        let hasNext = try await work.perform(cost: cost) { () throws(Problem) in
            try mapping { () throws(ScreenResolver.Failure) in
                try resolver(catalog, restarts: 0, work.memory).resolve(stored).hasNext
            }
        }
        return (found.screen, hasNext)
    }

    /// Returns up to `limit` screens after `name` whose names begin with `prefix`, in the order of
    /// their names.
    func list(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(Problem) -> [ScreenListing] {
        try await asking { () async throws(StoreError) in
            try await store.screens(after: name, prefix: prefix, limit: limit)
        }
    }

    /// Returns the screens that match patterns, in the order of their names.
    ///
    /// The names that match no pattern are not read, so that the time does not depend on them.
    ///
    /// - Complexity: At most one call of the store for each pattern.
    func list(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int, of patterns: ScreenPatterns
    ) async throws(Problem) -> [ScreenListing] {
        var listed: [ScreenListing] = []
        for pattern in patterns.distinct where listed.count < limit {
            let own = pattern.prefix.text
            guard own.hasPrefix(prefix.text) || pattern.isOpenEnded && prefix.text.hasPrefix(own)
            else { continue }
            let longer = own.utf8.count < prefix.text.utf8.count ? prefix : pattern.prefix
            if pattern.isOpenEnded {
                listed += try await list(
                    after: name, prefix: longer, limit: limit - listed.count)
            } else {
                // Of the names with that prefix the name itself is the first.
                let first = try await list(after: name, prefix: longer, limit: 1)
                listed += first.filter { $0.name.text == own }
            }
        }
        return listed
    }

    func readinessFailure() async -> StoreError? {
        do throws(StoreError) {
            try await store.checkReadiness()
            return nil
        } catch {
            return error
        }
    }
}

extension Screens {
    func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits? = nil
    ) async throws(Problem) -> ScreenLoad {
        try await asking { () async throws(StoreError) in
            try await store.load(
                screen, unlessAt: revision, part, within: limits ?? configuration.readLimits)
        }
    }

    /// Publishes a newer state of a screen; the earlier one and its layouts move to the history.
    func replace(
        _ before: ScreenSnapshot?, by snapshot: ScreenSnapshot, _ publish: () -> Void
    ) {
        if let before { history.record(before, replacedBy: snapshot) }
        publish()
        let outdated = layouts.dropOutdated(by: snapshot)
        if let before { history.keep(outdated, of: before) }
    }

    /// Removes what is in memory of a screen that does not exist.
    func forget(_ screen: ScreenName, _ known: ScreenSnapshot?) {
        guard let known else { return }
        cache.drop(screen, upTo: known.revision)
        layouts.drop(screen, before: nil)
        history.drop(screen)
        observers.notify(.removed(screen))
    }

    func resolver(
        _ catalog: ActiveCatalog, restarts: UInt64, _ memory: MemoryReservation
    ) -> ScreenResolver {
        ScreenResolver(
            catalog: catalog, limits: configuration.limits, restarts: restarts, memory: memory)
    }

    func mapping<Value>(
        _ body: () throws(ScreenResolver.Failure) -> Value
    ) throws(Problem) -> Value {
        do throws(ScreenResolver.Failure) {
            return try body()
        } catch {
            switch error {
            case .corrupt(let detail): throw problem(of: .corrupt(detail))
            case .tooLarge(let excess): throw .storedScreenTooLarge(excess)
            case .outOfMemory(let problem): throw problem
            }
        }
    }

    /// Returns what the store does; maps and counts its error.
    func asking<Value: Sendable>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(Problem) -> Value {
        do throws(StoreError) { return try await body() } catch { throw problem(of: error) }
    }

    /// Maps an error of the store, and counts it unless it is one of the request.
    func problem(of error: StoreError) -> Problem {
        let problem = Problem(error)
        if problem.code != .screenTooLarge { metrics.storeFailures.add() }
        return problem
    }
}
