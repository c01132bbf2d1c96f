internal import BroadsheetIO

/// A store on a server of the Redis protocol, shared by any number of daemons.
///
/// Every write is a compare-and-set that the server runs whole, so no two daemons lose each other's.
/// What a daemon knows of a screen it believes for at most half a second, less when another tells
/// that it wrote (``RedisFreshness``). While the server is away every call throws `unavailable`, and
/// the connection is made anew without anybody's help. What survives a crash of the server is up to
/// its persistence (docs/operations.md).
package final class RedisStore: ScreenStore {
    private let group: EventLoopGroup
    private let client: RedisClient
    private let listener: RedisListener
    private let freshness: RedisFreshness
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
        let report = RedisReport(options.tell)
        let listening = RedisListening(
            opened: { report.opened($0) }, lost: { report.lost(because: $0) })
        client = RedisClient(endpoint, on: loop, listening)
        listener = RedisListener(endpoint, on: loop, freshness)
        client.start()
        listener.start()
        options.tell(.opened(endpoint.description))
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
        let moment = freshness.now()
        if let revision {
            if freshness.isAt(revision, screen) { return .unchanged }
            let key = RedisKeys.screen(screen)
            let current = try await client.call(RESPCommand("HGET", key, "revision"))
            if current.text == String(revision) {
                freshness.learn(revision, of: screen, at: moment)
                return .unchanged
            }
        }
        let reply = try await client.call(RESPCommand("HGETALL", RedisKeys.screen(screen)))
        guard let stored = try StoredScreen(redis: reply, screen) else {
            freshness.forget(screen)
            return .absent
        }
        freshness.learn(stored.revision, of: screen, at: moment)
        return stored.revision == revision ? .unchanged : .screen(stored)
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
        let revision = try commit.revision(try await answer(to: commit))
        if change == .removeScreen {
            freshness.raise(screen, to: revision &+ 1)
        } else {
            freshness.learn(revision, of: screen, at: moment)
        }
        return revision
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
        options.tell(.closed)
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
