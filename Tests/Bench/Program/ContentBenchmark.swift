import Broadsheet
import BroadsheetText

/// The layout and the trees of items with contents, compared with those of items whose heights are
/// a stack of the same texts.
enum ContentBenchmark {
    private static let count = 100_000
    private static let folder = "/usr/share/fonts/truetype/dejavu"
    private static let catalog = """
        {"fonts": {"title": {"files": ["DejaVuSans.ttf"], "size": 17, "lineHeight": 22}},
         "sections": {"*": {"kind": "list"}},
         "units": {"COLUMN": {"cells": {"type": "Column"}}, "STACK": {"cells": {"type": "Stack"}},
                   "CARD": {"cells": {"type": "Card"}}, "LINKED": {"cells": {"type": "Linked"}}},
         "cellTypes": {
           "Stack": {"size": {"height": {"stack": [
             {"text": "/title", "font": "title", "maxLines": 3},
             {"text": "/note", "font": "title", "maxLines": 1}], "spacing": 4}}},
           "Column": {"content": {"spacing": 4, "column": [
             {"text": "/title", "font": "title", "maxLines": 3, "name": "title"},
             {"text": "/note", "font": "title", "maxLines": 1, "name": "note"}]}},
           "Card": {"content": \(card(url: ""))},
           "Linked": {"content": \(card(url: template))}}}
        """
    private static let template =
        #", "url": "https://images.example/{value}?w={width}", "widths": [320, 640, 1280]"#

    /// Returns the content of a product with members of its image.
    private static func card(url: String) -> String {
        """
        {"padding": 8, "column": [
             {"image": "/photo", "height": {"ratio": 1}, "fill": 1, "name": "photo"\(url)},
             {"text": "/title", "font": "title", "maxLines": 2, "name": "title"},
             {"row": [{"text": "/note", "font": "title", "maxLines": 1, "fill": 1, "name": "note"},
                      {"text": "/price", "font": "title", "shrink": false, "name": "price"}],
              "spacing": 8}]}
        """
    }

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let catalog = try Catalog(
            Array(catalog.utf8), measuringWith: FontMeasurer(folder: folder))
        let column = try screen("COLUMN", count, by: catalog)
        let fewer = try screen("COLUMN", count / 10, by: catalog)
        let stack = try screen("STACK", count, by: catalog)
        let cards = try screen("CARD", 400, by: catalog)
        let linked = try screen("LINKED", 400, by: catalog)
        return [
            layout(column, stack), part(column, fewer), tree(cards), urls(linked, cards),
            lint(linked, Composer(registry: catalog.registry)),
        ]
    }

    /// The layout of a column of two texts, beside a stack of them.
    private static func layout(_ column: MergedScreen, _ stack: MergedScreen) -> ResultRow {
        let layOut = { (screen: MergedScreen) in keep(screen.laidOut(by: LayoutParameters())) }
        let result = DurationComparison.measure(
            rounds: 9, baseline: { layOut(stack) }, subject: { layOut(column) })
        return ResultRow(
            name: "list, 1e5 columns of two texts", figure: nanoseconds(result.subject, count),
            baseline: "a stack of them " + nanoseconds(result.baseline, count),
            ratio: result.ratio.formatted(), target: Target(ratio: result.ratio, .atMost(1.5)))
    }

    /// The part of a tree that has about 20 of all items, beside the same part of a tree of a tenth
    /// of the items: an item that is outside of the rectangle costs nothing.
    private static func part(_ column: MergedScreen, _ fewer: MergedScreen) -> ResultRow {
        let parameters = LayoutParameters()
        let trees = [column, fewer].map { screen in
            (screen: screen, index: VisibilityIndex(screen.laidOut(by: parameters)))
        }
        let write = { (tree: (screen: MergedScreen, index: VisibilityIndex)) in
            let found = tree.index.elements(in: Frame(x: 0, y: 90_000, width: 390, height: 844))
            var parts = TreeParts(
                TreeWriter(
                    found, of: tree.screen, tree.index.screen, viewport: parameters.viewport))
            keep(parts.written())
        }
        let result = DurationComparison.measure(
            baseline: { write(trees[1]) }, subject: { write(trees[0]) })
        return ResultRow(
            name: "  a rectangle of them", figure: "\((result.subject * 1e6).formatted(1)) µs",
            baseline: "of a tenth of them \((result.baseline * 1e6).formatted(1)) µs",
            ratio: result.ratio.formatted(), target: Target(ratio: result.ratio, .atMost(1.5)))
    }

    /// The tree of 400 products with four parts each.
    private static func tree(_ screen: MergedScreen) -> ResultRow {
        let parameters = LayoutParameters()
        let frames = screen.laidOut(by: parameters)
        let write = {
            TreeWriter.write(screen, frames, viewport: parameters.viewport)
        }
        let result = DurationComparison.measure(
            baseline: { keep(screen.laidOut(by: parameters)) }, subject: { keep(write()) })
        return ResultRow(
            name: "  the tree of 400 products, four parts each",
            figure: nanoseconds(result.subject, 1600) + ", \(write().count) bytes",
            baseline: "their layout " + nanoseconds(result.baseline, 1600),
            ratio: result.ratio.formatted())
    }

    /// The tree of 400 products with the URLs of their images, beside the same without them.
    private static func urls(_ linked: MergedScreen, _ cards: MergedScreen) -> ResultRow {
        let parameters = LayoutParameters()
        let write = { (screen: MergedScreen, frames: ScreenFrames) in
            keep(TreeWriter.write(screen, frames, viewport: parameters.viewport))
        }
        let (frames, plain) = (linked.laidOut(by: parameters), cards.laidOut(by: parameters))
        let result = DurationComparison.measure(
            rounds: 9, baseline: { write(cards, plain) }, subject: { write(linked, frames) })
        return ResultRow(
            name: "  the tree with URLs of images", figure: nanoseconds(result.subject, 400),
            baseline: "without them " + nanoseconds(result.baseline, 400),
            ratio: result.ratio.formatted(), target: Target(ratio: result.ratio, .atMost(1.15)))
    }

    /// The lint of 400 products with the URLs of their images, beside their layout.
    private static func lint(_ linked: MergedScreen, _ composer: Composer) -> ResultRow {
        let parameters = LayoutParameters()
        let result = DurationComparison.measure(
            baseline: { keep(composer.frames(of: linked, parameters)) },
            subject: { keep(composer.lint(linked, parameters)) })
        return ResultRow(
            name: "  the lint of them", figure: nanoseconds(result.subject, 400),
            baseline: "their layout " + nanoseconds(result.baseline, 400),
            ratio: result.ratio.formatted())
    }

    private static func nanoseconds(_ seconds: Double, _ count: Int) -> String {
        "\((seconds / Double(count) * 1e9).formatted(1)) ns each"
    }

    /// Returns a screen of different titles of two to eleven words.
    private static func screen(
        _ unit: String, _ count: Int, by catalog: Catalog
    ) throws -> MergedScreen {
        let words = ["of", "the", "Northern", "lights", "and", "coffee", "morning", "review", "a"]
        var json = #"{"sections": [{"units": [{"unitType": "\#(unit)", "unitData": ["#
        for index in 0..<count {
            let title = (0..<2 + index % 10).map { words[(index / 7 + $0 * $0) % words.count] }
            json += index == 0 ? "" : ","
            json +=
                #"{"title":"\#(index) \#(title.joined(separator: " "))","note":"No. \#(index)","#
                + #""price":"\#(index % 97) €","photo":"photos/\#(index).jpg"}"#
        }
        return try MergedScreen(Array((json + "]}]}]}").utf8), catalog.registry)
    }
}
