internal import BroadsheetIO

/// A store on a server of the Redis protocol, shared by any number of daemons.
///
/// Every write is a compare-and-set that the server runs whole, so no two daemons lose each other's.
/// A read is never older than any write that any daemon had acknowledged when it began: what this
/// daemon knows of a screen (``RedisFreshness``) counts only once it has heard of all those writes
/// (``RedisListener``), and when it cannot hear, the server is asked. While the server is away every
/// call throws `unavailable`, and the connections are made anew without anybody's help. What
/// survives a crash of the server, or a failover, is up to its persistence (docs/operations.md).
package final class RedisStore: ScreenStore {
    private let group: EventLoopGroup
    private let client: RedisClient
    private let listener: RedisListener
    private let freshness: RedisFreshness
    private let runs = RedisRuns()
    private let invalidations = InvalidationObserver()
    private let sweep = RedisIndexSweep()
    private let channel: String
    private let options: RedisStoreOptions

    /// How many names of the index one round of a listing looks at.
    static let namesPerRound = 1000

    /// Begins to connect to `endpoint`; returns before it has.
    ///
    /// - Throws: ``StoreOpenError/cannotOpen(path:detail:)`` when the process is out of threads or
    ///   descriptors.
    package init(
        _ endpoint: RedisEndpoint, options: RedisStoreOptions = RedisStoreOptions()
    ) throws(StoreOpenError) {
        do throws(IOError) {
            group = try EventLoopGroup(count: 1)
        } catch {
            throw .cannotOpen(path: endpoint.description, detail: error.description)
        }
        let loop = group.loops[0]
        self.options = options
        channel = RedisKeys.changes(endpoint)
        freshness = RedisFreshness(clock: options.clock)
        let report = RedisReport.ofQuestions(options.onEvent)
        let listening = RedisListening(
            opened: { [runs, freshness, invalidations] place, session in
                if runs.openedForQuestions(to: session.run) {
                    freshness.forgetAll()
                    invalidations.notify(.restarted)
                }
                report.opened(place)
            }, lost: { report.lost(because: $0) })
        client = RedisClient(endpoint, on: loop, listening)
        listener = RedisListener(
            endpoint, on: loop, freshness, runs, .ofMessages(options.onEvent)
        ) { [invalidations] in invalidations.notify(.written($0, lowest: $1)) }
        client.start()
        listener.start()
        options.onEvent(.opened(endpoint.description))
    }

    deinit {
        client.close()
        listener.close()
        // Joining a thread blocks, and nobody knows where an object ends.
        _ = StoreThread("store-close") { [group] in group.shutdown() }
    }

    /// What the store was made with; the first daemon to ask makes it.
    package func identity() async throws(StoreError) -> StoreIdentity {
        let fresh = StoreIdentity.random()
        let value = Array("\(fresh.name):".utf8) + fresh.sealingKey
        let answers = try await client.call([
            RESPCommand(
                ["SET", RedisKeys.identity].map { Array($0.utf8) } + [value, Array("NX".utf8)]),
            RESPCommand("GET", RedisKeys.identity),
        ])
        guard let kept = answers.last?.bytes, let colon = kept.firstIndex(of: UInt8(ascii: ":")),
            let identity = StoreIdentity(
                name: String(decoding: kept[..<colon], as: UTF8.self),
                sealingKey: Array(kept[(colon + 1)...]))
        else { throw .corrupt("the key \(RedisKeys.identity) is no identity") }
        return identity
    }

    /// The screen, unless it is at `revision` still.
    package func load(
        _ screen: ScreenName, unlessAt revision: UInt64?
    ) async throws(StoreError) -> ScreenLoad {
        if let revision, try await isAt(revision, screen) { return .unchanged }
        let key = RedisKeys.screen(screen)
        let moment = freshness.now()
        let answers = try await client.call([
            RESPCommand("HGETALL", key), RESPCommand("PTTL", key),
        ])
        guard let stored = try StoredScreen(redis: answers[0], screen) else { return .absent }
        freshness.learn(
            stored.revision, of: screen, at: moment, left: RedisTimeLeft(answers[1]).duration)
        return stored.revision == revision ? .unchanged : .screen(stored)
    }

    /// Whether the screen is at `revision`, by what is known if that is enough, else by the server's
    /// word.
    private func isAt(
        _ revision: UInt64, _ screen: ScreenName
    ) async throws(StoreError) -> Bool {
        if freshness.isAt(revision, screen), await listener.catchUp(), runs.agree,
            freshness.isAt(revision, screen)
        {
            return true
        }
        let key = RedisKeys.screen(screen)
        let moment = freshness.now()
        let answers = try await client.call([
            RESPCommand("HGET", key, "revision"), RESPCommand("PTTL", key),
        ])
        guard answers[0].text == String(revision) else { return false }
        freshness.learn(
            revision, of: screen, at: moment, left: RedisTimeLeft(answers[1]).duration)
        return true
    }

    /// Applies the change; returns when the server has acknowledged it.
    package func commit(
        _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        let commit = RedisCommit(
            change: change, screen: screen, expected: expected, lifetime: lifetime,
            channel: channel, maxBytes: options.maxScreenBytes)
        let moment = freshness.now()
        let outcome = try commit.outcome(try await answer(to: commit))
        if change == .removeScreen {
            freshness.raise(screen, to: outcome.revision &+ 1)
        } else {
            freshness.learn(outcome.revision, of: screen, at: moment, left: outcome.left.duration)
        }
        return outcome.revision
    }

    /// Up to `limit` screens after `name`; names whose screens have expired are passed over, and
    /// taken off the index.
    package func screens(
        after name: ScreenName?, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        var found: [ScreenListing] = []
        var after = name
        while found.count < limit {
            let names = RedisIndex.names(
                try await client.call(RedisIndex.names(after: after, limit: Self.namesPerRound)))
            guard let last = names.last else { break }
            after = last
            let answers = try await client.call(
                names.map { RESPCommand("HGET", RedisKeys.screen($0), "revision") })
            let revisions = answers.map { $0.text.flatMap { UInt64($0) } }
            let gone = zip(names, revisions).filter { $0.1 == nil }.map(\.0)
            if !gone.isEmpty { _ = try await client.call(RedisIndexSweep.forget(gone)) }
            found += zip(names, revisions).compactMap { name, revision in
                revision.map { ScreenListing(name: name, revision: $0) }
            }
        }
        return Array(found.prefix(max(0, limit)))
    }

    /// Has `hear` called with what any daemon has written, and when the connection is made anew to
    /// another run of the server, or to another server, which may lack what this one had acknowledged.
    package func observeInvalidations(_ handler: @escaping StoreInvalidation.Handler) {
        invalidations.set(handler)
    }

    /// Returns when the server answers, and has loaded what it keeps.
    package func checkReadiness() async throws(StoreError) {
        _ = try await client.call(RESPCommand("EXISTS", RedisKeys.identity))
    }

    /// Waits for the answers that are owed, and ends the connections.
    package func close() async {
        await client.finish()
        listener.close()
        let group = group
        // Joining a thread blocks, which no task may.
        await StoreThread("store-close") { group.shutdown() }.end()
        options.onEvent(.closed)
    }

    /// Sends a write; one that makes a screen takes the sweep of the index along, whose failure is
    /// not the write's.
    private func answer(to commit: RedisCommit) async throws(StoreError) -> RESPValue {
        guard commit.expected == nil else { return try await client.call(commit.command) }
        let answers = try await client.answers(to: [commit.command] + sweep.commands())
        sweep.learn(answers.last ?? .null)
        try RedisClient.check(answers.first ?? .null)
        return answers.first ?? .null
    }
}
