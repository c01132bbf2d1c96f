import BroadsheetStores
import CSQLite

/// Durable `PUT` of a page by eight writers, each to its own screen, compared with a loop that
/// writes the same bytes to SQLite with as many writes per transaction.
enum DurablePutBenchmark {
    private static let writers = 8
    private static let (rounds, seconds) = (15, 1)
    /// The number of pages that each writer puts in turn: parts of the file that a write finds as
    /// it would write them cost nothing, so they differ from those of all revisions that are kept.
    private static let versions = 13

    /// The results of one round.
    private struct Round {
        let load: Wrk.Report
        /// The average number of writes per transaction.
        let batch: Double
        /// The rate of the baseline at the same number of writes per transaction, per second.
        let baselineRate: Double
    }

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let folder = try ScratchFolder(context)
        let disk = try folder.disk()
        let pages = try (0..<versions).map { try context.page(version: $0) }
        let daemon = try DaemonProcess(
            context, store: "sqlite:\(folder.path("screens.db"))")
        let without = try DaemonProcess(
            context, store: "sqlite:\(folder.path("without.db"))", ["--keep-revisions", "0"])
        let loop = try InsertLoop(path: folder.path("baseline.db"), pages: pages, rows: writers)
        let load = Load(
            requests: (0..<writers).map {
                Load.Request(
                    method: "PUT", path: "/v1/screens/writer-\($0)/pages/0",
                    fields: ["Prefer: return=minimal"], bodies: pages)
            }, seconds: Double(seconds))
        // One unmeasured round: both write-ahead logs grow to the size that they keep.
        var rates: [(subject: Double, baseline: Double)] = []
        let measured = try (0...rounds).map { _ in
            let measured = try round(daemon, load, loop)
            rates.append(
                (measured.load.rate, try load.run(against: without.port).rate))
            return measured
        }.dropFirst()
        let stored = try folder.size(of: "screens.db") / writers
        return rows(Array(measured), page: pages[0].count, disk: disk, stored: stored)
            + [historyRow(Array(rates.dropFirst()))] + (try resumeRows(context))
    }

    /// Compares writes that keep what they replace with those that do not.
    private static func historyRow(
        _ rates: [(subject: Double, baseline: Double)]
    ) -> ResultRow {
        let comparison = RateComparison(rates)
        return ResultRow(
            name: "  with its history",
            figure: "\(comparison.subject.formatted(0)) per second",
            baseline: "--keep-revisions 0 \(comparison.baseline.formatted(0)) per second",
            ratio: comparison.ratio.formatted(),
            target: Target(ratio: comparison.ratio, .atLeast(0.9)))
    }

    /// Compares the first changes since an earlier revision after a restart with the first tree.
    private static func resumeRows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let folder = try ScratchFolder(context)
        let store = "sqlite:\(folder.path("resumed.db"))"
        let page = try context.page()
        let writer = try DaemonProcess(context, store: store)
        for _ in 0..<2 { try writer.store(page, as: 0, of: "home") }
        writer.end()
        func time(_ target: String) throws -> Double {
            let daemon = try DaemonProcess(context, store: store)
            defer { daemon.end() }
            let start = ContinuousClock.now
            _ = try daemon.curl(target)
            return start.secondsToNow
        }
        var (trees, changes): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            trees.append(try time("/v1/screens/home/layout"))
            changes.append(try time("/v1/screens/home/changes?since=1"))
        }
        let ratio = changes.median / trees.median
        return [
            ResultRow(
                name: "first changes since a revision, after a restart",
                figure: changes.median.milliseconds,
                baseline: "first tree \(trees.median.milliseconds)",
                ratio: ratio.formatted(), target: Target(ratio: ratio, .below(3)))
        ]
    }

    private static func round(
        _ daemon: DaemonProcess, _ load: Load, _ loop: InsertLoop
    ) throws -> Round {
        func counts() throws -> (writes: Double, transactions: Double) {
            (
                try daemon.metric("broadsheet_store_commit_duration_seconds_count"),
                try daemon.metric("broadsheet_store_transactions_total")
            )
        }
        let before = try counts()
        let report = try load.run(against: daemon.port)
        let after = try counts()
        let batch = (after.writes - before.writes) / (after.transactions - before.transactions)
        return Round(
            load: report, batch: batch,
            baselineRate: try loop.rate(batch: batch, seconds: Double(seconds)))
    }

    private static func rows(
        _ rounds: [Round], page: Int, disk: String, stored: Int
    ) -> [ResultRow] {
        let rates = RateComparison(rounds.map { ($0.load.rate, $0.baselineRate) })
        let spread = rounds.map { $0.load.percentile99 / $0.load.median }.median
        return [
            ResultRow(
                name: "PUT of \(page) bytes to \(disk), \(writers) writers",
                figure: "\(rates.subject.formatted(0)) per second",
                baseline: "SQLite \(rates.baseline.formatted(0)) per second",
                ratio: rates.ratio.formatted(), target: Target(ratio: rates.ratio, .atLeast(0.75))),
            ResultRow(
                name: "  99th percentile",
                figure: rounds.map(\.load.percentile99).median.milliseconds,
                baseline: "median \(rounds.map(\.load.median).median.milliseconds)",
                ratio: spread.formatted(), target: Target(ratio: spread, .below(5))),
            ResultRow(
                name: "  writes per transaction", figure: rounds.map(\.batch).median.formatted(1)),
            ResultRow(
                name: "  on disk per screen", figure: "\((Double(stored) / 1e3).formatted(0)) kB"),
        ]
    }
}

/// The baseline of durable writes: a loop that writes pages repeatedly, with the store's settings,
/// into one table.
private final class InsertLoop {
    private let database: OpaquePointer
    private let pages: [[UInt8]]
    private let rows: Int
    private var insert: OpaquePointer?
    /// The number of writes since the start, and the number that is due after as many transactions.
    private var (written, due) = (0, 0.0)

    /// Creates a database at `path` in which `rows` rows are replaced one after another.
    init(path: String, pages: [[UInt8]], rows: Int) throws {
        var opened: OpaquePointer?
        guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
            throw BenchmarkError("no database can be created at \(path)")
        }
        database = opened
        self.pages = pages
        self.rows = rows
        try execute(
            """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA secure_delete = OFF;
            PRAGMA wal_autocheckpoint = \(SQLiteStoreOptions.defaultAutocheckpointPages);
            CREATE TABLE pages (
                key INTEGER PRIMARY KEY,
                revision INTEGER NOT NULL,
                checksum INTEGER NOT NULL,
                bytes BLOB NOT NULL
            );
            """)
        let sql = "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)"
        try check(sqlite3_prepare_v2(database, sql, -1, &insert, nil), SQLITE_OK)
    }

    deinit {
        sqlite3_finalize(insert)
        sqlite3_close(database)
    }

    /// Writes for a number of seconds, and returns the number of durable writes per second.
    ///
    /// - Parameter batch: The average number of writes per transaction.
    func rate(batch: Double, seconds: Double) throws -> Double {
        let first = written
        let start = ContinuousClock.now
        var elapsed = 0.0
        while elapsed < seconds {
            due += batch
            try execute("BEGIN IMMEDIATE")
            while Double(written) < due.rounded(.down) { try write() }
            try execute("COMMIT")
            elapsed = start.secondsToNow
        }
        return Double(written - first) / elapsed
    }

    private func write() throws {
        try pages[written / rows % pages.count].withUnsafeBytes { bytes in
            sqlite3_bind_int64(insert, 1, Int64(written % rows))
            sqlite3_bind_int64(insert, 2, Int64(written))
            sqlite3_bind_int64(insert, 3, Int64(written))
            sqlite3_bind_blob(insert, 4, bytes.baseAddress, Int32(bytes.count), nil)
            try check(sqlite3_step(insert), SQLITE_DONE)
            sqlite3_reset(insert)
        }
        written += 1
    }

    private func execute(_ sql: String) throws {
        try check(sqlite3_exec(database, sql, nil, nil, nil), SQLITE_OK)
    }

    private func check(_ code: Int32, _ expected: Int32) throws {
        guard code == expected else {
            throw BenchmarkError("SQLite: \(String(cString: sqlite3_errmsg(database)))")
        }
    }
}
