import Testing

@testable import Broadsheet

@Suite("Trees in parts")
struct TreePartsTests {
    private static let sizes = [1, 2, 77, 300, 1_000, 10_000, 1_000_000]

    /// A page with sections of no item, one item and many items, headers, footers and backgrounds.
    private static let page = {
        let rows = (0..<90).map {
            "{\"id\":\"row \($0)\",\"h\":\(10 + $0 % 3),\"t\":\"\(texts[$0 % 3])\"}"
        }
        let many = rows.joined(separator: ",")
        return #"""
            {"hasNext":true,"sections":[
             {"sectionId":"Cards","units":[
              {"unitType":"TITLE","unitData":"t"},{"unitType":"ITEMS","unitData":[\#(many)]},
              {"unitType":"END","unitData":[1,2]}]},
             [{"unitType":"NOPE"}],
             {"sectionId":"One","layout":{"type":"list","separator":{}},
              "units":[{"unitType":"ITEMS","unitData":[\#(rows[0]),\#(rows[0])]}]}]}
            """#
    }()
    private static let texts = ["", "short", String(repeating: "long ", count: 80)]

    private func composed(
        _ page: String, _ options: TreeOptions
    ) throws -> (screen: MergedScreen, frames: ScreenFrames, parameters: LayoutParameters) {
        let catalog = try Catalog(Array(TreeWriterTests.catalog.utf8))
        let composer = Composer(registry: catalog.registry)
        let document = try composer.document(of: Array(page.utf8))
        var parameters = LayoutParameters(viewport: Viewport(width: 200, height: 100, scale: 2))
        parameters.options = options
        let model = try composer.viewModel(of: [try composer.page(in: document)])
        let screen = composer.screen(of: model, parameters)
        return (screen, composer.frames(of: screen, parameters), parameters)
    }

    private func expectEqualParts(
        _ trees: TreeParts, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var atOnce = trees
        let whole = atOnce.written()
        #expect(trees.byteCount(upTo: whole.count) == whole.count, sourceLocation: sourceLocation)
        #expect(trees.byteCount(upTo: whole.count - 1) == nil, sourceLocation: sourceLocation)
        for size in Self.sizes {
            var (parts, joined, longest) = (trees, [UInt8](), 0)
            while let part = parts.next(byteCount: size) {
                joined += part
                longest = max(longest, part.count)
            }
            #expect(joined == whole, "parts of \(size)", sourceLocation: sourceLocation)
            // An item, or the head or the tail of a section, is never divided.
            #expect(longest < size + 1_000, "parts of \(size)", sourceLocation: sourceLocation)
        }
    }

    @Test(
        "The parts of a tree are the whole tree, whatever their size",
        arguments: [
            TreeOptions(), TreeOptions(pretty: true),
            TreeOptions(coordinates: .content, fields: .frames),
        ])
    func whole(options: TreeOptions) throws {
        for page in [Self.page, #"{"sections":[]}"#, #"{"sections":[[]]}"#] {
            let (screen, frames, parameters) = try composed(page, options)
            let tree = TreeWriter(
                screen, frames, viewport: parameters.viewport, options: options)
            expectEqualParts(TreeParts(tree))
            var parts = TreeParts(tree)
            #expect(
                parts.written()
                    == TreeWriter.write(
                        screen, frames, viewport: parameters.viewport, options: options))
        }
    }

    @Test("The parts of a list of trees are the whole list", arguments: [false, true])
    func list(pretty: Bool) throws {
        let options = TreeOptions(pretty: pretty)
        let (screen, frames, parameters) = try composed(Self.page, options)
        let tree = TreeWriter(screen, frames, viewport: parameters.viewport, options: options)
        expectEqualParts(TreeParts(list: [tree, tree, tree]))
        expectEqualParts(TreeParts(list: []))
        var none = TreeParts(list: [])
        #expect(none.written() == Array(#"{"layouts":[]}"#.utf8))
    }

    @Test("The parts of a part of a tree are the whole part, with any runs of items")
    func rectangle() throws {
        let (screen, frames, parameters) = try composed(Self.page, TreeOptions())
        let index = VisibilityIndex(frames)
        for width in [20.0, 100, 1_000] {
            let elements = index.elements(in: Frame(x: 0, y: 50, width: width, height: 600))
            #expect(!elements.isEmpty)
            let tree = TreeWriter(
                elements, of: screen, frames, viewport: parameters.viewport)
            expectEqualParts(TreeParts(tree))
        }
    }
}
