import BroadsheetIO
import BroadsheetStores

/// The stored screens: snapshots for readers, turns for writers.
///
/// Readers never wait for writers. They take the snapshot that the store says is current, resolving
/// what they do not know yet; after a reload of the catalog a screen is resolved anew by the first
/// request that uses it. A writer has the screen to itself among this daemon's writers, and commits
/// by compare-and-set, so that another daemon's write in between is never overwritten unseen.
final class Screens: Sendable {
    private let store: any ScreenStore
    private let cache: SnapshotCache
    private let layouts: LayoutCache
    private let turns = WriterTurns()
    private let metrics: ServiceMetrics
    private let clock: TimeSource

    /// How often a write is tried when other daemons get in between.
    static let maxCommitAttempts = 16

    /// Screens in `store`.
    ///
    /// - Parameters:
    ///   - cacheBytes: How much those may take that are held resolved, in bytes.
    ///   - layouts: What is kept of their layouts; told when a screen changes.
    init(
        store: any ScreenStore, cacheBytes: Int, layouts: LayoutCache, metrics: ServiceMetrics,
        clock: TimeSource
    ) {
        self.store = store
        self.layouts = layouts
        cache = SnapshotCache(limit: cacheBytes)
        self.metrics = metrics
        self.clock = clock
        store.observeInvalidations { [cache] invalidation in
            switch invalidation {
            // Layouts of revisions that are over would only take others' room. The resolved pages
            // stay: who reads next takes over those that have not changed.
            case .written(let screen, let lowest): layouts.drop(screen, before: lowest)
            case .restarted:
                cache.restart()
                layouts.removeAll()
            }
        }
    }

    /// How many screens are held in memory.
    var countInMemory: Int { cache.count }

    /// What those take, in bytes.
    var bytesInMemory: Int { cache.byteCount }

    /// The screen as it is now, its pages resolved by `catalog`; nil when there is no such screen.
    func current(
        _ screen: ScreenName, by catalog: ActiveCatalog
    ) async throws(Problem) -> ScreenSnapshot? {
        let (known, ticket) = cache.lookUp(screen)
        let usable = known?.catalog.generation == catalog.generation ? known : nil
        let loaded = try await load(screen, unlessAt: usable?.revision)
        // "Unchanged" is said of a revision that may be another one's by now.
        guard ticket.restarts == cache.restarts else {
            return try await current(screen, by: catalog)
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
            return try resolve(stored, of: screen, by: catalog, ticket: ticket)
        }
    }

    /// The screen as it is now; throws `SCREEN_NOT_FOUND` when there is none.
    func existing(
        _ screen: ScreenName, by catalog: ActiveCatalog
    ) async throws(Problem) -> ScreenSnapshot {
        guard let snapshot = try await current(screen, by: catalog) else {
            throw .screenNotFound(screen)
        }
        return snapshot
    }

    /// Writes a screen when it is this writer's turn, and answers what it was and what it is.
    ///
    /// - Parameters:
    ///   - lifetime: How long the screen lives from this write on.
    ///   - plan: Decides on the write from the screen as it is; called again when another daemon has
    ///     written meanwhile. What it throws is thrown and nothing is changed; nil means that there
    ///     is nothing to write.
    func write(
        _ screen: ScreenName, by catalog: ActiveCatalog, lifetime: ScreenLifetime = .unchanged,
        plan: (ScreenSnapshot?) throws(Problem) -> PlannedWrite?
    ) async throws(Problem) -> (before: ScreenSnapshot?, after: ScreenSnapshot?) {
        try await turns.taking(screen) { () async throws(Problem) in
            for _ in 0..<Self.maxCommitAttempts {
                let restarts = cache.restarts
                let before = try await current(screen, by: catalog)
                guard let planned = try plan(before) else { return (before, before) }
                let committed = try await commit(
                    planned, to: screen, at: before?.revision, lifetime: lifetime)
                guard let revision = committed else { continue }
                let after = planned.snapshot(
                    of: screen, at: revision, after: before, by: catalog, restarts: restarts)
                publish(after, of: planned)
                return (before, after)
            }
            throw Problem(StoreError.conflict(current: nil))
        }
    }

    /// Up to `limit` screens after `name`, in name order.
    func list(after name: ScreenName?, limit: Int) async throws(Problem) -> [ScreenListing] {
        do { return try await store.screens(after: name, limit: limit) } catch {
            throw problem(of: error)
        }
    }

    /// What keeps the store from serving; nil when nothing does.
    func obstacle() async -> StoreError? {
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
        // Someone else may have resolved it while this request waited for the store.
        let (found, now) = cache.lookUp(screen)
        let known = now.restarts == ticket.restarts ? found : nil
        if let known, known.isCurrent(at: stored.revision, by: catalog) { return known }
        let start = clock.now
        do throws(StoreError) {
            let snapshot = try ScreenSnapshot(
                stored, of: screen, by: catalog, reusing: known, restarts: ticket.restarts)
            metrics.resolveDuration.observe(nanoseconds: clock.now.nanoseconds(since: start))
            cache.publish(snapshot, ticket: ticket)
            layouts.drop(screen, before: snapshot.revision)
            return snapshot
        } catch {
            throw problem(of: error)
        }
    }

    /// Commits a write; nil when the screen is at another revision than `revision` by now.
    private func commit(
        _ planned: PlannedWrite, to screen: ScreenName, at revision: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(Problem) -> UInt64? {
        let start = clock.now
        do throws(StoreError) {
            let committed = try await store.commit(
                planned.change, to: screen, expecting: revision, lifetime: lifetime)
            metrics.commitDuration.observe(nanoseconds: clock.now.nanoseconds(since: start))
            return committed
        } catch {
            guard case .conflict = error else { throw problem(of: error) }
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
            layouts.drop(snapshot.name, before: snapshot.revision)
        }
    }

    private func problem(of error: StoreError) -> Problem {
        metrics.storeFailures.add()
        return Problem(error)
    }
}
