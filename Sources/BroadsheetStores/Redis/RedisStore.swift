import BroadsheetIO

/// A store on a Redis server, shared by any number of daemons.
///
/// Every write is a compare-and-set that the server performs atomically, so no daemon overwrites
/// the write of another. A read reflects every write that any daemon had acknowledged when it
/// began: an entry of the ``RedisRevisionCache`` is used only once all messages about those writes
/// have been received (``RedisSubscriber``), and without a subscription each read queries the
/// server. A commit whose reply was lost is sent again with its number, by which the server knows
/// whether it was applied, and a read is sent again, too. While the server is unreachable every
/// call throws `unavailable`, and the connections are established again automatically. Revisions
/// leave a gap when a server has another history than before (``RedisLine``). Durability across a
/// crash or failover of the server depends on its persistence settings (docs/operations.md).
package final class RedisStore: FeedStore, ServerStore {
    private let group: EventLoopGroup
    /// The connection for requests.
    let client: RedisClient
    private let subscriber: RedisSubscriber
    private let revisions: RedisRevisionCache
    private let runIDs = RedisRunIDs()
    private let invalidations = InvalidationObserver()
    private let line: ServerLine
    private let emptied: RedisEmptiedServer
    private let reader: RedisScreenReader
    private let earlier: RedisEarlierReader
    let writer: RedisWriter
    /// The channel of changes.
    let channel: String
    private let options: RedisStoreOptions

    /// The seconds after which the server removes what a failed probe left.
    private static let probeSeconds = 60

    /// The commits that were sent again because their reply was lost.
    package var commitsSentAgain: CommitStatistics { writer.sentAgain }

    /// The number of times that another line of the server was found.
    package var lineCount: UInt64 { line.changeCount }

    /// The number of names of the index that one round of a listing reads.
    static let namesPerRound = 1000

    /// Begins to connect to `endpoint` and returns without waiting for the connection.
    ///
    /// - Throws: ``StoreOpenError/cannotOpen(path:detail:)`` if a file of TLS cannot be used, or if
    ///   the process is out of threads or descriptors.
    package init(
        _ endpoint: RedisEndpoint, options: RedisStoreOptions = RedisStoreOptions()
    ) throws(StoreOpenError) {
        do throws(TLSFailure) {
            // Each connection reads the files again; here it is known whether they can be used.
            if let tls = endpoint.tls { _ = try TLSContext(tls) }
        } catch {
            throw .cannotOpen(path: endpoint.description, detail: error.reason)
        }
        do throws(IOError) {
            group = try EventLoopGroup(count: 1)
        } catch {
            throw .cannotOpen(path: endpoint.description, detail: error.description)
        }
        let location = RedisLocation(endpoint, on: group.loops[0]) { [onEvent = options.onEvent] in
            onEvent(.sentinelsSilent($0))
        }
        self.options = options
        channel = RedisKeys.changes(endpoint)
        revisions = RedisRevisionCache(clock: options.clock)
        emptied = RedisEmptiedServer(clock: options.clock)
        // The revisions that are known may then be those of writes that were lost.
        let onRestart: @Sendable () -> Void = { [revisions, invalidations] in
            revisions.removeAll()
            invalidations.notify(.restarted)
        }
        line = ServerLine(onRestart)
        client = RedisClient(
            location, Self.requestObserver(runIDs, line, onRestart, options.onEvent),
            memory: options.memory, timeout: options.timeout)
        reader = RedisScreenReader(client: client)
        earlier = RedisEarlierReader(
            client: client, screens: reader, damages: DamagedHistories(), onEvent: options.onEvent)
        writer = RedisWriter(
            client: client, earlier: earlier, revisions: revisions, emptied: emptied, line: line,
            options: options, onRestart: onRestart, channel: channel)
        let messageObserver = Self.messageObserver(
            runIDs, revisions, invalidations, options.onEvent)
        subscriber = RedisSubscriber(
            location, messageObserver,
            onMessage: { [revisions, invalidations] message in
                if message == RedisKeys.startMessage { return onRestart() }
                guard let event = StoreInvalidation(message: message) else { return }
                if case .written(let screen, let lowest) = event {
                    revisions.raise(screen, to: RecordVersion(revision: lowest, edit: 0))
                }
                invalidations.notify(event)
            })
        client.start()
        subscriber.start()
    }

    /// Returns the observer of the connection that requests are sent on.
    private static func requestObserver(
        _ runIDs: RedisRunIDs, _ line: ServerLine, _ onRestart: @escaping @Sendable () -> Void,
        _ onEvent: @escaping StoreEvent.Handler
    ) -> RedisLinkObserver {
        let reporter = RedisConnectionReporter.forRequests(onEvent)
        return RedisLinkObserver(
            opened: { node, session in
                let isOtherRun = runIDs.requestsConnected(to: session.runID)
                let isOtherLine = session.line.map { line.record($0) } ?? false
                if isOtherRun, !isOtherLine { onRestart() }
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
            let start = RedisEmptiedServer.command(beginning: value, floor: 0, channel: channel)
            reply = try await client.call([start, get])[1]
        }
        guard reply.text != StoreIdentity.incompleteName else {
            throw .corrupt(StoreIdentity.incompleteReason)
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

    /// Returns a Boolean value that indicates whether the screen is at `revision` according to the
    /// cache, once all messages have been received.
    private func isCurrent(_ screen: ScreenName, at revision: UInt64) async -> Bool {
        let version = RecordVersion(revision: revision, edit: 0)
        guard revisions.state(of: screen, at: version) != nil else { return false }
        return await subscriber.catchUp() && runIDs.match
            && revisions.state(of: screen, at: version) != nil
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
                RecordVersion(revision: found.revision, edit: 0), of: screen, at: moment,
                timeToLive: found.timeToLive.duration)
        }
        return found.value
    }

    /// Applies a commit and returns after the server has acknowledged it.
    package func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        try await self.commit(
            commit, to: screen, expecting: expected, lifetime: lifetime, as: RevisionNote())
    }

    /// Applies a commit, keeps the revision that it replaces, and returns after the server has
    /// acknowledged both.
    package func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime, as note: RevisionNote
    ) async throws(StoreError) -> UInt64 {
        var request = RedisCommit(
            commit: commit, screen: screen, expected: expected, lifetime: lifetime,
            channel: channel, maxBytes: options.maxScreenBytes)
        request.note = note
        request.bounds = options.history
        request.feeds = options.feeds
        request.now = options.clock.unixMilliseconds
        request.requiresIdentity = emptied.hasIdentity
        return try await writer.perform(request)
    }

    /// The bounds of the feed of each screen.
    package var feedBounds: FeedBounds { options.feeds }

    /// The number of events that were dropped because of the bounds.
    package var droppedEventCount: UInt64 { writer.droppedEvents.count }

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
        try await earlier.remove([screen], publishingOn: channel)
    }

    /// Returns the number of bytes of the earlier pages of all screens.
    package func historyByteCount() async throws(StoreError) -> Int {
        guard !options.history.isNone else { return 0 }
        let now = options.clock.unixMilliseconds
        return try await earlier.sizes()
            .reduce(0) { $0 + ($1.expiry > now ? $1.byteCount : 0) }
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
                ["revision", "sizes"].flatMap { field in
                    names.map { RESPCommand("HGET", RedisKeys.screen($0), field) }
                })
            let revisions = replies.prefix(names.count).map { $0.text.flatMap { UInt64($0) } }
            let sizes = zip(names, replies.dropFirst(names.count)).map { name, reply in
                try? RedisValues(name: name).size(reply)
            }
            let gone = zip(names, revisions).filter { $0.1 == nil }.map(\.0)
            if !gone.isEmpty { _ = try await client.call(RedisIndexSweep.prune(gone)) }
            found += zip(zip(names, revisions), sizes).compactMap { entry, size in
                entry.1.map {
                    ScreenListing(name: entry.0, revision: $0, byteCount: size?.byteCount)
                }
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
        let probe = RESPCommand("EXISTS", RedisKeys.identity)
        _ = try await client.call([probe], isRepeated: false)
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
            try await writer.check(probe)
        } catch {
            // Another probe, which failed in the middle, had left a key; this one has removed it.
            guard case .conflict = error else { throw error }
            try await writer.check(probe)
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
}

extension RedisStore {
    package var timeout: Duration { options.timeout }
}
