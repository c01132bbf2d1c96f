import Foundation
import Glibc

/// The latency of `/livez` and of a cached layout while four clients send expensive requests,
/// compared with the same on an idle daemon.
enum FairnessBenchmark {
    /// An expensive request.
    private struct Load {
        let name: String
        let body: [UInt8]
    }

    private static let clients = 4
    private static let layout = "/v1/screens/home/layout"

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let daemon = try DaemonProcess(context)
        try daemon.store(context.page(), as: 0, of: "home")
        _ = try daemon.body(of: layout)
        let paths = ["/livez", layout]
        let idle = try paths.map { try LatencyProbe(port: daemon.port).percentile99(of: $0) }
        let folder = try ScratchFolder(context)
        var busy: [(name: String, seconds: Double)] = paths.map { _ in ("", 0) }
        for load in try loads(context) {
            let work = try start(load, on: daemon, folder, context)
            // The first requests have to arrive.
            sleep(2)
            for (index, path) in paths.enumerated() {
                let seconds = try LatencyProbe(port: daemon.port).percentile99(of: path)
                if seconds > busy[index].seconds { busy[index] = (load.name, seconds) }
            }
            // SIGTERM may be blocked in a program that a thread of a task started.
            kill(work.identifier, SIGKILL)
            work.end()
        }
        return paths.indices.map { row(paths[$0], idle: idle[$0], busy: busy[$0]) }
    }

    private static func row(
        _ path: String, idle: Double, busy: (name: String, seconds: Double)
    ) -> ResultRow {
        let ratio = busy.seconds / idle
        return ResultRow(
            name: "GET \(path == layout ? "…/layout" : path), p99 beside \(clients) × \(busy.name)",
            figure: busy.seconds.milliseconds, baseline: "idle: \(idle.milliseconds)",
            ratio: ratio.formatted(),
            target: Target(
                "below 20 ms, or ratio at most 5", isMet: busy.seconds < 0.02 || ratio <= 5))
    }

    private static func loads(_ context: BenchmarkContext) throws -> [Load] {
        let pointer = "/" + String(repeating: "a", count: 8 << 20)
        let catalog =
            #"{"units":{"U":{"cells":{"type":"C"}}},"cellTypes":{"C":{"id":"\#(pointer)"}}}"#
        let page = #"{"sections":[[{"unitType":"U","unitData":[{},{},{}]}]]}"#
        return [
            Load(name: "15 MB", body: try context.page(products: 70_000)),
            Load(name: "10⁶ items", body: items("{}")),
            Load(name: "10⁶ equal ids", body: items(#"{"id":"x"}"#)),
            Load(
                name: "8 MB pointer",
                body: Array(#"{"pages":[\#(page)],"catalog":\#(catalog)}"#.utf8)),
        ]
    }

    /// Returns a page of a million equal items.
    private static func items(_ item: String) -> [UInt8] {
        let data = Array(repeating: item, count: 1_000_000).joined(separator: ",")
        return Array(
            #"{"sections":[[{"unitType":"SS_PRODUCT_LIST","unitData":[\#(data)]}]]}"#.utf8)
    }

    /// Starts clients that post a body again and again, whatever the response is.
    private static func start(
        _ load: Load, on daemon: DaemonProcess, _ folder: ScratchFolder,
        _ context: BenchmarkContext
    ) throws -> ChildProcess {
        try ChildProcess(
            [
                "wrk", "-t1", "-c\(clients)", "-d600s", "--timeout", "60s", "-s",
                context.script("post_page.lua"), "http://127.0.0.1:\(daemon.port)/v1/layout",
            ],
            environment: ["BROADSHEET_BENCH_PAGE": try folder.add("load.json", load.body)],
            errors: "/dev/null")
    }
}
