import Foundation
import Synchronization

/// The latency of a cached layout while clients report events, compared with that of an idle
/// daemon.
enum EventsBenchmark {
    private static let (batch, batchesPerSecond) = (100, 200)
    private static let layout = "/v1/screens/home/layout"
    /// The maximum ratio of the latency to that of an idle daemon.
    private static let limit = 2.0

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let daemon = try DaemonProcess(context)
        try daemon.store(context.page(), as: 0, of: "home")
        _ = try daemon.body(of: layout)
        let idle = try LatencyProbe(port: daemon.port).percentile99(of: layout)
        let reporter = try Reporter(port: daemon.port)
        let started = ContinuousClock.now
        reporter.start()
        let busy = try LatencyProbe(port: daemon.port).percentile99(of: layout)
        let rate = Double(reporter.stop()) / started.secondsToNow
        let ratio = busy / idle
        return [
            ResultRow(
                name: "GET …/layout, p99 beside \(rate.formatted(0)) events per second",
                figure: busy.milliseconds, baseline: "idle: \(idle.milliseconds)",
                ratio: ratio.formatted(), target: Target(ratio: ratio, .atMost(limit)))
        ]
    }

    /// A client that reports batches of events at a steady rate.
    private final class Reporter: Sendable {
        private let port: UInt16
        private let count = Atomic(0)
        private let isStopped = Atomic(false)
        private let isDone = DispatchSemaphore(value: 0)

        init(port: UInt16) throws { self.port = port }

        func start() {
            Thread {
                let request = EventsBenchmark.request()
                if let probe = try? LatencyProbe(port: self.port) {
                    let start = ContinuousClock.now
                    var number = 0
                    while !self.isStopped.load(ordering: .relaxed) {
                        guard (try? probe.exchange(request)) != nil else { break }
                        self.count.add(EventsBenchmark.batch, ordering: .relaxed)
                        number += 1
                        let next = Double(number) / Double(EventsBenchmark.batchesPerSecond)
                        usleep(UInt32(max(0, next - start.secondsToNow) * 1e6))
                    }
                }
                self.isDone.signal()
            }.start()
        }

        /// Ends the reports, and returns the number of events.
        func stop() -> Int {
            isStopped.store(true, ordering: .relaxed)
            isDone.wait()
            return count.load(ordering: .relaxed)
        }
    }

    /// Returns a request with events of items of the page.
    private static func request() -> [UInt8] {
        let events = (0..<batch).map { index in
            let id = "P" + String("000000\(index % 60 + 1)".suffix(7))
            return #"{"type":"\#(index % 2 == 0 ? "willDisplay" : "select")","#
                + #""section":"ProductList","item":"\#(id)","revision":1,"at":1763800000.5}"#
        }
        let body = Array(#"{"events":[\#(events.joined(separator: ","))]}"#.utf8)
        let head = """
            POST /v1/screens/home/events HTTP/1.1\r\nHost: localhost\r\n\
            Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n
            """
        return Array(head.utf8) + body
    }
}
