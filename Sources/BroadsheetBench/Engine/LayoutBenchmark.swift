internal import Broadsheet

/// Laying out alone: a screen that is resolved and merged becomes frames.
enum LayoutBenchmark: Benchmark {
    static let name = "layout"

    /// The same work from cache-sized to memory-sized.
    private static let counts = [1_000, 100_000, 1_000_000]
    /// How far the slowest count's time an item may be above the fastest's.
    private static let spread = 1.2

    static func rows(_ surroundings: Surroundings) throws -> [Row] {
        let bytes = try surroundings.page()
        return try LayoutCase.all.flatMap { try rows($0, walking: bytes) }
    }

    private static func rows(_ example: LayoutCase, walking bytes: [UInt8]) throws -> [Row] {
        var times = [Double]()
        var walks = [Double]()
        var ratios = [Double]()
        var fastest = [Double]()
        var allocations = 0
        for count in counts {
            let sections = try example.screen(items: count).sections
            let environment = LayoutEnvironment(viewport: Viewport())
            let layOut = { keep(ScreenFrames.layOut(sections: sections, in: environment)) }
            let result = Comparison.measure(
                rounds: 9, yardstick: { keep(ByteWalk.run(bytes)) }, subject: layOut)
            times.append(result.subject / Double(count) * 1e9)
            ratios.append(result.ratio * Double(bytes.count) / Double(count))
            fastest.append(result.fastest / Double(count))
            walks.append(result.yardstick / Double(bytes.count) * 1e9)
            allocations = Allocations.count(in: layOut)
        }
        let slowest = times.max() ?? .nan
        // Each by its fastest round, so that a machine that was busier with one count than with
        // another does not look like a layout that is.
        let unevenness = (fastest.max() ?? .nan) / (fastest.min() ?? .nan)
        return [
            Row(
                name: example.name, figure: "\(slowest.shown(1)) ns an item",
                yardstick: "byte walk \(walks.median.shown(2)) ns a byte",
                ratio: (ratios.max() ?? .nan).shown(1),
                target: "at most \(example.limit.shown(0)) ns",
                isMet: slowest <= example.limit),
            Row(
                name: "  1e3, 1e5, 1e6 items",
                figure: fastest.map { ($0 * 1e9).shown(1) }.joined(separator: ", ") + " ns",
                yardstick: "the fastest of them", ratio: unevenness.shown(),
                target: "at most \(spread.shown(1))", isMet: unevenness <= spread),
            Row(
                name: "  heap blocks for 1e6 items", figure: "\(allocations)",
                target: "none an item", isMet: allocations < (counts.last ?? 0) / 1_000),
        ]
    }
}
