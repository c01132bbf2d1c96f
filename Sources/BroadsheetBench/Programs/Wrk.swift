internal import Foundation

/// A load that wrk puts on a server: how many connections, for how long, and what they ask.
struct Wrk {
    /// Threads of wrk's own; one keeps a core to itself when the server is quick.
    var threads = 1
    /// Connections that are kept alive, over all threads; each asks again once it is answered.
    var connections: Int
    /// How long it runs.
    var seconds = 2
    /// The path of a Lua script that makes the requests; without one they are GETs.
    var script: String?
    /// Fields of every request, as `Name: value`.
    var headers: [String] = []
    /// What the script finds in its environment.
    var environment: [String: String] = [:]

    /// What came of a run.
    struct Report {
        /// Answers a second.
        let rate: Double
        /// Seconds to an answer: what half of all, and 99 in 100, did not exceed.
        let median, slowest: Double
    }

    /// Runs the load against `path` of a port of this machine.
    ///
    /// - Throws: Unless every request was answered with success: what fails quickly is no figure.
    func run(against port: UInt16, _ path: String = "/") throws -> Report {
        var words = ["wrk", "-t\(threads)", "-c\(connections)", "-d\(seconds)s", "--latency"]
        if let script { words += ["-s", script] }
        for header in headers { words += ["-H", header] }
        words.append("http://127.0.0.1:\(port)\(path)")
        let output = try ChildProcess.output(of: words, environment: environment)
        let text = String(decoding: output, as: UTF8.self)
        guard !text.contains("Non-2xx"), !text.contains("Socket errors") else {
            throw BenchmarkError("port \(port) did not answer every request well:\n\(text)")
        }
        guard let report = Report(text) else {
            throw BenchmarkError("wrk printed no rate or latencies:\n\(text)")
        }
        return report
    }
}

extension Wrk.Report {
    /// Reads what wrk prints: `50%  2.52ms`, `99%  1.02s`, `Requests/sec:  2474.48`.
    fileprivate init?(_ text: String) {
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        func value(after name: String) -> Substring? {
            lines.first { $0.count == 2 && $0[0] == name }?[1]
        }
        guard let rate = value(after: "Requests/sec:").flatMap({ Double($0) }),
            let median = value(after: "50%").flatMap(Self.seconds),
            let slowest = value(after: "99%").flatMap(Self.seconds)
        else { return nil }
        self.init(rate: rate, median: median, slowest: slowest)
    }

    private static func seconds(_ text: Substring) -> Double? {
        let number = text.prefix { $0.isNumber || $0 == "." }
        let units = ["us": 1e-6, "ms": 1e-3, "s": 1, "m": 60]
        guard let value = Double(number), let unit = units[String(text.dropFirst(number.count))]
        else { return nil }
        return value * unit
    }
}
