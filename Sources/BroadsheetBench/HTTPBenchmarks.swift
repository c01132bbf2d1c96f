import Foundation

/// `POST /v1/layout`, compared with a minimal Node.js server that composes the same page.
enum ComposedLayoutBenchmark {
    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let folder = try ScratchFolder(context)
        let page = try folder.add("page.json", context.page())
        let daemon = try DaemonProcess(context)
        let peer = try ChildProcess(["node", context.script("compose_peer.js"), "0"])
        let peerPort = try peer.listeningPort()
        let load = Wrk(
            connections: 8, seconds: 5, script: context.script("post_page.lua"),
            environment: ["BROADSHEET_BENCH_PAGE": page])
        let rates = try RateComparison.measure(
            rounds: 3, subject: { try load.run(against: daemon.port, "/v1/layout").rate },
            baseline: { try load.run(against: peerPort, "/v1/layout").rate })
        return [
            ResultRow(
                name: "POST /v1/layout, wrk -t1 -c8",
                figure: "\(rates.subject.formatted(0)) per second",
                baseline: "Node.js \(rates.baseline.formatted(0)) per second",
                ratio: rates.ratio.formatted(), target: Target(ratio: rates.ratio, .atLeast(4)))
        ]
    }
}

/// `GET …/layout` of a stored screen that does not change, compared with nginx, which serves the
/// same bytes as a file; and the conditional GET, compared with the unconditional one.
enum StoredLayoutBenchmark {
    private static let path = "/v1/screens/home/layout"

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let daemon = try DaemonProcess(context)
        try daemon.store(context.page(), as: 0, of: "home")
        let tree = try daemon.body(of: path)
        guard let tag = try daemon.field("ETag", of: path) else {
            throw BenchmarkError("the layout has no entity tag")
        }
        let files = try StaticFileServer(context, serving: tree)
        let load = Wrk(connections: 32)
        let conditional = Wrk(connections: 32, headers: ["If-None-Match: \(tag)"])
        let read = { try load.run(against: daemon.port, path).rate }
        let whole = try RateComparison.measure(
            subject: read, baseline: { try load.run(against: files.port, files.path).rate })
        let unchanged = try RateComparison.measure(
            subject: { try conditional.run(against: daemon.port, path).rate }, baseline: read)
        return [
            ResultRow(
                name: "GET …/layout, \(tree.count) bytes, wrk -t1 -c32",
                figure: "\(whole.subject.formatted(0)) per second",
                baseline: "nginx, a file: \(whole.baseline.formatted(0)) per second",
                ratio: whole.ratio.formatted(), target: Target(ratio: whole.ratio, .atLeast(0.6))),
            ResultRow(
                name: "  304 to If-None-Match",
                figure: "\(unchanged.subject.formatted(0)) per second",
                baseline: "200: \(unchanged.baseline.formatted(0)) per second",
                ratio: unchanged.ratio.formatted(),
                target: Target(ratio: unchanged.ratio, .above(1))),
        ]
    }
}

/// nginx that serves one file, configured for speed: one worker per core, the file held open and
/// sent by the kernel, no access log, connections kept open.
private final class StaticFileServer {
    /// The port.
    let port: UInt16
    /// The file's path in URLs.
    let path = "/layout.json"
    private let folder: ScratchFolder
    private let process: ChildProcess

    /// Starts nginx with a file of these bytes, and waits until it accepts connections.
    init(_ context: BenchmarkContext, serving bytes: [UInt8]) throws {
        folder = try ScratchFolder(context)
        _ = try folder.add("layout.json", bytes)
        port = try Loopback.freePort()
        let text = Self.configuration(folder: folder.path, port: port)
        let file = try folder.add("nginx.conf", Array(text.utf8))
        process = try ChildProcess(["nginx", "-p", folder.path, "-c", file], silent: true)
        try Loopback.awaitListener(on: port)
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
            access_log off;
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
