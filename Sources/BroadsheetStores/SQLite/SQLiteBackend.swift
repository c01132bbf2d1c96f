import BroadsheetIO
import Dispatch
import Synchronization

/// A backend in a SQLite file, without a server; acknowledged batches survive a crash.
///
/// The file has a write-ahead log with `synchronous=FULL`, so a batch returns after its transaction
/// is on the disk. One thread commits all waiting batches in one transaction, another one reads;
/// callers never block. A lock file ensures that one daemon uses the file at a time; backups may be
/// made meanwhile (``SQLiteBackup``).
package final class SQLiteBackend: CopyableBackend {
    let context: SQLiteContext
    private let ownEpoch: UInt64
    private let writes = JobQueue<SQLiteWriter.Job>(
        capacity: SQLiteWriter.maxWaiting, byteCapacity: SQLiteWriter.maxWaitingBytes)
    private let reads = JobQueue<SQLiteReader.Job>(capacity: SQLiteReader.maxWaiting)
    private let stopWeighing = DispatchSemaphore(value: 0)
    private let writer: WorkerThread
    private let reader: WorkerThread

    package let limits = BackendLimits()

    /// Opens the file at `path`, and creates it and its folder if they are missing.
    ///
    /// Blocks until the file is open, so it is called at the start of a program. No record is read.
    /// If it throws, nothing was changed.
    ///
    /// - Complexity: O(screens), about half a second per million.
    package init(
        path: String, options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws(StoreOpenError) {
        try SQLiteDatabase.makeFolder(of: path)
        let context = SQLiteContext(path: SQLiteDatabase.realPath(of: path), options: options)
        self.context = context
        let threads = SQLiteThreads(context: context, stopWeighing: stopWeighing)
        let writerStartup = StartupResult<UInt64>()
        writer = try threads.start("store-write") { [writes] in $0.write(writes, writerStartup) }
        ownEpoch = try writerStartup.wait(path: path)
        let readerStartup = StartupResult<Void>()
        do throws(StoreOpenError) {
            reader = try threads.start("store-read") { [reads] in $0.read(reads, readerStartup) }
        } catch {
            // Ends the thread that has started.
            writes.close()
            throw error
        }
        try readerStartup.wait(path: path)
        options.onEvent(.opened(context.path))
    }

    deinit {
        writes.close()
        reads.close()
        stopWeighing.signal()
    }

    /// Returns the identity that was created with the file.
    package func identity() async throws(StoreError) -> StoreIdentity {
        guard let identity = context.identity.withLock({ $0 }) else {
            throw .unavailable(StoreIdentity.incompleteReason)
        }
        return identity
    }

    /// Returns the number of restores of the file.
    package func epoch() async throws(StoreError) -> UInt64 { ownEpoch }

    package func records(_ wanted: [RecordQuery]) async throws(StoreError) -> RecordReply {
        try await read { (reader) throws(SQLiteFailure) in try reader.records(wanted) }
    }

    package func objects(
        _ keys: [ObjectKey], of screen: ScreenName, within byteCount: Int
    ) async throws(StoreError) -> [ObjectReply] {
        try await read { (reader) throws(SQLiteFailure) in
            try reader.objects(keys, of: screen, within: byteCount)
        }
    }

    /// Applies a batch, and returns after it is on the disk.
    package func apply(_ batch: StoreBatch) async throws(StoreError) -> BatchOutcome {
        try await write(bytes: batch.byteCount) { waiter in
            .batch(SQLiteWriter.Batch(batch: batch) { waiter.resume($0) })
        }
    }

    /// Returns up to `limit` screens that have not expired, in name order.
    package func names(
        after name: ScreenName?, prefix: ScreenNamePrefix, limit: Int
    ) async throws(StoreError) -> [ScreenListing] {
        try await read { (reader) throws(SQLiteFailure) in
            try reader.names(after: name, prefix: prefix, limit: limit)
        }
    }

    /// Returns screens that have expired, and screens that are due.
    package func due(before time: Int64, limit: Int) async throws(StoreError) -> [ScreenName] {
        try await read { (reader) throws(SQLiteFailure) in
            try reader.due(before: time, limit: limit)
        }
    }

    /// Returns whether a screen is known to be at a revision without a read of the file.
    package func isKnown(_ name: ScreenName, toBeAt revision: UInt64) -> Bool {
        context.revisions.isAt(revision, name, at: context.options.clock.unixMilliseconds)
    }

    /// Returns the sum of the weights of all records; soon after the start of those alone that were
    /// written since.
    package func weight() async throws(StoreError) -> Int {
        context.weight.load(ordering: .relaxed)
    }

    /// The number of transactions; batches that wait together share one.
    package var transactionCount: UInt64? { context.revisions.commitCount }

    /// Returns if the file is at its path, readable, and not known to be damaged.
    package func checkReadiness() async throws(StoreError) {
        try await read { (reader) throws(SQLiteFailure) in try reader.probe() }
    }

    /// Returns if a write of `byteCount` bytes succeeds, which is then undone.
    package func checkWrites(ofBytes byteCount: Int) async throws(StoreError) {
        try await write(bytes: byteCount) { waiter in
            .work { waiter.resume($0.probe(byteCount)) }
        }
    }

    /// Deletes what waits for that, and checkpoints the write-ahead log.
    package func reclaim() async throws(StoreError) {
        try await write { waiter in .work { waiter.resume($0.reclaim()) } }
    }

    package func isIncomplete() async throws(StoreError) -> Bool {
        context.identity.withLock { $0 == nil }
    }

    package func setIdentity(_ identity: StoreIdentity?) async throws(StoreError) {
        try await write { waiter in .work { waiter.resume($0.setIdentity(identity)) } }
    }

    /// Commits accepted batches, checkpoints the write-ahead log, and closes the file.
    package func close() async {
        // The writer ends last, because the last connection to close performs the final checkpoint.
        stopWeighing.signal()
        reads.close()
        await reader.waitForEnd()
        writes.close()
        await writer.waitForEnd()
    }

    /// Passes a read to its thread and waits for the outcome.
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteReader) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await Waiter.wait(orElse: Self.closed()) { waiter in
            let added = reads.enqueue { reader in waiter.resume(reader.result(body)) }
            if let error = Self.error(for: added) { waiter.resume(.failure(error)) }
        }
        return try result.get()
    }

    /// Passes a job to the thread that writes and waits for its outcome.
    private func write<Value: Sendable>(
        bytes: Int = 0, _ job: (Waiter<Result<Value, StoreError>>) -> SQLiteWriter.Job
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await Waiter.wait(orElse: Self.closed()) { waiter in
            let added = writes.enqueue(job(waiter), bytes: bytes)
            if let error = Self.error(for: added) { waiter.resume(.failure(error)) }
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
