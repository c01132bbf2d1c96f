import BroadsheetClient
import Testing
import TextTestSupport

@testable import Broadsheet

@Suite("Contents in layouts and trees") struct ContentTreeTests {
    private static let card = #"""
        {"column": [{"image": "/i", "fill": 1, "height": {"ratio": 0.5}, "name": "i"},
         {"text": "/t", "font": "f", "name": "t"}]}
        """#
    private static let data = #"{"id": 1, "i": "x", "t": "one two three four five"}"#

    private func screen(_ content: String = card, _ layout: String = "{}") -> ContentScreen {
        ContentScreen(content: content, layout: layout)
    }

    @Test(
        "B7: The layout fixes the width, and in slots and cards the height, of which fill takes the rest",
        arguments: [
            (
                #"{"gridColumnCount": 2, "minimumInteritemSpacing": 0}"#,
                ["50x61", "i 0,0 50x25", "t 0,25 50x36 3"]
            ),
            (#"{"kind": "list"}"#, ["100x74", "i 0,0 100x50", "t 0,50 100x24 2"]),
            (
                #"{"kind": "compositional", "itemSize": {"uniform": {"columns": 2, "height": 100}}}"#,
                ["50x100", "i 0,0 50x64", "t 0,64 50x36 3"]
            ),
            (
                #"{"kind": "compositional", "scrolling": "continuous", "itemSize": {"uniform": {"width": 80, "height": 90}}}"#,
                ["80x90", "i 0,0 80x66", "t 0,66 80x24 2"]
            ),
            (
                #"{"kind": "compositional", "itemSize": "dynamic", "direction": "vertical"}"#,
                ["100x74", "i 0,0 100x50", "t 0,50 100x24 2"]
            ),
            (
                #"{"kind": "compositional", "itemSize": "dynamic"}"#,
                ["100x74", "i 0,0 100x50", "t 0,50 100x24 2"]
            ),
        ])
    func layouts(layout: String, parts: [String]) throws {
        #expect(try screen(Self.card, layout).parts(Self.data) == parts)
    }

    @Test("C11: Items are as tall as the tallest of their row, and their contents fill that")
    func siblings() throws {
        let layout = #"""
            {"kind": "compositional", "isUniformAcrossSiblings": true,
             "itemSize": {"uniform": {"columns": 2, "height": 10}}}
            """#
        let laidOut = try screen(Self.card, layout).screen([
            #"{"id": 1, "i": "x", "t": "one"}"#, #"{"id": 2, "i": "x", "t": "one two three four"}"#,
        ])
        let items = laidOut.sections[0].items
        #expect(items.map(\.frame.height) == [49, 49])
        #expect(items.map { $0.parts[0].frame.height } == [37, 25])
    }

    @Test("B7: Contents of horizontal screens and groups are as wide as they naturally are")
    func naturalWidths() throws {
        let chip = #"{"padding": 4, "row": [{"text": "/t", "font": "f", "name": "t"}]}"#
        var screen = ContentScreen(content: chip, screen: #"{"direction": "horizontal"}"#)
        #expect(try screen.parts(#"{"t": "chip"}"#) == ["28x20", "t 4,4 20x12 1"])
        screen.screen = "{}"
        #expect(try screen.parts(#"{"t": "chip"}"#)[0] == "100x20")
        screen.layout = #"{"kind": "compositional", "itemSize": "dynamic"}"#
        #expect(try screen.parts(#"{"t": "chip"}"#)[0] == "28x20")
        screen.layout = "{}"
        screen.content =
            #"{"width": "natural", "padding": 4, "row": [{"text": "/t", "font": "f"}]}"#
        #expect(try screen.parts(#"{"t": "chip"}"#) == ["28x20"])
        #expect(try screen.parts(#"{"t": "a chip that is longer than the screen"}"#) == ["100x44"])
    }

    @Test("B7: Headers and footers have parts; in flow one of height 0 is not an element")
    func headers() throws {
        let screen = ContentScreen(
            content: Self.card,
            header:
                #"{"padding": 2, "width": 50, "column": [{"text": "/t", "font": "f", "name": "t"}]}"#
        )
        let section = try screen.tree(
            [], header: #"{"t": "one two three four five"}"#, footer: #"{"t": "end"}"#
        ).sections[0]
        #expect(section.header?.frame == TreeFrame(x: 0, y: 0, width: 100, height: 28))
        #expect(
            section.header?.parts
                == ["t": TreePart(frame: TreeFrame(x: 2, y: 2, width: 96, height: 24), lines: 2)])
        #expect(section.footer?.parts["t"]?.lines == 1)
        let empty = ContentScreen(content: Self.card)
        #expect(try empty.tree([], header: "{}").sections[0].header == nil)
    }

    @Test(
        "Parts stand behind the z-index, in the order of the content, and without lines beside them"
    )
    func members() throws {
        var screen = screen(
            #"""
            {"name": "c", "column": [{"text": "/t", "font": "f", "maxLines": 1, "name": "t"}]}
            """#, #"{"decoration": {"kind": "d"}}"#)
        let item = #"""
            {"id":"1","type":"Item","frame":{"x":0,"y":0,"width":100,"height":12},"zIndex":1,"parts":\#
            {"c":{"frame":{"x":0,"y":0,"width":100,"height":12}},\#
            "t":{"frame":{"x":0,"y":0,"width":100,"height":12},"lines":1,"truncated":true}}
            """#
        let composer = try screen.writer([Self.data])
        var parts = TreeParts(composer)
        let text = String(decoding: parts.written(), as: UTF8.self)
        #expect(text.contains(item + #","data":{"id": 1"#), "\(text)")
        screen.parameters.options.fields = .frames
        var frames = TreeParts(try screen.writer([Self.data]))
        #expect(String(decoding: frames.written(), as: UTF8.self).contains(item + "}]"))
    }

    @Test("Pretty trees have the same values, and parts without a named box are empty")
    func pretty() throws {
        var screen = screen()
        let plain = try screen.tree([Self.data], header: #"{"t": "head"}"#)
        screen.parameters.options.pretty = true
        #expect(try screen.tree([Self.data], header: #"{"t": "head"}"#) == plain)
        let unnamed = try self.screen(#"{"text": "/t", "font": "f"}"#).tree([Self.data])
        #expect(unnamed.sections[0].items[0].members["parts"] == .object([:]))
    }

    @Test(
        "B8: Boxes that touch still touch in device pixels, and texts are measured in rounded frames",
        arguments: [1.0, 2.0, 3.0])
    func rounding(scale: Double) throws {
        var screen = screen(
            #"""
            {"row": [{"box": "", "fill": 1, "name": "a"}, {"box": "", "fill": 1, "name": "b"},
             {"text": "/t", "font": "f", "fill": 1, "name": "t"}]}
            """#, #"{"gridColumnCount": 3, "minimumInteritemSpacing": 0}"#)
        screen.parameters = LayoutParameters(
            viewport: Viewport(width: 100, height: 400, scale: scale))
        let item = try screen.screen([#"{"t": "ab cd"}"#]).sections[0].items[0]
        let parts = item.parts.map(\.frame)
        #expect(parts[0].maxX == parts[1].x && parts[1].maxX == parts[2].x)
        for part in parts {
            for edge in [part.x * scale, part.maxX * scale, part.maxY * scale] {
                #expect(abs(edge - edge.rounded()) < 1e-6)
            }
        }
    }

    @Test("B8: A natural width of a text, and the height of its cell, are whole device pixels")
    func roundedNaturals() throws {
        var screen = ContentScreen(
            content: #"{"width": "natural", "row": [{"text": "/t", "font": "f", "name": "t"}]}"#)
        screen.parameters = LayoutParameters(
            viewport: Viewport(width: 100, height: 400, scale: 2, textScale: 1.03))
        // 3 characters of 5.15 points, and a line of 12.36 points.
        #expect(try screen.parts(#"{"t": "abc"}"#) == ["15.5x12.5", "t 0,0 15.5x12.5 1"])
        screen.parameters.rounding = .none
        #expect(try screen.parts(#"{"t": "abc"}"#) == ["15.45x12.36", "t 0,0 15.45x12.36 1"])
    }

    @Test(
        "B8: Nothing is rounded at a scale that R1 ignores",
        arguments: [0, -1, .infinity, .nan] as [Double])
    func ignoredScales(scale: Double) throws {
        var screen = ContentScreen(
            content: #"""
                {"width": "natural", "row": [{"text": "/t", "font": "f", "name": "t"},
                 {"box": "", "width": 3.3, "name": "b"}]}
                """#)
        screen.parameters = LayoutParameters(
            viewport: Viewport(width: 100, height: 400, scale: scale, textScale: 1.03))
        #expect(
            try screen.parts(#"{"t": "abc"}"#)
                == ["18.75x12.36", "t 0,0 15.45x12.36 1", "b 15.45,0 3.3x12.36"])
        screen.parameters.viewport.direction = .rtl
        #expect(
            try screen.parts(#"{"t": "abc"}"#)
                == ["18.75x12.36", "t 3.3,0 15.45x12.36 1", "b 0,0 3.3x12.36"])
    }

    @Test(
        "B9: From right to left parts are mirrored in the item, paddings too, with the same lines")
    func rightToLeft() throws {
        var screen = screen(
            #"""
            {"padding": {"left": 10}, "row": [{"box": "", "width": 20, "name": "a"},
             {"text": "/t", "font": "f", "fill": 1, "name": "t"}]}
            """#)
        screen.parameters.viewport.direction = .rtl
        #expect(
            try screen.parts(Self.data) == ["100x24", "a 70,0 20x24", "t 0,0 70x24 2"])
    }

    @Test("B9: The text size changes fonts that scale, and nothing else")
    func textScale() throws {
        var screen = screen(
            #"""
            {"padding": 1, "column": [{"text": "/a", "font": "f", "name": "a"},
             {"text": "/a", "font": "fixed", "name": "b"}, {"image": "", "height": 10, "name": "i"}]}
            """#)
        screen.parameters.viewport.textScale = 2
        #expect(
            try screen.parts(#"{"a": "0123456 890"}"#)
                == ["100x72", "a 1,1 98x48 2", "b 1,49 98x12 1", "i 1,61 98x10"])
    }

    @Test("A part of a tree has all parts of its items, and those of no others")
    func rectangles() throws {
        let screen = screen()
        let writer = try screen.writer(
            (0..<3).map { #"{"id": \#($0), "i": "x", "t": "one"}"# })
        let whole = Tree(writer)
        let found = VisibilityIndex(writer.frames).elements(
            in: Frame(x: 0, y: 80, width: 10, height: 10))
        let part = Tree(
            TreeWriter(
                found, of: writer.screen, writer.frames, viewport: screen.parameters.viewport))
        #expect(part.sections[0].items == [whole.sections[0].items[1]])
    }

    @Test("Items of types with a size have the bytes that they have without contents beside them")
    func otherTypes() throws {
        let catalog = #"""
            {"units": {"U": {"cells": {"type": {"switch": "/k", "cases": {"c": "C"}, "default": "S"}}}},
             "cellTypes": {"S": {"size": {"height": 10}}, "C": {"content": {"box": "", "name": "b"}}}}
            """#
        let registry = try Catalog(Array(catalog.utf8)).registry
        let page = { (items: String) in
            #"{"sections": [{"units": [{"unitType": "U", "unitData": [\#(items)]}]}]}"#
        }
        let composer = Composer(registry: registry)
        func items(_ data: String) throws -> [TreeItem] {
            var model = PaginatedViewModel()
            try model.load(resolved(page(data), by: registry))
            return Tree(composer.writer(of: model)).sections[0].items
        }
        let mixed = try items(#"{"a": 1}, {"k": "c"}, {"a": 2}"#)
        #expect(mixed.map { $0.members["parts"] != nil } == [false, true, false])
        #expect(try items(#"{"a": 1}"#)[0] == mixed[0])
    }
}
