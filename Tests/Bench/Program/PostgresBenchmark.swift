import CPostgres
import Foundation
import Glibc
import Synchronization
import TestSupport

/// Durable `PUT` of a page by eight writers to PostgreSQL, each to its own screen, compared with a
/// bare loop of libpq that sends one statement with the same bytes on as many connections; and
/// `GET` of a tree that is in the cache, compared with the same on a Redis server.
enum PostgresBenchmark {
    private static let writers = 8
    private static let readers = [8, 32]
    private static let (rounds, seconds) = (5, 2)

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let folder = try ScratchFolder(context)
        let disk = try folder.disk()
        // The user of the server reaches its folder through this one.
        chmod(folder.path, 0o755)
        let server = try PostgresServer(
            ["shared_buffers=128MB"], in: URL(filePath: folder.path))
        let page = try context.page(products: 4)
        let daemon = try DaemonProcess(context, store: server.url())
        defer { daemon.end() }
        return try commits(of: page, to: daemon, on: disk, server)
            + reads(of: page, from: daemon, context, folder)
    }

    private static func commits(
        of page: [UInt8], to daemon: DaemonProcess, on disk: String, _ server: PostgresServer
    ) throws -> [ResultRow] {
        let load = Load(
            requests: (0..<writers).map {
                Load.Request(
                    method: "PUT", path: "/v1/screens/writer-\($0)/pages/0",
                    fields: ["Prefer: return=minimal"], bodies: [page])
            }, seconds: Double(seconds))
        let loops = try (0..<writers).map { try CommitLoop(server.url(), "loop-\($0)", page) }
        let measured = try (0...rounds).map { _ in
            (try load.run(against: daemon.port), try rate(of: loops))
        }.dropFirst()
        let rates = RateComparison(measured.map { ($0.0.rate, $0.1) })
        return [
            ResultRow(
                name: "PUT of \(page.count) bytes to PostgreSQL on \(disk), \(writers) writers",
                figure: "\(rates.subject.formatted(0)) per second",
                baseline: "libpq \(rates.baseline.formatted(0)) per second",
                ratio: rates.ratio.formatted(), target: Target(ratio: rates.ratio, .atLeast(0.7))),
            ResultRow(
                name: "  99th percentile",
                figure: measured.map(\.0.percentile99).median.milliseconds,
                baseline: "median \(measured.map(\.0.median).median.milliseconds)"),
        ]
    }

    /// Reads that ask the server for the revision of the screen, and nothing else.
    private static func reads(
        of page: [UInt8], from daemon: DaemonProcess, _ context: BenchmarkContext,
        _ folder: ScratchFolder
    ) throws -> [ResultRow] {
        let port = try FreePort.any()
        let redis = try ChildProcess(
            [
                "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.path,
                "--save", "", "--loglevel", "warning",
            ], errors: "/dev/null")
        defer { redis.end() }
        try Loopback.awaitListener(on: port)
        let other = try DaemonProcess(context, store: "redis://127.0.0.1:\(port)/0")
        defer { other.end() }
        for one in [daemon, other] { try one.store(page, as: 0, of: "home") }
        return try readers.map { count in
            let load = Wrk(connections: count)
            let rates = try RateComparison.measure(rounds: rounds) {
                try load.run(against: daemon.port, "/v1/screens/home/layout").rate
            } baseline: {
                try load.run(against: other.port, "/v1/screens/home/layout").rate
            }
            // The number of connections of the other benchmarks of reads.
            let hasTarget = count == readers.last
            return ResultRow(
                name: "GET of a cached tree with PostgreSQL, wrk -t1 -c\(count)",
                figure: "\(rates.subject.formatted(0)) per second",
                baseline: "Redis \(rates.baseline.formatted(0)) per second",
                ratio: rates.ratio.formatted(),
                target: hasTarget ? Target(ratio: rates.ratio, .atLeast(0.8)) : nil)
        }
    }

    /// Runs all loops at once, and returns the number of commits per second.
    private static func rate(of loops: [CommitLoop]) throws -> Double {
        let count = Atomic(0)
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: loops.count) { index in
            while start.secondsToNow < Double(seconds), loops[index].commit() {
                count.add(1, ordering: .relaxed)
            }
        }
        guard loops.allSatisfy({ !$0.hasFailed }) else { throw BenchmarkError("libpq failed") }
        return Double(count.load(ordering: .relaxed)) / start.secondsToNow
    }
}

/// A connection on which one page of a screen is committed again and again.
///
/// Unchecked: one thread at a time uses it.
private final class CommitLoop: @unchecked Sendable {
    /// The statement of the daemon: in a new store the line is 1, and the floor 0.
    private static let statement = """
        SELECT a.applied
        FROM broadsheet.apply_1($1, 1, CASE WHEN $2 > 1 THEN 'current' ELSE 'absent' END, $2 - 1, \
        0, 'write', false, $2, 0, $3, NULL, 0, 0, NULL, NULL, NULL, NULL, '{}', '{}', '{}', \
        ARRAY[0, 2], ARRAY[0, $2], ARRAY[$2, $2], ARRAY[$4, $5], NULL, NULL) AS a
        """
    /// The approximate sizes of the record of a screen with one page, and of an earlier one.
    private static let (recordBytes, earlierBytes) = (300, 100)

    private let session: OpaquePointer
    private let screen: String
    private let page: [UInt8]
    private var revision: Int64 = 0
    /// A Boolean value that indicates whether a commit has failed.
    private(set) var hasFailed = false

    /// Connects to the database at a URL.
    init(_ url: String, _ screen: String, _ page: [UInt8]) throws {
        var reason = [CChar](repeating: 0, count: 100)
        guard cpostgres_load(),
            let settings = cpostgres_settings_create(url, &reason, reason.count)
        else { throw BenchmarkError("no libpq") }
        defer { cpostgres_settings_destroy(settings) }
        guard let session = cpostgres_connect(settings), cpostgres_is_connected(session) else {
            throw BenchmarkError("no connection to PostgreSQL")
        }
        self.session = session
        self.screen = screen
        self.page = page
    }

    deinit { cpostgres_session_destroy(session) }

    /// Commits the page; returns `false` if that fails.
    func commit() -> Bool {
        var bytes: [UInt8] = []
        var list: [CPostgresParameter] = []
        func add(_ type: UInt32, _ value: [UInt8]) {
            list.append(
                CPostgresParameter(type: type, offset: bytes.count, count: Int32(value.count)))
            bytes += value
        }
        revision += 1
        add(25, Array(screen.utf8))
        add(20, withUnsafeBytes(of: revision.bigEndian) { Array($0) })
        add(17, [UInt8](repeating: 1, count: Self.recordBytes))
        add(17, page)
        add(17, [UInt8](repeating: 1, count: Self.earlierBytes))
        guard cpostgres_send(session, Self.statement, list, Int32(list.count), bytes, false) else {
            hasFailed = true
            return false
        }
        while true {
            let state = cpostgres_next(session, 60_000)
            if state == CPOSTGRES_DONE { return true }
            var count: Int32 = 0
            guard state == CPOSTGRES_ROWS, let value = cpostgres_value(session, 0, 0, &count),
                value.load(as: UInt8.self) == 1
            else {
                hasFailed = true
                return false
            }
        }
    }
}
