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
    private let store: any ScreenStore
    private let cache: SnapshotCache
    private let layouts: LayoutCache
    private let writeLock = KeyedAsyncLock<ScreenName>()
    private let metrics: ServiceMetrics
    private let clock: TimeSource
    /// The record of whether writes succeed.
    let writes: WriteStatus

    /// The maximum number of attempts at a write that conflicts with writes of other daemons.
    static let maxCommitAttempts = 16

    /// Creates the access to the screens of a store.
    ///
    /// - Parameters:
    ///   - writes: The store, and whether writes to it succeed.
    ///   - cacheBytes: The maximum size of the resolved screens in memory, in bytes.
    ///   - layouts: The cache of layouts, from which outdated layouts are removed.
    init(
        _ writes: WriteStatus, cacheBytes: Int, layouts: LayoutCache, metrics: ServiceMetrics,
        clock: TimeSource
    ) {
        store = writes.store
        self.writes = writes
        self.layouts = layouts
        cache = SnapshotCache(limit: cacheBytes)
        self.metrics = metrics
        self.clock = clock
        store.observeInvalidations { [cache] invalidation in
            switch invalidation {
            // Outdated layouts only use space, and cannot be distinguished from current ones
            // before the screen is read, so all earlier ones are dropped. The resolved pages
            // remain, because the next reader reuses those that have not changed.
            case .written(let screen, let lowest): layouts.drop(screen, before: lowest)
            case .restarted:
                cache.restart()
                layouts.removeAll()
            }
        }
    }

    /// The number of resolved screens in memory.
    var countInMemory: Int { cache.count }

    /// The resolved screens in memory, in no particular order.
    var inMemory: [ScreenSnapshot] { cache.all }

    /// The size of the resolved screens in memory, in bytes.
    var bytesInMemory: Int { cache.byteCount }

    /// Returns the screen at its current revision, resolved by `catalog`, or `nil` if it does not
    /// exist.
    func current(
        _ screen: ScreenName, by catalog: ActiveCatalog, _ work: Work
    ) async throws(Problem) -> ScreenSnapshot? {
        let (known, ticket) = cache.lookUp(screen)
        let usable = known?.catalog.generation == catalog.generation ? known : nil
        let loaded = try await load(screen, unlessAt: usable?.revision)
        // After a restart, "unchanged" may refer to a revision with other contents.
        guard ticket.restarts == cache.restarts else {
            return try await current(screen, by: catalog, work)
        }
        switch loaded {
        case .unchanged: return usable
        case .absent:
            if let known {
                cache.drop(screen, upTo: known.revision)
                layouts.drop(screen, before: nil)
            }
            return nil
        case .screen(let stored):
            let cost = WorkCost.resolving(stored, reusing: usable)
            return try await work.perform(cost: cost) { () throws(Problem) in
                try resolve(stored, of: screen, by: catalog, ticket: ticket)
            }
        }
    }

    /// Returns whether the store is known to have the screen at a version; `false` where that takes
    /// a request to the store.
    func isKnown(_ screen: ScreenName, toBeAt version: LayoutKey.Version) -> Bool {
        store.isKnown(screen, toBeAt: version.revision) && cache.restarts == version.restarts
    }

    /// Returns the screen at its current revision.
    ///
    /// - Throws: `SCREEN_NOT_FOUND` if it does not exist.
    func existing(
        _ screen: ScreenName, by catalog: ActiveCatalog, _ work: Work
    ) async throws(Problem) -> ScreenSnapshot {
        guard let snapshot = try await current(screen, by: catalog, work) else {
            throw .screenNotFound(screen)
        }
        return snapshot
    }

    /// Writes a screen while holding its lock.
    ///
    /// Nothing is written for a request whose connection is lost before the write is passed to the
    /// store.
    ///
    /// - Parameters:
    ///   - call: The request, with the catalog that resolves the pages.
    ///   - lifetime: The lifetime of the screen from this write on.
    ///   - plan: Returns the write for the current screen, or `nil` for none. It is called again
    ///     after a conflict with a write of another daemon.
    /// - Returns: The screen before and after the write.
    /// - Throws: The error of `plan`, or of the store; nothing is changed then.
    func write(
        _ screen: ScreenName, for call: Call, lifetime: ScreenLifetime = .unchanged,
        plan: (ScreenSnapshot?) async throws(Problem) -> PlannedWrite?
    ) async throws(Problem) -> (before: ScreenSnapshot?, after: ScreenSnapshot?) {
        try await writeLock.withLock(of: screen) { () async throws(Problem) in
            for _ in 0..<Self.maxCommitAttempts {
                let restarts = cache.restarts
                let before = try await current(screen, by: call.catalog, call.work)
                guard let planned = try await plan(before) else { return (before, before) }
                // From here on the write is completed, whatever happens to the connection.
                try Work.checkConnection()
                let committed = try await commit(
                    planned, to: screen, at: before?.revision, lifetime: lifetime)
                guard let revision = committed else { continue }
                let after = planned.snapshot(
                    of: screen, at: revision, after: before, by: call.catalog,
                    restarts: restarts)
                publish(after, of: planned)
                return (before, after)
            }
            throw Problem(StoreError.conflict(current: nil))
        }
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
    private func load(
        _ screen: ScreenName, unlessAt revision: UInt64?
    ) async throws(Problem) -> ScreenLoad {
        do { return try await store.load(screen, unlessAt: revision) } catch {
            throw problem(of: error)
        }
    }

    private func resolve(
        _ stored: StoredScreen, of screen: ScreenName, by catalog: ActiveCatalog,
        ticket: SnapshotCache.Ticket
    ) throws(Problem) -> ScreenSnapshot {
        // Another request may have resolved it while this one waited for the store or for a thread.
        let (found, now) = cache.lookUp(screen)
        let known = now.restarts == ticket.restarts ? found : nil
        if let known, known.isCurrent(at: stored.revision, by: catalog) { return known }
        let start = clock.now
        do throws(StoreError) {
            let snapshot = try ScreenSnapshot(
                stored, of: screen, by: catalog, reusing: known, restarts: ticket.restarts)
            metrics.resolveDuration.observe(nanoseconds: clock.now.nanoseconds(since: start))
            cache.publish(snapshot, ticket: ticket)
            layouts.dropOutdated(by: snapshot)
            return snapshot
        } catch {
            throw problem(of: error)
        }
    }

    /// Commits a write, or returns `nil` if the screen is at another revision than `revision`.
    private func commit(
        _ planned: PlannedWrite, to screen: ScreenName, at revision: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(Problem) -> UInt64? {
        let start = clock.now
        do throws(StoreError) {
            let committed = try await store.commit(
                planned.change, to: screen, expecting: revision, lifetime: lifetime)
            metrics.commitDuration.observe(nanoseconds: clock.now.nanoseconds(since: start))
            writes.recordSuccess(ofBytes: planned.change.byteCount)
            return committed
        } catch {
            guard case .conflict = error else {
                await writes.recordFailure(error, ofBytes: planned.change.byteCount)
                throw problem(of: error)
            }
            metrics.storeConflicts.add()
            return nil
        }
    }

    private func publish(_ snapshot: ScreenSnapshot, of planned: PlannedWrite) {
        if case .removeScreen = planned.change {
            cache.drop(snapshot.name, upTo: snapshot.revision)
            layouts.drop(snapshot.name, before: nil)
        } else {
            cache.publish(snapshot)
            layouts.dropOutdated(by: snapshot)
        }
    }

    private func problem(of error: StoreError) -> Problem {
        metrics.storeFailures.add()
        return Problem(error)
    }
}

/// A write that is not committed yet: the change of the store, and the screen's pages after it.
struct PlannedWrite: Sendable {
    /// The change of the store.
    let change: ScreenChange
    /// The pages after the write.
    let model: PaginatedViewModel

    /// Plans the write of `page` to `current`, or to a new screen.
    ///
    /// - Throws: `INVALID_CONTRACT` or `SCREEN_TOO_LARGE` when the write would exceed a limit of
    ///   the screen. A screen that exceeds it already can still be written to as long as it does
    ///   not grow.
    init(
        putting page: ResolvedPage, into current: ScreenSnapshot?,
        _ configuration: ServiceConfiguration
    ) throws(Problem) {
        var model = current?.model ?? PaginatedViewModel(limits: .unlimited)
        do {
            try model.load(page)
            try configuration.limits.check(model, growingFrom: current?.model)
        } catch {
            throw Problem(error)
        }
        let limit = configuration.maxScreenBytes
        guard model.byteCount <= max(limit, current?.model.byteCount ?? 0) else {
            throw .screenTooLarge(limit: limit)
        }
        change = .put(page: page.number, bytes: page.bytes)
        self.model = model
    }

    /// Plans the removal of a page.
    init(removing page: Int, from current: ScreenSnapshot) {
        var model = current.model
        model.removePage(page)
        change = .removePage(page)
        self.model = model
    }

    /// The removal of all pages; the screen remains.
    static let removingAllPages = PlannedWrite(emptyingBy: .removeAllPages)

    /// The removal of the screen.
    static let removingScreen = PlannedWrite(emptyingBy: .removeScreen)

    private init(emptyingBy change: ScreenChange) {
        self.change = change
        model = PaginatedViewModel(limits: .unlimited)
    }

    /// Returns the screen after the store has committed the write as `revision`.
    ///
    /// - Parameter restarts: The number of the store's restarts before `current` was read.
    func snapshot(
        of name: ScreenName, at revision: UInt64, after current: ScreenSnapshot?,
        by catalog: ActiveCatalog, restarts: UInt64
    ) -> ScreenSnapshot {
        var history = current?.history ?? TreeHistory()
        var byteCount = current?.byteCount ?? ScreenSnapshot.ownByteCount
        switch change {
        case .put(let page, _):
            history.put(page, at: revision)
            byteCount += growth(of: page, since: current)
        case .removePage(let page):
            history.remove(page, at: revision)
            byteCount += growth(of: page, since: current)
        case .removeAllPages, .removeScreen:
            history.removeAll(at: revision)
            byteCount = ScreenSnapshot.ownByteCount
        }
        return ScreenSnapshot(
            name: name, revision: revision, model: model, history: history,
            byteCount: byteCount, catalog: catalog, restarts: restarts)
    }

    /// Returns the difference between a page's size and its size in `current`, in bytes.
    private func growth(of page: Int, since current: ScreenSnapshot?) -> Int {
        (model.storedPage(page)?.byteCountInMemory ?? 0)
            - (current?.model.storedPage(page)?.byteCountInMemory ?? 0)
    }
}

extension ScreenLimits {
    /// Throws an error when a screen has grown beyond a limit.
    ///
    /// A screen that exceeds a limit already, because the limits or the catalog have changed, can
    /// still be written to as long as it does not grow.
    fileprivate func check(
        _ model: PaginatedViewModel, growingFrom before: PaginatedViewModel?
    ) throws(ViewModelError) {
        if model.pageCount > max(maxPages, before?.pageCount ?? 0) {
            throw .tooManyPages(limit: maxPages)
        }
        if model.sectionCount > max(maxSections, before?.sectionCount ?? 0) {
            throw .tooManySections(limit: maxSections)
        }
        if model.itemCount > max(maxItems, before?.itemCount ?? 0) {
            throw .tooManyItems(limit: maxItems)
        }
    }
}
