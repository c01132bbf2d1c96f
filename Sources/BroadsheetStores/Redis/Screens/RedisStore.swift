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

    /// Begins to connect to `endpoint`; returns before it has.
    ///
    /// - Throws: ``StoreOpenError/cannotOpen(path:detail:)`` when the process is out of threads or
    ///   descriptors.
    package init(_ endpoint: RedisEndpoint) throws(StoreOpenError) {
        do throws(IOError) {
            group = try EventLoopGroup(count: 1)
        } catch {
            throw .cannotOpen(path: endpoint.description, detail: error.description)
        }
        let loop = group.loops[0]
        freshness = RedisFreshness(clock: loop.clock)
        client = RedisClient(endpoint, on: loop)
        listener = RedisListener(endpoint, on: loop, freshness)
        client.start()
        listener.start()
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
        guard let kept = answers[1].bytes, let colon = kept.firstIndex(of: UInt8(ascii: ":")),
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
        let since = freshness.now
        if let revision {
            if freshness.isAt(revision, screen) { return .unchanged }
            let key = RedisKeys.screen(screen)
            let current = try await client.call(RESPCommand("HGET", key, "revision"))
            if current.text == String(revision) {
                freshness.learn(revision, of: screen, since: since)
                return .unchanged
            }
        }
        let reply = try await client.call(RESPCommand("HGETALL", RedisKeys.screen(screen)))
        guard let stored = try StoredScreen(redis: reply, screen) else {
            freshness.forget(screen)
            return .absent
        }
        freshness.learn(stored.revision, of: screen, since: since)
        return stored.revision == revision ? .unchanged : .screen(stored)
    }

    /// Applies the change; returns when the server has acknowledged it.
    package func commit(
        _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?
    ) async throws(StoreError) -> UInt64 {
        let floor = expected == nil ? try await self.floor() : 0
        let since = freshness.now
        let commands = RedisCommit(
            change: change, screen: screen, expected: expected, floor: floor
        ).commands
        let answers = try await client.call(commands)
        guard let pair = answers.last?.elements, pair.count == 2, let done = pair[0].integer,
            let revision = pair[1].integer
        else { throw .corrupt("the commit of screen \(screen) was answered strangely") }
        guard done == 1 else {
            throw .conflict(current: revision < 0 ? nil : UInt64(revision))
        }
        if change == .removeScreen {
            freshness.forget(screen)
            try await dropFromIndex(screen)
        } else {
            freshness.learn(UInt64(revision), of: screen, since: since)
        }
        return UInt64(revision)
    }

    /// Up to `limit` screens after `name`; names whose screens have expired are passed over.
    package func screens(
        after name: ScreenName?, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        var found: [ScreenListing] = []
        var start = name
        while found.count < limit {
            let names = try await names(after: start, limit: limit - found.count)
            guard let last = names.last else { break }
            start = last
            let revisions = try await client.call(
                names.map { RESPCommand("HGET", RedisKeys.screen($0), "revision") })
            for (name, revision) in zip(names, revisions) {
                if let revision = revision.text.flatMap({ UInt64($0) }) {
                    found.append(ScreenListing(name: name, revision: revision))
                } else {
                    try await dropFromIndex(name)
                }
            }
        }
        return found
    }

    /// Returns when the server answers.
    package func checkReadiness() async throws(StoreError) {
        _ = try await client.call(RESPCommand("PING"))
    }

    /// Ends the connections.
    package func close() async {
        client.close()
        listener.close()
        let group = group
        // Joining a thread blocks, which no task may.
        await withCheckedContinuation { done in
            _ = StoreThread("redis-close") {
                group.shutdown()
                done.resume()
            }
        }
    }

    private func floor() async throws(StoreError) -> UInt64 {
        let answer = try await client.call(RESPCommand("GET", RedisKeys.floor))
        return answer.text.flatMap { UInt64($0) } ?? 0
    }

    private func names(
        after name: ScreenName?, limit: Int
    ) async throws(StoreError) -> [ScreenName] {
        let start = name.map { "(\($0.text)" } ?? "-"
        let answer = try await client.call(
            RESPCommand(
                "ZRANGEBYLEX", RedisKeys.index, start, "+", "LIMIT", "0", String(limit)))
        return (answer.elements ?? []).compactMap { $0.text.flatMap { ScreenName($0) } }
    }

    /// Takes a name off the index, and puts it back when its screen has been made meanwhile.
    private func dropFromIndex(_ screen: ScreenName) async throws(StoreError) {
        let answers = try await client.call([
            RESPCommand("ZREM", RedisKeys.index, screen.text),
            RESPCommand("HEXISTS", RedisKeys.screen(screen), "revision"),
        ])
        guard answers[1].integer == 1 else { return }
        _ = try await client.call(RESPCommand("ZADD", RedisKeys.index, "0", screen.text))
    }
}
