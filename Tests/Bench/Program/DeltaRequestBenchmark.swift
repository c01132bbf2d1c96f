import Foundation

/// `GET …/changes` for the page after those that a client has, right after that page was stored, so
/// that nothing of the response exists before: the 1,000th page compared with the 10th.
enum DeltaRequestBenchmark {
    private static let (rounds, itemsPerPage) = (60, 100)

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let daemon = try DaemonProcess(context)
        defer { daemon.end() }
        let small = try AppendedPage(number: 9, of: "tenth", in: daemon, context)
        let large = try AppendedPage(number: 999, of: "thousandth", in: daemon, context)
        // The first rounds lay out the pages before.
        let measured = try (0..<rounds).map { round in
            (try large.delta(round), try small.delta(round))
        }.dropFirst(2)
        let ratio = measured.map { $0.0.seconds / $0.1.seconds }.median
        let (bytes, baseline) = (measured.map(\.0.bytes).median, measured.map(\.1.bytes).median)
        return [
            ResultRow(
                name: "GET …/changes for page 1,000, just stored",
                figure: measured.map(\.0.seconds).median.milliseconds,
                baseline: "page 10 \(measured.map(\.1.seconds).median.milliseconds)",
                ratio: ratio.formatted(),
                target: Target(ratio: ratio, .atMost(ChangesBenchmark.deltaTime))),
            ResultRow(
                name: "  bytes", figure: bytes.formatted(0),
                baseline: "page 10 \(baseline.formatted(0))",
                ratio: (bytes / baseline).formatted(),
                target: Target(ratio: bytes / baseline, .atMost(ChangesBenchmark.deltaBytes))),
        ]
    }

    /// The last page of a screen, whose pages before it a client has.
    private struct AppendedPage {
        private let number: Int
        private let screen: String
        private let daemon: DaemonProcess
        private let template: String

        init(
            number: Int, of screen: String, in daemon: DaemonProcess, _ context: BenchmarkContext
        ) throws {
            (self.number, self.screen, self.daemon) = (number, screen, daemon)
            template = String(
                decoding: try context.page(products: itemsPerPage, number: 1), as: UTF8.self)
            let pages = (0...number).map { page(ofNumber: $0, version: 0) }
            try daemon.store(pages, of: screen)
        }

        /// Stores the page, and requests the changes that append it.
        func delta(_ round: Int) throws -> (seconds: Double, bytes: Double) {
            try daemon.store(page(ofNumber: number, version: round + 1), as: number, of: screen)
            let query = "since=\(number + 1)&page=\(number - 1)&pages=all"
            let response = try daemon.fetch("/v1/screens/\(screen)/changes?\(query)")
            return (response.seconds, Double(response.bytes))
        }

        /// Returns a page whose products no other page has.
        private func page(ofNumber number: Int, version: Int) -> [UInt8] {
            let digits = String(repeating: "0", count: 5 - String(number).count) + String(number)
            let page = template.replacing("P00001", with: "P\(digits)")
                .replacing(#""page":1,"#, with: #""page":\#(number),"#)
            return Array((page + String(repeating: " ", count: version)).utf8)
        }
    }
}
