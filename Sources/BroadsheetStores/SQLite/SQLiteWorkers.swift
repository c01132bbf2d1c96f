import BroadsheetIO
import Dispatch

/// The reads of a store, on a thread and a connection of their own that never delay the writer.
struct SQLiteReadWorker {
    /// A read and the function that receives its result exactly once.
    enum Job: Sendable {
        /// A part of a screen.
        case screen(
            ScreenName, ScreenPart, ReadLimits,
            @Sendable (Result<SQLiteRowReader.Found?, StoreError>) -> Void)
        /// A page of a screen (``ScreenStore/page(_:of:atMost:)``).
        case page(
            Int?, of: ScreenName, atMost: Int?,
            @Sendable (Result<PageLoad?, StoreError>) -> Void)
        /// A part of the list of screens.
        case list(
            after: ScreenName?, prefix: ScreenNamePrefix, limit: Int,
            @Sendable (Result<[ScreenListing], StoreError>) -> Void)
        /// A minimal read of the file, for readiness.
        case probe(@Sendable (Result<Void, StoreError>) -> Void)
    }

    /// The maximum number of waiting reads.
    static let maxWaiting = 4096

    private let connection: SQLiteConnection
    private let rows: SQLiteRowReader
    private let begin: SQLiteStatement
    private let end: SQLiteStatement
    private let context: SQLiteStoreContext

    /// Opens a connection for reading.
    init(_ context: SQLiteStoreContext) throws(SQLiteFailure) {
        connection = try SQLiteConnection(
            path: context.path, mode: .readOnly, busyTimeout: context.options.busyTimeout)
        rows = try SQLiteRowReader(on: connection)
        begin = try connection.prepare("BEGIN")
        end = try connection.prepare("COMMIT")
        self.context = context
    }

    /// Performs the jobs of the queue until it is closed and empty.
    func serve(_ queue: JobQueue<Job>) {
        while let jobs = queue.dequeue(atMost: 1) {
            for job in jobs { serve(job) }
        }
    }

    /// Reads a part of a screen in a transaction, so that its row and its pages are consistent.
    ///
    /// A part does not show that pages are lost, which belong to it or show that it is not all. So
    /// the keys of all pages are checked the first time; writes of this store keep that valid. If
    /// the whole screen is known to be damaged, nothing of it is returned.
    func screen(
        _ name: ScreenName, _ part: ScreenPart, within limits: ReadLimits
    ) throws(SQLiteFailure) -> SQLiteRowReader.Found? {
        try reading(name, completely: part == .all) { now throws(SQLiteFailure) in
            let found = try rows.screen(name, part, within: limits, at: now)
            if let found, found.mayLackPages,
                !context.health.hasVerifiedKeys(of: name, at: found.revision)
            {
                try rows.verifyKeys(of: name, at: now)
                context.health.recordKeys(of: name, at: found.revision)
            }
            return found
        }
    }

    /// Reads a page of a screen.
    ///
    /// A page whose key is damaged is not found. So if its bytes are requested, a screen without
    /// the page is checked, once at each revision.
    func page(
        _ number: Int?, of name: ScreenName, atMost byteCount: Int?
    ) throws(SQLiteFailure) -> PageLoad? {
        try reading(name, completely: false) { now throws(SQLiteFailure) in
            let found = try rows.page(number, of: name, atMost: byteCount, at: now)
            if let found, found.page == nil, byteCount != nil,
                !context.health.isVerified(name, at: found.screen.revision)
            {
                _ = try rows.verify(name, at: now, maxPageBytes: Self.maxVerifiedPageBytes)
                context.health.recordVerification(of: name, at: found.screen.revision)
            }
            return found
        }
    }

    /// Checks a screen and all its pages, in the memory of one page.
    func verify(_ name: ScreenName) throws(SQLiteFailure) {
        _ = try reading(name, completely: true) { now throws(SQLiteFailure) in
            try rows.verify(name, at: now, maxPageBytes: Self.maxVerifiedPageBytes)
        }
    }

    /// The maximum size of a page that is read to check it.
    static let maxVerifiedPageBytes = 64 << 20

    private func reading<Value>(
        _ name: ScreenName, completely: Bool,
        _ body: (Int64) throws(SQLiteFailure) -> Value?
    ) throws(SQLiteFailure) -> Value? {
        let now = context.options.clock.unixMilliseconds
        let mayBeDamaged = context.health.mayBeDamaged(name)
        do throws(SQLiteFailure) {
            let found = try transaction { () throws(SQLiteFailure) in
                if mayBeDamaged, !completely {
                    _ = try rows.verify(name, at: now, maxPageBytes: Self.maxVerifiedPageBytes)
                }
                let found = try body(now)
                // In a damaged file the screen may exist although it was not found.
                if found == nil { try context.health.check() }
                return found
            }
            if mayBeDamaged { context.health.recordRepair(of: name) }
            return found
        } catch {
            if case .corrupt = error.storeError { context.health.recordDamage(of: name) }
            throw error
        }
    }

    /// Reads a part of the list of screens.
    func screens(
        after name: ScreenName?, prefix: ScreenNamePrefix = .none, limit: Int
    ) throws(SQLiteFailure) -> [ScreenListing] {
        try context.health.check()
        return try rows.screens(
            after: name, prefix: prefix, limit: limit, at: context.options.clock.unixMilliseconds)
    }

    private func serve(_ job: Job) {
        switch job {
        case .screen(let name, let part, let limits, let finish):
            finish(
                result { () throws(SQLiteFailure) in try screen(name, part, within: limits) })
        case .page(let number, let name, let byteCount, let finish):
            finish(
                result { () throws(SQLiteFailure) in
                    try page(number, of: name, atMost: byteCount)
                })
        case .list(let name, let prefix, let limit, let finish):
            finish(
                result { () throws(SQLiteFailure) in
                    try screens(after: name, prefix: prefix, limit: limit)
                })
        case .probe(let finish):
            finish(
                result { () throws(SQLiteFailure) in
                    try context.files.check()
                    _ = try screens(after: nil, limit: 1)
                })
        }
    }

    private func result<Value>(
        _ body: () throws(SQLiteFailure) -> Value
    ) -> Result<Value, StoreError> {
        do throws(SQLiteFailure) {
            return .success(try body())
        } catch {
            context.health.record(error)
            return .failure(error.storeError)
        }
    }

    private func transaction<Value>(
        _ body: () throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        try begin.run { statement throws(SQLiteFailure) in _ = try statement.step() }
        defer { try? end.run { statement throws(SQLiteFailure) in _ = try statement.step() } }
        return try body()
    }
}

/// The writes of a store, on one thread that commits all waiting writes in one transaction.
///
/// Further writes gather while a transaction is being committed, so they share the latency of the
/// disk (group commit), and a single write is committed at once, without a timer.
struct SQLiteWriteWorker {
    /// Work for the thread and the function that receives its outcome exactly once.
    enum Job: Sendable {
        /// A write of a screen.
        case write(
            SQLiteRowWriter.Write, finish: @Sendable (Result<UInt64, StoreError>) -> Void)
        /// A write of some bytes that is undone, to find out whether writes succeed.
        case probe(byteCount: Int, finish: @Sendable (Result<Void, StoreError>) -> Void)

        /// A Boolean value that indicates whether the job stores pages and removes nothing.
        var storesPages: Bool {
            if case .write(let write, _) = self, case .putPages = write.change { return true }
            return false
        }
    }

    /// A write of a screen and the function that receives its outcome.
    private typealias Write = (
        write: SQLiteRowWriter.Write, finish: @Sendable (Result<UInt64, StoreError>) -> Void
    )

    /// The maximum number of writes in a transaction; more would delay the first ones without a
    /// gain.
    static let maxBatch = 64
    /// The maximum number of bytes in a transaction, unless a single write has more.
    static let maxBatchBytes = 16 * 1024 * 1024
    /// The maximum number of waiting writes.
    static let maxWaiting = 1024
    /// The maximum number of bytes of waiting writes.
    static let maxWaitingBytes = 256 * 1024 * 1024

    private let connection: SQLiteConnection
    private var rows: SQLiteRowWriter
    private let sweeper: SQLiteSweeper
    private let context: SQLiteStoreContext
    private let log: WriteAheadLog
    private let meta: SQLiteMeta
    /// A Boolean value that indicates whether the log was checkpointed after a file was lost.
    private var hasSavedLog = false
    /// A Boolean value that indicates whether sweeps are attempted; not after one failed because of
    /// damage, until the next start.
    private var maySweep = true
    private var sweeps = SweepSchedule()

    /// Prepares a connection for writing.
    init(_ connection: SQLiteConnection, _ context: SQLiteStoreContext) throws(SQLiteFailure) {
        rows = try SQLiteRowWriter(on: connection)
        sweeper = try SQLiteSweeper(on: connection)
        log = try WriteAheadLog(of: connection, limit: context.options.autocheckpointPages)
        meta = try SQLiteMeta(on: connection)
        self.connection = connection
        self.context = context
    }

    /// Performs the jobs of the queue until it is closed and empty.
    mutating func serve(_ queue: JobQueue<Job>, checkpoints requests: CheckpointRequests) {
        var timeout = SweepSchedule.pause
        while let batch = queue.dequeue(
            atMost: Self.maxBatch, byteLimit: Self.maxBatchBytes, within: timeout)
        {
            perform(batch)
            timeout = sweep(after: batch)
            limitLogSize(requests)
        }
        requests.close()
    }

    private mutating func perform(_ batch: [Job]) {
        var writes: [Write] = []
        writes.reserveCapacity(batch.count)
        for case .write(let write, let finish) in batch { writes.append((write, finish)) }
        if !writes.isEmpty { commit(writes) }
        for case .probe(let byteCount, let finish) in batch { finish(probe(byteCount)) }
    }

    /// Commits all jobs of `batch` together, or each one separately if one of them fails (too
    /// large, or a damaged row), so that only that one fails.
    ///
    /// If the disk is full, the log is checkpointed first, once for the batch.
    private mutating func commit(_ batch: [Write], mayCheckpoint: Bool = true) {
        do throws(SQLiteFailure) {
            try checkFile()
            do throws(SQLiteFailure) {
                try commitTogether(batch)
            } catch {
                guard mayCheckpoint, error.isFull else { throw error }
                // A log that restarts from its beginning need not grow.
                try log.checkpointAll(waitingForReaders: true)
                try commitTogether(batch)
            }
        } catch {
            record(error)
            guard batch.count > 1, !error.affectsAllRows, !error.isStructural else {
                return batch.forEach { $0.finish(.failure(error.storeError)) }
            }
            for job in batch { commit([job], mayCheckpoint: false) }
        }
    }

    private mutating func commitTogether(_ batch: [Write]) throws(SQLiteFailure) {
        let now = context.options.clock.unixMilliseconds
        var outcomes: [SQLiteRowWriter.Outcome] = []
        outcomes.reserveCapacity(batch.count)
        try connection.transaction { () throws(SQLiteFailure) in
            for job in batch { outcomes.append(try rows.commit(job.write, at: now)) }
        }
        context.revisions.recordCommit(zip(batch.lazy.map(\.write.screen), outcomes))
        context.health.recordCommit(zip(batch.lazy.map(\.write), outcomes))
        // A write to a file that was removed meanwhile must not be acknowledged.
        try context.files.check()
        for (job, outcome) in zip(batch, outcomes) {
            switch outcome {
            case .written(let revision, _), .removed(let revision): job.finish(.success(revision))
            case .conflict(let current): job.finish(.failure(.conflict(current: current)))
            }
        }
    }

    /// Throws if the file is known to be damaged or is no longer at its path.
    private func checkFile() throws(SQLiteFailure) {
        try context.files.check()
        try context.health.check()
    }

    /// Records a failure, and checkpoints the log once after a file was lost.
    ///
    /// A log that was removed holds acknowledged writes, and one beside another database would
    /// damage that.
    private mutating func record(_ failure: SQLiteFailure) {
        context.health.record(failure)
        guard failure.isMoved, !hasSavedLog else { return }
        hasSavedLog = true
        SQLiteThreads.checkpointOnClose(connection, context)
    }

    /// Writes and removes bytes in two transactions, with the same means as ``commit(_:)``.
    private mutating func probe(_ byteCount: Int) -> Result<Void, StoreError> {
        let bytes = [UInt8](repeating: 0, count: max(0, byteCount))
        do throws(SQLiteFailure) {
            try checkFile()
            do throws(SQLiteFailure) {
                try write(probe: bytes)
            } catch {
                guard error.isFull else { throw error }
                try log.checkpointAll(waitingForReaders: true)
                try write(probe: bytes)
            }
            try write(probe: [])
            try context.files.check()
            return .success(())
        } catch {
            record(error)
            return .failure(error.storeError)
        }
    }

    private func write(probe bytes: [UInt8]) throws(SQLiteFailure) {
        try connection.transaction { () throws(SQLiteFailure) in try meta.set(.probe, to: bytes) }
    }

    private func limitLogSize(_ requests: CheckpointRequests) {
        switch log.nextStep(isCheckpointerIdle: requests.isIdle) {
        case .none: break
        case .requestCheckpoint: requests.request()
        case .checkpointRest(let waitingForReaders): checkpointRest(waitingForReaders)
        case .waitAndCheckpoint:
            requests.waitUntilIdle()
            checkpointRest(true)
        }
    }

    private func checkpointRest(_ waitingForReaders: Bool) {
        do throws(SQLiteFailure) {
            try log.checkpointAll(waitingForReaders: waitingForReaders)
        } catch {
            // The log holds all transactions, so nothing is lost.
            context.health.record(error)
        }
    }

    /// Performs one step of the sweep if it is due after a batch.
    ///
    /// - Returns: The time to wait for writes before the next one.
    private mutating func sweep(after batch: [Job]) -> DispatchTimeInterval {
        let now = context.options.clock.unixMilliseconds
        let storesPagesOnly = !batch.isEmpty && batch.allSatisfy(\.storesPages)
        guard sweeps.isDue(storesPagesOnly: storesPagesOnly, at: now) else {
            return .milliseconds(Int(SweepSchedule.interval))
        }
        let mayHaveMore = sweep(at: now)
        sweeps.recordSearch(at: now, mayHaveMore: mayHaveMore)
        return mayHaveMore ? .seconds(0) : SweepSchedule.pause
    }

    /// Performs one step of the sweep if there is something to remove.
    ///
    /// - Returns: `true` if there may be more to remove.
    private mutating func sweep(at now: Int64) -> Bool {
        do throws(SQLiteFailure) {
            try context.files.check()
            guard maySweep, try sweeper.hasWork(at: now) else { return false }
            let count = try connection.transaction { () throws(SQLiteFailure) in
                try sweeper.sweep(by: rows, at: now)
            }
            if count > 0 { context.report(.expired(count)) }
            return true
        } catch {
            record(error)
            if case .corrupt = error.storeError { maySweep = false }
            return false
        }
    }
}
