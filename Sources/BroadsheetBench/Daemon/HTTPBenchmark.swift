internal import Foundation

/// `POST /v1/layout` beside what a backend team writes in an afternoon in Node.
enum HTTPBenchmark: Benchmark {
    static let name = "http"

    static func rows(_ surroundings: Surroundings) throws -> [Row] {
        let folder = try ScratchFolder(surroundings)
        let page = try folder.add("page.json", surroundings.page())
        let daemon = try MeasuredDaemon(surroundings)
        let peer = try ChildProcess(["node", surroundings.script("compose_peer.js"), "0"])
        let peerPort = try peer.listeningPort()
        let load = Wrk(
            connections: 8, seconds: 5, script: surroundings.script("post_page.lua"),
            environment: ["BROADSHEET_BENCH_PAGE": page])
        let rates = try Rates.measure(
            rounds: 3, subject: { try load.run(against: daemon.port, "/v1/layout").rate },
            yardstick: { try load.run(against: peerPort, "/v1/layout").rate })
        return [
            Row(
                name: "POST /v1/layout, wrk -t1 -c8",
                figure: "\(rates.subject.shown(0)) a second",
                yardstick: "Node \(rates.yardstick.shown(0)) a second",
                ratio: rates.ratio.shown(), target: "at least 4 of them", isMet: rates.ratio >= 4)
        ]
    }
}
