import BroadsheetIO
import Dispatch

/// A store in a SQLite file: nothing to set up, and a write that was answered survives a crash.
///
/// Write-ahead log with `synchronous=FULL`: a commit returns when its transaction is on the disk. One
/// thread writes and commits what waits in one transaction, another reads; callers never block. The
/// file belongs to one daemon at a time, which a lock beside it sees to; backups may be taken
/// meanwhile (``SQLiteBackup``). Every row carries a checksum, so damage is reported and never served.
package final class SQLiteStore: ScreenStore {
    private let ownIdentity: StoreIdentity
    private let context: SQLiteStoreContext
    private let writes = JobQueue<SQLiteWriter.Job>(
        capacity: SQLiteWriter.maxWaiting, byteCapacity: SQLiteWriter.maxWaitingBytes)
    private let reads = JobQueue<SQLiteReader.Job>(capacity: SQLiteReader.maxWaiting)
    private let stopInspection = DispatchSemaphore(value: 0)
    private let writer: StoreThread
    private let reader: StoreThread
    private let inspector: StoreThread

    /// Opens the file at `path`, making it and its folder when they are missing, and brings its
    /// schema up to date.
    ///
    /// Blocks while it does, so it belongs in the start of a program. O(screens), but about half a
    /// second a million; no page is read. When it throws, nothing has been changed.
    package init(
        path: String, options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws(StoreOpenError) {
        try SQLiteDatabase.makeFolder(of: path)
        let context = SQLiteStoreContext(path: SQLiteDatabase.realPath(of: path), options: options)
        self.context = context
        let writerStartup = StartupResult<StoreIdentity>()
        writer = StoreThread("store-write") { [writes] in
            SQLiteThreads.write(context, writes, writerStartup)
        }
        ownIdentity = try writerStartup.wait(path: path)
        let readerStartup = StartupResult<Void>()
        reader = StoreThread("store-read") { [reads] in
            SQLiteThreads.read(context, reads, readerStartup)
        }
        inspector = StoreThread("store-inspect") { [stopInspection] in
            SQLiteThreads.inspect(context, until: stopInspection)
        }
        try readerStartup.wait(path: path)
        options.onEvent(.opened(context.path))
    }

    deinit {
        writes.close()
        reads.close()
        stopInspection.signal()
    }

    /// What the file was made with.
    package func identity() async throws(StoreError) -> StoreIdentity { ownIdentity }

    /// The screen, unless it is at `revision` still, which is mostly known without a look at the
    /// file.
    package func load(
        _ screen: ScreenName, unlessAt revision: UInt64?
    ) async throws(StoreError) -> ScreenLoad {
        let now = context.options.clock.unixMilliseconds
        if let revision, context.revisions.isAt(revision, screen, at: now) { return .unchanged }
        let commits = context.revisions.beginRead()
        let found: SQLiteReader.ScreenRead? = try await read { .screen(screen, $0) }
        guard let (stored, expiry) = found else { return .absent }
        context.revisions.recordRead(stored.revision, expiry: expiry, of: screen, since: commits)
        return stored.revision == revision ? .unchanged : .screen(stored)
    }

    /// Applies the change; returns when it is on the disk.
    package func commit(
        _ change: ScreenChange, to screen: ScreenName, expecting expected: UInt64?,
        lifetime: ScreenLifetime
    ) async throws(StoreError) -> UInt64 {
        let write = SQLiteRowWriter.Write(
            change: change, screen: screen, expected: expected, lifetime: lifetime)
        let result: Result<UInt64, StoreError> = await withCheckedContinuation { continuation in
            let job = SQLiteWriter.Job(write: write) { continuation.resume(returning: $0) }
            if let error = Self.error(for: writes.enqueue(job, bytes: change.byteCount)) {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    /// Up to `limit` screens after `name`; O(log screens + limit).
    package func screens(
        after name: ScreenName?, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await read { .list(after: name, limit: limit, $0) }
    }

    /// How many transactions there were, each with all writes that waited for it.
    package var transactionCount: UInt64? { context.revisions.commitCount }

    /// Returns when the file can be read and is not known to be broken.
    package func checkReadiness() async throws(StoreError) {
        try await read { .probe($0) } as Void
    }

    /// Commits what was accepted, folds the log into the file, and closes it.
    package func close() async {
        // The writer goes last: whoever closes the file last folds the log.
        stopInspection.signal()
        reads.close()
        await inspector.end()
        await reader.end()
        writes.close()
        await writer.end()
    }

    /// Leaves a reading with the reading thread and waits for its value.
    private func read<Value: Sendable>(
        _ job: (@escaping @Sendable (Result<Value, StoreError>) -> Void) -> SQLiteReader.Job
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let reading = job { continuation.resume(returning: $0) }
            if let error = Self.error(for: reads.enqueue(reading)) {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    private static func error(for result: EnqueueResult) -> StoreError? {
        switch result {
        case .accepted: nil
        case .full: .unavailable("too many requests wait for the database")
        case .closed: .unavailable("the database is closed")
        }
    }
}
