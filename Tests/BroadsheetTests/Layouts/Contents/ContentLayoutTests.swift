import BroadsheetClient
import Testing
import TextTestSupport

@testable import Broadsheet

@Suite("The layout of contents (docs/layout.md, B)") struct ContentLayoutTests {
    /// A content and the parts of an item, in a container of 100 points.
    struct Case: Sendable, CustomTestStringConvertible {
        let rule: String
        let content: String
        var data = "{}"
        let parts: [String]
        var testDescription: String { rule }
    }

    static let cases: [Case] = [
        Case(
            rule:
                "a column stretches its boxes, and is as tall as they are, with spacing and padding",
            content: #"""
                {"spacing": 4, "padding": {"left": 8, "top": 1, "right": 2, "bottom": 3}, "name": "c",
                 "column": [{"text": "/a", "font": "f", "name": "a"},
                            {"image": "", "height": 10, "name": "i"}]}
                """#,
            data: #"{"a": "one two three four five"}"#,
            parts: ["100x42", "c 0,0 100x42", "a 8,1 90x24 2", "i 8,29 90x10"]),
        Case(
            rule: "B2: fill shares the length that is left by its weights",
            content: #"""
                {"spacing": 10, "row": [{"box": "", "fill": 1, "name": "a"},
                 {"box": "", "width": 30, "name": "b"}, {"box": "", "fill": 3, "name": "c"}]}
                """#,
            parts: ["100x0", "a 0,0 12.5x0", "b 22.5,0 30x0", "c 62.5,0 37.5x0"]),
        Case(
            rule: "B2: bounds are met in rounds, and what they leave is shared again",
            content: #"""
                {"row": [{"box": "", "fill": 1, "maxWidth": 10, "name": "a"},
                 {"box": "", "fill": 1, "minWidth": 60, "name": "b"},
                 {"box": "", "fill": 1, "name": "c"}]}
                """#,
            parts: ["100x0", "a 0,0 10x0", "b 10,0 60x0", "c 70,0 30x0"]),
        Case(
            rule: "B2: boxes of a row that is too short shrink by their widths, unless they do not",
            content: #"""
                {"row": [{"text": "/a", "font": "f", "name": "a"},
                 {"text": "/b", "font": "f", "shrink": false, "name": "b"}]}
                """#,
            data: #"{"a": "0123456789 12345678", "b": "0123456789"}"#,
            parts: ["100x24", "a 0,0 50x24 2", "b 50,0 50x24 1"]),
        Case(
            rule: "B2: a box with a rule does not shrink, and overflows at the end",
            content:
                #"{"row": [{"box": "", "width": 80, "name": "a"}, {"box": "", "width": 40, "name": "b"}]}"#,
            parts: ["100x0", "a 0,0 80x0", "b 80,0 40x0"]),
        Case(
            rule: "B2: boxes shrink in proportion to their bases without their own paddings",
            content: #"""
                {"row": [{"padding": {"left": 20}, "name": "a", "row": [{"text": "/t", "font": "f"}]},
                 {"text": "/t", "font": "f", "overflow": "clip", "name": "b"}]}
                """#,
            data: #"{"t": "0123456789"}"#,
            parts: ["100x24", "a 0,0 60x24", "b 60,0 40x24 1"]),
        Case(
            rule: "B3: a text with fill is never cut, and takes the rest of a fixed height",
            content: #"""
                {"height": 100, "column": [{"text": "/t", "font": "f", "fill": 1, "name": "t"},
                 {"box": "", "height": 90, "name": "b"}]}
                """#,
            data: #"{"t": "one two three four five"}"#,
            parts: ["100x100", "t 0,0 100x24 2", "b 0,24 100x90"]),
        Case(
            rule: "B3: a box with a height and fill begins at that height, and grows or shrinks",
            content: #"""
                {"height": 100, "column": [{"box": "", "height": 80, "fill": 1, "name": "a"},
                 {"box": "", "height": 40, "name": "b"}]}
                """#,
            parts: ["100x100", "a 0,0 100x60", "b 0,60 100x40"]),
        Case(
            rule: "B3: a box with fill and minHeight counts with that in the natural height",
            content:
                #"{"column": [{"text": "/t", "font": "f", "fill": 1, "minHeight": 5, "name": "t"}]}"#,
            data: #"{"t": "one"}"#, parts: ["100x5", "t 0,0 100x5 1"]),
        Case(
            rule: "B4: a box is placed across its column, by its own place or that of the column",
            content: #"""
                {"align": "center", "column": [{"box": "", "width": 40, "name": "a"},
                 {"box": "", "width": 40, "horizontal": "end", "name": "b"},
                 {"box": "", "width": 120, "name": "c"}, {"box": "", "horizontal": "stretch", "name": "d"}]}
                """#,
            parts: ["100x0", "a 30,0 40x0", "b 60,0 40x0", "c -10,0 120x0", "d 0,0 100x0"]),
        Case(
            rule: "B4: a natural width across is at most the parent's, a natural height is not",
            content: #"""
                {"align": "start", "height": 10, "row": [{"align": "start", "width": 50, "column":
                 [{"text": "/t", "font": "f", "name": "t"}], "name": "c"}]}
                """#,
            data: #"{"t": "0123456789 12345"}"#, parts: ["100x10", "c 0,0 50x24", "t 0,0 50x24 2"]),
        Case(
            rule: "B4: an overlay has its boxes in one place, on both axes",
            content: #"""
                {"overlay": [{"image": "", "height": {"ratio": 0.5}, "name": "i"},
                 {"row": [{"text": "/t", "font": "f", "name": "t"}], "padding": 2, "name": "b",
                  "horizontal": "end", "vertical": "start"}]}
                """#,
            data: #"{"t": "-20%"}"#,
            parts: ["100x50", "i 0,0 100x50", "b 76,0 24x16", "t 78,2 20x12 1"]),
        Case(
            rule: "B4: natural is not stretched, and at the start",
            content: #"{"column": [{"text": "/t", "font": "f", "width": "natural", "name": "t"}]}"#,
            data: #"{"t": "abc"}"#, parts: ["100x12", "t 0,0 15x12 1"]),
        Case(
            rule: "B1: the lower bound has precedence, and no length is below the padding",
            content: #"""
                {"align": "start", "column": [
                 {"box": "", "width": 50, "minWidth": 30, "maxWidth": 20, "name": "a"},
                 {"row": [{"box": "", "name": "c"}], "padding": 10, "width": 5, "height": 5, "name": "b"}]}
                """#,
            parts: ["100x20", "a 0,0 30x0", "b 0,0 20x20", "c 10,10 0x0"]),
        Case(
            rule: "a fraction is of the parent's width inside its padding",
            content: #"""
                {"padding": 10, "column": [{"box": "", "width": {"fraction": 0.5}, "name": "a"},
                 {"row": [{"box": "", "width": {"fraction": 0.25}, "name": "c"}], "padding": 10}]}
                """#,
            parts: ["100x40", "a 10,10 40x0", "c 20,20 15x0"]),
        Case(
            rule: "B1: a rule with a fraction counts as absent in a natural width",
            content: #"""
                {"align": "start", "column": [{"name": "r", "row": [
                 {"text": "/t", "font": "f", "width": {"sum": [{"fraction": 0.5}, 5]}, "name": "t"}]}]}
                """#,
            data: #"{"t": "abcd"}"#, parts: ["100x24", "r 0,0 20x24", "t 0,0 15x24 2"]),
        Case(
            rule: "B6: a text that wraps is as wide as its space, and maxLines cuts it",
            content: #"{"text": "/t", "font": "f", "maxLines": 1, "name": "t"}"#,
            data: #"{"t": "one two three four five six"}"#,
            parts: ["100x12", "t 0,0 100x12 1!"]),
        Case(
            rule: "minLines keeps space",
            content: #"{"text": "/t", "font": "f", "minLines": 2, "name": "t"}"#,
            parts: ["100x24", "t 0,0 100x24 0"]),
        Case(
            rule: "B7: the root has its own rules and bounds where the layout fixes nothing",
            content: #"""
                {"column": [{"box": "", "name": "b"}], "width": {"fraction": 0.5}, "minWidth": 60,
                 "height": {"ratio": 0.5}, "maxHeight": {"fraction": 0.05}}
                """#,
            parts: ["60x20", "b 0,0 60x0"]),
        Case(
            rule: "a length is a number in the data",
            content:
                #"{"column": [{"image": "/u", "height": {"value": "/h", "default": 7}, "name": "i"}]}"#,
            data: #"{"u": "x", "h": 33}"#, parts: ["100x33", "i 0,0 100x33"]),
    ]

    @Test("Parts are where the rules put them", arguments: cases)
    func parts(_ example: Case) throws {
        #expect(try ContentScreen(content: example.content).parts(example.data) == example.parts)
    }

    @Test(
        "B5: Boxes are justified along their axis, also if they are too long",
        arguments: [
            ("start", 60.0, "a 0,0", "b 30,0"), ("center", 60.0, "a 20,0", "b 50,0"),
            ("end", 60.0, "a 40,0", "b 70,0"), ("spaceBetween", 60.0, "a 0,0", "b 70,0"),
            ("start", 120.0, "a 0,0", "b 60,0"), ("center", 120.0, "a -10,0", "b 50,0"),
            ("end", 120.0, "a -20,0", "b 40,0"), ("spaceBetween", 120.0, "a 0,0", "b 60,0"),
        ])
    func justify(justify: String, length: Double, first: String, second: String) throws {
        let box = { (name: String) in #"{"box": "", "width": \#(length / 2), "name": "\#(name)"}"# }
        let content = #"{"justify": "\#(justify)", "row": [\#(box("a")), \#(box("b"))]}"#
        let parts = try ContentScreen(content: content).parts("{}")
        #expect(
            parts.dropFirst().map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
                == [first, second])
    }

    @Test("B5: A single box of spaceBetween is at the start")
    func single() throws {
        let content =
            #"{"justify": "spaceBetween", "row": [{"box": "", "width": 10, "name": "a"}]}"#
        #expect(try ContentScreen(content: content).parts("{}") == ["100x0", "a 0,0 10x0"])
    }

    @Test("A space takes the length that is left, and has a spacing on both sides")
    func space() throws {
        let content = #"""
            {"spacing": 5, "row": [{"box": "", "width": 20, "name": "a"}, {"space": 1},
             {"box": "", "width": 20, "name": "b"}]}
            """#
        #expect(
            try ContentScreen(content: content).parts("{}")
                == ["100x0", "a 0,0 20x0", "b 80,0 20x0"])
    }
}

@Suite("What is there in a content (docs/catalog.md, \"Contents\")") struct ContentPresenceTests {
    private static let presence: [(json: String, isThere: Bool)] = [
        ("null", false), ("false", false), (#""""#, false), ("true", true),
        ("0", true),
        (#""x""#, true), ("[]", true), ("{}", true),
    ]

    @Test(
        "A value is there unless it is missing, null, false or an empty string", arguments: presence
    )
    func values(json: String, isThere: Bool) throws {
        for box in [
            #"{"image": "/v", "height": 5, "name": "p"}"#,
            #"{"box": "/v", "height": 5, "name": "p"}"#,
            #"{"box": "", "if": "/v", "height": 5, "name": "p"}"#,
        ] {
            let screen = ContentScreen(
                content: #"{"spacing": 3, "column": [{"box": "", "height": 1}, \#(box)]}"#)
            let expected = isThere ? ["100x9", "p 0,4 100x5"] : ["100x1"]
            #expect(try screen.parts(#"{"v": \#(json)}"#) == expected, "\(box)")
            #expect(try screen.parts("{}") == ["100x1"], "\(box)")
        }
    }

    @Test(
        "A text without lines is left out with its spacing, unless minLines is above 0",
        arguments: [
            (#""""#, false), (#""  ""#, false), ("null", false), ("true", false), ("{}", false),
            (#""a""#, true), ("7", true), (#""\n""#, true),
        ])
    func texts(json: String, isThere: Bool) throws {
        let screen = ContentScreen(
            content:
                #"{"spacing": 3, "column": [{"box": "", "height": 1}, {"text": "/t", "font": "f", "name": "t"}]}"#
        )
        let parts = try screen.parts(#"{"t": \#(json)}"#)
        #expect(parts == (isThere ? ["100x16", "t 0,4 100x12 1"] : ["100x1"]))
        let kept = ContentScreen(
            content: #"{"column": [{"text": "/t", "font": "f", "minLines": 1, "name": "t"}]}"#)
        #expect(try kept.parts(#"{"t": \#(json)}"#)[0] == "100x12")
    }

    @Test("A container with nothing in it but spaces is left out, and the root stays")
    func containers() throws {
        let screen = ContentScreen(
            content: #"""
                {"spacing": 3, "padding": 2, "name": "root", "column": [
                 {"name": "r", "padding": 9, "row": [{"space": 1}, {"overlay": [{"image": "/i"}]}]},
                 {"box": "/b", "height": 4, "name": "b"}]}
                """#)
        #expect(
            try screen.parts(#"{"b": 1}"#) == ["100x8", "root 0,0 100x8", "b 2,2 96x4"])
        #expect(try screen.parts("{}") == ["100x4", "root 0,0 100x4"])
    }

    @Test(
        "A switch stands for the box that it selects, or for none",
        arguments: [
            (#""a""#, ["100x10", "a 0,0 100x10"]), ("2", ["100x20", "b 0,0 100x20"]),
            (#""x""#, ["100x30", "d 0,0 100x30"]), ("null", ["100x30", "d 0,0 100x30"]),
        ])
    func choices(kind: String, parts: [String]) throws {
        let screen = ContentScreen(
            content: #"""
                {"column": [{"switch": "/k", "cases": {
                  "a": {"box": "", "height": 10, "name": "a"}, "2": {"box": "", "height": 20, "name": "b"}},
                 "default": {"switch": "/never", "cases": {}, "default": {"box": "", "height": 30, "name": "d"}}}]}
                """#)
        #expect(try screen.parts(#"{"k": \#(kind)}"#) == parts)
    }

    @Test("A root switch that selects nothing is an empty box")
    func emptyRoot() throws {
        let screen = ContentScreen(
            content: #"{"switch": "/k", "cases": {"a": {"box": "", "height": 10, "name": "a"}}}"#)
        #expect(try screen.parts("{}") == ["100x0"])
        #expect(try screen.parts(#"{"k": "a"}"#) == ["100x10", "a 0,0 100x10"])
    }

    @Test("Values that cannot be used are reported where they are read, and no others")
    func unusableValues() throws {
        let screen = ContentScreen(
            content: #"""
                {"column": [{"text": "/t", "font": "f"}, {"image": "/i", "height": {"value": "/h"}},
                 {"box": "/i", "if": "/no", "height": {"value": "/left"}},
                 {"switch": "/s", "cases": {"a": {"text": "/never", "font": "f"}}}]}
                """#)
        let codes = try screen.codes([
            #"{"t": [], "i": {}, "h": "x", "left": "x", "s": {}, "never": [], "no": false}"#
        ]).filter { $0.hasPrefix("UNUSABLE") }
        let unit = "UNUSABLE_VALUE /sections/0/units/0/unitData/0"
        #expect(codes == ["\(unit)/t", "\(unit)/h", "\(unit)/i", "\(unit)/s"])
    }

    @Test("The details of values that cannot be used are about contents, too")
    func unusableDetails() throws {
        let screen = ContentScreen(
            content: #"""
                {"column": [{"text": "/t", "font": "f"},
                 {"switch": "/s", "cases": {"a": {"box": ""}}}]}
                """#)
        let found = try screen.diagnostics([#"{"t": [], "s": {}}"#])
            .filter { $0.code == .unusableValue }
        #expect(
            found.map(\.detail) == [
                "a size rule or a content needs a string or a number here; the text has no lines",
                "a size rule or a content needs a string, a number, true or false here; its default "
                    + "is used",
            ])
    }
}
