import Broadsheet
import BroadsheetText

/// The layout of items whose heights are measured from their texts, compared with one of as many
/// items whose heights are in the data.
enum TextLayoutBenchmark {
    private static let count = 100_000
    private static let folder = "/usr/share/fonts/truetype/dejavu"
    private static let catalog = """
        {"fonts": {"title": {"files": ["DejaVuSans.ttf"], "size": 17, "lineHeight": 22}},
         "sections": {"*": {"kind": "list"}},
         "units": {"TEXT": {"cells": {"type": "Text"}}, "DATA": {"cells": {"type": "Data"}}},
         "cellTypes": {
           "Text": {"size": {"height": {"text": "/title", "font": "title", "maxLines": 3}}},
           "Data": {"size": {"height": {"value": "/h"}}}}}
        """

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let catalog = try Catalog(
            Array(catalog.utf8), measuringWith: FontMeasurer(folder: folder))
        let measured = try screen("TEXT", by: catalog)
        let given = try screen("DATA", by: catalog)
        let layOut = { (screen: MergedScreen) in
            keep(screen.laidOut(by: LayoutParameters()))
        }
        let result = DurationComparison.measure(
            rounds: 9, baseline: { layOut(given) }, subject: { layOut(measured) })
        let blocks =
            Allocations.count { layOut(measured) } - Allocations.count { layOut(given) }
        return [
            ResultRow(
                name: "list, 1e5 heights measured from texts",
                figure: perItem(result.subject),
                baseline: "heights from data " + perItem(result.baseline),
                ratio: result.ratio.formatted(), target: Target(ratio: result.ratio, .atMost(3))),
            ResultRow(
                name: "  heap blocks more than for data", figure: "\(blocks)",
                target: Target(figure: Double(blocks), .below(1_000), unit: "blocks")),
        ]
    }

    private static func perItem(_ seconds: Double) -> String {
        "\((seconds / Double(count) * 1e9).formatted(1)) ns per item"
    }

    /// Returns a screen of different titles of two to eleven words.
    private static func screen(_ unit: String, by catalog: Catalog) throws -> MergedScreen {
        let words = ["of", "the", "Northern", "lights", "and", "coffee", "morning", "review", "a"]
        var json = #"{"sections": [{"units": [{"unitType": "\#(unit)", "unitData": ["#
        for index in 0..<count {
            let title = (0..<2 + index % 10).map { words[(index / 7 + $0 * $0) % words.count] }
            json += index == 0 ? "" : ","
            json +=
                #"{"title":"\#(index) \#(title.joined(separator: " "))","h":\#(22 + index % 3)}"#
        }
        return try MergedScreen(Array((json + "]}]}]}").utf8), catalog.registry)
    }
}
