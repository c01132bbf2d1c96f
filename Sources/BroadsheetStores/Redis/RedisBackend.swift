import BroadsheetIO
import Synchronization

/// A backend on a Redis server, shared by any number of daemons.
///
/// A batch is one script, which the server runs atomically, so no daemon overwrites the write of
/// another. A read reflects every batch that any daemon had acknowledged when it began: what the
/// ``RedisRevisionCache`` has is used only once all messages about those batches have been received
/// (``RedisSubscriber``), and without a subscription each read queries the server. A batch whose
/// reply was lost fails with ``StoreError/unknown(_:)``, and a read is sent again. While the server
/// is unreachable every call throws `unavailable`, and the connections are established again
/// automatically. The line of the server changes when a replica is promoted, and when it is
/// restarted (``LuaScript``). Durability across a crash or failover of the server depends on its
/// persistence settings (docs/operations.md).
package final class RedisBackend: CopyableBackend {
    private let group: EventLoopGroup
    /// The connection for requests.
    let client: RedisClient
    private let subscriber: RedisSubscriber
    private let revisions: RedisRevisionCache
    private let runIDs = RedisRunIDs()
    private let invalidations = Observer<StoreInvalidation>()
    let server: RedisServerState
    /// The floor in the last reply.
    private let floor = Mutex<RevisionFloor?>(nil)
    /// The knowledge with which the store begins again on a server that has lost its keys.
    let emptied: RedisEmptiedServer
    private let sweep = RedisIndexSweep()
    private let channel: String
    let options: RedisStoreOptions

    package let limits: BackendLimits

    static let stateKeys = [RedisKeys.line, RedisKeys.floor, RedisKeys.identity]

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
        limits = BackendLimits(
            batchBytes: RedisBatch.maxBytes, screenBytes: options.maxScreenBytes,
            removesExpired: true, isShared: true)
        channel = RedisKeys.changes(endpoint)
        let revisions = RedisRevisionCache(clock: options.clock)
        self.revisions = revisions
        emptied = RedisEmptiedServer(clock: options.clock)
        let server = RedisServerState()
        self.server = server
        client = RedisClient(
            location, Self.requestObserver(runIDs, server, revisions, options.onEvent),
            memory: options.memory, timeout: options.timeout)
        subscriber = RedisSubscriber(
            location, Self.messageObserver(runIDs, revisions, invalidations, options.onEvent),
            onMessage: { [revisions, invalidations] text in
                guard let message = RedisMessage(text) else { return }
                // Versions that are known may be those of another line.
                if message.state != server.text { revisions.removeAll() }
                revisions.raise(message.screen, to: message.version)
                if let event = message.event { invalidations.notify(event) }
            })
        client.start()
        subscriber.start()
    }

    private static func requestObserver(
        _ runIDs: RedisRunIDs, _ server: RedisServerState, _ revisions: RedisRevisionCache,
        _ onEvent: @escaping StoreEvent.Handler
    ) -> RedisLinkObserver {
        let reporter = RedisConnectionReporter.forRequests(onEvent)
        return RedisLinkObserver(
            opened: { node, session in
                if runIDs.requestsConnected(to: session.runID) {
                    revisions.removeAll()
                    if !session.hasLine { server.beginLine() }
                }
                reporter.opened(node)
            }, lost: { reporter.lost(because: $0) })
    }

    private static func messageObserver(
        _ runIDs: RedisRunIDs, _ revisions: RedisRevisionCache,
        _ invalidations: Observer<StoreInvalidation>, _ onEvent: @escaping StoreEvent.Handler
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

    /// Delivers the messages of daemons to a handler, and that some may have been missed.
    package func observe(_ handler: @escaping StoreInvalidation.Handler) {
        invalidations.set(handler)
    }

    /// Returns if the server replies and has loaded its data.
    package func checkReadiness() async throws(StoreError) {
        let probe = RESPCommand("EXISTS", RedisKeys.identity)
        _ = try await client.call([probe], isRepeated: false)
    }

    /// Returns if the server performs a write, which is then undone.
    package func checkWrites(ofBytes byteCount: Int) async throws(StoreError) {
        let bytes = [UInt8](repeating: 0, count: min(max(0, byteCount), limits.batchBytes))
        _ = try await reply(
            of: .probe, keys: [RedisKeys.probe, RedisKeys.probedNames],
            [bytes, Array(RedisKeys.probe.utf8)])
    }

    /// Waits for outstanding replies and closes the connections.
    package func close() async {
        await client.finish()
        subscriber.close()
        group.stop()
        await group.waitForEnd()
        options.onEvent(.closed)
    }

    func reply(
        of script: LuaScript, keys: [String], _ arguments: [[UInt8]]
    ) async throws(StoreError) -> RESPValue {
        let reply = try await client.run(script, keys: keys, arguments).values.last ?? .null
        try RedisClient.check(reply)
        return reply
    }
}

/// Records, objects, and batches.
extension RedisBackend {
    /// Returns records in the order of the queries.
    package func records(_ wanted: [RecordQuery]) async throws(StoreError) -> RecordReply {
        if let reply = await knownReply(to: wanted) { return reply }
        let moment = revisions.now()
        var arguments = [Array(server.text.utf8)]
        for query in wanted {
            arguments.append(query.known.map { Array("\($0.revision)".utf8) } ?? [])
            arguments.append(query.known.map { Array("\($0.edit)".utf8) } ?? [])
        }
        let reply = try await reply(
            of: .records, keys: Self.stateKeys + wanted.map { RedisKeys.screen($0.screen) },
            arguments)
        guard let parts = reply.elements, parts.count == 5, let records = parts[3].elements,
            records.count == wanted.count
        else { throw .corrupt("the reply about \(wanted.count) screens is malformed") }
        return try record(serverIn: parts[0...2], records, of: wanted, at: moment)
    }

    /// Returns the reply to queries for versions that are all known to be current, once all
    /// messages have been received; otherwise `nil`.
    private func knownReply(to wanted: [RecordQuery]) async -> RecordReply? {
        guard !wanted.isEmpty, knownStates(of: wanted) != nil, await subscriber.catchUp(),
            runIDs.match, let floor = floor.withLock({ $0 }),
            let records = knownStates(of: wanted)
        else { return nil }
        return RecordReply(line: server.line, floor: floor, records: records)
    }

    private func knownStates(of wanted: [RecordQuery]) -> [RecordState]? {
        var states: [RecordState] = []
        for query in wanted {
            guard let known = query.known,
                let state = revisions.state(of: query.screen, at: known)
            else { return nil }
            states.append(state)
        }
        return states
    }

    private func record(
        serverIn parts: ArraySlice<RESPValue>, _ replies: [RESPValue], of wanted: [RecordQuery],
        at moment: RedisRevisionCache.Moment
    ) throws(StoreError) -> RecordReply {
        let words = parts.map(\.text)
        guard let state = words[0], let revision = words[1].flatMap({ UInt64($0) }),
            let floorLine = words[2].flatMap({ UInt64($0) })
        else { throw .corrupt("the reply about the state of the server is malformed") }
        let line = try record(state)
        let floor = RevisionFloor(revision: revision, line: floorLine)
        self.floor.withLock { $0 = floor }
        emptied.record(revision)
        var reply = RecordReply(line: line, floor: floor, records: [])
        for (query, value) in zip(wanted, replies) {
            guard let record = RedisBatch.record(value) else {
                throw .corrupt("screen \(query.screen) has a field that is not valid")
            }
            keep(record, of: query, at: moment)
            reply.records.append(record)
        }
        return reply
    }

    private func keep(
        _ record: RecordState, of query: RecordQuery, at moment: RedisRevisionCache.Moment
    ) {
        let (version, left): (RecordVersion?, Int64?) =
            switch record {
            case .absent: (nil, nil)
            case .unchanged(let timeLeft): (query.known, timeLeft)
            case .present(let stored): (stored.version, stored.timeLeft)
            }
        guard let version else { return }
        emptied.record(version.revision)
        revisions.record(
            version, of: query.screen, at: moment, timeToLive: left.map { .milliseconds($0) })
    }

    /// Records the state of the server, and returns its line.
    private func record(_ state: String) throws(StoreError) -> UInt64 {
        let (line, isOther) = try server.record(state)
        if isOther { revisions.removeAll() }
        return line
    }

    /// Returns objects in the order of their keys.
    package func objects(
        _ keys: [ObjectKey], of screen: ScreenName, within byteCount: Int
    ) async throws(StoreError) -> [ObjectReply] {
        guard !keys.isEmpty else { return [] }
        let reply = try await reply(
            of: .objects, keys: [RedisKeys.screen(screen)],
            ([String(byteCount)] + keys.map(RedisBatch.field)).map { Array($0.utf8) })
        guard let objects = reply.elements?.first?.elements, objects.count == keys.count else {
            throw .corrupt("the reply about objects of screen \(screen) is malformed")
        }
        return objects.map(RedisBatch.object)
    }

    /// Applies a batch, and returns after the server has acknowledged it.
    ///
    /// One that creates a screen is sent together with a sweep of the index, whose failure does not
    /// affect it.
    package func apply(_ batch: StoreBatch) async throws(StoreError) -> BatchOutcome {
        let moment = revisions.now()
        let isNew = batch.expectation == .absent
        let replies = try await client.run(
            .apply,
            keys: Self.stateKeys
                + [RedisKeys.screen(batch.screen), RedisKeys.index, RedisKeys.dues],
            [Array(server.text.utf8)]
                + RedisBatch.arguments(
                    of: batch, channel: channel, restoration: isNew ? emptied.restoration : nil),
            after: isNew ? sweep.commands() : [], isWrite: true)
        if isNew { sweep.record(replies.values.first ?? .null) }
        // An earlier attempt may have been applied, so that this one is a conflict.
        guard !replies.mayBeRepeated else { throw .unknown("a reply of the server was lost") }
        let reply = replies.values.last ?? .null
        try RedisClient.check(reply)
        return try outcome(of: batch, reply, at: moment)
    }

    private func outcome(
        of batch: StoreBatch, _ reply: RESPValue, at moment: RedisRevisionCache.Moment
    ) throws(StoreError) -> BatchOutcome {
        guard let parts = reply.elements, let kind = parts.first?.integer, parts.count >= 4 else {
            throw .unknown("the reply to a write of screen \(batch.screen) is malformed")
        }
        guard kind == 1 else {
            guard parts.count == 6 else {
                throw .corrupt("the reply to a write of screen \(batch.screen) is malformed")
            }
            let query = RecordQuery(screen: batch.screen)
            let found = try record(serverIn: parts[1...3], [parts[4]], of: [query], at: moment)
            if kind == 2 { options.onEvent(.emptied(floor: String(found.floor.revision))) }
            return .conflict(found)
        }
        if let state = parts[1].text { _ = try record(state) }
        if let raised = batch.floor {
            floor.withLock { floor in floor = batch.floor(over: floor ?? raised) }
        }
        let version = RedisBatch.lowestVersion(after: batch)
        switch batch.change {
        case .write:
            emptied.record(version.revision)
            revisions.record(
                version, of: batch.screen, at: moment,
                timeToLive: RedisTimeToLive(parts[2]).duration)
        case .remove: revisions.raise(batch.screen, to: version)
        case .none: break
        }
        return .applied
    }
}
