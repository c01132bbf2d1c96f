/// Writes to screens on a server.
struct RedisWriter: Sendable {
    /// The client of the server.
    let client: RedisClient
    /// The reader of earlier revisions, which removes them if the server is out of memory.
    let earlier: RedisEarlierReader
    /// The revisions that are known.
    let revisions: RedisRevisionCache
    /// The knowledge with which the store begins again on an emptied server.
    let emptied: RedisEmptiedServer
    /// The line of the server.
    let line: ServerLine
    /// The options of the store.
    let options: RedisStoreOptions
    /// Called when the server has lost what it had acknowledged.
    let onRestart: @Sendable () -> Void
    /// The channel of changes.
    let channel: String
    /// The commits that were sent again.
    let sentAgain = CommitStatistics()
    /// The events of feeds that were dropped.
    let droppedEvents = DroppedEvents()
    /// The sweep of the index, a part of which goes with each new screen.
    let sweep = RedisIndexSweep()

    /// Performs a write and returns the revision.
    func perform(_ commit: RedisCommit) async throws(StoreError) -> UInt64 {
        let moment = revisions.now()
        var reply = try await makingSpace(for: commit.screen) {
            () async throws(StoreError) -> RedisCommit.Reply in
            try await self.reply(to: commit)
        }
        if reply.kind == .emptied {
            try await refill()
            reply = try await self.reply(to: commit)
        }
        let screen = commit.screen
        let revision = try reply.outcome.revision(of: screen)
        emptied.record(revision)
        if commit.commit == .removeScreen {
            revisions.raise(screen, to: RecordVersion(revision: revision &+ 1, edit: 0))
        } else if let timeToLive = reply.timeToLive {
            revisions.record(
                RecordVersion(revision: revision, edit: 0), of: screen, at: moment,
                timeToLive: timeToLive.duration)
        } else {
            // Other writes may have followed since it was applied.
            revisions.raise(screen, to: RecordVersion(revision: revision, edit: 0))
        }
        return revision
    }

    /// Performs a write that is undone.
    func check(_ probe: RedisCommit) async throws(StoreError) {
        let reply = try await client.call(last: probe.command)[0]
        _ = try probe.reply(reply, mayBeDone: false).outcome.revision(of: probe.screen)
    }

    /// Runs `body`; while the server is out of memory, removes earlier revisions and runs it again:
    /// those of the screen first, and then those of others.
    func makingSpace<Value>(
        for screen: ScreenName, _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        var names: [ScreenName]?
        while true {
            do throws(StoreError) {
                return try await body()
            } catch {
                guard case .full = error, !options.history.isNone else { throw error }
                if let rest = names {
                    guard !rest.isEmpty else { throw error }
                    _ = try await earlier.remove(Array(rest.prefix(RedisStore.namesPerRound)))
                    names = Array(rest.dropFirst(RedisStore.namesPerRound))
                } else {
                    _ = try await earlier.remove([screen])
                    names = try await earlier.sizes().map(\.name)
                }
            }
        }
    }

    /// Begins the store again on a server that has lost its keys, with revisions above all that
    /// were assigned before: an entity tag or a layout of an earlier revision must not be taken for
    /// that of a new screen.
    private func refill() async throws(StoreError) {
        guard let command = emptied.command(channel: channel) else { return }
        let floor = try await client.call(command)
        onRestart()
        options.onEvent(.emptied(floor: floor.text ?? "0"))
    }

    /// Sends a write, again if its reply is lost, and returns its reply.
    ///
    /// A write that creates a screen is sent together with a sweep of the index, whose failure does
    /// not affect the write.
    private func reply(to commit: RedisCommit) async throws(StoreError) -> RedisCommit.Reply {
        let isNew = commit.expected == nil
        let replies = try await client.replies(
            to: isNew ? sweep.commands() : [], last: commit.command)
        if isNew { sweep.record(replies.values.first ?? .null) }
        let last = replies.values.last ?? .null
        try RedisClient.check(last)
        let reply = try commit.reply(last, mayBeDone: replies.mayBeRepeated)
        if let line = reply.line { self.line.record(line) }
        droppedEvents.add(reply.droppedEventCount)
        if replies.mayBeRepeated, reply.kind != .emptied { sentAgain.count(reply.outcome) }
        return reply
    }
}
