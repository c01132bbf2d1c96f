import Foundation

/// A load test with wrk: connections, duration and requests.
struct Wrk {
    /// The number of wrk's threads; one can use a whole core when the server is fast.
    var threads = 1
    /// The number of persistent connections of all threads; each sends a request when the response
    /// to the previous one has arrived.
    var connections: Int
    /// The duration, in seconds.
    var seconds = 2
    /// The path of a Lua script that creates the requests; `nil` for GET requests.
    var script: String?
    /// Header fields of every request, as `Name: value`.
    var headers: [String] = []
    /// Environment variables for the script.
    var environment: [String: String] = [:]

    /// The results of a run.
    struct Report {
        /// The number of responses per second.
        let rate: Double
        /// The 50th and the 99th percentile of the latency, in seconds.
        let median, percentile99: Double
    }

    /// Runs the load against a path on a port of the loopback interface.
    ///
    /// - Throws: `BenchmarkError` unless every response was successful: the rate of error responses
    ///   would not be comparable.
    func run(against port: UInt16, _ path: String = "/") throws -> Report {
        var words = ["wrk", "-t\(threads)", "-c\(connections)", "-d\(seconds)s", "--latency"]
        if let script { words += ["-s", script] }
        for header in headers { words += ["-H", header] }
        words.append("http://127.0.0.1:\(port)\(path)")
        let output = try ChildProcess.output(of: words, environment: environment)
        let text = String(decoding: output, as: UTF8.self)
        guard !text.contains("Non-2xx"), !text.contains("Socket errors") else {
            throw BenchmarkError("port \(port) returned errors:\n\(text)")
        }
        guard let report = Report(text) else {
            throw BenchmarkError("wrk printed no rate or latencies:\n\(text)")
        }
        return report
    }
}

extension Wrk.Report {
    /// Reads wrk's output: `50%  2.52ms`, `99%  1.02s`, `Requests/sec:  2474.48`.
    fileprivate init?(_ text: String) {
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        func value(after name: String) -> Substring? {
            lines.first { $0.count == 2 && $0[0] == name }?[1]
        }
        guard let rate = value(after: "Requests/sec:").flatMap({ Double($0) }),
            let median = value(after: "50%").flatMap(Self.seconds),
            let percentile99 = value(after: "99%").flatMap(Self.seconds)
        else { return nil }
        self.init(rate: rate, median: median, percentile99: percentile99)
    }

    private static func seconds(_ text: Substring) -> Double? {
        let number = text.prefix { $0.isNumber || $0 == "." }
        let units = ["us": 1e-6, "ms": 1e-3, "s": 1, "m": 60]
        guard let value = Double(number), let unit = units[String(text.dropFirst(number.count))]
        else { return nil }
        return value * unit
    }
}
