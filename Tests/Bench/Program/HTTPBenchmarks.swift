import Foundation

/// `POST /v1/layout`, compared with a minimal Node.js server that composes the same page.
///
/// The load shares the cores with both servers. The one that is measured costs little; that of wrk,
/// which reads each response in parts of 8 KiB, is given for comparison.
enum ComposedLayoutBenchmark {
    private static let path = "/v1/layout"
    private static let connections = 8

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let folder = try ScratchFolder(context)
        let page = try context.page()
        let daemon = try DaemonProcess(context)
        let peer = try ChildProcess(["node", context.script("compose_peer.js"), "0"])
        let peerPort = try peer.listeningPort()
        let load = Load(
            requests: Array(
                repeating: Load.Request(method: "POST", path: path, bodies: [page]),
                count: connections))
        let rates = try RateComparison.measure(
            rounds: 7, subject: { try load.run(against: daemon.port).rate },
            baseline: { try load.run(against: peerPort).rate })
        let wrk = Wrk(
            connections: connections, script: context.script("post_page.lua"),
            environment: ["BROADSHEET_BENCH_PAGE": try folder.add("page.json", page)])
        let wrkRates = try RateComparison.measure(
            rounds: 3, subject: { try wrk.run(against: daemon.port, path).rate },
            baseline: { try wrk.run(against: peerPort, path).rate })
        return [
            row(
                "POST /v1/layout, \(connections) connections", rates,
                Target(ratio: rates.ratio, .atLeast(9))),
            row("  wrk -t1 -c\(connections)", wrkRates, nil),
        ]
    }

    private static func row(_ name: String, _ rates: RateComparison, _ target: Target?) -> ResultRow
    {
        ResultRow(
            name: name, figure: "\(rates.subject.formatted(0)) per second",
            baseline: "Node.js \(rates.baseline.formatted(0)) per second",
            ratio: rates.ratio.formatted(), target: target)
    }
}

/// `GET …/layout` of stored screens that do not change, compared with nginx, which serves the same
/// bytes as files; and the conditional GET, compared with the unconditional one.
///
/// Both servers write an access log.
enum StoredLayoutBenchmark {
    /// The numbers of products in the screens: a page that a client loads in one view, and one of
    /// the size that the other benchmarks use.
    private static let (small, large) = (7, 400)
    private static let rounds = 7

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let folder = try ScratchFolder(context)
        let daemon = try DaemonProcess(
            context, store: "sqlite:\(folder.path("screens.db"))",
            log: try folder.add("daemon.log", []))
        let files = try StaticFileServer(context)
        return try [small, large].flatMap { products in
            try rows(context, daemon, files, products: products)
        }
    }

    private static func rows(
        _ context: BenchmarkContext, _ daemon: DaemonProcess, _ files: StaticFileServer,
        products: Int
    ) throws -> [ResultRow] {
        let path = "/v1/screens/home-\(products)/layout"
        try daemon.store(context.page(products: products), as: 0, of: "home-\(products)")
        let tree = try daemon.body(of: path)
        guard let tag = try daemon.field("ETag", of: path) else {
            throw BenchmarkError("the layout has no entity tag")
        }
        let file = try files.add("layout-\(products).json", tree)
        let load = Wrk(connections: 32)
        let conditional = Wrk(connections: 32, headers: ["If-None-Match: \(tag)"])
        let read = { try load.run(against: daemon.port, path).rate }
        let whole = try RateComparison.measure(
            rounds: rounds, subject: read,
            baseline: { try load.run(against: files.port, file).rate })
        let unchanged = try RateComparison.measure(
            subject: { try conditional.run(against: daemon.port, path).rate }, baseline: read)
        let changes = path.replacing("/layout", with: "/changes") + "?since=1"
        // Both responses take the same way through the daemon.
        let nothing = try RateComparison.measureWithNoise(
            subject: { try load.run(against: daemon.port, changes).rate },
            baseline: { try conditional.run(against: daemon.port, path).rate })
        return [
            ResultRow(
                name: "GET …/layout, \(tree.count) bytes, wrk -t1 -c32",
                figure: "\(whole.subject.formatted(0)) per second",
                baseline: "nginx, a file: \(whole.baseline.formatted(0)) per second",
                ratio: whole.ratio.formatted(), target: Target(ratio: whole.ratio, .atLeast(0.9))),
            ResultRow(
                name: "  304 to If-None-Match",
                figure: "\(unchanged.subject.formatted(0)) per second",
                baseline: "200: \(unchanged.baseline.formatted(0)) per second",
                ratio: unchanged.ratio.formatted(),
                target: Target(ratio: unchanged.ratio, .above(1))),
            try compressionRow(daemon, path, byteCount: tree.count, baseline: read),
            nothingNewRow(nothing),
        ]
    }

    /// Returns the row of changes with nothing new beside 304.
    ///
    /// The target is 1, less the noise.
    private static func nothingNewRow(_ rates: RateComparison) -> ResultRow {
        ResultRow(
            name: "  changes, nothing new",
            figure: "\(rates.subject.formatted(0)) per second",
            baseline: "304: \(rates.baseline.formatted(0)) per second, "
                + "noise \((100 * rates.noise).formatted(1)) %",
            ratio: rates.ratio.formatted(),
            target: Target(ratio: rates.ratio, .atLeast(1 - rates.noise)))
    }

    /// Compares the rate of the compressed layout, from the cache, with that of the plain one.
    private static func compressionRow(
        _ daemon: DaemonProcess, _ path: String, byteCount: Int, baseline: () throws -> Double
    ) throws -> ResultRow {
        let compressed = try daemon.compressedBody(of: path).count
        let load = Wrk(connections: 32, headers: ["Accept-Encoding: gzip"])
        let rates = try RateComparison.measure(
            subject: { try load.run(against: daemon.port, path).rate }, baseline: baseline)
        let saved = 100 * (byteCount - compressed) / max(1, byteCount)
        return ResultRow(
            name: "  gzip, \(compressed) bytes, \(saved) % less",
            figure: "\(rates.subject.formatted(0)) per second",
            baseline: "plain: \(rates.baseline.formatted(0)) per second",
            ratio: rates.ratio.formatted(), target: Target(ratio: rates.ratio, .atLeast(0.9)))
    }
}

/// nginx that serves files, configured for speed: one worker per core, the files held open and sent
/// by the kernel, connections kept open.
private final class StaticFileServer {
    /// The port.
    let port: UInt16
    private let folder: ScratchFolder
    private let process: ChildProcess

    /// Starts nginx, and waits until it accepts connections.
    init(_ context: BenchmarkContext) throws {
        folder = try ScratchFolder(context)
        port = try Loopback.freePort()
        let text = Self.configuration(folder: folder.path, port: port)
        let file = try folder.add("nginx.conf", Array(text.utf8))
        process = try ChildProcess(["nginx", "-p", folder.path, "-c", file], errors: "/dev/null")
        try Loopback.awaitListener(on: port)
    }

    /// Adds a file, and returns its path in URLs.
    func add(_ name: String, _ bytes: [UInt8]) throws -> String {
        _ = try folder.add(name, bytes)
        return "/" + name
    }

    private static func configuration(folder: String, port: UInt16) -> String {
        """
        daemon off;
        worker_processes auto;
        \(geteuid() == 0 ? "user root;" : "")
        pid \(folder)/nginx.pid;
        error_log /dev/null crit;
        events { worker_connections 1024; }
        http {
            access_log \(folder)/access.log;
            sendfile on;
            tcp_nopush on;
            tcp_nodelay on;
            open_file_cache max=16;
            keepalive_timeout 60s;
            keepalive_requests 1000000000;
            types { application/json json; }
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            server {
                listen 127.0.0.1:\(port) reuseport;
                root \(folder);
            }
        }
        """
    }
}
