import BroadsheetIO
import Dispatch

/// The one thread that writes, and commits whatever waits in one transaction.
///
/// While one transaction is on its way to the disk the next writes gather; so the disk's latency is
/// paid once for all of them (group commit), and a lone write pays it at once, without a timer.
struct SQLiteWriter {
    /// A write on its way, and what to call with its outcome, exactly once.
    struct Job: Sendable {
        var write: SQLiteRowWriter.Write
        var finish: @Sendable (Result<UInt64, StoreError>) -> Void
    }

    /// The most writes of one transaction: more would make the first of them wait for no gain.
    static let maxBatch = 64
    /// The most bytes of one transaction, unless one write has more by itself.
    static let maxBatchBytes = 16 * 1024 * 1024
    /// The most writes that may wait; the next is answered "too busy".
    static let maxWaiting = 1024
    /// The most bytes that may wait.
    static let maxWaitingBytes = 256 * 1024 * 1024
    /// How long the thread waits for writes before it looks whether any screen is over.
    static let sweepPause = 30

    private let connection: SQLiteConnection
    private var rows: SQLiteRowWriter
    private let sweeper: SQLiteSweeper
    private let context: SQLiteStoreContext
    private let log: WriteAheadLog
    /// A sweep that failed would fail again: the next start tries anew.
    private var maySweep = true

    /// Readies a connection for writing.
    init(_ connection: SQLiteConnection, _ context: SQLiteStoreContext) throws(SQLiteFailure) {
        rows = try SQLiteRowWriter(on: connection)
        sweeper = try SQLiteSweeper(on: connection)
        log = try WriteAheadLog(of: connection, limit: context.options.autocheckpointPages)
        self.connection = connection
        self.context = context
    }

    /// Serves the queue until it is closed and empty.
    mutating func serve(_ queue: JobQueue<Job>, checkpoints requests: CheckpointRequests) {
        var timeout = Self.sweepPause
        while let batch = queue.dequeue(
            atMost: Self.maxBatch, byteLimit: Self.maxBatchBytes, within: .seconds(timeout))
        {
            if !batch.isEmpty { commit(batch) }
            timeout = sweep() ? 0 : Self.sweepPause
            limitLogSize(requests)
        }
        requests.close()
    }

    /// Commits all jobs of `batch` together; when one of them cannot be done (too large, a damaged
    /// row) each by itself, so that it fails alone.
    ///
    /// On a full disk the log is folded first, once for the batch.
    private mutating func commit(_ batch: [Job], mayCheckpoint: Bool = true) {
        do throws(SQLiteFailure) {
            try context.health.check()
            do throws(SQLiteFailure) {
                try commitTogether(batch)
            } catch {
                guard mayCheckpoint, error.isFull else { throw error }
                // A log that may be written from its beginning need not grow.
                try log.checkpointAll(waitingForReaders: true)
                try commitTogether(batch)
            }
        } catch {
            context.health.record(error)
            guard batch.count > 1, !error.affectsAllRows, !error.isStructural else {
                return batch.forEach { $0.finish(.failure(error.storeError)) }
            }
            for job in batch { commit([job], mayCheckpoint: false) }
        }
    }

    private mutating func commitTogether(_ batch: [Job]) throws(SQLiteFailure) {
        let now = context.options.clock.unixMilliseconds
        var outcomes: [SQLiteRowWriter.Outcome] = []
        outcomes.reserveCapacity(batch.count)
        try connection.transaction { () throws(SQLiteFailure) in
            for job in batch { outcomes.append(try rows.commit(job.write, at: now)) }
        }
        context.revisions.recordCommit(zip(batch.lazy.map(\.write.screen), outcomes))
        for (job, outcome) in zip(batch, outcomes) {
            switch outcome {
            case .written(let revision, _), .removed(let revision): job.finish(.success(revision))
            case .conflict(let current): job.finish(.failure(.conflict(current: current)))
            }
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
            // That harms nobody: the log holds all there is.
            context.health.record(error)
        }
    }

    /// Sweeps once if there is anything to sweep; answers whether there may be more.
    private mutating func sweep() -> Bool {
        let now = context.options.clock.unixMilliseconds
        do throws(SQLiteFailure) {
            guard maySweep, try sweeper.hasWork(at: now) else { return false }
            let count = try connection.transaction { () throws(SQLiteFailure) in
                try sweeper.sweep(by: rows, at: now)
            }
            if count > 0 { context.report(.expired(count)) }
            return true
        } catch {
            context.health.record(error)
            if case .corrupt = error.storeError { maySweep = false }
            return false
        }
    }
}
