import BroadsheetStores

/// The start of a daemon whose store holds many screens, and the first read of one of them.
enum StartBenchmark {
    private static let screens = 100_000
    private static let rounds = 5
    /// The number of concurrent writers that fill the store, so that many writes share a
    /// transaction.
    private static let writers = 64

    /// The results of one start.
    private struct Start {
        /// The durations in seconds.
        let seconds, firstRead: Double
        let residentBytes: Int
    }

    static func rows(_ context: BenchmarkContext) async throws -> [ResultRow] {
        let folder = try ScratchFolder(context)
        let disk = try folder.disk()
        let page = try context.page(products: 4)
        try await fill(folder.path("many.db"), with: page, screens: screens)
        try await fill(folder.path("few.db"), with: page, screens: 1)
        let stored = try folder.size(of: "many.db")
        let starts = try (0..<rounds).map { _ in
            (
                many: try start(folder.path("many.db"), context),
                few: try start(folder.path("few.db"), context)
            )
        }
        let many = starts.map(\.many)
        let seconds = many.map(\.seconds).median
        let ratio = starts.map { $0.many.seconds / $0.few.seconds }.median
        return [
            ResultRow(
                name: "start with \(screens) screens on \(disk)",
                figure: seconds.milliseconds,
                baseline: "1 screen: \(starts.map(\.few.seconds).median.milliseconds)",
                ratio: ratio.formatted(), target: Target(figure: seconds, .below(1), unit: "s")),
            ResultRow(
                name: "  first read of a screen", figure: many.map(\.firstRead).median.milliseconds,
                baseline: "1 screen: \(starts.map(\.few.firstRead).median.milliseconds)"),
            ResultRow(
                name: "  resident memory after it",
                figure: "\((many.map { Double($0.residentBytes) }.median / 1e6).formatted(1)) MB"),
            ResultRow(
                name: "  on disk per screen of \(page.count) bytes",
                figure: "\((Double(stored) / Double(screens) / 1e3).formatted(1)) kB"),
        ]
    }

    private static func start(_ path: String, _ context: BenchmarkContext) throws -> Start {
        let daemon = try DaemonProcess(context, store: "sqlite:\(path)")
        defer { daemon.end() }
        return Start(
            seconds: daemon.startTime,
            firstRead: try daemon.seconds(toFetch: "/v1/screens/\(name(of: 0))/layout"),
            residentBytes: try daemon.residentBytes())
    }

    /// Fills a new store directly, without requests over HTTP.
    private static func fill(
        _ path: String, with page: [UInt8], screens: Int
    ) async throws {
        let store = try ScreenStore(path: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    for screen in stride(from: writer, to: screens, by: writers) {
                        guard let name = ScreenName(name(of: screen)) else { continue }
                        _ = try await store.commit(
                            .put(page: 0, bytes: page), to: name, expecting: nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        await store.close()
    }

    private static func name(of screen: Int) -> String { "screen-\(screen)" }
}
