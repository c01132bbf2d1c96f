import Foundation

/// The web client: a change of 10,000 items in Node, and their first paint and a scroll in
/// Chromium beside the same list by plain DOM.
enum WebBenchmark {
    /// The output of `apply_changes.mjs`, in microseconds.
    private struct Core: Decodable {
        let change, copy: Double
    }

    /// The output of `screen_times.py`, in milliseconds.
    private struct Element: Decodable {
        let paint, plainPaint, frame, plainFrame: Double
        /// The times of a frame by the number of items.
        let frames: [String: Double]
    }

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let core: Core = try output(of: ["node", context.script("apply_changes.mjs")])
        let element: Element = try output(of: [
            "python3", "-B", context.script("../Browsers/screen_times.py"), "chromium",
            context.daemon,
        ])
        let many = element.frames["100000"] ?? .nan
        let few = element.frames["1000"] ?? .nan
        return [
            row(
                "client.js, a change among 10,000 items", core.change, "µs", "a copy of the list",
                core.copy),
            row(
                "<broadsheet-screen>, first paint of 10,000 items", element.paint, "ms",
                "plain DOM", element.plainPaint, .below(0.5)),
            row(
                "  a frame of a scroll", element.frame, "ms", "plain DOM", element.plainFrame),
            row(
                "  a frame among 100,000 items", many, "ms", "among 1,000", few, .atMost(1.5)),
        ]
    }

    private static func output<Output: Decodable>(of words: [String]) throws -> Output {
        try JSONDecoder().decode(
            Output.self, from: Data(try ChildProcess.output(of: words)))
    }

    private static func row(
        _ name: String, _ figure: Double, _ unit: String, _ baseline: String, _ other: Double,
        _ bound: Target.Limit? = nil
    ) -> ResultRow {
        let ratio = figure / other
        return ResultRow(
            name: name, figure: "\(figure.formatted(2)) \(unit)",
            baseline: "\(baseline): \(other.formatted(2)) \(unit)", ratio: ratio.formatted(),
            target: bound.map { Target(ratio: ratio, $0) })
    }
}
