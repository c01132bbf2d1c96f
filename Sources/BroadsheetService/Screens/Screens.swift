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
    /// The store.
    let store: ScreenStore
    /// The resolved screens in memory.
    let cache: SnapshotCache
    /// The cache of layouts.
    let layouts: LayoutCache
    /// The large screens that are being read.
    let loads = SharedWork<ScreenRead, ScreenSnapshot?>()
    /// The earlier revisions that are being read.
    let earlierLoads = SharedWork<EarlierRead, ScreenSnapshot>()
    /// The lock of the writers of each screen.
    let writeLock = KeyedAsyncLock<ScreenName>()
    /// The metrics of the service.
    let metrics: ServiceMetrics
    /// The clock that durations are measured by.
    let clock: TimeSource
    /// The limits of screens.
    let configuration: ServiceConfiguration
    /// The memory that pages are resolved in.
    let memory: MemoryBudget
    /// The record of whether writes succeed.
    let writes: WriteStatus
    /// The earlier revisions of screens.
    let history: ScreenHistory
    /// The numbers of the store's screens and of their bytes.
    let census: StoreCensus
    /// The requests that wait for changes, and what receives events of screens.
    let observers: ScreenObservers

    /// The maximum size in memory of a screen of which all pages are read again after a change, so
    /// that those that have not changed need not be resolved again.
    static let maxWholeBytes = 1 << 20

    /// Creates the access to the screens of a store.
    ///
    /// - Parameters:
    ///   - writes: The store, and whether writes to it succeed.
    ///   - configuration: The size of the cache, and the limits of screens.
    ///   - memory: The memory that pages are resolved in.
    ///   - layouts: The cache of layouts, from which outdated layouts are removed.
    ///   - observers: The requests that wait for changes, and what receives events of screens.
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

    /// The number of resolved screens in memory.
    var countInMemory: Int { cache.count }

    /// Returns resolved screens in memory, at most so many, in no particular order.
    func inMemory(atMost count: Int = .max) -> [ScreenSnapshot] { cache.first(count) }

    /// The maximum size of the cached screens, in bytes.
    var memoryLimit: Int { cache.limit }

    /// The size of the resolved screens in memory, in bytes.
    var bytesInMemory: Int { cache.byteCount }

    /// Returns whether the screen that a request names is in memory, and so large that passes over
    /// its pages belong on a worker thread.
    func isLarge(_ call: Call) -> Bool {
        guard let screen = try? call.screen() else { return false }
        let key = ScreenKey(screen, catalog: call.catalog.position)
        return cache.lookUp(key).known.map { $0.byteCount > Work.maxInlineCost } ?? false
    }

    /// Returns the screen at its current revision with its pages up to `end`, as
    /// ``current(_:upTo:by:_:_:)``.
    ///
    /// - Throws: `SCREEN_NOT_FOUND` if it does not exist; `STORED_SCREEN_TOO_LARGE` if it exceeds a
    ///   limit.
    func existing(
        _ screen: ScreenName, upTo end: ScreenPart.End = .highest, by catalog: ActiveCatalog,
        _ work: Work, _ memory: MemoryReservation
    ) async throws(Problem) -> ScreenSnapshot {
        guard let snapshot = try await current(screen, upTo: end, by: catalog, work, memory) else {
            throw .screenNotFound(screen)
        }
        return snapshot
    }

    /// Returns the screen without its pages, or `nil` if it does not exist.
    func head(of screen: ScreenName) async throws(Problem) -> ScreenHead? {
        try await page(nil, of: screen)?.screen
    }

    /// Returns the screen without its pages, and one of them, or `nil` if it does not exist.
    ///
    /// If the screen is not in memory, only this page is read.
    ///
    /// - Parameters:
    ///   - number: The number of the page; `nil` for the highest.
    ///   - screen: The screen.
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
        let memory = MemoryReservation(in: memory, for: .work)
        guard let found = try await page(nil, of: screen, bytesIn: memory) else {
            throw .screenNotFound(screen)
        }
        guard let page = found.page, let bytes = found.bytes else { return (found.screen, false) }
        let known = cache.lookUp(ScreenKey(screen, catalog: catalog.position)).known
        if let known, known.isCurrent(at: found.screen.revision, by: catalog), known.isComplete {
            return (found.screen, known.model.hasNext)
        }
        let stored = StoredPage(number: page.number, revision: page.revision, bytes: bytes)
        try await memory.need(
            bytes.count + MemoryCost.indexing(bytes: bytes.count), for: .storedScreen)
        let cost = bytes.count * catalog.registry.resolvingFactor
        let hasNext = try await work.perform(cost: cost) { () throws(Problem) in
            try mapping { () throws(ScreenResolver.Failure) in
                try resolver(catalog, restarts: 0, memory).resolve(stored).hasNext
            }
        }
        return (found.screen, hasNext)
    }

    /// Returns up to `limit` screens after `name` whose names begin with `prefix`, in the order of
    /// their names.
    func list(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(Problem) -> [ScreenListing] {
        do { return try await store.screens(after: name, prefix: prefix, limit: limit) } catch {
            throw problem(of: error)
        }
    }

    /// Returns the reason why the store cannot serve requests, or `nil` if it can.
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
    /// Returns a part of a screen, unless its revision is still `revision`.
    func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits? = nil
    ) async throws(Problem) -> ScreenLoad {
        do throws(StoreError) {
            return try await store.load(
                screen, unlessAt: revision, part, within: limits ?? configuration.readLimits)
        } catch {
            throw problem(of: error)
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

    /// Maps an error of the store, and counts it unless it is one of the request.
    func problem(of error: StoreError) -> Problem {
        let problem = Problem(error)
        if problem.code != .screenTooLarge { metrics.storeFailures.add() }
        return problem
    }
}
