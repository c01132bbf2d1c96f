import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// The pages of a screen at a revision that a request reads.
struct EarlierRead: Sendable, Hashable {
    /// The pages.
    let read: ScreenRead
    /// The revision.
    let revision: UInt64
}

/// Earlier revisions, from the history of the store.
extension Screens {
    /// Returns the screen as it was at a revision, with its pages up to `end`, resolved by
    /// `catalog`.
    ///
    /// Requests that need the same revision at the same time read it once.
    ///
    /// - Parameter memory: The reservation for the work of the request.
    /// - Throws: `SCREEN_NOT_FOUND`; `REVISION_NOT_FOUND` for a revision that is not kept, or does
    ///   not exist yet; `STORED_SCREEN_TOO_LARGE`.
    func earlier(
        _ screen: ScreenName, at revision: UInt64, upTo end: ScreenPart.End = .highest,
        by catalog: ActiveCatalog, _ work: Work, _ memory: MemoryReservation
    ) async throws(Problem) -> ScreenSnapshot {
        let read = EarlierRead(
            read: ScreenRead(screen: screen, end: end, catalog: catalog), revision: revision)
        let loaded = try await work.performAll { (work) throws(Problem) in
            try await earlierLoads.perform(read, releasing: memory) {
                () async throws(Problem) in try await load(read, work, memory)
            }
        }
        return loaded.value
    }

    private func load(
        _ read: EarlierRead, _ work: Work, _ memory: MemoryReservation
    ) async throws(Problem) -> ScreenSnapshot {
        let (known, ticket) = cache.lookUp(read.read.key)
        if let kept = history.loaded(read, restarts: ticket.restarts),
            try await earlierPart(read.read.screen, at: read.revision, .none) != nil
        {
            return kept
        }
        let usable = known?.catalog === read.read.catalog ? known : nil
        let part = ScreenPart(upTo: read.read.end)
        guard
            let stored = try await earlierPart(
                read.read.screen, at: read.revision, part, in: memory)
        else {
            guard try await head(of: read.read.screen) != nil else {
                throw .screenNotFound(read.read.screen)
            }
            throw .revisionNotFound(read.revision, read.read.screen)
        }
        let cost = WorkCost.resolving(stored, reusing: usable, by: read.read.catalog.registry)
        try await memory.adjust(
            to: MemoryCost.loading(stored, reusing: usable),
            beside: usable?.reservedByteCount(sharedWith: stored) ?? 0, for: .storedScreen)
        let snapshot = try await work.perform(cost: cost) { () throws(Problem) in
            try mapping { () throws(ScreenResolver.Failure) in
                try resolver(read.read.catalog, restarts: ticket.restarts, memory).snapshot(
                    stored, of: read.read.screen, reusing: usable)
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
        let limits = limits ?? configuration.readLimits
        var readable = limits
        readable.screen.byteCount = min(limits.screen.byteCount, Self.maxUnreservedBytes)
        for _ in 0..<Self.maxLoads {
            switch try await storedPart(screen, at: revision, part, within: readable) {
            case .absent, .unchanged: return nil
            case .screen(let stored): return stored
            case .tooLarge(let head, let excess):
                guard let memory, head.size.byteCount > readable.screen.byteCount,
                    limits.excess(of: head.size) == nil
                else { throw .storedScreenTooLarge(limits.excess(of: head.size) ?? excess) }
                try await memory.need(loadingBytes(of: part, head.size), for: .storedScreen)
                readable.screen.byteCount = head.size.byteCount
            }
        }
        throw .tooLittleMemory
    }

    private func storedPart(
        _ screen: ScreenName, at revision: UInt64, _ part: ScreenPart, within limits: ReadLimits
    ) async throws(Problem) -> ScreenLoad {
        do throws(StoreError) {
            return try await store.load(screen, at: revision, part, within: limits)
        } catch {
            throw problem(of: error)
        }
    }

    /// Returns up to `limit` revisions of a screen, the newest first, of those before `revision`.
    ///
    /// - Throws: `SCREEN_NOT_FOUND`.
    func revisions(
        of screen: ScreenName, before revision: UInt64?, limit: Int
    ) async throws(Problem) -> RevisionList {
        let found: RevisionList?
        do throws(StoreError) {
            found = try await store.revisions(of: screen, before: revision, limit: limit)
        } catch {
            throw problem(of: error)
        }
        guard let found else { throw .screenNotFound(screen) }
        return found
    }

    /// Forgets all earlier revisions of a screen, in the store and in memory.
    ///
    /// - Throws: `SCREEN_NOT_FOUND`.
    func removeRevisions(of screen: ScreenName) async throws(Problem) {
        let exists: Bool
        do throws(StoreError) {
            exists = try await store.removeRevisions(of: screen)
        } catch {
            throw problem(of: error)
        }
        guard exists else { throw .screenNotFound(screen) }
        history.drop(screen)
    }
}
