import BroadsheetIO
import Dispatch
import Synchronization

/// A store in a SQLite file, without a server; acknowledged writes survive a crash.
///
/// The file has a write-ahead log with `synchronous=FULL`, so a commit returns after its
/// transaction is on the disk. One thread commits all waiting writes in one transaction, another
/// one reads; callers never block. A lock file ensures that one daemon uses the file at a time;
/// backups may be made meanwhile (``SQLiteBackup``). Every row has a checksum, so damage is
/// reported and never returned.
package final class SQLiteStore: FeedStore {
    private let ownIdentity: StoreIdentity
    let context: SQLiteStoreContext
    private let writes = JobQueue<SQLiteWriteWorker.Job>(
        capacity: SQLiteWriteWorker.maxWaiting, byteCapacity: SQLiteWriteWorker.maxWaitingBytes)
    private let reads = JobQueue<SQLiteReadWorker.Job>(capacity: SQLiteReadWorker.maxWaiting)
    private let stopInspection = DispatchSemaphore(value: 0)
    private let writer: WorkerThread
    private let reader: WorkerThread
    private let inspector: WorkerThread

    /// Opens the file at `path`, creates it and its folder if they are missing, and migrates its
    /// schema.
    ///
    /// Blocks until the file is open, so it is called at the start of a program. No page is read.
    /// If it throws, nothing was changed.
    ///
    /// - Complexity: O(screens), about half a second per million.
    package init(
        path: String, options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws(StoreOpenError) {
        try SQLiteDatabase.makeFolder(of: path)
        let context = SQLiteStoreContext(path: SQLiteDatabase.realPath(of: path), options: options)
        self.context = context
        let writerStartup = StartupResult<StoreIdentity>()
        writer = try SQLiteThreads.start("store-write", context) { [writes] in
            SQLiteThreads.write(context, writes, writerStartup)
        }
        ownIdentity = try writerStartup.wait(path: path)
        let readerStartup = StartupResult<Void>()
        do throws(StoreOpenError) {
            reader = try SQLiteThreads.start("store-read", context) { [reads] in
                SQLiteThreads.read(context, reads, readerStartup)
            }
            inspector = try SQLiteThreads.start("store-inspect", context) { [stopInspection] in
                SQLiteThreads.inspect(context, until: stopInspection)
            }
        } catch {
            // Ends the threads that have started.
            writes.close()
            reads.close()
            throw error
        }
        try readerStartup.wait(path: path)
        options.onEvent(.opened(context.path))
    }

    deinit {
        writes.close()
        reads.close()
        stopInspection.signal()
    }

    /// Returns the identity that was created with the file.
    package func identity() async throws(StoreError) -> StoreIdentity { ownIdentity }

    /// Returns a part of the screen, unless its revision is still `revision`, which usually
    /// requires no read of the file.
    package func load(
        _ screen: ScreenName, unlessAt revision: UInt64?, _ part: ScreenPart,
        within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        if let revision, isKnown(screen, toBeAt: revision) { return .unchanged }
        let commits = context.revisions.beginRead()
        let found: SQLiteRowReader.Found? = try await read { .screen(screen, part, limits, $0) }
        guard let found else { return .absent }
        context.revisions.recordRead(
            found.revision, expiry: found.expiry, of: screen, since: commits)
        return found.revision == revision ? .unchanged : found.load
    }

    /// Returns the screen without its pages, and one of them.
    package func page(
        _ number: Int?, of screen: ScreenName, atMost byteCount: Int?
    ) async throws(StoreError) -> PageLoad? {
        try await read { .page(number, of: screen, atMost: byteCount, $0) }
    }

    /// Returns whether the screen is at a revision without a read of the file.
    package func isKnown(_ screen: ScreenName, toBeAt revision: UInt64) -> Bool {
        context.revisions.isAt(revision, screen, at: context.options.clock.unixMilliseconds)
    }

    /// Applies a commit and returns after it is on the disk.
    package func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        try await self.commit(
            commit, to: screen, expecting: expected, lifetime: lifetime, as: RevisionNote())
    }

    /// Applies a commit, keeps the revision that it replaces, and returns after both are on the
    /// disk.
    package func commit(
        _ commit: ScreenCommit, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime, as note: RevisionNote
    ) async throws(StoreError) -> UInt64 {
        let write = SQLiteRowWriter.Write(
            commit: commit, screen: screen, expected: expected, lifetime: lifetime, note: note)
        let result: Result<UInt64, StoreError> = await Waiter.wait(orElse: Self.closed()) {
            waiter in
            let job = SQLiteWriteWorker.Job.write(write) { waiter.resume($0) }
            let byteCount = note.forwarded.reduce(commit.byteCount) { $0 + $1.count }
            if let error = Self.error(for: writes.enqueue(job, bytes: byteCount)) {
                waiter.resume(.failure(error))
            }
        }
        return try result.get()
    }

    /// Returns a part of the screen as it was at a revision.
    package func load(
        _ screen: ScreenName, at revision: UInt64, _ part: ScreenPart, within limits: ReadLimits
    ) async throws(StoreError) -> ScreenLoad {
        try await read { .earlier(screen, at: revision, part, limits, $0) }
    }

    /// Returns up to `limit` revisions of the screen, the newest first.
    package func revisions(
        of screen: ScreenName, before revision: UInt64?, limit: Int
    ) async throws(StoreError) -> RevisionList? {
        try await read { .revisions(of: screen, before: revision, limit: limit, $0) }
    }

    /// Forgets the earlier revisions of the screen and returns after that is on the disk; their
    /// bytes are overwritten later.
    package func removeRevisions(of screen: ScreenName) async throws(StoreError) -> Bool {
        let result: Result<Bool, StoreError> = await Waiter.wait(orElse: Self.closed()) { waiter in
            let job = SQLiteWriteWorker.Job.removeRevisions(screen) { waiter.resume($0) }
            if let error = Self.error(for: writes.enqueue(job, bytes: 0)) {
                waiter.resume(.failure(error))
            }
        }
        return try result.get()
    }

    /// The bounds of the feed of each screen.
    package var feedBounds: FeedBounds { context.options.feeds }

    /// The number of events that were dropped because of the bounds.
    package var droppedEventCount: UInt64 { context.droppedEvents.count }

    /// Stores events of a screen and returns after they are on the disk.
    package func append(
        _ events: [[UInt8]], to screen: ScreenName
    ) async throws(StoreError) -> Bool {
        let result: Result<Bool, StoreError> = await Waiter.wait(orElse: Self.closed()) { waiter in
            let append = SQLiteFeeds.Append(events: events, screen: screen) { waiter.resume($0) }
            let byteCount = events.reduce(0) { $0 + $1.count }
            if let error = Self.error(for: writes.enqueue(.append(append), bytes: byteCount)) {
                waiter.resume(.failure(error))
            }
        }
        return try result.get()
    }

    /// Returns a part of the feed of a screen.
    package func feed(
        of screen: ScreenName, after number: UInt64, byteCount: Int
    ) async throws(StoreError) -> FeedPart? {
        try await read { .feed(of: screen, after: number, byteCount: byteCount, $0) }
    }

    /// Returns the number of bytes of the earlier pages of all screens.
    package func historyByteCount() async throws(StoreError) -> Int {
        context.historyBytes.load(ordering: .relaxed)
    }

    /// Returns up to `limit` screens after `name` whose names begin with `prefix`.
    ///
    /// - Complexity: O(log screens + limit).
    package func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await read { .list(after: name, prefix: prefix, limit: limit, $0) }
    }

    /// The number of transactions; concurrent writes share one.
    package var transactionCount: UInt64? { context.revisions.commitCount }

    /// Returns if the file is at its path, readable, and not known to be damaged.
    package func checkReadiness() async throws(StoreError) {
        try await read { .probe($0) } as Void
    }

    /// Returns if a write of `byteCount` bytes succeeds, which is then undone.
    package func checkWrites(ofBytes byteCount: Int) async throws(StoreError) {
        let result: Result<Void, StoreError> = await Waiter.wait(orElse: Self.closed()) { waiter in
            let job = SQLiteWriteWorker.Job.probe(byteCount: byteCount) {
                waiter.resume($0)
            }
            if let error = Self.error(for: writes.enqueue(job, bytes: byteCount)) {
                waiter.resume(.failure(error))
            }
        }
        try result.get()
    }

    /// Commits accepted writes, checkpoints the write-ahead log, and closes the file.
    package func close() async {
        // The writer ends last, because the last connection to close performs the final checkpoint.
        stopInspection.signal()
        reads.close()
        await inspector.waitForEnd()
        await reader.waitForEnd()
        writes.close()
        await writer.waitForEnd()
    }

    /// Passes a job to the reading thread and waits for its result.
    private func read<Value: Sendable>(
        _ job: (@escaping @Sendable (Result<Value, StoreError>) -> Void) -> SQLiteReadWorker.Job
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await Waiter.wait(orElse: Self.closed()) { waiter in
            let reading = job { waiter.resume($0) }
            if let error = Self.error(for: reads.enqueue(reading)) {
                waiter.resume(.failure(error))
            }
        }
        return try result.get()
    }

    /// Returns the result of a job that its thread has dropped.
    private static func closed<Value>() -> Result<Value, StoreError> {
        .failure(.unavailable("the database is closed"))
    }

    private static func error(for result: EnqueueResult) -> StoreError? {
        switch result {
        case .accepted: nil
        case .full: .unavailable("too many requests wait for the database")
        case .closed: .unavailable("the database is closed")
        }
    }
}

/// The state that the threads of one store share.
final class SQLiteStoreContext: Sendable {
    let path: String
    let options: SQLiteStoreOptions
    let revisions = SQLiteRevisionCache()
    let health: SQLiteHealth
    let files: DatabaseFiles
    /// The number of bytes of the earlier pages of all screens.
    let historyBytes = Atomic<Int>(0)
    /// The events of feeds that were dropped.
    let droppedEvents = DroppedEvents()
    /// The line and the floor after the last transaction.
    let server = Mutex(PlanContext.ServerState(line: 0, floor: RevisionFloor()))
    /// The identity; `nil` for the file of a copy that is not complete.
    let identity = Mutex<StoreIdentity?>(nil)

    /// Creates the state of a store at `path`.
    init(path: String, options: SQLiteStoreOptions) {
        self.path = path
        self.options = options
        health = SQLiteHealth(onEvent: options.onEvent)
        files = DatabaseFiles(ofDatabase: path, onEvent: options.onEvent)
    }

    /// Reports an event to the operator.
    func report(_ event: StoreEvent) { options.onEvent(event) }
}

/// Revisions that the store knows without reading the file.
///
/// They are current as long as this process is the only writer, which its lock on the file ensures.
final class SQLiteRevisionCache: Sendable {
    private struct Entry {
        var revision: UInt64
        var expiry: Int64?
    }

    private struct State {
        var screens: [ScreenName: Entry] = [:]
        /// The number of commits, so that a read that began before a commit is not recorded after
        /// it.
        var commits: UInt64 = 0
    }

    /// The maximum number of screens; the cache is emptied when it would exceed it.
    static let maxScreens = 100_000

    private let state = Mutex(State())
    private let capacity: Int

    /// Creates an empty cache of up to `capacity` screens.
    init(capacity: Int = maxScreens) { self.capacity = capacity }

    /// The number of screens in the cache.
    var count: Int { state.withLock { $0.screens.count } }

    /// The number of recorded transactions.
    var commitCount: UInt64 { state.withLock { $0.commits } }

    /// Returns a Boolean value that indicates whether the screen is known to be at `revision` at
    /// `now`.
    func isAt(_ revision: UInt64, _ screen: ScreenName, at now: Int64) -> Bool {
        state.withLock { state in
            guard let entry = state.screens[screen] else { return false }
            return entry.revision == revision && entry.expiry.map { $0 > now } ?? true
        }
    }

    /// A change of the revision of a screen.
    enum Change: Sendable {
        /// The screen is at a revision, until a time or `nil` for ever.
        case written(UInt64, expiry: Int64?)
        /// There is no such screen any more.
        case removed
    }

    /// Records the changes of a transaction that is on the disk, in their order.
    func recordCommit(_ changes: [(ScreenName, Change)]) {
        state.withLock { state in
            state.commits &+= 1
            for (screen, change) in changes {
                switch change {
                case .written(let revision, let expiry):
                    set(screen, Entry(revision: revision, expiry: expiry), in: &state)
                case .removed: state.screens[screen] = nil
                }
            }
        }
    }

    /// Records the outcomes of a transaction that is on the disk.
    func recordCommit(_ outcomes: some Sequence<(ScreenName, SQLiteRowWriter.Outcome)>) {
        state.withLock { state in
            state.commits &+= 1
            for (screen, outcome) in outcomes {
                switch outcome {
                case .written(let revision, let expiry):
                    set(screen, Entry(revision: revision, expiry: expiry), in: &state)
                case .removed: state.screens[screen] = nil
                case .conflict: break
                }
            }
        }
    }

    /// Returns a token of the present for ``recordRead(_:expiry:of:since:)``.
    func beginRead() -> UInt64 { commitCount }

    /// Records the result of a read, unless a transaction was committed since the read began.
    func recordRead(
        _ revision: UInt64, expiry: Int64?, of screen: ScreenName, since commits: UInt64
    ) {
        state.withLock { state in
            guard state.commits == commits else { return }
            set(screen, Entry(revision: revision, expiry: expiry), in: &state)
        }
    }

    private func set(_ screen: ScreenName, _ entry: Entry, in state: inout State) {
        if state.screens.count >= capacity, state.screens[screen] == nil {
            state.screens.removeAll()
        }
        state.screens[screen] = entry
    }
}
