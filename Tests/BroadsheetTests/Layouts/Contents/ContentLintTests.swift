import BroadsheetClient
import TestSupport
import Testing
import TextTestSupport

@testable import Broadsheet

@Suite("Lint and pictures of contents") struct ContentLintTests {
    private static let partCodes = [
        "PART_OUTSIDE_ITEM", "PART_HAS_NO_SIZE", "TEXT_CLIPPED", "FRAGILE_TEXT",
    ]
    private static let long = "0123456789 123456789 0123456789 123456789"

    private static let cases: [(content: String, data: String, codes: [String])] = [
        (#"{"row": [{"box": "", "width": 150, "height": 5}]}"#, "{}", ["PART_OUTSIDE_ITEM"]),
        (#"{"row": [{"box": "", "width": 100.9, "height": 5}]}"#, "{}", []),
        (
            #"{"height": 9, "justify": "end", "column": [{"image": "", "height": 11}]}"#, "{}",
            ["PART_OUTSIDE_ITEM"]
        ),
        (#"{"column": [{"image": ""}]}"#, "{}", ["PART_HAS_NO_SIZE"]),
        (#"{"height": 10, "column": [{"space": 1}]}"#, "{}", []),
        (#"{"height": 10, "text": "/t", "font": "f"}"#, #"{"t": "one"}"#, ["TEXT_CLIPPED"]),
        (#"{"height": 12, "text": "/t", "font": "f"}"#, #"{"t": "one"}"#, []),
        (#"{"height": 20, "text": "/t", "font": "f", "minLines": 3}"#, #"{"t": "one"}"#, []),
        (
            #"{"height": 20, "text": "/t", "font": "f", "minLines": 3}"#, #"{"t": "one\ntwo"}"#,
            ["TEXT_CLIPPED"]
        ),
        (
            #"{"height": 20, "column": [{"box": "", "height": 12}, {"text": "/t", "font": "f"}]}"#,
            #"{"t": "one"}"#, ["PART_OUTSIDE_ITEM", "TEXT_CLIPPED"]
        ),
        (
            #"{"height": 10, "align": "center", "row": [{"text": "/t", "font": "f"}]}"#,
            #"{"t": "one"}"#, []
        ),
        (
            #"{"height": 9, "align": "center", "row": [{"text": "/t", "font": "f"}]}"#,
            #"{"t": "one"}"#, ["PART_OUTSIDE_ITEM", "TEXT_CLIPPED"]
        ),
        (
            #"{"height": 9, "column": [{"text": "/t", "font": "f", "minLines": 2}]}"#,
            #"{"t": "one"}"#, ["PART_OUTSIDE_ITEM", "TEXT_CLIPPED"]
        ),
        (
            #"{"height": 12, "column": [{"text": "/t", "font": "f", "minLines": 2}]}"#,
            #"{"t": "one"}"#, ["PART_OUTSIDE_ITEM"]
        ),
        (#"{"text": "/t", "font": "f"}"#, #"{"t": "\#(long)"}"#, ["FRAGILE_TEXT"]),
        (#"{"padding": 1, "row": [{"text": "/t", "font": "f"}]}"#, #"{"t": "\#(long)"}"#, []),
        (
            #"{"align": "start", "column": [{"text": "/t", "font": "f"}]}"#, #"{"t": "one two"}"#,
            []
        ),
    ]

    @Test(
        "Lint finds parts outside, parts without a size, and texts cut or fragile", arguments: cases
    )
    func codes(content: String, data: String, codes: [String]) throws {
        var screen = ContentScreen(content: content)
        screen.parameters.viewport.scale = 1
        let found = try screen.codes([data]).filter { code in
            Self.partCodes.contains { code.hasPrefix($0) }
        }
        #expect(found == codes.map { "\($0) /sections/0" }, "\(content)")
    }

    @Test(
        "TEXT_CLIPPED: The texts of a size in a height that is fixed, at the reader's text size",
        arguments: [
            // A chip, whose height is a number, and one without a limit.
            (#"{"width": {"text": "/t", "font": "f"}, "height": 24}"#, "{}", 2, false),
            (#"{"width": {"text": "/t", "font": "f"}, "height": 24}"#, "{}", 2.3, true),
            (#"{"height": {"text": "/t", "font": "f"}}"#, "{}", 3, false),
            // A limit of the height, and one of a part of it.
            (#"{"height": {"max": 36, "of": {"text": "/t", "font": "f"}}}"#, "{}", 1, false),
            (#"{"height": {"max": 36, "of": {"text": "/t", "font": "f"}}}"#, "{}", 3.3, true),
            (
                #"{"height": {"stack": [{"max": 10, "of": {"text": "/t", "font": "f"}}, 30]}}"#,
                "{}", 1, false
            ),
            // Slots whose height the layout fixes: below an image of 50, 30 are left.
            (
                #"{"height": {"stack": [{"ratio": 0.5}, {"text": "/t", "font": "f"}]}}"#,
                #"{"kind": "compositional", "itemSize": {"uniform": {"height": 80}}}"#, 1, false
            ),
            (
                #"{"height": {"stack": [{"ratio": 0.5}, {"text": "/t", "font": "f"}]}}"#,
                #"{"kind": "compositional", "itemSize": {"uniform": {"height": 80}}}"#, 3, true
            ),
            // A fraction of the viewport's height of 400.
            (
                #"{"height": {"stack": [{"fraction": 0.1}, {"text": "/t", "font": "f"}]}}"#, "{}",
                3, false
            ),
        ] as [(String, String, Double, Bool)])
    func sizes(size: String, layout: String, textScale: Double, isCut: Bool) throws {
        var screen = MeasuredScreen(item: size, layout: layout)
        screen.parameters.lint = true
        screen.parameters.viewport.textScale = textScale
        let found = try screen.diagnostics([#"{"id": "A"}"#, #"{"id": "B", "t": "one"}"#])
            .filter { $0.code.rawValue == "TEXT_CLIPPED" }
        #expect(found.map(\.pointer) == (isCut ? ["/sections/0"] : []))
        #expect(found.allSatisfy { $0.detail.hasSuffix(#"a text of its size in the item "B""#) })
    }

    @Test(
        "A device pixel is 2 points at a scale of 0.5, and 1 point at one that R1 ignores",
        arguments: [
            (#"{"row": [{"box": "", "width": 101.5, "height": 5}]}"#, 0.5, []),
            (#"{"row": [{"box": "", "width": 102.5, "height": 5}]}"#, 0.5, ["PART_OUTSIDE_ITEM"]),
            (#"{"row": [{"box": "", "width": 100.9, "height": 5}]}"#, 0, []),
            (#"{"row": [{"box": "", "width": 101.5, "height": 5}]}"#, 0, ["PART_OUTSIDE_ITEM"]),
            (
                #"{"row": [{"box": "", "width": 101.5, "height": 5}]}"#, .infinity,
                ["PART_OUTSIDE_ITEM"]
            ),
            (#"{"row": [{"text": "/t", "font": "f", "width": 100.4}]}"#, 0.5, ["FRAGILE_TEXT"]),
            (#"{"row": [{"text": "/t", "font": "f", "width": 100.4}]}"#, 1, []),
            (#"{"row": [{"text": "/t", "font": "f", "width": 100.4}]}"#, 0, []),
        ] as [(String, Double, [String])])
    func pixels(content: String, scale: Double, codes: [String]) throws {
        var screen = ContentScreen(content: content)
        screen.parameters.viewport.scale = scale
        let found = try screen.codes([#"{"t": "\#(Self.long)"}"#]).filter { code in
            Self.partCodes.contains { code.hasPrefix($0) }
        }
        #expect(found == codes.map { "\($0) /sections/0" }, "\(content)")
    }

    @Test("The detail names the first item, and in it the first part by its name or its kind")
    func places() throws {
        var screen = ContentScreen(
            content: #"""
                {"height": 30, "column": [{"text": "/t", "font": "f", "height": 5, "name": "t"},
                 {"text": "/u", "font": "f", "height": 5}]}
                """#,
            header: #"{"height": 5, "column": [{"image": "", "name": "i"}]}"#)
        func detail(_ items: [String], _ code: String) throws -> String? {
            try screen.diagnostics(items, header: "{}", footer: "{}")
                .first { $0.code.rawValue == code }?.detail
        }
        let cut = #"{"id": "P2", "u": "one", "t": "one"}"#
        #expect(
            try detail([#"{"id": "P1"}"#, cut], "TEXT_CLIPPED")?.hasSuffix(
                #"space for: the text "t" in the item "P2""#) == true)
        #expect(
            try detail([#"{"id": "P1", "u": "one"}"#, cut], "TEXT_CLIPPED")?.hasSuffix(
                #"(2 items, this is the first): a text without a name in the item "P1""#) == true)
        #expect(
            try detail([], "PART_HAS_NO_SIZE")?.hasSuffix(#": the image "i" in the header"#)
                == true)
        screen.content = #"{"row": [{"box": "", "width": 150, "height": 5}]}"#
        #expect(
            try detail([#"{"id": "P1"}"#], "PART_OUTSIDE_ITEM")?.hasSuffix(
                #": a box without a name in the item "P1""#) == true)
    }

    @Test("The detail of lint of items names the first of them, and that of a section none")
    func items() throws {
        let screen = ContentScreen(
            content: #"{"box": "", "height": 0}"#, layout: #"{"gridColumnCount": 2}"#,
            members: #", "span": {"value": "/s"}"#)
        let found = try screen.diagnostics([
            #"{"id": "A"}"#, #"{"id": 7, "s": 2}"#, #"{"id": "C"}"#,
        ])
        let details = Dictionary(
            found.map { ($0.code.rawValue, $0.detail) }, uniquingKeysWith: { first, _ in first })
        #expect(details["ITEM_HAS_NO_SIZE"]?.hasSuffix(#"the first): the item "A""#) == true)
        #expect(details["ROW_NOT_FULL"]?.hasSuffix(#"are left: the item "7""#) == true)
        #expect(details["RAGGED_LAST_ROW"] == "the last row of the grid is not full")
    }

    @Test("Lint finds parts of headers")
    func headers() throws {
        let screen = ContentScreen(
            content: #"{"box": "", "height": 1}"#,
            header: #"{"height": 5, "column": [{"image": "", "name": "i"}]}"#)
        #expect(try screen.codes([], header: "{}").contains { $0.hasPrefix("PART_HAS_NO_SIZE") })
    }

    @Test("A picture has texts in their lines, images with a glyph, and boxes as outlines")
    func pictures() throws {
        let screen = ContentScreen(
            content: #"""
                {"padding": 10, "column": [{"text": "/t", "font": "f"},
                 {"image": "/i", "height": 40}, {"box": "", "height": 20}, {"image": "/no"}]}
                """#)
        let laidOut = try screen.screen([#"{"t": "one two three four five", "i": "x"}"#])
        let svg = String(
            decoding: PictureWriter.write(
                laidOut.screen, laidOut.frames, viewport: screen.parameters.viewport, title: "T"),
            as: UTF8.self)
        #expect(svg.contains(#"<text font-size="10" x="10" y="19.5">one two three</text>"#))
        #expect(svg.contains(#"<text font-size="10" x="10" y="31.5">four five</text>"#))
        #expect(svg.components(of: "class=\"image i") == 1)
        #expect(svg.components(of: "class=\"cut\"") == 1)
    }
}

extension String {
    /// The number of times that a text occurs.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}

@Suite("Hostile contents") struct HostileContentTests {
    private static let numbers = ["0", "1", "-1e308", "1e308", "1e-300", "1e9", "33.3", "-7"]
    private static let places = ["start", "center", "end", "stretch"]

    private static func box(_ random: inout SeededGenerator, depth: Int) -> String {
        func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? "0" }
        func maybe(_ member: String) -> String { random.next() % 3 == 0 ? ", \(member)" : "" }
        let number = { (random: inout SeededGenerator) in
            Self.numbers.randomElement(using: &random) ?? "0"
        }
        var members = ""
        for name in ["width", "minWidth", "maxWidth", "height", "minHeight", "maxHeight"] {
            let isHeight = name.lowercased().hasSuffix("height")
            let rules = [
                number(&random), #"{"product": [\#(number(&random)), \#(number(&random))]}"#,
                isHeight
                    ? #"{"ratio": \#(number(&random))}"# : #"{"fraction": \#(number(&random))}"#,
                #"{"value": "/n"}"#,
            ]
            members += maybe(#""\#(name)": \#(pick(rules))"#)
        }
        members += maybe(#""fill": 1000"#) + maybe(#""align": "\#(pick(places))""#)
        members += maybe(#""horizontal": "\#(pick(places))""#)
        members += maybe(#""spacing": 1e308"#) + maybe(#""padding": 1e308"#)
        guard depth > 0 else { return #"{"text": "/t", "font": "f"\#(members)}"# }
        let inner = (0..<1 + Int(random.next() % 3)).map { _ in box(&random, depth: depth - 1) }
        let kind = pick(["column", "row", "overlay"])
        return
            #"{"\#(kind)": [\#(inner.joined(separator: ","))], "name": "d\#(random.next())"\#(members)}"#
    }

    @Test("G2: Frames are finite for any numbers, in every kind of layout and both directions")
    func numbers() throws {
        var random = SeededGenerator(seed: SeededGenerator.seed(of: "hostile contents"))
        let layouts = [
            "{}", #"{"gridColumnCount": 3}"#, #"{"kind": "list"}"#,
            #"{"kind": "compositional", "itemSize": "dynamic"}"#,
        ]
        for index in 0..<120 {
            var screen = ContentScreen(
                content: Self.box(&random, depth: 3), layout: layouts[index % layouts.count])
            screen.parameters = LayoutParameters(
                viewport: Viewport(
                    width: 320, height: 500, scale: 3,
                    direction: index.isMultiple(of: 2) ? .ltr : .rtl),
                rounding: index.isMultiple(of: 3) ? .none : .pixel)
            let items = [#"{"t": "one two", "n": 1e308}"#, #"{"t": "x", "n": -1e308}"#]
            for item in try screen.screen(items).sections[0].items {
                for part in item.parts {
                    let frame = part.frame
                    let all = [frame.x, frame.y, frame.width, frame.height]
                    #expect(all.allSatisfy { abs($0) <= 4e9 }, "\(screen.content)")
                    #expect(frame.width >= 0 && frame.height >= 0, "\(screen.content)")
                }
            }
        }
    }

    @Test("A row whose boxes meet their bounds one after the other is laid out in few milliseconds")
    func rounds() throws {
        var used = 0.0
        let boxes = (0..<126).map { index in
            let limit = (100 - used) / Double(126 - index) * 0.999999
            used += limit
            return #"{"box": "", "fill": 1, "maxWidth": \#(limit)}"#
        }
        let screen = ContentScreen(content: #"{"row": [\#(boxes.joined(separator: ","))]}"#)
        #expect(screen.violations() == [])
        let time = try ProcessorTime.ratio {
            _ = try screen.screen((0..<200).map { #"{"id": \#($0)}"# }).frames
        }
        print("a row with 126 bounds, 200 times: \(time) yardsticks")
        #expect(time < 500)
    }
}
