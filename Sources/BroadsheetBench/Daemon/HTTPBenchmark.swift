internal import Foundation

/// `POST /v1/layout` beside what a backend team writes in an afternoon in Node.
enum HTTPBenchmark: Benchmark {
    static let name = "http"

    /// Rounds in which the two take turns, and how long wrk runs in each.
    private static let (rounds, seconds) = (3, 5)

    static func rows(_ surroundings: Surroundings) throws -> [Row] {
        let file = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID()).json")
        try Data(surroundings.page()).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let daemon = try MeasuredDaemon(surroundings)
        let peer = try ChildProcess(["node", surroundings.script("compose_peer.js"), "0"])
        let peerPort = try peer.listeningPort()
        func rate(_ port: UInt16) throws -> Double {
            try Self.rate(of: port, surroundings.script("post_page.lua"), page: file.path)
        }
        let figures = try (0..<rounds).map { _ in (try rate(daemon.port), try rate(peerPort)) }
        let ratio = figures.map { $0.0 / $0.1 }.median
        return [
            Row(
                name: "POST /v1/layout, wrk -t1 -c8",
                figure: "\(figures.map(\.0).median.shown(0)) a second",
                yardstick: "Node \(figures.map(\.1).median.shown(0)) a second",
                ratio: ratio.shown(), target: "at least 4 of them", isMet: ratio >= 4)
        ]
    }

    /// Requests a second that wrk counts.
    private static func rate(of port: UInt16, _ script: String, page: String) throws -> Double {
        let output = try ChildProcess.output(
            of: [
                "wrk", "-t1", "-c8", "-d\(seconds)s", "-s", script,
                "http://127.0.0.1:\(port)/v1/layout",
            ], environment: ["BROADSHEET_BENCH_PAGE": page])
        let text = String(decoding: output, as: UTF8.self)
        guard !text.contains("Non-2xx"), !text.contains("Socket errors") else {
            throw BenchmarkError("port \(port) did not answer every request with 200:\n\(text)")
        }
        guard
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Requests/sec:") }),
            let rate = line.split(separator: " ").last.flatMap({ Double($0) })
        else { throw BenchmarkError("wrk printed no rate:\n\(text)") }
        return rate
    }
}
