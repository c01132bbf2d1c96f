import BroadsheetIO
import Dispatch
import Synchronization

/// The writes of a store, on one thread that commits all waiting writes in one transaction.
///
/// Further writes gather while a transaction is being committed, so they share the latency of the
/// disk (group commit), and a single write is committed at once, without a timer.
final class SQLiteWriteWorker {
    /// Work for the thread and the function that receives its outcome exactly once.
    enum Job: Sendable {
        /// A write of a screen.
        case write(
            SQLiteRowWriter.Write, finish: @Sendable (Result<UInt64, StoreError>) -> Void)
        /// Events of a screen.
        case append(SQLiteFeeds.Append)
        /// The removal of the earlier revisions of a screen.
        case removeRevisions(ScreenName, finish: @Sendable (Result<Bool, StoreError>) -> Void)
        /// A write of some bytes that is undone, to find out whether writes succeed.
        case probe(byteCount: Int, finish: @Sendable (Result<Void, StoreError>) -> Void)

        /// A Boolean value that indicates whether the job stores pages and removes nothing.
        var storesPages: Bool {
            if case .write(let write, _) = self, case .putPages = write.commit { return true }
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

    /// The bytes that a probe writes besides its own: what the rows of a page and their indexes
    /// take.
    static let probeMargin = 64 * 1024

    private let connection: SQLiteConnection
    private let space: DatabaseSpace
    private var rows: SQLiteRowWriter
    private let sweeper: SQLiteSweeper
    private let vacuum: SQLiteVacuum
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
    init(
        _ connection: SQLiteConnection, _ context: SQLiteStoreContext, _ space: DatabaseSpace
    ) throws(SQLiteFailure) {
        self.space = space
        rows = try SQLiteRowWriter(
            on: connection, bounds: context.options.history, feeds: context.options.feeds)
        context.historyBytes.store(
            Int(try connection.integer("SELECT total(history_bytes) FROM screens") ?? 0),
            ordering: .relaxed)
        vacuum = try SQLiteVacuum(on: connection)
        sweeper = try SQLiteSweeper(on: connection, prunesHistories: true)
        log = try WriteAheadLog(of: connection, limit: context.options.autocheckpointPages)
        meta = try SQLiteMeta(on: connection)
        self.connection = connection
        self.context = context
    }

    /// Performs the jobs of the queue until it is closed and empty.
    func serve(_ queue: JobQueue<Job>, checkpoints requests: CheckpointRequests) {
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

    private func perform(_ batch: [Job]) {
        var writes: [Write] = []
        writes.reserveCapacity(batch.count)
        for case .write(let write, let finish) in batch { writes.append((write, finish)) }
        if !writes.isEmpty { commit(writes) }
        var appends: [SQLiteFeeds.Append] = []
        for case .append(let append) in batch { appends.append(append) }
        if !appends.isEmpty { append(appends) }
        for case .removeRevisions(let screen, let finish) in batch {
            finish(removeRevisions(of: screen))
        }
        for case .probe(let byteCount, let finish) in batch { finish(probe(byteCount)) }
    }

    /// Commits all jobs of `batch` together, or each one separately if one of them fails (too
    /// large, or a damaged row), so that only that one fails.
    ///
    /// If the disk is full, the log is checkpointed first, once for the batch and once for each
    /// removal that it has.
    private func commit(_ batch: [Write], mayCheckpoint: Bool = true) {
        do throws(SQLiteFailure) {
            try checkFile()
            try withoutHistory(of: batch.lazy.map(\.write.screen)) { () throws(SQLiteFailure) in
                if mayCheckpoint {
                    try Self.withSpace(in: log) { () throws(SQLiteFailure) in
                        try commitTogether(batch)
                    }
                } else {
                    try commitTogether(batch)
                }
            }
        } catch {
            record(error)
            guard batch.count > 1, !error.affectsAllRows, !error.isStructural else {
                return batch.forEach { $0.finish(.failure(error.storeError)) }
            }
            for job in batch {
                commit([job], mayCheckpoint: job.write.commit.storedPages.isEmpty)
            }
        }
    }

    /// Stores the events of all jobs of `batch` in one transaction, or of each one in its own if
    /// one of them fails.
    private func append(_ batch: [SQLiteFeeds.Append]) {
        let now = context.options.clock.unixMilliseconds
        do throws(SQLiteFailure) {
            try checkFile()
            var found: [Bool] = []
            try withoutHistory(of: batch.lazy.map(\.screen)) { () throws(SQLiteFailure) in
                try Self.withSpace(in: log) { () throws(SQLiteFailure) in
                    found = []
                    try transaction { () throws(SQLiteFailure) in
                        for job in batch {
                            found.append(try rows.append(job.events, to: job.screen, at: now))
                        }
                    }
                }
            }
            try context.files.check()
            for (job, isThere) in zip(batch, found) { job.finish(.success(isThere)) }
        } catch {
            record(error)
            guard batch.count > 1, !error.affectsAllRows, !error.isStructural else {
                return batch.forEach { $0.finish(.failure(error.storeError)) }
            }
            for job in batch { append([job]) }
        }
    }

    /// Runs `body`; if the disk is full, checkpoints the log and runs it again: a log that restarts
    /// from its beginning need not grow.
    private static func withSpace(
        in log: WriteAheadLog, _ body: () throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        do throws(SQLiteFailure) {
            try body()
        } catch {
            guard error.isFull else { throw error }
            try log.checkpointAll(waitingForReaders: true)
            try body()
        }
    }

    private func commitTogether(_ batch: [Write]) throws(SQLiteFailure) {
        let now = context.options.clock.unixMilliseconds
        var outcomes: [SQLiteRowWriter.Outcome] = []
        outcomes.reserveCapacity(batch.count)
        try transaction { () throws(SQLiteFailure) in
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

    /// Runs `body` in a transaction, and counts what it changes in the history, and drops of feeds.
    private func transaction(
        _ body: () throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        let history = rows.history
        history.begin()
        rows.feeds.begin()
        do throws(SQLiteFailure) {
            try space.transaction { () throws(SQLiteFailure) in
                try body()
                try history.contents.deleteSome()
            }
        } catch {
            history.contents.rollBack()
            throw error
        }
        context.historyBytes.add(history.growth, ordering: .relaxed)
        context.droppedEvents.add(rows.feeds.droppedCount)
    }

    /// Runs `body`; while the disk is full, removes earlier revisions and runs it again: those of
    /// some screens first, and then any.
    private func withoutHistory(
        of screens: some Sequence<ScreenName>, _ body: () throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        var own: [ScreenName]?
        while true {
            do throws(SQLiteFailure) {
                return try body()
            } catch {
                guard error.isFull else { throw error }
                var next = own ?? Array(screens)
                guard try removeSomeHistory(of: &next) else { throw error }
                own = next
            }
        }
    }

    /// Removes the earlier revisions of a screen, or else some bytes that wait for their deletion;
    /// returns `false` if there are neither.
    private func removeSomeHistory(
        of screens: inout [ScreenName]
    ) throws(SQLiteFailure) -> Bool {
        if try rows.history.contents.hasReleased() {
            try Self.withSpace(in: log) { () throws(SQLiteFailure) in
                try transaction { () throws(SQLiteFailure) in }
            }
            return true
        }
        var next = screens.popLast()
        if next == nil { next = try sweeper.nextHistory() }
        guard let next else { return false }
        let now = context.options.clock.unixMilliseconds
        try Self.withSpace(in: log) { () throws(SQLiteFailure) in
            try transaction { () throws(SQLiteFailure) in
                _ = try rows.removeRevisions(of: next, at: now)
            }
        }
        return true
    }

    /// Removes the earlier revisions of a screen.
    private func removeRevisions(of screen: ScreenName) -> Result<Bool, StoreError> {
        let now = context.options.clock.unixMilliseconds
        do throws(SQLiteFailure) {
            try checkFile()
            var isThere = false
            try Self.withSpace(in: log) { () throws(SQLiteFailure) in
                try transaction { () throws(SQLiteFailure) in
                    isThere = try rows.removeRevisions(of: screen, at: now)
                }
            }
            try context.files.check()
            return .success(isThere)
        } catch {
            record(error)
            return .failure(error.storeError)
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
    private func record(_ failure: SQLiteFailure) {
        context.health.record(failure)
        guard failure.isMoved, !hasSavedLog else { return }
        hasSavedLog = true
        SQLiteThreads.checkpointOnClose(connection, context)
    }

    /// Writes and removes bytes in two transactions, with the same means as ``commit(_:)``, and a
    /// bit more than a page of that size takes.
    private func probe(_ byteCount: Int) -> Result<Void, StoreError> {
        let bytes = [UInt8](repeating: 0, count: max(0, byteCount) + Self.probeMargin)
        do throws(SQLiteFailure) {
            try checkFile()
            for value in [bytes, []] {
                try Self.withSpace(in: log) { () throws(SQLiteFailure) in
                    try space.transaction { () throws(SQLiteFailure) in
                        try meta.set(.probe, to: value)
                    }
                }
            }
            try context.files.check()
            return .success(())
        } catch {
            record(error)
            return .failure(error.storeError)
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

    /// Performs one step of the sweep if it is due after a batch, or one of the vacuum if no writes
    /// wait.
    ///
    /// - Returns: The time to wait for writes before the next one.
    private func sweep(after batch: [Job]) -> DispatchTimeInterval {
        let now = context.options.clock.unixMilliseconds
        let storesPagesOnly = !batch.isEmpty && batch.allSatisfy(\.storesPages)
        guard sweeps.isDue(storesPagesOnly: storesPagesOnly, at: now) else {
            return .milliseconds(Int(SweepSchedule.interval))
        }
        let next = sweep(at: now, isIdle: batch.isEmpty)
        sweeps.recordSearch(at: now, mayHaveMore: next == .now)
        return switch next {
        case .now: .seconds(0)
        case .whenIdle: .milliseconds(Int(SweepSchedule.interval))
        case .later: SweepSchedule.pause
        }
    }

    /// The time of the next step.
    private enum NextStep {
        case now
        case whenIdle
        case later
    }

    /// Performs one step if there is something to remove, or to return to the file system.
    private func sweep(at now: Int64, isIdle: Bool) -> NextStep {
        do throws(SQLiteFailure) {
            try context.files.check()
            guard maySweep else { return .later }
            var hasWork = try rows.history.contents.hasReleased()
            if !hasWork { hasWork = try sweeper.hasWork(at: now) }
            guard hasWork else { return try shrink(isIdle: isIdle) }
            var count = 0
            try Self.withSpace(in: log) { () throws(SQLiteFailure) in
                try transaction { () throws(SQLiteFailure) in
                    count = try sweeper.sweep(by: rows, at: now)
                }
            }
            if count > 0 { context.report(.expired(count)) }
            return .now
        } catch {
            record(error)
            if case .corrupt = error.storeError { maySweep = false }
            return .later
        }
    }

    /// Returns free pages to the file system: performs a step of the vacuum, or, after the last
    /// one, a checkpoint, which truncates the file.
    private func shrink(isIdle: Bool) throws(SQLiteFailure) -> NextStep {
        let hasWork = try vacuum.hasWork()
        guard isIdle else { return hasWork ? .whenIdle : .later }
        if hasWork {
            try Self.withSpace(in: log) { () throws(SQLiteFailure) in
                try space.transaction { () throws(SQLiteFailure) in try vacuum.step() }
            }
            return .now
        }
        if try space.isTooLong() { try log.checkpointAll(waitingForReaders: true) }
        return .later
    }
}
