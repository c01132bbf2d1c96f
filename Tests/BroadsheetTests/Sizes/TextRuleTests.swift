import BroadsheetClient
import Testing
import TextTestSupport

@testable import Broadsheet

/// A screen of one section whose items, headers and footers are measured with ``SimpleMeasurer``:
/// in the font `f` each character is 5 points wide and each line 12 points high.
struct MeasuredScreen {
    /// The members of the cell types `Item`, `Title` and `End`.
    var item = #"{"height": {"text": "/t", "font": "f"}}"#
    var header = #"{"height": {"text": "", "font": "f"}}"#
    /// The members of the section.
    var layout = "{}"
    var screen = "{}"
    var fonts = #"{"f": {"files": ["f.ttf"], "size": 10, "lineHeight": 12}}"#
    var parameters = LayoutParameters(viewport: Viewport(width: 100, height: 400))

    var catalogJSON: String {
        """
        {"screen": \(screen), "fonts": \(fonts), "sections": {"S": \(layout)},
         "units": {"U": {"cells": {"type": "Item"}}, "H": {"header": {"type": "Title"}},
                   "F": {"footer": {"type": "Title"}}},
         "cellTypes": {"Item": {"id": "/id", "size": \(item)}, "Title": {"size": \(header)}}}
        """
    }

    /// Returns the page of these items, each a JSON object or the text of one with a text `t`.
    static func page(_ items: [String], header: String? = nil) -> String {
        let data = items.enumerated().map { index, item in
            item.hasPrefix("{") ? item : "{\"id\": \(index), \"t\": \"\(item)\"}"
        }
        let units = "[{\"unitType\": \"U\", \"unitData\": [\(data.joined(separator: ","))]}]"
        let head = header.map { "\"header\": {\"unitType\": \"H\", \"unitData\": \"\($0)\"}, " }
        return "{\"sections\": [{\"sectionId\": \"S\", \(head ?? "")\"units\": \(units)}]}"
    }

    func writer(_ items: [String], header: String? = nil) throws -> TreeWriter {
        let registry = try catalog(catalogJSON).registry
        var model = PaginatedViewModel()
        try model.load(resolved(Self.page(items, header: header), by: registry))
        let composer = Composer(registry: registry)
        let merged = composer.screen(of: model, parameters)
        return TreeWriter(
            merged, composer.frames(of: merged, parameters), viewport: parameters.viewport,
            options: parameters.options)
    }

    func tree(_ items: [String], header: String? = nil) throws -> Tree {
        Tree(try writer(items, header: header))
    }

    /// Returns the items as `width x height lines`, with `!` after lines that are truncated.
    func items(_ items: [String], header: String? = nil) throws -> [String] {
        try tree(items, header: header).sections[0].items.map { item in
            "\(number(item.frame.width)) x \(number(item.frame.height)) "
                + "\(item.lines.map(String.init) ?? "-")\(item.isTruncated ? "!" : "")"
        }
    }

    func number(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? String(value)
    }

    func codes(_ items: [String]) throws -> [String] {
        try diagnostics(items).map { "\($0.code.rawValue) \($0.pointer)" }
    }

    func diagnostics(_ items: [String]) throws -> [Diagnostic] {
        let registry = try catalog(catalogJSON).registry
        var model = PaginatedViewModel()
        try model.load(resolved(Self.page(items), by: registry))
        let composer = Composer(registry: registry)
        let merged = composer.screen(of: model, parameters)
        let frames = composer.frames(of: merged, parameters)
        return merged.diagnostics + merged.diagnostics(of: frames)
    }
}

@Suite("Measured texts (docs/catalog.md, \"Texts\")") struct TextRuleTests {
    @Test(
        "T1: A height is the lines times the line height",
        arguments: [
            ("one", "100 x 12 1"), ("one two three four five", "100 x 24 2"),
            (#"one\ntwo"#, "100 x 24 2"), (#"one\n"#, "100 x 12 1"), (#"\n"#, "100 x 12 1"),
            ("", "100 x 0 0"), (#"{"t": null}"#, "100 x 0 0"), ("{}", "100 x 0 0"),
            (#"{"t": 12345678901234567890123}"#, "100 x 24 2"), (#"{"t": true}"#, "100 x 0 0"),
            (#"\u0061\u0062"#, "100 x 12 1"), ("aaaaaaaaaaaaaaaaaaaaaaaaa", "100 x 24 2"),
        ])
    func heights(text: String, item: String) throws {
        #expect(try MeasuredScreen().items([text]) == [item])
    }

    @Test(
        "T1: maxLines cuts, minLines keeps space, and the lines are those that are shown",
        arguments: [
            (#""maxLines": 1"#, "100 x 12 1!"), (#""maxLines": 2"#, "100 x 24 2"),
            (#""minLines": 4"#, "100 x 48 2"), (#""maxLines": 1, "minLines": 3"#, "100 x 36 1!"),
            (#""maxLines": null, "minLines": 0"#, "100 x 24 2"),
        ])
    func limits(members: String, item: String) throws {
        let rule = #"{"height": {"text": "/t", "font": "f", \#(members)}}"#
        #expect(try MeasuredScreen(item: rule).items(["one two three four five"]) == [item])
    }

    @Test("T1: A word that is wider than the line breaks, unless it is clipped")
    func overflow() throws {
        let rule = #"{"height": {"text": "/t", "font": "f", "overflow": "clip"}}"#
        let word = String(repeating: "a", count: 50)
        #expect(try MeasuredScreen().items([word]) == ["100 x 36 3"])
        #expect(try MeasuredScreen(item: rule).items([word]) == ["100 x 12 1"])
    }

    @Test(
        "T1: Values are joined; those that are missing are left out with what is between",
        arguments: [
            (#"{"b": "Brand", "t": "Title"}"#, "70 x 12 1"), (#"{"t": "Title"}"#, "25 x 12 1"),
            (#"{"b": "Brand", "t": null}"#, "25 x 12 1"), (#"{"b": 1, "t": 2}"#, "30 x 12 1"),
            ("{}", "0 x 12 0"),
        ])
    func joins(data: String, item: String) throws {
        let text = #"{"text": {"join": ["/b", "/t"], "by": " by "}, "font": "f", "minLines": 1}"#
        let rule = #"{"width": \#(text), "height": \#(text)}"#
        #expect(try MeasuredScreen(item: rule).items([data]) == [item])
    }

    @Test("T2: Parts of a stack are measured in the width inside its padding")
    func stacks() throws {
        let text = #"{"text": "/t", "font": "f"}"#
        let rule = #"""
            {"height": {"stack": [\#(text), {"text": "/s", "font": "f", "maxLines": 1}],
             "spacing": 4, "padding": {"top": 1, "left": 30, "right": 30, "bottom": 2}}}
            """#
        let data = #"{"t": "one two three", "s": "four five six"}"#
        #expect(try MeasuredScreen(item: rule).items([data]) == ["100 x 43 3!"])
    }

    @Test("T3: A width is that of the longest line, at most the container's")
    func widths() throws {
        let text = #"{"text": "/t", "font": "f"}"#
        let rule = #"{"width": \#(text), "height": \#(text)}"#
        #expect(
            try MeasuredScreen(item: rule).items(["ab", "one two three four five six", ""])
                == ["10 x 12 1", "90 x 24 2", "0 x 0 0"])
        let padded = #"{"width": {"sum": [\#(text), 16]}, "height": 32}"#
        let chips = try MeasuredScreen(
            item: padded, layout: #"{"minimumInteritemSpacing": 4}"#
        ).tree(["abcd", "ab", "abcdefghij"]).sections[0].items
        #expect(chips.map(\.frame.width) == [36, 26, 66])
        #expect(chips.map(\.frame.y) == [0, 0, 42])
        #expect(chips.map(\.lines) == [1, 1, 1])
    }

    @Test(
        "T4: A length of measured text is rounded up to a device pixel",
        arguments: [
            (1.0, Rounding.pixel, "11 x 13 1"), (2, .pixel, "10.5 x 12.5 1"),
            (3, .pixel, "10.333 x 12.333 1"), (3, .none, "10.2 x 12.1 1"),
            (4, .pixel, "10.25 x 12.25 1"), (10, .pixel, "10.2 x 12.1 1"),
        ])
    func rounding(scale: Double, rounding: Rounding, item: String) throws {
        let text = #"{"text": "/t", "font": "f"}"#
        let screen = MeasuredScreen(
            item: #"{"width": \#(text), "height": {"sum": [\#(text), 0.1]}}"#,
            fonts: """
                {"f": {"files": ["f.ttf"], "size": 10, "lineHeight": 12, "letterSpacing": 0.1}}
                """,
            parameters: LayoutParameters(
                viewport: Viewport(width: 100, height: 400, scale: scale), rounding: rounding))
        #expect(try screen.items(["ab"]) == [item])
    }

    @Test(
        "T6: The text size multiplies the lengths of fonts that scale",
        arguments: [
            (1.0, true, "100 x 24 2"), (2, true, "100 x 72 3"), (0.5, true, "100 x 6 1"),
            (4, true, "100 x 240 5"), (4, false, "100 x 24 2"),
        ])
    func textScale(scale: Double, scales: Bool, item: String) throws {
        let screen = MeasuredScreen(
            fonts: """
                {"f": {"files": ["f.ttf"], "size": 10, "lineHeight": 12, "scales": \(scales)}}
                """,
            parameters: LayoutParameters(
                viewport: Viewport(width: 100, height: 400, textScale: scale)))
        #expect(try screen.items(["one two three four five"]) == [item])
        let shown = try screen.tree([]).members["viewport"]?.members?["textScale"]
        #expect(shown == (scale == 1 ? nil : TreeNumber(scale).map { .number($0) }))
    }

    @Test("T1: Without a line height the font's own is used")
    func naturalLineHeight() throws {
        let fonts = #"{"f": {"files": ["f.ttf"], "size": 10}}"#
        #expect(try MeasuredScreen(fonts: fonts).items(["a"]) == ["100 x 12.667 1"])
    }

    @Test(
        "T2: All layouts measure in the width that they give an item",
        arguments: [
            (#"{"gridColumnCount": 2, "minimumInteritemSpacing": 0}"#, "50 x 36 3"),
            (#"{"inset": {"left": 10, "right": 20}}"#, "70 x 24 2"),
            (#"{"kind": "list"}"#, "100 x 24 2"),
            (#"{"kind": "list", "appearance": "insetGrouped"}"#, "68 x 24 2"),
            (
                #"{"kind": "compositional", "itemSize": "dynamic", "direction": "vertical"}"#,
                "100 x 24 2"
            ),
            (
                #"{"kind": "compositional", "itemSize": {"uniform": {"columns": 2}},"#
                    + #" "isUniformAcrossSiblings": true}"#, "50 x 36 3"
            ),
            (
                #"{"kind": "compositional", "itemSize": {"uniform": {"columns": 2, "height": 40}}}"#,
                "50 x 40 -"
            ),
            (#"{"gridColumnCount": -1}"#, "50 x 50 -"),
            (#"{"paging": {"isInfinitePage": true}}"#, "100 x 24 2"),
        ])
    func layouts(layout: String, item: String) throws {
        let screen = MeasuredScreen(layout: layout)
        let text = "one two three four five"
        #expect(try screen.items([text, text]) == [item, item])
        var mirrored = screen
        mirrored.parameters.viewport.direction = .rtl
        #expect(try mirrored.items([text, text]) == [item, item])
    }

    @Test("T2: Siblings take the height of the tallest, and keep their own lines")
    func siblings() throws {
        let layout = """
            {"kind": "compositional", "itemSize": {"uniform": {"columns": 2}},
             "isUniformAcrossSiblings": true}
            """
        #expect(
            try MeasuredScreen(layout: layout).items(["one two three four five", "one", "two"])
                == ["50 x 36 3", "50 x 36 1", "50 x 12 1"])
    }

    @Test("T2: In a horizontal screen a width is measured, and a fixed height is not")
    func horizontal() throws {
        let rule = #"{"width": {"text": "/t", "font": "f"}, "height": 20}"#
        let screen = MeasuredScreen(item: rule, screen: #"{"direction": "horizontal"}"#)
        #expect(try screen.items(["abcd"]) == ["20 x 20 1"])
    }

    @Test(
        "T2: Headers and footers are measured across the screen",
        arguments: [
            (#"{}"#, 24.0),
            (#"{"kind": "list", "headerMode": "supplementary", "headerTopPadding": 0}"#, 24),
            (#"{"kind": "compositional", "sectionInset": 10}"#, 36),
        ])
    func headers(layout: String, height: Double) throws {
        let tree = try MeasuredScreen(
            header: #"{"height": {"text": "", "font": "f"}}"#, layout: layout
        ).tree([], header: "one two three four five six sev")
        let header = tree.sections[0].members["header"]?.members
        #expect(header?["frame"]?.members?["height"] == TreeNumber(height).map { .number($0) })
        #expect(header?["lines"] == nil)
    }

    @Test("T5: Items of other types have no lines, in one section with those that have")
    func mixedTypes() throws {
        let registry = try catalog(
            """
            {"fonts": {"f": {"files": ["f.ttf"], "size": 10, "lineHeight": 12}},
             "units": {"U": {"cells": {"type": {"switch": "/k", "cases": {"a": "A", "b": "B"}}}}},
             "cellTypes": {"A": {"size": {"height": {"text": "/t", "font": "f"}}},
                           "B": {"size": {"height": {"value": "/h"}}}}}
            """
        ).registry
        let page = """
            {"sections": [{"units": [{"unitType": "U", "unitData": [
              {"k": "b", "h": 7}, {"k": "a", "t": "x"}, {"k": "b", "h": 9}]}]}]}
            """
        let bytes = try Composer(registry: registry).compose(Array(page.utf8))
        let tree = try #require(Tree(TreeValue(try JSONDocument(bytes).root)))
        #expect(tree.sections[0].items.map(\.lines) == [nil, 1, nil])
        #expect(tree.sections[0].items.map(\.frame.height) == [7, 12, 9])
    }

    @Test("T5: A choice that selects no text has no lines")
    func choices() throws {
        let rule = #"""
            {"height": {"switch": "/k", "cases": {"a": {"text": "/t", "font": "f"}}, "default": 9}}
            """#
        let items = [#"{"k": "a", "t": "x"}"#, #"{"k": "b", "t": "x"}"#]
        #expect(try MeasuredScreen(item: rule).items(items) == ["100 x 12 1", "100 x 9 -"])
    }

    @Test("T5: lines and truncated stand between the z-index and the separator")
    func members() throws {
        let rule = #"{"height": {"text": "/t", "font": "f", "maxLines": 1}}"#
        let screen = MeasuredScreen(item: rule, layout: #"{"kind": "list"}"#)
        var parts = TreeParts(try screen.writer(["one two three four five", "b"]))
        let text = String(decoding: parts.written(), as: UTF8.self)
        #expect(text.contains(#""height":12},"lines":1,"truncated":true,"separator":{"#))
        #expect(text.contains(#""height":12},"lines":1,"separator":{"#))
    }

    @Test("An item whose lines change is reloaded, also where its page is the same")
    func changes() throws {
        let narrow = MeasuredScreen(layout: #"{"inset": {"right": 30}}"#)
        let items = ["one two three four", "one"]
        let (before, after) = (try narrow.writer(items), try MeasuredScreen().writer(items))
        #expect(Tree(before).sections[0].items.map(\.lines) == [2, 1])
        #expect(Tree(after).sections[0].items.map(\.lines) == [1, 1])
        let changes = Changes(from: before, to: after)
        guard case .update(let update) = changes.content else {
            Issue.record("no update")
            return
        }
        #expect(update.stages.map { $0.reloadItems.count } == [1])
        var tree = Tree(before)
        try changes.apply(to: &tree)
        #expect(tree == Tree(after))
    }

    @Test("UNUSABLE_VALUE: A text that is neither a string nor a number is reported once")
    func unusable() throws {
        #expect(
            try MeasuredScreen().codes([#"{"t": []}"#, #"{"t": true}"#, #"{"t": null}"#])
                == ["UNUSABLE_VALUE /sections/0/units/0/unitData/0/t"])
    }

    @Test("NO_GLYPH: A character that no file has is reported once a page")
    func missingGlyphs() throws {
        let diagnostics = try MeasuredScreen().diagnostics(["a", "b😁", "c😁", "😂 d"])
        #expect(
            diagnostics.map { "\($0.code.rawValue) \($0.pointer)" } == [
                "NO_GLYPH /sections/0/units/0/unitData/1/t",
                "NO_GLYPH /sections/0/units/0/unitData/3/t",
            ])
        #expect(diagnostics[0].detail.contains(#"no file of the font "f" has U+1F601 (😁)"#))
    }

    @Test("TEXT_CUT: A text beyond the longest that is measured is reported once a source")
    func cutTexts() throws {
        let whole = String(repeating: "a", count: TextLimits.maxBytes)
        #expect(try MeasuredScreen().diagnostics([whole]).isEmpty)
        let longer = [whole + "a", whole + "b", "b"]
        let diagnostics = try MeasuredScreen().diagnostics(longer)
        #expect(
            diagnostics.map { "\($0.code.rawValue) \($0.pointer)" }
                == ["TEXT_CUT /sections/0/units/0/unitData/0/t"])
        #expect(diagnostics.first?.detail.contains("1048576 bytes") == true)
    }

    @Test("TEXT_CUT: A text is not cut inside a character")
    func cutCharacters() throws {
        let registry = try catalog(MeasuredScreen().catalogJSON).registry
        let text = "a" + String(repeating: "é", count: TextLimits.maxBytes / 2)
        let page = try resolved(MeasuredScreen.page([text]), by: registry)
        let expected = String(text.dropLast())
        let other = try resolved(MeasuredScreen.page([expected]), by: registry)
        let request = TextRequest(width: 1e9, overflow: .clip)
        #expect(page.texts[0].measure(request) == other.texts[0].measure(request))
    }

    @Test("The texts of a cell and of a value are counted for estimates of memory")
    func measuredTexts() throws {
        let text = #"{"text": "/t", "font": "f"}"#
        var screen = MeasuredScreen()
        screen.item =
            #"{"height": {"stack": [\#(text), {"text": {"join": ["/t", "/u"]}, "font": "f"}]}}"#
        let texts = try catalog(screen.catalogJSON).registry.measuredTexts
        #expect(texts.maxPerCell == 2)
        #expect(texts.maxPerValue == 2)
        let none = CellRegistry().measuredTexts
        #expect(none.maxPerCell == 0 && none.maxPerValue == 0)
    }

    @Test(
        "FRAGILE_TEXT: A text within a quarter of a pixel of another number of lines",
        arguments: [
            ("aaaaaaaaaaaaaaaaaaaa", 100.0, true), ("aaaaaaaaaaaaaaaaaaaa", 100.08, true),
            ("aaaaaaaaaaaaaaaaaaaa", 100.1, false), ("aaaaaaaaaaaaaaaaaaaa", 99.93, true),
            ("aaaaaaaaaaaaaaaaaaaa", 99.9, false), ("aaaa", 100, false),
        ])
    func fragile(text: String, width: Double, isFragile: Bool) throws {
        var screen = MeasuredScreen()
        screen.parameters.viewport.size.width = width
        screen.parameters.lint = true
        #expect(try screen.codes([text]) == (isFragile ? ["FRAGILE_TEXT /sections/0"] : []))
        let chip = #"{"width": {"text": "/t", "font": "f"}, "height": {"text": "/t", "font": "f"}}"#
        screen.item = chip
        screen.parameters.viewport.size.width = 300
        #expect(try screen.codes([text]).isEmpty)
    }

    @Test("Equal texts of a page are kept once, and count as memory")
    func memory() throws {
        let registry = try catalog(MeasuredScreen().catalogJSON).registry
        let one = try resolved(MeasuredScreen.page(["one two"]), by: registry)
        let two = try resolved(MeasuredScreen.page(["one two", "three"]), by: registry)
        #expect(one.texts.count == 1)
        #expect(one.textByteCount == one.texts[0].byteCount)
        #expect(two.inputByteCount == 2 * 8 + 2 * 16 + two.texts.reduce(0) { $0 + $1.byteCount })
    }
}
