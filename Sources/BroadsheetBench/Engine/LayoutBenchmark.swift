internal import Broadsheet

/// Laying out alone: a screen that is resolved and merged becomes frames.
enum LayoutBenchmark: Benchmark {
    static let name = "layout"

    /// The same work from cache-sized to memory-sized.
    private static let counts = [1_000, 100_000, 1_000_000]
    /// How far the slowest count's time an item may be above the fastest's.
    private static let spread = 1.2

    /// What one count of items took.
    private struct Figures {
        /// Nanoseconds an item: the median round, and the fastest one, which the machine's other
        /// work disturbed least.
        let median, fastest: Double
        /// Nanoseconds a byte of the yardstick.
        let walk: Double
        /// Bytes walked in the time that an item takes.
        let ratio: Double
        /// Blocks asked of the heap for one layout.
        let allocations: Int
    }

    static func rows(_ surroundings: Surroundings) throws -> [Row] {
        let bytes = try surroundings.page()
        return try LayoutCase.all.flatMap { example in
            rows(example, try counts.map { try measure(example, items: $0, walking: bytes) })
        }
    }

    private static func measure(
        _ example: LayoutCase, items count: Int, walking bytes: [UInt8]
    ) throws -> Figures {
        let sections = try example.screen(items: count).sections
        let environment = LayoutEnvironment(viewport: Viewport())
        let layOut = { keep(ScreenFrames.layOut(sections: sections, in: environment)) }
        let result = Comparison.measure(
            rounds: 9, yardstick: { keep(ByteWalk.run(bytes)) }, subject: layOut)
        return Figures(
            median: result.subject / Double(count) * 1e9,
            fastest: result.fastest / Double(count) * 1e9,
            walk: result.yardstick / Double(bytes.count) * 1e9,
            ratio: result.ratio * Double(bytes.count) / Double(count),
            allocations: Allocations.count(in: layOut))
    }

    private static func rows(_ example: LayoutCase, _ figures: [Figures]) -> [Row] {
        let slowest = figures.map(\.median).max() ?? .nan
        let fastest = figures.map(\.fastest)
        let unevenness = (fastest.max() ?? .nan) / (fastest.min() ?? .nan)
        let allocations = figures.last?.allocations ?? 0
        return [
            Row(
                name: example.name, figure: "\(slowest.shown(1)) ns an item",
                yardstick: "byte walk \(figures.map(\.walk).median.shown(2)) ns a byte",
                ratio: (figures.map(\.ratio).max() ?? .nan).shown(1),
                target: "at most \(example.limit.shown(0)) ns",
                isMet: slowest <= example.limit),
            Row(
                name: "  1e3, 1e5, 1e6 items",
                figure: fastest.map { $0.shown(1) }.joined(separator: ", ") + " ns",
                yardstick: "the fastest of them", ratio: unevenness.shown(),
                target: "at most \(spread.shown(1))", isMet: unevenness <= spread),
            Row(
                name: "  heap blocks for 1e6 items", figure: "\(allocations)",
                target: "none an item", isMet: allocations < (counts.last ?? 0) / 1_000),
        ]
    }
}
