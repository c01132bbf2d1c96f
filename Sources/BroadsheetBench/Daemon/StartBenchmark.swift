internal import BroadsheetStores

/// The start of a daemon whose store holds many screens, and the first read of one of them.
enum StartBenchmark: Benchmark {
    static let name = "start"

    private static let screens = 100_000
    private static let rounds = 5
    /// Writers that fill the store at once, so that many writes share a transaction.
    private static let writers = 64

    /// What one start took.
    private struct Start {
        let seconds, firstRead: Double
        let residentBytes: Int
    }

    static func rows(_ surroundings: Surroundings) async throws -> [Row] {
        let folder = try ScratchFolder(surroundings)
        let disk = try folder.disk()
        let page = try surroundings.page(products: 4)
        try await fill(folder.path("many.db"), with: page, screens: screens)
        try await fill(folder.path("few.db"), with: page, screens: 1)
        let stored = try folder.size(of: "many.db")
        let starts = try (0..<rounds).map { _ in
            (
                many: try start(folder.path("many.db"), surroundings),
                few: try start(folder.path("few.db"), surroundings)
            )
        }
        let many = starts.map(\.many)
        let seconds = many.map(\.seconds).median
        let ratio = starts.map { $0.many.seconds / $0.few.seconds }.median
        return [
            Row(
                name: "start with \(screens) screens on \(disk)",
                figure: milliseconds(seconds),
                yardstick: "with one \(milliseconds(starts.map(\.few.seconds).median))",
                ratio: ratio.shown(), target: "under 1 s", isMet: seconds < 1),
            Row(
                name: "  first read of one", figure: milliseconds(many.map(\.firstRead).median),
                yardstick: "of the only \(milliseconds(starts.map(\.few.firstRead).median))"),
            Row(
                name: "  resident memory then",
                figure: "\((many.map { Double($0.residentBytes) }.median / 1e6).shown(1)) MB"),
            Row(
                name: "  on disk, a screen of \(page.count) bytes",
                figure: "\((Double(stored) / Double(screens) / 1e3).shown(1)) kB"),
        ]
    }

    private static func start(_ path: String, _ surroundings: Surroundings) throws -> Start {
        let daemon = try MeasuredDaemon(surroundings, store: "sqlite:\(path)")
        defer { daemon.end() }
        return Start(
            seconds: daemon.startTime,
            firstRead: try daemon.seconds(toFetch: "/v1/screens/\(name(of: 0))/layout"),
            residentBytes: try daemon.residentBytes())
    }

    /// Fills a new store by the daemon's own code, without the way through HTTP.
    private static func fill(
        _ path: String, with page: [UInt8], screens: Int
    ) async throws {
        let store = try SQLiteStore(path: path)
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

    private static func milliseconds(_ seconds: Double) -> String {
        "\((seconds * 1e3).shown(1)) ms"
    }
}
