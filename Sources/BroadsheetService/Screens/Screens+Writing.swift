import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// Writes, which never read a stored page that is not needed.
extension Screens {
    /// The maximum number of attempts at a write that conflicts with writes of other daemons.
    static let maxCommitAttempts = 16

    /// Writes a screen while holding its lock.
    ///
    /// Nothing is written for a request whose connection is lost before the write is passed to the
    /// store. Stored pages are only read if `write` needs them, or if there are none.
    ///
    /// - Parameters:
    ///   - write: The screen and the page to write.
    ///   - catalog: The catalog that resolves the pages.
    ///   - plan: Returns the write for the current screen, or `nil` for none. It is called again
    ///     after a conflict with a write of another daemon.
    /// - Throws: The error of `plan`, or of the store; nothing is changed then. `STORE_UNAVAILABLE`
    ///   also if the lock was not free within the time of the store.
    func write(
        _ write: ScreenWrite, by catalog: ActiveCatalog, _ work: Work,
        plan: (WriteBase) async throws(Problem) -> PlannedWrite?
    ) async throws(Problem) -> CommittedWrite {
        let deadline = configuration.storeTimeout.map {
            (write.arrival ?? clock.now).advanced(by: $0)
        }
        return try await writeLock.withLock(
            of: write.screen, atMost: deadline.map { clock.now.duration(to: $0) },
            sleep: observers.sleep, orThrow: problem(of: .lockTimeout)
        ) { () async throws(Problem) in
            for _ in 0..<Self.maxCommitAttempts {
                let restarts = cache.restarts
                let before = try await StoreDeadline.binding(deadline) {
                    () async throws(Problem) in try await base(of: write, by: catalog, work)
                }
                let found = try await StoreDeadline.binding(deadline) {
                    () async throws(Problem) in try await plan(before)
                }
                // A key that has ended meanwhile receives nothing, also if nothing is stored.
                try write.checkKey()
                guard let planned = found else {
                    return CommittedWrite(
                        before: before, pages: [], revision: before.head?.revision,
                        snapshot: before.snapshot)
                }
                try checkMemory(of: planned, after: before)
                guard !write.validatesOnly else {
                    let revision = before.head?.revision
                    return CommittedWrite(
                        before: before, pages: planned.pages, revision: revision,
                        snapshot: planned.snapshot(
                            of: write.screen, at: revision ?? 0, after: before,
                            restarts: restarts))
                }
                // From here on the write is completed, whatever happens to the connection.
                try Work.checkConnection()
                try write.checkKey()
                let committed = try await commit(
                    planned, of: write, at: before.head?.revision, until: deadline)
                guard let revision = committed else { continue }
                let after = planned.snapshot(
                    of: write.screen, at: revision, after: before, restarts: restarts)
                if let after { publish(after, of: planned, replacing: before.snapshot) }
                if case .removeScreen = planned.commit {
                    history.drop(write.screen)
                    observers.notify(.removed(write.screen))
                }
                observers.notify(.changed(write.screen))
                return CommittedWrite(
                    before: before, pages: planned.pages, revision: revision, snapshot: after)
            }
            throw Problem(StoreError.conflict(current: nil))
        }
    }

    func write(
        _ write: ScreenWrite, for call: Call,
        plan: (WriteBase) async throws(Problem) -> PlannedWrite?
    ) async throws(Problem) -> CommittedWrite {
        var write = write
        write.note.operation = call.operationID
        write.note.key = call.caller.name
        write.note.request = call.requestID.text
        write.arrival = call.arrival
        write.checkKey = { () throws(Problem) in try call.checkKey() }
        let written = try await self.write(write, by: call.catalog, call.work, plan: plan)
        call.made.record(written.revision, after: written.before.head?.revision)
        return written
    }

    /// Returns the state of a screen with its pages if only they show whether a page may be put;
    /// without them if they cannot be read because of a limit.
    func completed(
        _ base: WriteBase, toPut page: ResolvedPage, in screen: ScreenName, holding count: Int,
        _ work: Work
    ) async throws(Problem) -> WriteBase {
        guard base.needsPages(toPut: page, configuration, available: memory.available(for: .work))
        else { return base }
        do throws(Problem) {
            let held = count + page.reservedByteCount
            let snapshot = try await current(screen, by: base.catalog, work, beside: held)
            // Otherwise the store will refuse the write, which then begins again.
            guard let snapshot, snapshot.revision == base.head?.revision else { return base }
            return WriteBase(snapshot, page: page.number, catalog: base.catalog)
        } catch {
            guard let excess = error.excess else { throw error }
            var base = base
            base.excess = excess
            return base
        }
    }
}

extension Screens {
    private func base(
        of write: ScreenWrite, by catalog: ActiveCatalog, _ work: Work
    ) async throws(Problem) -> WriteBase {
        let screen = write.screen
        let (known, ticket) = cache.lookUp(ScreenKey(screen, catalog: catalog.position))
        if let known, known.isComplete, known.catalog === catalog {
            let loaded = try await load(screen, unlessAt: known.revision, .none)
            if loaded == .unchanged, ticket.restarts == cache.restarts {
                return WriteBase(known, page: write.page, catalog: catalog)
            }
        }
        var excess: ReadExcess?
        if write.needsPages {
            do throws(Problem) {
                let snapshot = try await current(
                    screen, by: catalog, work, beside: write.heldBytes)
                return WriteBase(snapshot, page: write.page, catalog: catalog)
            } catch {
                guard let found = error.excess else { throw error }
                excess = found
            }
        }
        let found = try await readPage(write.page, of: screen, atMost: nil)
        if found == nil { forget(screen, known) }
        if let found, found.screen.highestPage == nil {
            let snapshot = try await current(
                screen, by: catalog, work, beside: write.heldBytes)
            return WriteBase(snapshot, page: write.page, catalog: catalog)
        }
        var base = WriteBase(found, page: write.page, catalog: catalog)
        base.excess = excess
        return base
    }

    /// Checks that this daemon could read and lay out the screen after a write if it had nothing
    /// else to do.
    ///
    /// - Throws: `SCREEN_TOO_LARGE` if it could not, and if the screen needs more memory than
    ///   before.
    /// - Complexity: O(1) for a screen that is not large; O(pages) otherwise.
    private func checkMemory(
        of planned: PlannedWrite, after base: WriteBase
    ) throws(Problem) {
        guard let model = planned.model, !planned.pages.isEmpty else { return }
        let limit = memory.available(for: .work)
        guard model.hasConditions || maxMemory(of: model.size, base.catalog) > limit else { return }
        let needed = memory(of: model, base.catalog)
        guard needed > limit else { return }
        // Pages that could not be read are compared by their bytes, as for the other limits.
        let known = (planned.known ?? base.snapshot).map { memory(of: $0.model, base.catalog) }
        let isLarger = base.head.map { model.byteCount > $0.size.byteCount } ?? true
        guard known.map({ needed > $0 }) ?? isLarger else { return }
        memory.countRefusal(of: .work)
        throw .pagesNeedMemory(needed, limit: limit)
    }

    private func memory(of model: PaginatedViewModel, _ catalog: ActiveCatalog) -> Int {
        MemoryCost.wholeScreen(
            model, maxItems: configuration.limits.maxItems, by: catalog.registry)
    }

    private func maxMemory(of size: ScreenSize, _ catalog: ActiveCatalog) -> Int {
        MemoryCost.maxWholeScreen(
            of: size, maxPageBytes: configuration.maxPageBytes, by: catalog.registry)
    }

    private func current(
        _ screen: ScreenName, by catalog: ActiveCatalog, _ work: Work, beside held: Int
    ) async throws(Problem) -> ScreenSnapshot? {
        try await current(screen, by: catalog, work.withOwnMemory(beside: held))
    }

    /// Commits a write, or returns `nil` if the screen is at another revision than `revision`.
    private func commit(
        _ planned: PlannedWrite, of write: ScreenWrite, at revision: UInt64?,
        until deadline: MonotonicInstant?
    ) async throws(Problem) -> UInt64? {
        let start = clock.now
        do throws(StoreError) {
            let committed = try await StoreDeadline.binding(deadline) {
                () async throws(StoreError) in
                try await storing(planned, of: write, at: revision)
            }
            metrics.commitDuration.observe(nanoseconds: clock.now.nanoseconds(since: start))
            writes.recordSuccess(ofBytes: planned.commit.byteCount)
            return committed
        } catch {
            guard case .conflict = error else {
                await writes.recordFailure(error, ofBytes: planned.commit.byteCount)
                throw problem(of: error)
            }
            metrics.storeConflicts.add()
            return nil
        }
    }

    /// Passes a write to the store, with the facts for the record of its revision.
    private func storing(
        _ planned: PlannedWrite, of write: ScreenWrite, at revision: UInt64?
    ) async throws(StoreError) -> UInt64 {
        var note = write.note
        note.operations = planned.operations
        note.revertedTo = planned.revertedTo
        note.forwarded = planned.forwarded
        return try await store.commit(
            planned.commit, to: write.screen, expecting: revision, lifetime: write.lifetime,
            as: note)
    }

    private func publish(
        _ snapshot: ScreenSnapshot, of planned: PlannedWrite, replacing before: ScreenSnapshot?
    ) {
        if case .removeScreen = planned.commit {
            cache.drop(snapshot.name, upTo: snapshot.revision)
            layouts.drop(snapshot.name, before: nil)
        } else {
            replace(before, by: snapshot) { cache.publish(snapshot) }
        }
    }
}

extension StoreError {
    /// The error of a write that was not the next one of its screen within the time of the store.
    fileprivate static var lockTimeout: StoreError {
        .unavailable("earlier writes of the screen still wait for the store (--store-timeout)")
    }
}
