/// `PUT` of a small page to a screen with 50 MB of other pages, compared with the same on a screen
/// without other pages.
enum LargeScreenBenchmark {
    private static let (rounds, seconds) = (7, 1)
    private static let (pages, productsPerPage) = (50, 4_700)

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let folder = try ScratchFolder(context)
        let store = "sqlite:\(folder.path("screens.db"))"
        let first = try DaemonProcess(context, store: store)
        var stored = 0
        for number in 0..<pages {
            let page = try context.page(products: productsPerPage, number: number)
            stored += page.count
            try first.store(page, as: number, of: "large")
        }
        first.end()
        return [
            try row(DaemonProcess(context, store: store), stored, context, isInMemory: false),
            try row(
                DaemonProcess(context, store: store), stored, context, isInMemory: true),
        ]
    }

    private static func row(
        _ daemon: DaemonProcess, _ stored: Int, _ context: BenchmarkContext, isInMemory: Bool
    ) throws -> ResultRow {
        defer { daemon.end() }
        // The page state reads all pages.
        if isInMemory { _ = try daemon.body(of: "/v1/screens/large/pages") }
        // One unmeasured round creates the pages, and the log grows.
        let measured = try (0...rounds).map { _ in
            (
                subject: try latency(of: "large", daemon, context),
                baseline: try latency(of: "small", daemon, context)
            )
        }.dropFirst()
        let ratio = measured.map { $0.subject / $0.baseline }.median
        let state = isInMemory ? "in memory" : "not in memory"
        return ResultRow(
            name: "PUT of a small page beside \(stored / 1_000_000) MB of others, \(state)",
            figure: measured.map(\.subject).median.milliseconds,
            baseline: "alone \(measured.map(\.baseline).median.milliseconds)",
            ratio: ratio.formatted(), target: Target(ratio: ratio, .atMost(1.5)))
    }

    /// Returns the median latency of the writes of one writer, in seconds.
    private static func latency(
        of screen: String, _ daemon: DaemonProcess, _ context: BenchmarkContext
    ) throws -> Double {
        let load = Wrk(
            connections: 1, seconds: seconds, script: context.script("put_small.lua"),
            environment: [
                "BROADSHEET_BENCH_SCREEN": screen, "BROADSHEET_BENCH_NUMBER": "\(pages)",
            ])
        return try load.run(against: daemon.port).median
    }
}
