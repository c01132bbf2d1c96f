/// Durable `PUT` of a page by eight writers, each to a screen of its own, beside a bare loop that
/// writes the same bytes with as many writes a transaction.
enum DurablePutBenchmark: Benchmark {
    static let name = "put"

    private static let writers = 8
    private static let (rounds, seconds) = (7, 2)

    /// What one round came to.
    private struct Round {
        let load: Wrk.Report
        /// Writes that shared a transaction, on average.
        let batch: Double
        /// Writes a second of the bare loop in such batches.
        let bareRate: Double
    }

    static func rows(_ surroundings: Surroundings) throws -> [Row] {
        let folder = try ScratchFolder(surroundings)
        let disk = try folder.disk()
        let page = try surroundings.page()
        let daemon = try MeasuredDaemon(
            surroundings, store: "sqlite:\(folder.path("screens.db"))")
        let loop = try BareLoop(path: folder.path("bare.db"), page: page, rows: writers)
        let load = Wrk(
            threads: writers, connections: writers, seconds: seconds,
            script: surroundings.script("put_page.lua"),
            environment: ["BROADSHEET_BENCH_PAGE": try folder.add("page.json", page)])
        // One unmeasured round lets both logs grow to the length that they keep.
        let measured = try (0...rounds).map { _ in try round(daemon, load, loop) }.dropFirst()
        let stored = try folder.size(of: "screens.db") / writers
        return rows(Array(measured), page: page.count, disk: disk, stored: stored)
    }

    private static func round(
        _ daemon: MeasuredDaemon, _ load: Wrk, _ loop: BareLoop
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
            bareRate: try loop.rate(batch: batch, seconds: Double(seconds)))
    }

    private static func rows(
        _ rounds: [Round], page: Int, disk: String, stored: Int
    ) -> [Row] {
        let rates = Rates(rounds.map { ($0.load.rate, $0.bareRate) })
        let spread = rounds.map { $0.load.slowest / $0.load.median }.median
        func milliseconds(_ figure: (Round) -> Double) -> String {
            (rounds.map(figure).median * 1e3).shown(1) + " ms"
        }
        return [
            Row(
                name: "PUT of \(page) bytes to \(disk), \(writers) writers",
                figure: "\(rates.subject.shown(0)) a second",
                yardstick: "a bare loop \(rates.yardstick.shown(0)) a second",
                ratio: rates.ratio.shown(), target: "at least 0.7 of them",
                isMet: rates.ratio >= 0.7),
            Row(
                name: "  slowest of a hundred", figure: milliseconds(\.load.slowest),
                yardstick: "the median \(milliseconds(\.load.median))", ratio: spread.shown(),
                target: "under 5 of them", isMet: spread < 5),
            Row(
                name: "  writes a transaction", figure: rounds.map(\.batch).median.shown(1)),
            Row(name: "  on disk, a screen", figure: "\((Double(stored) / 1e3).shown(0)) kB"),
        ]
    }
}
