internal import CSQLite
internal import Foundation

/// The one thread that writes, and commits whatever waits in one transaction.
///
/// While one transaction is on its way to the disk the next writes gather; so the disk's latency is
/// paid once for all of them (group commit), and a lone write pays it at once, without a timer.
struct SQLiteWriter {
    /// A write on its way, and what to call with its outcome, exactly once.
    struct Job: Sendable {
        var change: ScreenChange
        var screen: ScreenName
        var expected: UInt64?
        var finish: @Sendable (Result<UInt64, StoreError>) -> Void
    }

    /// The most writes of one transaction: more would make the first of them wait for no gain.
    static let maxBatch = 64
    /// The most writes that may wait; the next is answered "too busy".
    static let maxWaiting = 1024

    private let connection: SQLiteConnection
    private let rows: SQLiteRowWriter
    private let known: KnownRevisions

    /// Readies a connection for writing.
    init(
        _ connection: SQLiteConnection, known: KnownRevisions
    ) throws(SQLiteFailure) {
        rows = try SQLiteRowWriter(on: connection)
        self.connection = connection
        self.known = known
    }

    /// Serves the mailbox until it is closed and empty.
    func serve(_ mailbox: Mailbox<Job>) {
        while let batch = mailbox.take(atMost: Self.maxBatch) { commit(batch) }
        // What the write-ahead log holds is durable as it is; folding it in only tidies up, so a
        // failure is nobody's loss.
        try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Commits all jobs of `batch` together; when that fails each by itself, so that one that cannot
    /// be done (too large, a damaged row) fails alone.
    private func commit(_ batch: [Job]) {
        do throws(SQLiteFailure) {
            try commitTogether(batch)
        } catch {
            guard batch.count > 1 else {
                return batch.forEach { $0.finish(.failure(error.storeError)) }
            }
            for job in batch { commit([job]) }
        }
    }

    private func commitTogether(_ batch: [Job]) throws(SQLiteFailure) {
        var outcomes: [SQLiteRowWriter.Outcome] = []
        outcomes.reserveCapacity(batch.count)
        try transaction { () throws(SQLiteFailure) in
            for job in batch {
                outcomes.append(
                    try rows.commit(job.change, to: job.screen, expecting: job.expected))
            }
        }
        known.record(zip(batch, outcomes))
        for (job, outcome) in zip(batch, outcomes) {
            switch outcome {
            case .committed(let revision): job.finish(.success(revision))
            case .conflict(let current): job.finish(.failure(.conflict(current: current)))
            }
        }
    }

    private func transaction(
        _ body: () throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(SQLiteFailure) {
            try body()
            try connection.execute("COMMIT")
        } catch {
            // A full disk or an I/O error may have rolled back by itself.
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }
}
