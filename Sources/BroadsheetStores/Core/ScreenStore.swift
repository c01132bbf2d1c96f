import BroadsheetIO
import Synchronization

/// A store of screens.
///
/// A store keeps bytes and revisions and does not interpret pages. Its methods may wait for a disk
/// or a network but never block the calling thread. Any number of calls may be in progress at once,
/// from any number of daemons if the store is shared.
///
/// **Revisions.** The first write to a new store creates revision 1; each write to a screen
/// increments the revision of the screen. A store records the highest revision of all screens
/// that were removed or expired, and new screens start above it. No revision of a name is assigned
/// twice, so an `If-Match` cannot match a later screen by accident. For the same reason a store
/// that was restored from a backup continues far above the revisions in the backup.
///
/// **Expiry.** A write may set a ``ScreenLifetime``. An expired screen is absent to every call,
/// although its storage may be freed later.
///
/// **Writes** are compare-and-set. A write that returns a revision is as durable as the store makes
/// any write; one that throws another error than ``StoreError/unavailable(_:)`` has changed
/// nothing. Writes to one screen are ordered by revision; writes to different screens are not
/// ordered, so a store may commit many of them together.
///
/// **A store of one's own** is a ``StoreBackend``: it keeps records and objects, of which it knows
/// nothing, and passes the suite `BackendConformance` of `BroadsheetTesting`. The rules of screens
/// are here: a commit is planned from the record of its screen (`CommitPlanner`), and applied as
/// one batch; a read finds the keys of pages in the record and in the nodes of its directory. What
/// the last replies and batches had is kept, so that a write whose revision is known is one call. A
/// batch that meets another record at the expected revision is planned again.
public final class ScreenStore: Sendable {
    package let backend: any StoreBackend
    let bounds: StoreBounds
    let clock: TimeSource
    let cache = RecordCache()
    let restarted = Observer<StoreInvalidation>()
    let dropped = DroppedEvents()
    let queues = WriteQueues()
    let queries: RecordQueries
    let reclaim: SharedReclaim
    let epoch = KnownEpoch()
    private let reports: DamageReports
    /// The commits that were sent again because their reply was lost.
    package let commitsSentAgain = CommitStatistics()
    /// The backend in memory, whose history and feeds have a share together; `nil` for another one.
    let memory: MemoryBackend?
    /// The time within which a batch without a reply is sent again, and a conflict planned again.
    package let timeout: Duration
    let onEvent: StoreEvent.Handler
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let lastWeight = Mutex<(sum: Int, time: MonotonicInstant)?>(nil)

    private static let sweepInterval = Duration.seconds(30)

    /// The time for which the sum of the weights of a shared backend is known; fixed.
    private static let weightInterval = Duration.seconds(60)

    /// Creates a store over a backend.
    ///
    /// - Parameters:
    ///   - backend: The backend, which the store closes.
    ///   - bounds: The bounds of histories and feeds.
    ///   - clock: The clock.
    ///   - memory: The backend, if it is in memory.
    ///   - timeout: The time that a write may take.
    ///   - inspectionPauseFactor: The time that the inspection of all screens after the start
    ///     pauses, as a multiple of the time that it works; `nil` for no inspection.
    ///   - onEvent: A function that receives the events of the store.
    init(
        _ backend: any StoreBackend, bounds: StoreBounds, clock: TimeSource,
        memory: MemoryBackend? = nil, timeout: Duration = .seconds(5),
        inspectionPauseFactor: Int? = nil, onEvent: @escaping StoreEvent.Handler = { _ in }
    ) {
        self.timeout = timeout
        self.onEvent = onEvent
        queries = RecordQueries(backend, timeout: timeout, clock: clock)
        reclaim = SharedReclaim(backend)
        reports = DamageReports(onEvent)
        self.backend = backend
        self.bounds = bounds
        self.clock = clock
        self.memory = memory
        let sweeping = Task { [weak self] in
            while (try? await Task.sleep(for: Self.sweepInterval)) != nil {
                // A sweep that fails is repeated: readers see nothing that has expired.
                _ = try? await self?.sweepAll { try await Task.sleep(for: .seconds(1)) }
            }
        }
        var begun = [sweeping]
        if let inspectionPauseFactor {
            begun.append(
                Task(priority: .background) { [weak self] in
                    await self?.inspect(pauseFactor: inspectionPauseFactor)
                })
        }
        tasks.withLock { $0 = begun }
    }

    /// Creates a store over a backend.
    ///
    /// - Parameters:
    ///   - backend: The backend, which the store closes.
    ///   - history: The bounds of the history of each screen.
    ///   - feeds: The bounds of the feed of each screen.
    public convenience init(
        _ backend: any StoreBackend, history: HistoryBounds = HistoryBounds(),
        feeds: FeedBounds = FeedBounds()
    ) {
        self.init(
            backend, bounds: StoreBounds(history: history, feeds: feeds), clock: .system)
    }

    deinit { cancelTasks() }

    private func cancelTasks() { for task in tasks.withLock({ $0 }) { task.cancel() } }

    /// A Boolean value that indicates whether other daemons may use the store.
    package var isShared: Bool { backend.limits.isShared }

    /// The number of times that another line of the server was found.
    package var lineCount: UInt64 { cache.restarts }

    /// The bounds of the feed of each screen.
    public var feedBounds: FeedBounds { bounds.feeds }

    /// The number of events that were dropped because of the bounds.
    public var droppedEventCount: UInt64 { dropped.count }

    /// The number of transactions in which writes were committed; `nil` without transactions.
    public var transactionCount: UInt64? { backend.transactionCount }

    /// Returns the identity of the backend.
    public func identity() async throws(StoreError) -> StoreIdentity {
        try await backend.identity()
    }

    /// Returns whether a screen is at a revision, if that is known without waiting.
    public func isKnown(_ screen: ScreenName, toBeAt revision: UInt64) -> Bool {
        backend.isKnown(screen, toBeAt: revision)
    }

    /// Returns up to `limit` screens in name order, beginning with the first one after `name`, of
    /// those whose names begin with `prefix`.
    public func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix = .none, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await backend.names(after: name, prefix: prefix, limit: max(0, limit))
    }

    /// Returns the number of bytes of the earlier pages of all screens.
    ///
    /// Of a shared backend it is up to a minute old.
    public func historyByteCount() async throws(StoreError) -> Int {
        guard isShared else { return try await backend.weight() }
        let now = clock.now
        let known = lastWeight.withLock { last in
            last.flatMap { $0.time.advanced(by: Self.weightInterval) > now ? $0.sum : nil }
        }
        if let known { return known }
        let sum = try await backend.weight()
        lastWeight.withLock { $0 = (sum, now) }
        return sum
    }

    /// Delivers the messages of other daemons, and that the server may have lost writes.
    public func observeInvalidations(_ handler: @escaping StoreInvalidation.Handler) {
        restarted.set(handler)
        backend.observe(handler)
    }

    /// Returns if the backend can serve requests, and throws otherwise.
    public func checkReadiness() async throws(StoreError) { try await backend.checkReadiness() }

    /// Returns if a write of a page would succeed, and throws its error otherwise.
    public func checkWrites(ofBytes byteCount: Int) async throws(StoreError) {
        try await backend.checkWrites(ofBytes: byteCount)
    }

    /// Closes the backend.
    public func close() async {
        cancelTasks()
        await backend.close()
    }
}

extension ScreenStore {
    /// The state of a screen in a reply.
    struct Found: Sendable {
        /// The screen; `nil` if there is none, or if it has expired.
        var screen: KnownScreen?
        var leftover: ScreenRecord?
    }

    /// Records a reply about one screen, and returns the state of the screen.
    ///
    /// - Returns: `nil` if the record is unchanged, but not known of the same line of the server.
    func accept(
        _ reply: RecordReply, about name: ScreenName, beside known: KnownScreen?
    ) throws(StoreError) -> Found? {
        let restarts = note(reply)
        switch reply.records.first {
        case .unchanged(let timeLeft):
            guard let known else { return nil }
            guard known.restarts == restarts else { return nil }
            guard timeLeft ?? 1 > 0 else {
                cache.remove(name)
                return Found(leftover: known.record)
            }
            return Found(screen: known)
        case .present(let stored):
            let screen = try read(stored, of: name, beside: known, restarts)
            guard stored.timeLeft ?? 1 > 0 else {
                cache.remove(name)
                return Found(leftover: screen.record)
            }
            cache.keep(screen, of: name)
            return Found(screen: screen)
        case .absent, nil:
            cache.remove(name)
            return Found()
        }
    }

    /// Records the state of the server in a reply; returns the number of restarts.
    private func note(_ reply: RecordReply) -> UInt64 {
        cache.record(reply) { restarted.notify(.restarted) }
    }

    private func read(
        _ stored: StoredRecord, of name: ScreenName, beside known: KnownScreen?,
        _ restarts: UInt64
    ) throws(StoreError) -> KnownScreen {
        do throws(BinaryDamage) {
            let record = try ScreenRecord(stored.bytes, of: name)
            let feed: FeedRecord? =
                if let bytes = stored.feed { try FeedRecord(bytes, of: name) } else { nil }
            var screen = KnownScreen(
                record: record, feed: feed, feedVersion: stored.feedVersion,
                expires: stored.timeLeft != nil, restarts: restarts)
            if let known, known.restarts == restarts {
                screen.objects.adopt(known.objects, for: screen, insteadOf: known)
            }
            return screen
        } catch {
            throw damaged(error)
        }
    }

    /// Reads the record of a screen.
    ///
    /// - Parameters:
    ///   - name: The screen.
    ///   - withFeed: A Boolean value that indicates whether the feed is read although the record
    ///     has not changed: the version of a record does not count the writes of the feed.
    func find(_ name: ScreenName, withFeed: Bool = false) async throws(StoreError) -> Found {
        let known = cache.screen(name)
        let query = RecordQuery(
            screen: name, known: withFeed ? nil : known?.record.version)
        let reply = try await queries.reply(to: query)
        if let found = try accept(reply, about: name, beside: known) { return found }
        // Of another line, the same version may have other contents.
        let again = try await queries.reply(to: RecordQuery(screen: name))
        return try accept(again, about: name, beside: nil) ?? Found()
    }

    func damaged(_ damage: BinaryDamage) -> StoreError { damaged(damage.description) }

    /// Reports damage, and returns its error.
    func damaged(_ reason: String) -> StoreError {
        reports.report(reason)
        return .corrupt(reason)
    }

    func accept(
        _ reply: RecordReply, afterConflict name: ScreenName, beside known: KnownScreen?
    ) async throws(StoreError) -> Found {
        if let found = try accept(reply, about: name, beside: known) { return found }
        return try await find(name)
    }

    func context(_ found: Found, _ server: PlanContext.ServerState) -> PlanContext {
        var context = PlanContext(server: server, now: clock.unixMilliseconds, bounds: bounds)
        context.limits = backend.limits
        context.leftover = found.leftover
        if let screen = found.screen {
            context.feed = screen.feed
            context.feedVersion = screen.feedVersion
            context.expires = screen.expires
            context.known = screen.objects
        }
        return context
    }

    /// Reads the objects that a plan lacks; returns `false` if some are gone, so that the record is
    /// not the current one any more.
    func supply(
        _ missing: MissingObjects, of name: ScreenName, to objects: inout KnownObjects
    ) async throws(StoreError) -> Bool {
        let eventKind = ObjectKey.Kind.event.rawValue
        let readsLengths = missing.keys.allSatisfy { $0.kind == eventKind }
        let restarts = cache.restarts
        let replies = try await backend.objects(
            missing.keys, of: name, within: readsLengths ? 0 : .max)
        guard restarts == cache.restarts else { return false }
        do throws(BinaryDamage) {
            for (key, reply) in zip(missing.keys, replies) {
                guard try objects.add(reply, at: key, of: name) else { return false }
            }
        } catch {
            throw damaged(error)
        }
        return replies.count == missing.keys.count
    }
}

extension KnownObjects {
    /// Adds an object that was read; returns `false` if there is none.
    fileprivate mutating func add(
        _ reply: ObjectReply, at key: ObjectKey, of screen: ScreenName
    ) throws(BinaryDamage) -> Bool {
        switch (ObjectKey.Kind(rawValue: key.kind), reply) {
        case (_, .absent):
            return false
        case (.node, .bytes(let bytes)):
            nodes[key] = try DirectoryNode.read(bytes, of: screen, at: key)
        case (.earlier, .bytes(let bytes)):
            // What a damaged one lists stays until the screen ends: it must not stop writes.
            let read = try? ScreenState.readEarlier(bytes, of: screen, at: key).garbage
            garbage[key.number] = read ?? EarlierGarbage(replacedAt: .min)
        case (.event, .bytes(let bytes)):
            eventLengths[key.number] = bytes.count - BinaryForm.checksumLength
        case (.event, .length(let length)):
            eventLengths[key.number] = length - BinaryForm.checksumLength
        case (.page, _), (.node, .length), (.earlier, .length), (nil, _):
            throw BinaryDamage(place: BinaryPlace(screen: screen, key: key))
        }
        return true
    }

    /// Takes over what is known of an earlier state of a screen, and still there.
    fileprivate mutating func adopt(
        _ other: KnownObjects, for screen: KnownScreen, insteadOf former: KnownScreen
    ) {
        nodes = other.nodes
        garbage = other.garbage
        if screen.feed?.instance == former.feed?.instance { eventLengths = other.eventLengths }
        retain(for: screen.record, screen.feed)
    }

    /// Forgets what a record and a feed do not have any more.
    mutating func retain(for record: ScreenRecord, _ feed: FeedRecord?) {
        if !nodes.isEmpty {
            let keys = Set(record.state.nodes.compactMap(\.key))
            nodes = nodes.filter { keys.contains($0.key) }
        }
        if UInt64(garbage.count) > record.keptCount {
            garbage = garbage.filter { entry in record.runs.contains { $0.contains(entry.key) } }
        }
        guard let feed else { return eventLengths = [:] }
        if UInt64(eventLengths.count) > feed.count {
            eventLengths = eventLengths.filter { $0.key >= feed.first }
        }
    }
}
