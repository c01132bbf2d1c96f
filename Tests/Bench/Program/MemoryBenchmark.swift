import Glibc

/// The resident memory of a daemon: idle, per screen in use, with a large screen, and per idle
/// connection.
enum MemoryBenchmark {
    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        try [idle, screens, largeScreen, connections].map { try $0(context) }
    }

    private static func idle(_ context: BenchmarkContext) throws -> ResultRow {
        let folder = try ScratchFolder(context)
        let daemon = try DaemonProcess(
            context, store: "sqlite:\(folder.path("screens.db"))")
        let megabytes = Double(try daemon.residentBytes()) / 1e6
        return ResultRow(
            name: "idle daemon, SQLite", figure: "\(megabytes.formatted(1)) MB",
            target: Target(figure: megabytes, .below(30), unit: "MB"))
    }

    /// Measures screens of an ordinary page, each written once and read once: page, frames and
    /// tree.
    private static func screens(_ context: BenchmarkContext) throws -> ResultRow {
        let count = 100
        let folder = try ScratchFolder(context)
        let page = try context.page()
        let daemon = try DaemonProcess(
            context, store: "sqlite:\(folder.path("screens.db"))")
        let before = try daemon.residentBytes()
        for number in 0..<count {
            try daemon.store(page, as: 0, of: "screen-\(number)")
            _ = try daemon.body(of: "/v1/screens/screen-\(number)/layout")
        }
        let each = Double(try daemon.residentBytes() - before) / Double(count)
        return ResultRow(
            name: "per screen, \(count) screens in use", figure: "\((each / 1e3).formatted(0)) kB",
            baseline: "posted \((Double(page.count) / 1e3).formatted(0)) kB",
            ratio: (each / Double(page.count)).formatted())
    }

    /// Measures a screen of 100,000 products in two pages, each below the body limit of 16 MiB.
    private static func largeScreen(_ context: BenchmarkContext) throws -> ResultRow {
        let pages = try (0..<2).map { try context.page(products: 50_000, number: $0) }
        let posted = pages.reduce(0) { $0 + $1.count }
        let daemon = try DaemonProcess(context)
        let before = try daemon.residentBytes()
        for (number, page) in pages.enumerated() {
            try daemon.store(page, as: number, of: "large")
        }
        let grown = try daemon.residentBytes() - before
        let ratio = Double(grown) / Double(posted)
        return ResultRow(
            name: "screen of 100,000 items", figure: "\((Double(grown) / 1e6).formatted(1)) MB",
            baseline: "posted \((Double(posted) / 1e6).formatted(1)) MB", ratio: ratio.formatted(),
            target: Target(ratio: ratio, .below(3)))
    }

    private static func connections(_ context: BenchmarkContext) throws -> ResultRow {
        let count = IdleConnections.possible(atMost: 10_000)
        let daemon = try DaemonProcess(context, ["--max-connections", "\(count + 10)"])
        let before = try daemon.residentBytes()
        let connections = try IdleConnections(count, to: daemon.port)
        let grown = try daemon.residentBytes() - before
        let kilobytes = Double(grown) / Double(connections.count) / 1e3
        return ResultRow(
            name: "per connection, \(connections.count) idle connections",
            figure: "\(kilobytes.formatted(1)) kB",
            target: Target(figure: kilobytes, .below(8), unit: "kB"))
    }
}

/// Idle connections that have each received one response.
private struct IdleConnections: ~Copyable {
    private var descriptors: [Int32] = []

    /// The number of connections.
    var count: Int { descriptors.count }

    /// Opens `count` connections to a port of this machine.
    init(_ count: Int, to port: UInt16) throws {
        for _ in 0..<count { descriptors.append(try Self.connect(to: port)) }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Raises the soft limit of descriptors, and returns `maximum`, or the number of connections
    /// that the limit permits if it is lower.
    static func possible(atMost maximum: Int) -> Int {
        let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return min(maximum, 500) }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        return min(maximum, Int(clamping: limit.rlim_cur) - 200)
    }

    private static func connect(to port: UInt16) throws -> Int32 {
        let descriptor = try Loopback.connect(to: port)
        let request = Array("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        var response = [UInt8](repeating: 0, count: 1_024)
        guard send(descriptor, request, request.count, 0) == request.count,
            recv(descriptor, &response, response.count, 0) > 0
        else {
            close(descriptor)
            throw BenchmarkError("a connection failed: errno \(errno)")
        }
        return descriptor
    }
}
