import BroadsheetIO

/// Earlier revisions and feeds.
extension PostgresStore {
    private static let vacuum = "VACUUM broadsheet.history_pages"
    private static let namesWithHistory = """
        SELECT s.name FROM broadsheet.screens s WHERE s.has_history
        """
    private static let byteCount = """
        SELECT coalesce(sum(s.history_bytes), 0)::bigint FROM broadsheet.screens s
        WHERE s.has_history
        """

    /// Applies a commit, keeps the revision that it replaces, and returns after the server, and its
    /// synchronous replicas, have both; if the server is out of space, removes earlier revisions
    /// first.
    package func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime, as note: RevisionNote
    ) async throws(StoreError) -> UInt64 {
        let byteCount = commit.byteCount + note.byteCount
        guard byteCount <= PostgresCommit.maxBytes else {
            throw .tooLarge(byteCount: byteCount, limit: PostgresCommit.maxBytes)
        }
        let memory = await options.memory.waitForReservation(of: byteCount, for: .store)
        guard let memory else { throw .unavailable("there is no memory for a write") }
        // With one number for all attempts.
        let request = PostgresCommit(
            commit, to: screen, expecting: expected, lifetime: lifetime,
            keeping: PostgresCommit.Keeping(
                note: note, history: options.history, feed: options.feeds,
                now: options.clock.unixMilliseconds, dropped: droppedEvents))
        let outcome = try await makingSpace(for: screen) { () async throws(StoreError) in
            try await self.perform(request, memory)
        }
        let revision = try outcome.revision(of: screen)
        notifier.send(screen, lowest: commit == .removeScreen ? revision &+ 1 : revision)
        return revision
    }

    /// Runs `body`; while the server is out of space, removes earlier revisions and runs it again:
    /// those of the screen first, and then those of all others.
    ///
    /// A run that is out of space has changed nothing, nor has any attempt in it.
    private func makingSpace<Value: Sendable>(
        for screen: ScreenName, _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        for isOwn in [true, false] {
            do throws(StoreError) {
                return try await body()
            } catch {
                guard case .full = error, try await historyByteCount() > 0 else { throw error }
                try await removeHistories(isOwn ? [screen.text] : namesWithHistory())
            }
        }
        return try await body()
    }

    private func removeHistories(_ names: [String]) async throws(StoreError) {
        for name in names { _ = try await pool.forget(name, upTo: nil) }
        // The space is free at once if the role owns the table; else the server does that later.
        _ = try? await pool.run(.other, isRepeated: false) {
            connection, _ throws(PostgresFailure) in try connection.run(Self.vacuum)
        }
    }

    private func namesWithHistory() async throws(StoreError) -> [String] {
        try await pool.run(.other) { connection, _ throws(PostgresFailure) in
            var names: [String] = []
            try connection.run(Self.namesWithHistory) {
                if let name = $0.text(0) { names.append(name) }
            }
            return names
        }
    }

    /// Returns a part of the screen as it was at a revision.
    package func load(
        _ screen: ScreenName, at revision: UInt64, _ part: ScreenPart, within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        if !options.history.isNone {
            let cutoff = options.history.cutoff(at: options.clock.unixMilliseconds)
            let found = try await earlier.load(
                screen, at: revision, part, within: limits, after: cutoff)
            if let found { return found }
        }
        return try await current(screen, at: revision, part, within: limits)
    }

    private var earlier: PostgresEarlierReader {
        PostgresEarlierReader(
            pool: pool, line: connector.line, memory: options.memory, damages: damages,
            onEvent: options.onEvent)
    }

    /// Returns up to `limit` revisions of the screen, the newest first.
    package func revisions(
        of screen: ScreenName, before revision: UInt64?, limit: Int
    ) async throws(StoreError) -> RevisionList? {
        let bounds = options.history
        let cutoff = bounds.isNone ? .max : bounds.cutoff(at: options.clock.unixMilliseconds)
        return try await earlier.list(
            of: screen, before: revision, limit: limit, after: cutoff)
    }

    /// Forgets the earlier revisions of the screen, also those in the memory of other daemons.
    package func removeRevisions(of screen: ScreenName) async throws(StoreError) -> Bool {
        let isThere = try await pool.forget(screen.text, upTo: nil)
        if isThere { notifier.sendRemoval(of: screen) }
        return isThere
    }

    /// Returns the number of bytes of the earlier pages of all screens.
    package func historyByteCount() async throws(StoreError) -> Int {
        guard !options.history.isNone else { return 0 }
        return try await pool.run(.other) { connection, _ throws(PostgresFailure) in
            var count = 0
            try connection.run(Self.byteCount) { count = $0.integer(0) ?? 0 }
            return count
        }
    }

    /// The bounds of the feed of each screen.
    package var feedBounds: FeedBounds { options.feeds }

    /// The number of events that were dropped because of the bounds.
    package var droppedEventCount: UInt64 { droppedEvents.count }

    /// Stores events of a screen and returns after the server, and its synchronous replicas, have
    /// them; if the server is out of space, removes earlier revisions first.
    package func append(
        _ events: [[UInt8]], to screen: ScreenName
    ) async throws(StoreError) -> Bool {
        let byteCount = events.reduce(0) { $0 + $1.count }
        let memory = await options.memory.waitForReservation(of: byteCount, for: .store)
        guard let memory else { throw .unavailable("there is no memory for a write") }
        // With one number for all attempts.
        let number = Int64.random(in: 1 ... .max)
        let revision = try await makingSpace(for: screen) {
            () async throws(StoreError) -> UInt64? in
            try await self.pool.run(.write) {
                [bounds = self.options.feeds, droppedEvents = self.droppedEvents]
                connection, mayBeDone throws(PostgresFailure) in
                defer { withExtendedLifetime(memory) {} }
                return try PostgresFeed.append(
                    events, to: screen, number: number, isRepeated: mayBeDone, bounds,
                    counting: droppedEvents, on: connection)
            }
        }
        guard let revision else { return false }
        notifier.send(screen, lowest: revision)
        return true
    }

    /// Returns a part of the feed of a screen.
    package func feed(
        of screen: ScreenName, after number: UInt64, byteCount: Int
    ) async throws(StoreError) -> FeedPart? {
        try await pool.run(.other) {
            [line = connector.line] connection, _ throws(PostgresFailure) in
            try PostgresFeed.part(
                of: screen, after: number, byteCount: byteCount, on: connection, line)
        }
    }
}
