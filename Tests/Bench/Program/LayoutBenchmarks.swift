import Broadsheet

/// Computing the frames of a resolved and merged screen.
enum LayoutBenchmark {
    /// The numbers of items: frames that fit in the processor's caches, and frames that do not.
    private static let counts = [1_000, 100_000, 1_000_000]
    /// The maximum ratio of the time per item between the slowest and the fastest count.
    private static let spread = 1.2

    /// The results for one number of items.
    private struct Result {
        /// The duration per item in the median round and in the fastest one, in nanoseconds.
        let median, fastest: Double
        /// The duration of the baseline per byte, in nanoseconds.
        let baseline: Double
        /// The number of bytes that the baseline reads in the time of one item.
        let ratio: Double
        /// The number of heap blocks that one layout allocates.
        let allocations: Int
    }

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let bytes = try context.page()
        return try LayoutCase.all.flatMap { example in
            rows(example, try counts.map { try measure(example, items: $0, hashing: bytes) })
        }
    }

    private static func measure(
        _ example: LayoutCase, items count: Int, hashing bytes: [UInt8]
    ) throws -> Result {
        let screen = try example.screen(items: count)
        let layOut = { keep(screen.laidOut(by: LayoutParameters())) }
        let result = DurationComparison.measure(
            rounds: 9, baseline: { keep(fnv1a(bytes)) }, subject: layOut)
        return Result(
            median: result.subject / Double(count) * 1e9,
            fastest: result.fastest / Double(count) * 1e9,
            baseline: result.baseline / Double(bytes.count) * 1e9,
            ratio: result.ratio * Double(bytes.count) / Double(count),
            allocations: Allocations.count(in: layOut))
    }

    private static func rows(_ example: LayoutCase, _ results: [Result]) -> [ResultRow] {
        let slowest = results.map(\.median).max() ?? .nan
        let fastest = results.map(\.fastest)
        let unevenness = (fastest.max() ?? .nan) / (fastest.min() ?? .nan)
        let allocations = results.last?.allocations ?? 0
        return [
            ResultRow(
                name: example.name, figure: "\(slowest.formatted(1)) ns per item",
                baseline: "FNV-1a hash \(results.map(\.baseline).median.formatted(2)) ns per byte",
                ratio: (results.map(\.ratio).max() ?? .nan).formatted(1),
                target: Target(figure: slowest, .atMost(example.limit), unit: "ns")),
            ResultRow(
                name: "  1e3, 1e5, 1e6 items",
                figure: fastest.map { $0.formatted(1) }.joined(separator: ", ") + " ns",
                baseline: "the fastest of them", ratio: unevenness.formatted(),
                target: Target(ratio: unevenness, .atMost(spread))),
            ResultRow(
                name: "  heap blocks for 1e6 items", figure: "\(allocations)",
                target: Target(figure: Double(allocations), .below(1_000), unit: "blocks")),
        ]
    }
}

/// The search for the elements in a rectangle (rule V5): one viewport of a million items, compared
/// with one of a thousand.
enum VisibilityBenchmark {
    /// The number of searches in one timed call: the clock is too coarse for a single one.
    private static let searches = 1000

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let small = try index(items: 1_000)
        let large = try index(items: 1_000_000)
        let result = DurationComparison.measure(
            baseline: { search(small) }, subject: { search(large) })
        let found = large.elements(in: visibleArea(of: large)).count
        return [
            ResultRow(
                name: "elements of a viewport, 1e6 items",
                figure: microseconds(result.subject),
                baseline: "1e3 items " + microseconds(result.baseline),
                ratio: result.ratio.formatted(), target: Target(ratio: result.ratio, .atMost(2))),
            ResultRow(name: "  elements found", figure: "\(found)"),
        ]
    }

    private static func microseconds(_ seconds: Double) -> String {
        "\((seconds / Double(searches) * 1e6).formatted()) µs"
    }

    private static func index(items count: Int) throws -> VisibilityIndex {
        let screen = try LayoutCase.all[0].screen(items: count)
        return VisibilityIndex(screen.laidOut(by: LayoutParameters()))
    }

    /// Returns the area that a phone shows in the middle of the content.
    private static func visibleArea(of index: VisibilityIndex) -> Frame {
        Frame(x: 0, y: index.screen.contentSize.height / 2, width: 390, height: 844)
    }

    private static func search(_ index: VisibilityIndex) {
        let rectangle = visibleArea(of: index)
        for _ in 0..<searches { keep(index.elements(in: rectangle)) }
    }
}

/// A section of one kind of layout, with any number of items.
struct LayoutCase {
    /// The name in the table.
    let name: String
    /// The section's `layout` member.
    let layout: String
    /// The `size` of the cells.
    let size: String
    /// The maximum duration per item, in nanoseconds.
    let limit: Double

    /// Every kind of layout, with sizes that are given by rules and sizes that come from the data.
    static let all = [
        LayoutCase(
            name: "flow, two columns", layout: #"{"gridColumnCount": 2}"#,
            size: #"{"height": {"ratio": 1.25}}"#, limit: 100),
        LayoutCase(
            name: "flow, sizes from data", layout: #"{"minimumInteritemSpacing": 4}"#,
            size: #"{"width": {"value": "/w"}, "height": {"value": "/h"}}"#, limit: 100),
        LayoutCase(
            name: "compositional, columns",
            layout: """
                {"kind": "compositional", "itemSize": {"uniform": {"columns": 2, "height": 90}}}
                """,
            size: #"{"height": 90}"#, limit: 150),
        LayoutCase(
            name: "compositional, dynamic",
            layout: #"{"kind": "compositional", "direction": "vertical", "itemSize": "dynamic"}"#,
            size: #"{"width": {"value": "/w"}, "height": {"value": "/h"}}"#, limit: 150),
        LayoutCase(
            name: "list, heights from data", layout: #"{"kind": "list"}"#,
            size: #"{"height": {"value": "/h"}}"#, limit: 150),
        LayoutCase(
            name: "masonry, three columns", layout: #"{"kind": "masonry", "gridColumnCount": 3}"#,
            size: #"{"height": {"value": "/h"}}"#, limit: 150),
    ]

    /// Returns a screen of one such section with `count` items.
    func screen(items count: Int) throws -> MergedScreen {
        let catalog = try Catalog(
            Array(
                """
                {"units": {"U": {"cells": {"type": "T"}}}, "cellTypes": {"T": {"size": \(size)}}}
                """.utf8))
        var json =
            #"{"sections": [{"layout": \#(layout), "units": [{"unitType": "U", "unitData": ["#
        for index in 0..<count {
            json += index == 0 ? "" : ","
            json += #"{"w":\#(40 + index % 7 * 10),"h":\#(30 + index % 5 * 8)}"#
        }
        return try MergedScreen(Array((json + "]}]}]}").utf8), catalog.registry)
    }
}
