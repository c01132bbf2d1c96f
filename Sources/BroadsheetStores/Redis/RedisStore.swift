package import BroadsheetIO

/// A store on a Redis server, shared by any number of daemons.
///
/// Every write is a compare-and-set that the server performs atomically, so no daemon overwrites
/// the write of another. A read reflects every write that any daemon had acknowledged when it
/// began: an entry of the ``RedisRevisionCache`` is used only once all messages about those writes
/// have been received (``RedisSubscriber``), and without a subscription each read queries the
/// server. While the server is unreachable every call throws `unavailable`, and the connections are
/// established again automatically. Durability across a crash or failover of the server depends on
/// its persistence settings (docs/operations.md).
package final class RedisStore: ScreenStore {
    private let group: EventLoopGroup
    private let client: RedisClient
    private let subscriber: RedisSubscriber
    private let revisions: RedisRevisionCache
    private let runIDs = RedisRunIDs()
    private let invalidations = InvalidationObserver()
    private let sweep = RedisIndexSweep()
    private let emptied: RedisEmptiedServer
    private let channel: String
    private let options: RedisStoreOptions

    /// The seconds after which the server removes what a failed probe left.
    private static let probeSeconds = 60

    /// The number of names of the index that one round of a listing reads.
    static let namesPerRound = 1000

    /// Begins to connect to `endpoint` and returns without waiting for the connection.
    ///
    /// - Throws: ``StoreOpenError/cannotOpen(path:detail:)`` if the process is out of threads or
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
        revisions = RedisRevisionCache(clock: options.clock)
        emptied = RedisEmptiedServer(clock: options.clock)
        client = RedisClient(
            endpoint, on: loop,
            Self.requestObserver(runIDs, revisions, invalidations, options.onEvent),
            memory: options.memory)
        let messageObserver = Self.messageObserver(
            runIDs, revisions, invalidations, options.onEvent)
        subscriber = RedisSubscriber(
            endpoint, on: loop, messageObserver,
            onStart: { [revisions, invalidations] in Self.dropAll(revisions, invalidations) },
            onWrite: { [revisions, invalidations] screen, lowest in
                revisions.raise(screen, to: lowest)
                invalidations.notify(.written(screen, lowest: lowest))
            })
        client.start()
        subscriber.start()
    }

    /// Returns the observer of the connection that requests are sent on.
    private static func requestObserver(
        _ runIDs: RedisRunIDs, _ revisions: RedisRevisionCache,
        _ invalidations: InvalidationObserver, _ onEvent: @escaping StoreEvent.Handler
    ) -> RedisLinkObserver {
        let reporter = RedisConnectionReporter.forRequests(onEvent)
        return RedisLinkObserver(
            opened: { node, session in
                if runIDs.requestsConnected(to: session.runID) {
                    dropAll(revisions, invalidations)
                }
                reporter.opened(node)
            }, lost: { reporter.lost(because: $0) })
    }

    /// Returns the observer of the connection that messages are received on.
    private static func messageObserver(
        _ runIDs: RedisRunIDs, _ revisions: RedisRevisionCache,
        _ invalidations: InvalidationObserver, _ onEvent: @escaping StoreEvent.Handler
    ) -> RedisLinkObserver {
        let reporter = RedisConnectionReporter.forSubscription(onEvent)
        return RedisLinkObserver(
            opened: { node, session in
                runIDs.subscriptionConnected(to: session.runID)
                // Messages may have been missed.
                revisions.removeAll()
                invalidations.notify(.missed)
                reporter.opened(node)
            }, lost: { reporter.lost(because: $0) })
    }

    deinit {
        client.close()
        subscriber.close()
        group.stop()
    }

    /// Returns the identity of the store, which the first daemon creates.
    package func identity() async throws(StoreError) -> StoreIdentity {
        let get = RESPCommand("GET", RedisKeys.identity)
        // A server that accepts no writes may still be read from.
        var reply = try await client.call(get)
        if reply == .null {
            let fresh = StoreIdentity.random()
            let value = Array("\(fresh.name):".utf8) + fresh.sealingKey
            let set = RESPCommand(
                ["SET", RedisKeys.identity].map { Array($0.utf8) } + [value, Array("NX".utf8)])
            let replies = try await client.call([set, get])
            reply = replies[1]
            if replies[0] != .null {
                let publish = RESPCommand("PUBLISH", channel, RedisKeys.startMessage)
                _ = try await client.call(publish)
            }
        }
        guard let kept = reply.bytes, let colon = kept.firstIndex(of: UInt8(ascii: ":")),
            let identity = StoreIdentity(
                name: String(decoding: kept[..<colon], as: UTF8.self),
                sealingKey: Array(kept[(colon + 1)...]))
        else { throw .corrupt("the key \(RedisKeys.identity) is not an identity") }
        emptied.record(identity: kept)
        return identity
    }

    /// Returns a part of the screen, unless its revision is still `revision`.
    package func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        if let revision, await isCurrent(screen, at: revision) { return .unchanged }
        let moment = revisions.now()
        let found = try await reader.load(screen, unlessAt: revision, part, within: limits)
        let load = record(found, of: screen, at: moment) ?? .absent
        return load != .absent && found.revision == revision ? .unchanged : load
    }

    /// Returns the screen without its pages, and one of them.
    package func page(
        _ number: Int?, of screen: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad? {
        let moment = revisions.now()
        let found = try await reader.page(number, of: screen, atMost: byteCount)
        return record(found, of: screen, at: moment)
    }

    private var reader: RedisScreenReader { RedisScreenReader(client: client) }

    /// Returns a Boolean value that indicates whether the screen is at `revision` according to the
    /// cache, once all messages have been received.
    private func isCurrent(_ screen: ScreenName, at revision: UInt64) async -> Bool {
        guard revisions.isAt(revision, screen) else { return false }
        return await subscriber.catchUp() && runIDs.match && revisions.isAt(revision, screen)
    }

    /// Records the revision in a reply, and returns its value.
    private func record<Value>(
        _ found: RedisScreenReader.Timed<Value>, of screen: ScreenName,
        at moment: RedisRevisionCache.Moment
    ) -> Value? {
        // A screen that does not exist has no revision.
        if found.revision > 0 {
            emptied.record(found.revision)
            revisions.record(
                found.revision, of: screen, at: moment, timeToLive: found.timeToLive.duration)
        }
        return found.value
    }

    /// Applies a commit and returns after the server has acknowledged it.
    package func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        var request = RedisCommit(
            commit: commit, screen: screen, expected: expected, lifetime: lifetime,
            channel: channel, maxBytes: options.maxScreenBytes)
        request.requiresIdentity = emptied.hasIdentity
        let moment = revisions.now()
        var reply = try await self.reply(to: request)
        if request.findsEmptiedServer(reply) {
            try await refill()
            reply = try await self.reply(to: request)
        }
        let outcome = try request.outcome(reply)
        emptied.record(outcome.revision)
        if commit == .removeScreen {
            revisions.raise(screen, to: outcome.revision &+ 1)
        } else {
            revisions.record(
                outcome.revision, of: screen, at: moment, timeToLive: outcome.timeToLive.duration)
        }
        return outcome.revision
    }

    /// Returns up to `limit` screens after `name` whose names begin with `prefix`; names of expired
    /// screens are skipped and removed from the index.
    package func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        var found: [ScreenListing] = []
        var after = name
        while found.count < limit {
            let names = RedisIndex.names(
                try await client.call(
                    RedisIndex.names(after: after, prefix: prefix, limit: Self.namesPerRound)))
            guard let last = names.last else { break }
            after = last
            let replies = try await client.call(
                names.map { RESPCommand("HGET", RedisKeys.screen($0), "revision") })
            let revisions = replies.map { $0.text.flatMap { UInt64($0) } }
            let gone = zip(names, revisions).filter { $0.1 == nil }.map(\.0)
            if !gone.isEmpty { _ = try await client.call(RedisIndexSweep.prune(gone)) }
            found += zip(names, revisions).compactMap { name, revision in
                revision.map { ScreenListing(name: name, revision: $0) }
            }
        }
        return Array(found.prefix(max(0, limit)))
    }

    /// Delivers writes of any daemon to `handler`, and a restart if the connection is established
    /// to another run of the server or to another server, which may lack acknowledged writes.
    package func observeInvalidations(_ handler: @escaping StoreInvalidation.Handler) {
        invalidations.set(handler)
    }

    /// Returns if the server replies and has loaded its data.
    package func checkReadiness() async throws(StoreError) {
        _ = try await client.call(RESPCommand("EXISTS", RedisKeys.identity))
    }

    /// Returns if the server performs a write, which is then undone.
    package func checkWrites(ofBytes byteCount: Int) async throws(StoreError) {
        guard let screen = ScreenName("probe") else { return }
        let bytes = [UInt8](repeating: 0, count: min(max(0, byteCount), options.maxScreenBytes / 2))
        var probe = RedisCommit(
            commit: .put(page: 0, bytes: bytes), screen: screen, expected: nil,
            lifetime: .seconds(Self.probeSeconds), channel: RedisKeys.probe,
            maxBytes: options.maxScreenBytes)
        probe.isProbe = true
        do throws(StoreError) {
            _ = try probe.outcome(try await client.call(last: probe.command)[0])
        } catch {
            // Another probe, which failed in the middle, had left a key; this one has removed it.
            guard case .conflict = error else { throw error }
            _ = try probe.outcome(try await client.call(last: probe.command)[0])
        }
    }

    /// Waits for outstanding replies and closes the connections.
    package func close() async {
        await client.finish()
        subscriber.close()
        group.stop()
        await group.waitForEnd()
        options.onEvent(.closed)
    }

    /// Makes everything invalid that is known of earlier revisions.
    private static func dropAll(
        _ revisions: RedisRevisionCache, _ invalidations: InvalidationObserver
    ) {
        revisions.removeAll()
        invalidations.notify(.restarted)
    }

    /// Begins the store again on a server that has lost its keys, with revisions above all that
    /// were assigned before: an entity tag or a layout of an earlier revision must not be taken for
    /// that of a new screen.
    private func refill() async throws(StoreError) {
        guard let command = emptied.command(channel: channel) else { return }
        let floor = try await client.call(command)
        Self.dropAll(revisions, invalidations)
        options.onEvent(.emptied(floor: floor.text ?? "0"))
    }

    /// Sends a write and returns its reply.
    ///
    /// A write that creates a screen is sent together with a sweep of the index, whose failure does
    /// not affect the write.
    private func reply(to commit: RedisCommit) async throws(StoreError) -> RESPValue {
        let isNew = commit.expected == nil
        let replies = try await client.replies(
            to: isNew ? sweep.commands() : [], last: commit.command)
        if isNew { sweep.record(replies.first ?? .null) }
        guard let reply = replies.last else { return .null }
        try RedisClient.check(reply)
        return reply
    }
}

/// The options of a Redis store besides its endpoint.
package struct RedisStoreOptions: Sendable {
    /// The clock by which cached revisions expire.
    package var clock: TimeSource
    /// The maximum size of the pages of one screen together, in bytes.
    package var maxScreenBytes: Int
    /// The budget that large requests and replies are charged to.
    package var memory: MemoryBudget
    /// A function that receives background events.
    package var onEvent: StoreEvent.Handler

    /// The default of ``maxScreenBytes``: 256 MiB.
    package static let defaultMaxScreenBytes = RedisScript.maxScreenBytes

    /// Creates options.
    package init(
        clock: TimeSource = .system, maxScreenBytes: Int = defaultMaxScreenBytes,
        memory: MemoryBudget = .unlimited, onEvent: @escaping StoreEvent.Handler = { _ in }
    ) {
        self.clock = clock
        self.maxScreenBytes = maxScreenBytes
        self.memory = memory
        self.onEvent = onEvent
    }
}
