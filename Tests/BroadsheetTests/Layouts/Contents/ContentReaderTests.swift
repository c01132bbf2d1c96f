import Testing
import TextTestSupport

@testable import Broadsheet

@Suite("Contents in catalogs (docs/catalog.md, \"Contents\")") struct ContentReaderTests {
    private static let base = "/cellTypes/Item/content"

    private static let invalid: [(content: String, pointer: String)] = [
        ("[]", ""), ("1", ""), ("{}", ""), (#"{"name": "a"}"#, ""),
        (#"{"column": [{"box": ""}], "row": [{"box": ""}]}"#, ""),
        (#"{"column": []}"#, "/column"), (#"{"row": {}}"#, "/row"),
        (#"{"overlay": [1]}"#, "/overlay/0"),
        (#"{"column": [{"box": "", "name": ""}]}"#, "/column/0/name"),
        (#"{"column": [{"box": "", "name": "a b"}]}"#, "/column/0/name"),
        (#"{"column": [{"box": "", "name": 1}]}"#, "/column/0/name"),
        (#"{"row": [{"box": "", "name": "a"}], "name": "a"}"#, "/name"),
        (
            #"{"name": "a", "row": [{"switch": "/k", "cases": {"x": {"box": "", "name": "a"}}}]}"#,
            "/row/0/cases/x/name"
        ),
        (#"{"text": "/t"}"#, "/font"), (#"{"text": "/t", "font": "g"}"#, "/font"),
        (#"{"text": 1, "font": "f"}"#, "/text"), (#"{"text": "t", "font": "f"}"#, "/text"),
        (#"{"text": "/t", "font": "f", "maxLines": 0}"#, "/maxLines"),
        (#"{"image": "x"}"#, "/image"), (#"{"column": [{"box": "", "if": 1}]}"#, "/column/0/if"),
        (#"{"column": [{"box": "", "width": {"ratio": 1}}]}"#, "/column/0/width/ratio"),
        (#"{"column": [{"box": "", "height": {"fraction": 1}}]}"#, "/column/0/height/fraction"),
        (
            #"{"column": [{"box": "", "maxHeight": {"sum": [{"fraction": 1}]}}]}"#,
            "/column/0/maxHeight/sum/0/fraction"
        ),
        (#"{"column": [{"box": "", "height": {"stack": []}}]}"#, "/column/0/height"),
        (#"{"column": [{"box": "", "width": {"text": "/t", "font": "f"}}]}"#, "/column/0/width"),
        (#"{"column": [{"box": "", "minWidth": "natural"}]}"#, "/column/0/minWidth"),
        (#"{"column": [{"box": "", "width": "wide"}]}"#, "/column/0/width"),
        (#"{"column": [{"box": "", "fill": 0}]}"#, "/column/0/fill"),
        (#"{"column": [{"box": "", "fill": 1001}]}"#, "/column/0/fill"),
        (#"{"row": [{"box": "", "shrink": 1}]}"#, "/row/0/shrink"),
        (#"{"row": [{"box": "", "vertical": "top"}]}"#, "/row/0/vertical"),
        (#"{"row": [{"box": ""}], "align": "top"}"#, "/align"),
        (#"{"row": [{"box": ""}], "justify": "stretch"}"#, "/justify"),
        (#"{"row": [{"box": ""}], "spacing": -1}"#, "/spacing"),
        (#"{"row": [{"box": ""}], "padding": -1}"#, "/padding"),
        (#"{"row": [{"box": ""}], "padding": {"left": -1}}"#, "/padding/left"),
        (#"{"space": 1}"#, "/space"), (#"{"overlay": [{"space": 1}]}"#, "/overlay/0/space"),
        (#"{"row": [{"space": 0}, {"box": ""}]}"#, "/row/0/space"),
        (#"{"switch": "/k"}"#, "/cases"), (#"{"switch": "/k", "cases": {"a": {}}}"#, "/cases/a"),
        (
            #"{"overlay": [{"switch": "/k", "cases": {}, "default": {"space": 1}}]}"#,
            "/overlay/0/default/space"
        ),
    ]

    @Test("Violations have the pointers of their causes", arguments: invalid)
    func violations(content: String, pointer: String) {
        #expect(ContentScreen(content: content).violations() == [Self.base + pointer], "\(content)")
    }

    @Test("A size beside a content is a violation of the content")
    func sizes() {
        let screen = ContentScreen(
            content: #"{"box": ""}"#, members: #", "size": {"height": 1}"#)
        #expect(screen.violations() == [Self.base])
        #expect(
            ContentScreen(content: #"{"box": ""}"#, members: #", "size": null"#).violations() == [])
    }

    @Test("Members without an effect and unknown ones are reported at their places")
    func diagnostics() throws {
        let screen = ContentScreen(
            content: #"""
                {"if": "/a", "fill": 1, "shrink": false, "horizontal": "end", "vertical": "end",
                 "column": [{"overlay": [{"box": "", "spacing": 2, "fil": 1}], "justify": "end"},
                            {"image": "", "font": "f"}], "x-note": 1}
                """#, members: #", "picture": {"title": "/t"}"#)
        let found = try screen.catalogDiagnostics()
        let effects = [
            "fill", "horizontal", "if", "shrink", "vertical", "column/0/justify",
            "column/0/overlay/0/spacing", "column/1/font",
        ].map { "MEMBER_WITHOUT_EFFECT \(Self.base)/\($0)" }
        let all =
            effects + [
                "MEMBER_WITHOUT_EFFECT /cellTypes/Item/picture",
                "UNKNOWN_MEMBER \(Self.base)/column/0/overlay/0/fil",
            ]
        #expect(found.sorted() == all.sorted())
    }

    @Test("The detail of a member without an effect names the box and the box that it is in")
    func details() throws {
        let screen = ContentScreen(
            content: #"""
                {"column": [{"overlay": [{"image": "", "fill": 1}]},
                            {"row": [{"box": "", "horizontal": "end"}]},
                            {"overlay": [{"box": ""}], "spacing": 1}]}
                """#)
        let found = try Catalog(
            Array(screen.catalogJSON.utf8), measuringWith: SimpleMeasurer()
        ).diagnostics.map(\.detail)
        #expect(
            found.sorted() == [
                "has no effect on a box in a row", "has no effect on an image in an overlay",
                "has no effect on an overlay in a column",
            ])
    }

    @Test("Null counts as an absent member")
    func nulls() throws {
        let screen = ContentScreen(
            content: #"{"row": null, "fill": null, "text": "/t", "font": "f", "name": null}"#)
        #expect(screen.violations() == [])
        #expect(try screen.catalogDiagnostics() == [])
    }

    private static func boxes(_ count: Int) -> String {
        let inner = (1..<count).map { _ in #"{"box": ""}"# }.joined(separator: ",")
        return #"{"column": [\#(inner)]}"#
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: #"{"column": ["#, count: depth - 1) + #"{"box": ""}"#
            + String(repeating: "]}", count: depth - 1)
    }

    private static func pointers(_ count: Int) -> String {
        let inner = (0..<count).map { #"{"image": "/\#($0)"}"# }.joined(separator: ",")
        return #"{"column": [\#(inner)]}"#
    }

    @Test("A content has at most 256 boxes and rules, 32 pointers, and 16 boxes within each other")
    func limits() {
        #expect(ContentScreen(content: Self.boxes(256)).violations() == [])
        #expect(ContentScreen(content: Self.boxes(257)).violations() == [Self.base])
        #expect(ContentScreen(content: Self.nested(16)).violations() == [])
        #expect(
            ContentScreen(content: Self.nested(17)).violations()
                == [Self.base + String(repeating: "/column/0", count: 16)])
        #expect(ContentScreen(content: Self.pointers(32)).violations() == [])
        #expect(ContentScreen(content: Self.pointers(33)).violations() == [Self.base])
        let rules = (0..<86).map { _ in #"{"box": "", "width": {"product": [1, 2]}}"# }
        let content = #"{"column": [\#(rules.joined(separator: ","))]}"#
        #expect(ContentScreen(content: content).violations() == [Self.base])
        let join = (0..<33).map { #""/\#($0)""# }.joined(separator: ",")
        let text = #"{"text": {"join": [\#(join)]}, "font": "f"}"#
        #expect(ContentScreen(content: text).violations() == [Self.base])
    }

    @Test("A content from code is the same value as in a catalog")
    func code() throws {
        let content = CellContents.column(
            [
                .image("/photo", height: .ratio(1), name: "photo"),
                .row(
                    [
                        .text("/note", font: "f", maxLines: 1, name: "note").fill(),
                        .text(joining: ["/a", "/b"], by: " ", font: "f", name: "both").shrink(
                            false),
                    ], spacing: 8
                ).align(.center),
                .choice(by: "/k", ["a": .box("", height: 5, name: "a")], default: nil),
                .overlay([.box("", name: "o").place(horizontal: .end)], padding: Insets(2))
                    .showing(if: "/o"),
                .space(2),
            ], spacing: 4)
        let json = #"""
            {"column": [{"image": "/photo", "height": {"ratio": 1.0}, "name": "photo"},
             {"row": [{"text": "/note", "font": "f", "maxLines": 1, "name": "note", "fill": 1.0},
              {"text": {"join": ["/a", "/b"], "by": " "}, "font": "f", "name": "both", "shrink": false}],
              "spacing": 8.0, "align": "center"},
             {"switch": "/k", "cases": {"a": {"box": "", "height": 5.0, "name": "a"}}},
             {"overlay": [{"box": "", "name": "o", "horizontal": "end"}],
              "padding": {"top": 2.0, "left": 2.0, "bottom": 2.0, "right": 2.0}, "if": "/o"},
             {"space": 2.0}], "spacing": 4.0}
            """#
        #expect(
            String(decoding: content.json, as: UTF8.self).filter { !$0.isWhitespace }
                == json.filter { !$0.isWhitespace })
        #expect(
            ContentScreen(content: String(decoding: content.json, as: UTF8.self)).violations() == []
        )
        #expect(CodeContents.violation(in: content) == nil)
        #expect(CodeContents.violation(in: .space()) != nil)
        #expect(CodeContents.violation(in: .row([])) != nil)
    }

    @Test("The lengths of a content from code are the size rules of a catalog")
    func lengths() throws {
        let content = CellContents.column([
            .image("/a", height: .ratio(value: "/r", default: 1)),
            .image("/b", height: .ratio(height: "/h", width: "/w")),
            .box(
                "", width: .clamp(min: 20, max: .fraction(0.5), .value("/w", default: 30)),
                height: .product(.sum(.ratio(1), 4), 2)),
            .box("", height: .clamp(max: 50, .choice(by: "/k", ["b": 10, "2": 20], default: 5))),
            .box("", height: .choice(by: "/k", ["a": .points(7)])),
            .text(joining: ["/a", "/b"], font: "f", minLines: 2),
        ])
        let json = #"""
            {"column": [{"image": "/a", "height": {"ratio": {"value": "/r", "default": 1.0}}},
             {"image": "/b", "height": {"ratio": {"width": "/w", "height": "/h", "default": 0.0}}},
             {"box": "", "width": {"min": 20.0, "max": {"fraction": 0.5},
               "of": {"value": "/w", "default": 30.0}},
              "height": {"product": [{"sum": [{"ratio": 1.0}, 4.0]}, 2.0]}},
             {"box": "", "height": {"max": 50.0,
               "of": {"switch": "/k", "cases": {"2": 20.0, "b": 10.0}, "default": 5.0}}},
             {"box": "", "height": {"switch": "/k", "cases": {"a": 7.0}}},
             {"text": {"join": ["/a", "/b"], "by": ""}, "font": "f", "minLines": 2}]}
            """#
        #expect(
            String(decoding: content.json, as: UTF8.self).filter { !$0.isWhitespace }
                == json.filter { !$0.isWhitespace })
        #expect(CodeContents.violation(in: content) == nil)
        #expect(CodeContents.violation(in: .box("", width: .ratio(value: "/r"))) != nil)
    }

    @Test("A comparison lists the names that a content had and the new type has not")
    func partsGone() throws {
        func compiled(_ content: String) throws -> Catalog {
            try Catalog(
                Array(ContentScreen(content: content).catalogJSON.utf8),
                measuringWith: SimpleMeasurer())
        }
        let old = try compiled(
            #"{"column": [{"box": "", "name": "a"}, {"switch": "/k", "cases": {"x": {"box": "", "name": "b"}}}]}"#
        )
        let new = try compiled(#"{"column": [{"box": "", "name": "a"}, {"box": "", "name": "c"}]}"#)
        let found = new.differences(since: old).map {
            "\($0.code.rawValue) \($0.isInOld) \($0.pointer)"
        }
        #expect(found == ["PART_GONE true \(Self.base)/column/1/cases/x/name"])
        #expect(old.differences(since: old).isEmpty)
    }

    private enum Product: CellType {
        static var content: CellContents? {
            .column([.box("", height: 30, name: "photo"), .text("/t", font: "f", name: "t")])
        }
    }

    @Test(
        "A Swift type with a content is laid out as one of a catalog, with the fonts of the catalog"
    )
    func swiftTypes() throws {
        var registry = try ContentScreen(content: #"{"box": ""}"#).registry()
        registry.register("P", cellTypes: Product.self) { unit, section in
            section.cells(Product.self, data: unit.data)
        }
        var model = PaginatedViewModel()
        let page = #"{"sections": [{"units": [{"unitType": "P", "unitData": [{"t": "abc"}]}]}]}"#
        try model.load(resolved(page, by: registry))
        let composer = Composer(registry: registry)
        let screen = LaidOutScreen(composer.screen(of: model))
        let parts = screen.sections[0].items[0].parts
        #expect(parts.map(\.name) == ["photo", "t"])
        #expect(parts.map(\.lines) == [nil, 1])
        #expect(screen.sections[0].items[0].frame.height == 42)
        #expect(screen.sections[0].items[0].frame.width == 390)
    }
}
