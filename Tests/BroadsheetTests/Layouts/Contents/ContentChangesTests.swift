import BroadsheetClient
import Testing
import TextTestSupport

@testable import Broadsheet

@Suite("Changes of trees with contents") struct ContentChangesTests {
    private static let content = #"""
        {"column": [{"box": "", "height": 10, "fill": 1, "name": "b"},
         {"text": "/t", "font": "f", "name": "t"}]}
        """#

    /// Returns the writers of two lists of items, laid out alike.
    private func writers(
        _ screen: ContentScreen, _ old: [String], _ new: [String]
    ) throws -> (old: TreeWriter, new: TreeWriter) {
        let composer = Composer(registry: try screen.registry())
        func writer(_ items: [String]) throws -> TreeWriter {
            var model = PaginatedViewModel()
            try model.load(resolved(ContentScreen.page(items), by: composer.registry))
            return composer.writer(of: model, screen.parameters)
        }
        return (try writer(old), try writer(new))
    }

    /// Returns the items that are reloaded, once the changes have made the new tree of the old one.
    private func reloads(
        _ screen: ContentScreen, _ old: [String], _ new: [String]
    ) throws -> [Int] {
        let (before, after) = try writers(screen, old, new)
        var tree = Tree(before)
        try Changes(from: before, to: after).apply(to: &tree)
        #expect(tree == Tree(after))
        return ScreenComparison(from: before, to: after).stages.flatMap(\.reloadItems).flatMap {
            Array($0.first..<$0.first + $0.from.count)
        }
    }

    private func item(_ id: Int, _ text: String) -> String { #"{"id": \#(id), "t": "\#(text)"}"# }

    @Test("An item whose parts differ is reloaded, and one that only moved is not")
    func moved() throws {
        let screen = ContentScreen(content: Self.content)
        let items = (0..<4).map { item($0, "one") }
        let longer = [items[0], item(1, "one two three four five six"), items[2], items[3]]
        #expect(try reloads(screen, items, longer) == [1])
        #expect(try reloads(screen, items, [items[1], items[2], items[3]]).isEmpty)
    }

    @Test("With fields=frames an item is reloaded only if its parts differ")
    func frames() throws {
        var screen = ContentScreen(content: Self.content)
        screen.parameters.options.fields = .frames
        let items = (0..<3).map { item($0, "one") }
        #expect(try reloads(screen, items, [items[0], item(1, "two"), items[2]]).isEmpty)
        screen.layout = #"{"kind": "compositional", "itemSize": {"uniform": {"height": 40}}}"#
        let longer = [items[0], item(1, "one two three four five six"), items[2]]
        #expect(try reloads(screen, items, longer) == [1])
    }

    @Test("An item is reloaded whose neighbour changes its height and so its parts")
    func siblings() throws {
        let screen = ContentScreen(
            content: Self.content,
            layout: #"""
                {"kind": "compositional", "isUniformAcrossSiblings": true,
                 "itemSize": {"uniform": {"columns": 2}}}
                """#)
        let items = (0..<4).map { item($0, "one") }
        let longer = [item(0, "one two three four"), items[1], items[2], items[3]]
        #expect(try reloads(screen, items, longer) == [0, 1])
    }

    @Test(
        "F21, C18: An item is reloaded whose line or row becomes longer and stretches its parts",
        arguments: [
            (#"{"gridColumnCount": 2, "itemAlignment": "stretch"}"#, [0, 1]),
            (
                #"""
                {"kind": "compositional", "scrolling": "continuous", "itemAlignment": "stretch",
                 "isUniformAcrossSiblings": true, "itemSize": {"uniform": {"width": 100}}}
                """#, [0, 1, 2, 3]
            ),
        ])
    func stretched(layout: String, expected: [Int]) throws {
        let screen = ContentScreen(content: Self.content, layout: layout)
        let items = (0..<4).map { item($0, "one") }
        let longer = [item(0, "one two three four five six"), items[1], items[2], items[3]]
        #expect(try reloads(screen, items, longer) == expected)
    }

    @Test("A header whose parts differ is a member that differs")
    func headers() throws {
        let screen = ContentScreen(
            content: Self.content,
            header: #"{"height": 50, "text": "/t", "font": "f", "name": "t"}"#)
        let before = try screen.writer([], header: #"{"t": "one", "u": 1}"#)
        let after = try screen.writer([], header: #"{"t": "one two three four five six"}"#)
        var tree = Tree(before)
        try Changes(from: before, to: after).apply(to: &tree)
        #expect(tree == Tree(after))
    }

    @Test("Layouts that take over earlier ones have the parts of those made from nothing")
    func reuse() throws {
        let layouts = [
            "{}", #"{"kind": "list"}"#,
            #"{"kind": "compositional", "itemSize": "dynamic", "direction": "vertical"}"#,
            #"{"kind": "compositional", "itemSize": "dynamic", "itemAlignment": "stretch"}"#,
            #"{"gridColumnCount": 2, "itemAlignment": "stretch"}"#,
            #"{"kind": "masonry", "gridColumnCount": 3}"#,
        ]
        for layout in layouts {
            var screen = ContentScreen(content: Self.content, layout: layout)
            screen.parameters = LayoutParameters(viewport: Viewport(width: 99.9, height: 400))
            let items = (0..<1300).map {
                item($0, $0.isMultiple(of: 3) ? "one two three four five" : "a")
            }
            let composer = Composer(registry: try screen.registry())
            func page(_ items: [String], _ number: Int) throws -> ResolvedPage {
                try resolved(ContentScreen.page(items), number: number, by: composer.registry)
            }
            var model = PaginatedViewModel()
            try model.load(page(items, 0))
            let earlier = composer.screen(of: model, screen.parameters)
            let laidOut = ReusableLayout(earlier, screen.parameters)
            try model.load(page([item(2000, "more")], 1))
            let merged = composer.screen(of: model, screen.parameters)
            let reused = ReusableLayout(merged, screen.parameters, reusing: laidOut)
            #expect(reused.frames == merged.laidOut(by: screen.parameters), "\(layout)")
        }
    }
}
