import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// Earlier revisions, from the history of the store.
extension Screens {
    /// Returns the screen as it was at a revision, with its pages up to `end`, resolved by
    /// `catalog`.
    ///
    /// Requests that need the same revision at the same time read it once.
    ///
    /// - Throws: `SCREEN_NOT_FOUND`; `REVISION_NOT_FOUND` for a revision that is not kept, or does
    ///   not exist yet; `STORED_SCREEN_TOO_LARGE`.
    func earlier(
        _ screen: ScreenName, at revision: UInt64, upTo end: ScreenPart.End = .highest,
        by catalog: ActiveCatalog, _ work: Work
    ) async throws(Problem) -> ScreenSnapshot {
        let read = ScreenRead(screen: screen, end: end, catalog: catalog, revision: revision)
        let loaded = try await work.performAll { (work) throws(Problem) in
            try await earlierLoads.perform(read, releasing: work.memory) {
                () async throws(Problem) in try await load(read, at: revision, work)
            }
        }
        return loaded.value
    }

    private func load(
        _ read: ScreenRead, at revision: UInt64, _ work: Work
    ) async throws(Problem) -> ScreenSnapshot {
        let (known, ticket) = cache.lookUp(read.key)
        if let kept = history.loaded(read, at: revision, restarts: ticket.restarts),
            try await earlierPart(read.screen, at: revision, .none) != nil
        {
            return kept
        }
        let usable = known?.catalog === read.catalog ? known : nil
        let part = ScreenPart(upTo: read.end)
        guard
            let stored = try await earlierPart(
                read.screen, at: revision, part, in: work.memory)
        else { throw try await problem(ofAbsent: revision, of: read.screen) }
        let cost = WorkCost.resolving(stored, reusing: usable, by: read.catalog.registry)
        try await work.memory.adjust(
            to: MemoryCost.loading(stored, reusing: usable),
            beside: usable?.reservedByteCount(sharedWith: stored) ?? 0, for: .storedScreen)
        let snapshot = try await work.perform(cost: cost) { () throws(Problem) in
            try mapping { () throws(ScreenResolver.Failure) in
                try resolver(read.catalog, restarts: ticket.restarts, work.memory).snapshot(
                    stored, of: read.screen, reusing: usable)
            }
        }
        history.keepLoaded(snapshot, besides: usable)
        return snapshot
    }

    /// Returns a part of a screen at a revision, or `nil` if that is not kept.
    ///
    /// - Parameters:
    ///   - memory: The reservation that is made large enough for a large screen; `nil` for a part
    ///     without pages.
    ///   - limits: The limits of what is read; `nil` for those of the daemon.
    /// - Throws: `STORED_SCREEN_TOO_LARGE`; `OVERLOADED` if the memory was not free in time.
    func earlierPart(
        _ screen: ScreenName, at revision: UInt64, _ part: ScreenPart,
        in memory: MemoryReservation? = nil, within limits: ReadLimits? = nil
    ) async throws(Problem) -> StoredScreen? {
        let loaded = try await load(
            part, in: memory, within: limits ?? configuration.readLimits
        ) { (limits) async throws(Problem) in
            try await asking { () async throws(StoreError) in
                try await store.load(screen, at: revision, part, within: limits)
            }
        }
        switch loaded {
        case .screen(let stored)?: return stored
        case .absent?, .unchanged?: return nil
        case .tooLarge(_, let excess)?: throw .storedScreenTooLarge(excess)
        case nil: throw .tooLittleMemory
        }
    }

    /// Returns the problem of a revision that is not kept, or of a screen that does not exist.
    func problem(ofAbsent revision: UInt64, of screen: ScreenName) async throws(Problem) -> Problem
    {
        try await head(of: screen) == nil
            ? .screenNotFound(screen) : .revisionNotFound(revision, screen)
    }

    /// Returns up to `limit` revisions of a screen, the newest first, of those before `revision`.
    ///
    /// - Throws: `SCREEN_NOT_FOUND`.
    func revisions(
        of screen: ScreenName, before revision: UInt64?, limit: Int
    ) async throws(Problem) -> RevisionList {
        let found = try await asking { () async throws(StoreError) in
            try await store.revisions(of: screen, before: revision, limit: limit)
        }
        guard let found else { throw .screenNotFound(screen) }
        return found
    }

    /// Forgets all earlier revisions of a screen, in the store and in memory.
    ///
    /// - Throws: `SCREEN_NOT_FOUND`.
    func removeRevisions(of screen: ScreenName) async throws(Problem) {
        let exists = try await asking { () async throws(StoreError) in
            try await store.removeRevisions(of: screen)
        }
        guard exists else { throw .screenNotFound(screen) }
        history.drop(screen)
    }
}
