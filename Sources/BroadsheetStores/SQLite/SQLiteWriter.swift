import BroadsheetIO
import Dispatch
import Synchronization

/// The writes of a store, on one thread that commits all waiting batches in one transaction.
///
/// Further batches gather while a transaction is being committed, so they share the latency of the
/// disk (group commit), and a single one is committed at once, without a timer.
final class SQLiteWriter {
    /// Work for the thread.
    enum Job: Sendable {
        case batch(Batch)
        /// Other work, which sends its outcome itself.
        case work(@Sendable (SQLiteWriter) -> Void)
    }

    /// A batch and the function that receives its outcome exactly once.
    struct Batch: Sendable {
        let batch: StoreBatch
        let finish: @Sendable (Result<BatchOutcome, StoreError>) -> Void
    }

    /// The maximum number of jobs in a transaction; more would delay the first ones without a gain.
    static let maxBatch = 64
    /// The maximum number of bytes in a transaction, unless a single batch has more.
    static let maxBatchBytes = 16 * 1024 * 1024
    static let maxWaiting = 1024
    static let maxWaitingBytes = 256 * 1024 * 1024
    /// The bytes that a probe writes besides its own: what the rows of a page and their indexes
    /// take.
    private static let probeMargin = 64 * 1024
    /// The time without jobs after which the file is shrunk.
    private static let shortPause = DispatchTimeInterval.seconds(1)
    /// The time between two checks of an idle store.
    private static let longPause = DispatchTimeInterval.seconds(30)

    private let connection: SQLiteConnection
    private let space: DatabaseSpace
    private var batches: SQLiteBatchWriter
    private let vacuum: SQLiteVacuum
    private let context: SQLiteContext
    private let log: WriteAheadLog
    /// A Boolean value that indicates whether the log was checkpointed after a file was lost.
    private var hasSavedLog = false
    /// A Boolean value that indicates whether leftovers are deleted; not after that failed because
    /// of damage, until the next start.
    private var mayMaintain = true

    init(
        _ connection: SQLiteConnection, _ context: SQLiteContext, _ space: DatabaseSpace
    ) throws(SQLiteFailure) {
        self.connection = connection
        self.context = context
        self.space = space
        batches = try SQLiteBatchWriter(on: connection) { context.health.record($0) }
        vacuum = try SQLiteVacuum(on: connection)
        log = try WriteAheadLog(of: connection, limit: context.options.autocheckpointPages)
        let server = batches.state.server
        context.server.withLock { $0 = server }
    }

    func serve(_ queue: JobQueue<Job>, checkpoints requests: CheckpointRequests) {
        var timeout = Self.longPause
        while let jobs = queue.dequeue(
            atMost: Self.maxBatch, byteLimit: Self.maxBatchBytes, within: timeout)
        {
            perform(jobs)
            timeout = maintain(isIdle: jobs.isEmpty)
            limitLogSize(requests)
        }
        requests.close()
    }

    private func perform(_ jobs: [Job]) {
        var waiting: [Batch] = []
        waiting.reserveCapacity(jobs.count)
        for case .batch(let batch) in jobs { waiting.append(batch) }
        if !waiting.isEmpty { commit(waiting) }
        for case .work(let work) in jobs { work(self) }
    }

    /// Commits all batches together, or each one separately if one of them fails (too large, or a
    /// damaged row), so that only that one fails.
    ///
    /// If the disk is full, the log is checkpointed first: once for all, and once for each batch
    /// that may use the reserved space.
    private func commit(_ waiting: [Batch], mayCheckpoint: Bool = true) {
        do throws(SQLiteFailure) {
            let outcomes = try change(mayCheckpoint: mayCheckpoint) {
                (batches) throws(SQLiteFailure) in
                let now = context.options.clock.unixMilliseconds
                var outcomes: [SQLiteBatchWriter.Outcome] = []
                outcomes.reserveCapacity(waiting.count)
                for job in waiting { outcomes.append(try batches.apply(job.batch, at: now)) }
                return outcomes
            }
            try publish(outcomes, of: waiting)
        } catch {
            record(error)
            guard waiting.count > 1, !error.affectsAllRows, !error.isStructural else {
                return waiting.forEach { $0.finish(.failure(error.storeError)) }
            }
            for job in waiting { commit([job], mayCheckpoint: job.batch.frees) }
        }
    }

    /// Publishes the outcomes of batches that are on the disk.
    private func publish(
        _ outcomes: [SQLiteBatchWriter.Outcome], of waiting: [Batch]
    ) throws(SQLiteFailure) {
        var changes: [(ScreenName, SQLiteRevisionCache.Change)] = []
        var isApplied = false
        for (job, outcome) in zip(waiting, outcomes) {
            guard case .applied(let change) = outcome else { continue }
            isApplied = true
            if let change { changes.append((job.batch.screen, change)) }
        }
        let server = batches.state.server
        context.server.withLock { $0 = server }
        if isApplied { context.revisions.recordCommit(changes) }
        // A write to a file that was removed meanwhile must not be acknowledged.
        try context.files.check()
        for (job, outcome) in zip(waiting, outcomes) {
            switch outcome {
            case .applied: job.finish(.success(.applied))
            case .conflict(let found): job.finish(.success(.conflict(found)))
            }
        }
    }

    /// Runs `body` in a transaction.
    ///
    /// While the disk is full, the log is checkpointed and leftovers are deleted, and `body` runs
    /// again.
    private func change<Value>(
        mayCheckpoint: Bool = true,
        _ body: (inout SQLiteBatchWriter) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        try context.files.check()
        try context.health.check()
        while true {
            do throws(SQLiteFailure) {
                return mayCheckpoint
                    ? try withSpace { () throws(SQLiteFailure) in try transaction(body) }
                    : try transaction(body)
            } catch {
                guard error.isFull, batches.hasLeftovers, mayMaintain else { throw error }
                try deleteLeftovers()
            }
        }
    }

    private func transaction<Value>(
        _ body: (inout SQLiteBatchWriter) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        var value: Value?
        let before = batches.state.weight
        try batches.transaction(in: space) { (batches) throws(SQLiteFailure) in
            value = try body(&batches)
        }
        context.weight.wrappingAdd(batches.state.weight - before, ordering: .relaxed)
        guard let value else { throw .unsupported("the transaction has no outcome") }
        return value
    }

    /// Deletes as many leftovers as one transaction may.
    private func deleteLeftovers() throws(SQLiteFailure) {
        try withSpace { () throws(SQLiteFailure) in
            try transaction { (_) throws(SQLiteFailure) in }
        }
    }

    /// Runs `body`; if the disk is full, checkpoints the log and runs it again: a log that restarts
    /// from its beginning need not grow.
    private func withSpace<Value>(
        _ body: () throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value {
        do throws(SQLiteFailure) {
            return try body()
        } catch {
            guard error.isFull else { throw error }
            try log.checkpointAll(waitingForReaders: true)
            return try body()
        }
    }

    /// Records a failure, and checkpoints the log once after a file was lost.
    ///
    /// A log that was removed holds acknowledged writes, and one beside another database would
    /// damage that.
    private func record(_ failure: SQLiteFailure) {
        context.health.record(failure)
        guard failure.isMoved, !hasSavedLog else { return }
        hasSavedLog = true
        SQLiteThreads.checkpointOnClose(connection, context)
    }
}

extension SQLiteWriter {
    private func result(
        _ body: () throws(SQLiteFailure) -> Void
    ) -> Result<Void, StoreError> {
        do throws(SQLiteFailure) {
            return .success(try body())
        } catch {
            record(error)
            return .failure(error.storeError)
        }
    }

    /// Writes and removes bytes in two transactions, with the same means as a batch, and a bit more
    /// than a page of that size takes.
    func probe(_ byteCount: Int) -> Result<Void, StoreError> {
        let bytes = [UInt8](repeating: 0, count: max(0, byteCount) + Self.probeMargin)
        return result { () throws(SQLiteFailure) in
            for value in [bytes, []] {
                try change { (batches) throws(SQLiteFailure) in
                    try batches.setProbe(to: value)
                }
            }
            try context.files.check()
        }
    }

    func setIdentity(_ identity: StoreIdentity?) -> Result<Void, StoreError> {
        result { () throws(SQLiteFailure) in
            try change { (batches) throws(SQLiteFailure) in try batches.set(identity) }
            context.identity.withLock { $0 = identity }
        }
    }

    /// Deletes all leftovers, and checkpoints the log, so that both make space for batches.
    func reclaim() -> Result<Void, StoreError> {
        result { () throws(SQLiteFailure) in
            while batches.hasLeftovers { try deleteLeftovers() }
            try log.checkpointAll(waitingForReaders: true)
        }
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

    /// Performs a step of the maintenance if no jobs wait; returns the time to wait for some before
    /// the next one.
    private func maintain(isIdle: Bool) -> DispatchTimeInterval {
        do throws(SQLiteFailure) {
            guard mayMaintain else { return Self.longPause }
            guard isIdle else { return batches.hasLeftovers ? .seconds(0) : Self.shortPause }
            try context.files.check()
            if batches.hasLeftovers {
                try deleteLeftovers()
                return .seconds(0)
            }
            return try shrink() ? .seconds(0) : Self.longPause
        } catch {
            record(error)
            if case .corrupt = error.storeError { mayMaintain = false }
            return Self.longPause
        }
    }

    /// Returns free pages to the file system: performs a step of the vacuum, or, after the last
    /// one, a checkpoint, which truncates the file.
    ///
    /// - Returns: `false` if nothing is left to do.
    private func shrink() throws(SQLiteFailure) -> Bool {
        guard try vacuum.hasWork() else {
            if try space.isTooLong() { try log.checkpointAll(waitingForReaders: true) }
            return false
        }
        try withSpace { () throws(SQLiteFailure) in
            try space.transaction { () throws(SQLiteFailure) in try vacuum.step() }
        }
        return true
    }
}
