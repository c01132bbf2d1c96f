import Broadsheet
import BroadsheetIO
import BroadsheetStores

/// The pages of a screen that a request reads.
struct ScreenRead: Sendable, Hashable {
    let screen: ScreenName
    let end: ScreenPart.End
    let catalog: ActiveCatalog
    /// The revision; `nil` for the current one.
    var revision: UInt64?

    static func == (one: ScreenRead, other: ScreenRead) -> Bool {
        one.screen == other.screen && one.end == other.end && one.catalog === other.catalog
            && one.revision == other.revision
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(end)
        hasher.combine(revision)
    }

    var key: ScreenKey { ScreenKey(screen, catalog: catalog.position) }
}

/// Reading screens: from memory if the store confirms the revision, otherwise from the store.
///
/// Requests that need the same pages of a large screen share the memory and the work: one of them
/// reads the pages, and they have them for as long as any of them, or its response, uses them.
extension Screens {
    /// The result of an attempt to read a screen.
    private enum Attempt {
        /// The screen; `nil` if it does not exist.
        case complete(ScreenSnapshot?)
        /// The screen is large, and must not be read without its memory.
        case large
    }

    /// Returns the screen at its current revision with its pages up to `end`, resolved by
    /// `catalog`, or `nil` if it does not exist.
    ///
    /// Pages above `end` are not read.
    ///
    /// - Parameter work: The access of the request. Its reservation then has what reading the
    ///   screen needed besides the pages, so that the layout need not wait for it.
    /// - Throws: `STORED_SCREEN_TOO_LARGE` if it exceeds a limit.
    func current(
        _ screen: ScreenName, upTo end: ScreenPart.End = .highest, by catalog: ActiveCatalog,
        _ work: Work
    ) async throws(Problem) -> ScreenSnapshot? {
        let read = ScreenRead(screen: screen, end: end, catalog: catalog)
        let attempt = try await attempt(read, work, mayBeLarge: false)
        if case .complete(let snapshot) = attempt { return snapshot }
        return try await work.performAll { (work) throws(Problem) in
            try await shared(read, work)
        }
    }

    /// Returns a large screen, which one of the requests that need it reads.
    private func shared(
        _ read: ScreenRead, _ work: Work
    ) async throws(Problem) -> ScreenSnapshot? {
        let first = try await whole(read, work)
        work.memory.markAsBegun()
        guard first.isShared else { return first.value }
        // That read may have begun before a write that this request has to see, so the store is
        // asked. `first` keeps the pages in memory meanwhile.
        let attempt = try await attempt(read, work, mayBeLarge: false)
        if case .complete(let snapshot) = attempt {
            return withExtendedLifetime(first) { snapshot }
        }
        // This read begins after the request, whichever request does it.
        return try await whole(read, work).value
    }

    private func whole(
        _ read: ScreenRead, _ work: Work
    ) async throws(Problem) -> (value: ScreenSnapshot?, isShared: Bool) {
        try await loads.perform(read, releasing: work.memory) { () async throws(Problem) in
            let attempt = try await attempt(read, work, mayBeLarge: true)
            if case .complete(let snapshot) = attempt { return snapshot }
            throw .tooLittleMemory
        }
    }

    private func attempt(
        _ read: ScreenRead, _ work: Work, mayBeLarge: Bool
    ) async throws(Problem) -> Attempt {
        let (screen, catalog) = (read.screen, read.catalog)
        let (known, ticket) = cache.lookUp(read.key)
        let usable = known?.catalog === catalog ? known : nil
        let covers = usable?.covers(read.end) ?? false
        let isWhole = usable.map { $0.isComplete && $0.byteCount <= Self.maxWholeBytes } ?? false
        let end = isWhole ? .highest : read.end
        let reserved = mayBeLarge ? work.memory : nil
        if let usable, !covers, let last = usable.model.highestPage {
            let part = ScreenPart(from: last + 1, upTo: end)
            let loaded = try await load(screen, unlessAt: nil, part, in: reserved)
            if case .screen(let rest) = loaded, rest.revision == usable.revision,
                ticket.restarts == cache.restarts
            {
                return .complete(try await resolve(rest, extending: usable, ticket, work))
            }
        }
        let loaded = try await load(
            screen, unlessAt: covers ? usable?.revision : nil, ScreenPart(upTo: end), in: reserved)
        // After a restart, "unchanged" may refer to a revision with other contents.
        guard ticket.restarts == cache.restarts else {
            return try await attempt(read, work, mayBeLarge: mayBeLarge)
        }
        switch loaded {
        case nil: return .large
        case .unchanged?: return .complete(usable)
        case .absent?:
            forget(screen, known)
            return .complete(nil)
        case .tooLarge(_, let excess)?: throw .storedScreenTooLarge(excess)
        case .screen(let stored)?:
            let cost = WorkCost.resolving(stored, reusing: usable, by: catalog.registry)
            try await work.memory.adjust(
                to: MemoryCost.loading(stored, reusing: usable),
                beside: usable?.reservedByteCount(sharedWith: stored) ?? 0, for: .storedScreen)
            let read = ScreenRead(screen: screen, end: end, catalog: catalog)
            return .complete(
                try await work.perform(cost: cost) { () throws(Problem) in
                    try resolve(stored, for: read, ticket, work.memory)
                })
        }
    }

    private func resolve(
        _ stored: StoredScreen, for read: ScreenRead, _ ticket: SnapshotCache.Ticket,
        _ memory: MemoryReservation
    ) throws(Problem) -> ScreenSnapshot {
        // Another request may have resolved it while this one waited for the store or for a thread.
        let (found, now) = cache.lookUp(read.key)
        let known = now.restarts == ticket.restarts ? found : nil
        if let known, known.isCurrent(at: stored.revision, by: read.catalog),
            known.covers(read.end)
        {
            return known
        }
        return try publishing(ticket) { () throws(ScreenResolver.Failure) in
            try resolver(read.catalog, restarts: ticket.restarts, memory).snapshot(
                stored, of: read.screen, reusing: known)
        }
    }

    private func resolve(
        _ rest: StoredScreen, extending known: ScreenSnapshot, _ ticket: SnapshotCache.Ticket,
        _ work: Work
    ) async throws(Problem) -> ScreenSnapshot {
        let cost = WorkCost.resolving(rest, reusing: nil, by: known.catalog.registry)
        try await work.memory.adjust(
            to: MemoryCost.loading(rest, reusing: nil), beside: known.model.reservedByteCount,
            for: .storedScreen)
        return try await work.perform(cost: cost) { () throws(Problem) in
            try publishing(ticket) { () throws(ScreenResolver.Failure) in
                try resolver(known.catalog, restarts: ticket.restarts, work.memory).snapshot(
                    rest, of: known.name, reusing: known, isRest: true)
            }
        }
    }

    private func publishing(
        _ ticket: SnapshotCache.Ticket,
        _ body: () throws(ScreenResolver.Failure) -> ScreenSnapshot
    ) throws(Problem) -> ScreenSnapshot {
        let start = clock.now
        let snapshot = try mapping(body)
        try Work.checkConnection()
        metrics.resolveDuration.observe(nanoseconds: clock.now.nanoseconds(since: start))
        replace(cache.lookUp(snapshot.key).known, by: snapshot) {
            cache.publish(snapshot, ticket: ticket)
        }
        return snapshot
    }
}
