import Foundation

/// Windows, and the changes of one, in a screen of 1,000 pages of 100 items compared with one of
/// ten pages: both cost in proportion to the window.
enum WindowBenchmark {
    private static let (rounds, itemsPerPage) = (200, 100)
    /// The ratio of the times, and of the bytes, that issue 32 allows.
    private static let (time, bytes) = (3.0, 1.3)

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let daemon = try DaemonProcess(context)
        defer { daemon.end() }
        let small = try WindowedScreen("ten", pages: 10, in: daemon, context)
        let large = try WindowedScreen("thousand", pages: 1000, in: daemon, context)
        return try [
            rows("GET …/layout?item= in 1,000 pages", large.window, small.window),
            rows("GET …/changes of a window in 1,000 pages", large.delta, small.delta),
        ].flatMap(\.self)
    }

    private static func rows(
        _ name: String, _ subject: () throws -> (seconds: Double, bytes: Int),
        _ baseline: () throws -> (seconds: Double, bytes: Int)
    ) throws -> [ResultRow] {
        // The first rounds lay out the pages.
        let measured = try (0..<rounds).map { _ in (try subject(), try baseline()) }.dropFirst(5)
        let times = (
            measured.map(\.0.seconds).median, measured.map(\.1.seconds).median
        )
        let ratio = times.0 / times.1
        let lengths = (
            measured.map { Double($0.0.bytes) }.median, measured.map { Double($0.1.bytes) }.median
        )
        return [
            ResultRow(
                name: name, figure: times.0.milliseconds,
                baseline: "10 pages \(times.1.milliseconds)", ratio: ratio.formatted(),
                target: Target(ratio: ratio, .atMost(time))),
            ResultRow(
                name: "  bytes", figure: lengths.0.formatted(0),
                baseline: "10 pages \(lengths.1.formatted(0))",
                ratio: (lengths.0 / lengths.1).formatted(),
                target: Target(ratio: lengths.0 / lengths.1, .atMost(bytes))),
        ]
    }

    /// A screen with a client that has a window in the middle of it, after an edit of its anchor.
    private struct WindowedScreen {
        private let path: String
        private let query: String
        private let since: String
        private let daemon: DaemonProcess

        init(
            _ screen: String, pages: Int, in daemon: DaemonProcess, _ context: BenchmarkContext
        ) throws {
            self.daemon = daemon
            path = "/v1/screens/\(screen)"
            let template = String(
                decoding: try context.page(products: itemsPerPage, number: 1), as: UTF8.self)
            let stored = (0..<pages).map { Self.page($0, of: template) }
            try daemon.store(stored, of: screen)
            query = "item=\(Self.id(pages / 2, 50))"
            let window = try JSONDecoder().decode(
                Window.self, from: Data(try daemon.body(of: "\(path)/layout?\(query)")))
            // Without a tag, the client has the window of the query at the revision.
            since = "\(window.revision)"
            let edited = String(decoding: stored[pages / 2], as: UTF8.self)
                .replacing(Self.id(pages / 2, 52), with: "edited")
            try daemon.store(Array(edited.utf8), as: pages / 2, of: screen)
        }

        func window() throws -> (seconds: Double, bytes: Int) {
            let response = try daemon.fetch("\(path)/layout?\(query)")
            return (response.seconds, response.bytes)
        }

        func delta() throws -> (seconds: Double, bytes: Int) {
            let response = try daemon.fetch("\(path)/changes?since=\(since)&\(query)")
            return (response.seconds, response.bytes)
        }

        private struct Window: Decodable {
            let revision: Int
        }

        private static func id(_ page: Int, _ item: Int) -> String {
            "P\(digits(page, 5))\(digits(item, 2))"
        }

        private static func digits(_ number: Int, _ count: Int) -> String {
            String(repeating: "0", count: count - String(number).count) + String(number)
        }

        /// Returns a page whose products no other page has.
        private static func page(_ number: Int, of template: String) -> [UInt8] {
            let page = template.replacing("P00001", with: "P\(digits(number, 5))")
                .replacing(#""page":1,"#, with: #""page":\#(number),"#)
            return Array(page.utf8)
        }
    }
}
