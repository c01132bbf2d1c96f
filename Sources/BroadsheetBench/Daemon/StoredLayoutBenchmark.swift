/// `GET …/layout` of a stored screen that does not change, beside nginx serving the same bytes as a
/// file; and the same GET by a client that has them already.
enum StoredLayoutBenchmark: Benchmark {
    static let name = "get"

    private static let path = "/v1/screens/home/layout"

    static func rows(_ surroundings: Surroundings) throws -> [Row] {
        let daemon = try MeasuredDaemon(surroundings)
        try daemon.store(surroundings.page(), as: 0, of: "home")
        let tree = try daemon.body(of: path)
        guard let tag = try daemon.field("ETag", of: path) else {
            throw BenchmarkError("the layout has no entity tag")
        }
        let files = try StaticFileServer(surroundings, serving: tree)
        let load = Wrk(connections: 32)
        let conditional = Wrk(connections: 32, headers: ["If-None-Match: \(tag)"])
        let read = { try load.run(against: daemon.port, path).rate }
        let whole = try Rates.measure(
            subject: read, yardstick: { try load.run(against: files.port, files.path).rate })
        let unchanged = try Rates.measure(
            subject: { try conditional.run(against: daemon.port, path).rate }, yardstick: read)
        return [
            Row(
                name: "GET …/layout, \(tree.count) bytes, wrk -t1 -c32",
                figure: "\(whole.subject.shown(0)) a second",
                yardstick: "nginx, a file: \(whole.yardstick.shown(0)) a second",
                ratio: whole.ratio.shown(), target: "at least 0.6 of them",
                isMet: whole.ratio >= 0.6),
            Row(
                name: "  304 to If-None-Match", figure: "\(unchanged.subject.shown(0)) a second",
                yardstick: "its 200: \(unchanged.yardstick.shown(0)) a second",
                ratio: unchanged.ratio.shown(), target: "more than those",
                isMet: unchanged.ratio > 1),
        ]
    }
}
