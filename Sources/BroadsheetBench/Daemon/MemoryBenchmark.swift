/// Resident memory of a daemon: idle, for each screen that is in use, holding a large screen, and for
/// each idle connection.
enum MemoryBenchmark: Benchmark {
    static let name = "memory"

    static func rows(_ surroundings: Surroundings) throws -> [Row] {
        try [idle, screens, largeScreen, connections].map { try $0(surroundings) }
    }

    private static func idle(_ surroundings: Surroundings) throws -> Row {
        let folder = try ScratchFolder(surroundings)
        let daemon = try MeasuredDaemon(
            surroundings, store: "sqlite:\(folder.path("screens.db"))")
        let megabytes = Double(try daemon.residentBytes()) / 1e6
        return Row(
            name: "idle daemon, SQLite", figure: "\(megabytes.shown(1)) MB",
            target: "under 30 MB", isMet: megabytes < 30)
    }

    /// Screens of an ordinary page, each written once and read once: page, frames and tree.
    private static func screens(_ surroundings: Surroundings) throws -> Row {
        let count = 100
        let folder = try ScratchFolder(surroundings)
        let page = try surroundings.page()
        let daemon = try MeasuredDaemon(
            surroundings, store: "sqlite:\(folder.path("screens.db"))")
        let before = try daemon.residentBytes()
        for number in 0..<count {
            try daemon.store(page, as: 0, of: "screen-\(number)")
            _ = try daemon.body(of: "/v1/screens/screen-\(number)/layout")
        }
        let each = Double(try daemon.residentBytes() - before) / Double(count)
        return Row(
            name: "each of \(count) screens in use", figure: "\((each / 1e3).shown(0)) kB",
            yardstick: "posted \((Double(page.count) / 1e3).shown(0)) kB",
            ratio: (each / Double(page.count)).shown())
    }

    /// A screen of 100,000 products in two pages, each below the body limit of 16 MiB.
    private static func largeScreen(_ surroundings: Surroundings) throws -> Row {
        let pages = try (0..<2).map { try surroundings.page(products: 50_000, number: $0) }
        let posted = pages.reduce(0) { $0 + $1.count }
        let daemon = try MeasuredDaemon(surroundings)
        let before = try daemon.residentBytes()
        for (number, page) in pages.enumerated() {
            try daemon.store(page, as: number, of: "large")
        }
        let grown = try daemon.residentBytes() - before
        let ratio = Double(grown) / Double(posted)
        return Row(
            name: "screen of 100,000 items", figure: "\((Double(grown) / 1e6).shown(1)) MB",
            yardstick: "posted \((Double(posted) / 1e6).shown(1)) MB", ratio: ratio.shown(),
            target: "under 3", isMet: ratio < 3)
    }

    private static func connections(_ surroundings: Surroundings) throws -> Row {
        let count = IdleConnections.possible(atMost: 10_000)
        let daemon = try MeasuredDaemon(surroundings, ["--max-connections", "\(count + 10)"])
        let before = try daemon.residentBytes()
        let connections = try IdleConnections(count, to: daemon.port)
        let each = Double(try daemon.residentBytes() - before) / Double(connections.count)
        return Row(
            name: "each of \(connections.count) idle connections",
            figure: "\((each / 1e3).shown(1)) kB", target: "kilobytes (under 8)",
            isMet: each < 8_000)
    }
}
