import Broadsheet
import Testing

@Suite("Pages become one screen (docs/api.md, Merging)") struct MergingTests {
    /// A section of items by their ids.
    private static func section(_ id: String, _ items: [String], _ rest: String = "") -> String {
        let units = items.map { #"{"id": "\#($0)"}"# }.joined(separator: ",")
        return
            #"{"sectionId": \#(id), \#(rest) "units": [{"unitType": "U", "unitData": [\#(units)]}]}"#
    }

    private func model(
        _ pages: [Int: [String]], hasNext: Set<Int> = []
    ) throws -> PaginatedViewModel {
        var model = PaginatedViewModel()
        for (number, sections) in pages {
            let json = sections.joined(separator: ",")
            try model.load(
                resolved(
                    #"{"hasNext": \#(hasNext.contains(number)), "sections": [\#(json)]}"#,
                    number: number, by: sampleCatalog()))
        }
        return model
    }

    private func sections(_ pages: [Int: [String]]) throws -> [String] {
        try model(pages).summary(by: sampleCatalog().registry).sections.map { section in
            let ids = section.items.map { $0.split(separator: "=")[0].dropFirst("Item:".count) }
            return "\(section.id ?? "-"): \(ids.joined(separator: " "))"
        }
    }

    @Test("sections of one id become one, at the place of the first, items in page order")
    func oneSection() throws {
        #expect(
            try sections([
                2: [Self.section(#""B""#, ["b2"]), Self.section(#""A""#, ["a2"])],
                0: [Self.section(#""A""#, ["a0", "a1"]), Self.section(#""C""#, ["c0"])],
                1: [Self.section(#""B""#, ["b1"]), Self.section(#""A""#, [])],
            ]) == ["A: a0 a1 a2", "C: c0", "B: b1 b2"])
    }

    @Test("the same id twice in one page becomes one section likewise")
    func onePage() throws {
        #expect(
            try sections([
                0: [
                    Self.section(#""A""#, ["1"]), Self.section(#""B""#, ["2"]),
                    Self.section(#""A""#, ["3"]),
                ]
            ]) == ["A: 1 3", "B: 2"])
    }

    @Test("unnamed sections never merge, neither null, absent nor just an array of units")
    func unnamed() throws {
        #expect(
            try sections([
                0: [Self.section("null", ["1"]), Self.section("null", ["2"]), "[]"],
                1: [Self.section("null", ["3"]), #"{"units": []}"#],
            ]) == ["-: 1", "-: 2", "-: ", "-: 3", "-: "])
    }

    @Test("an id is its text: a number's bytes, whatever the escapes; an empty one is one")
    func texts() throws {
        #expect(
            try sections([
                0: [Self.section("1", ["a"]), Self.section(#""""#, ["b"])],
                1: [Self.section(#""1""#, ["c"]), Self.section(#""\u0031""#, ["d"])],
                2: [Self.section("1.0", ["e"]), Self.section(#""""#, ["f"])],
            ]) == ["1: a c d", ": b f", "1.0: e"])
    }

    @Test("ids are equal only when their code points are")
    func codePoints() throws {
        #expect(
            try sections([
                0: [Self.section(#""\u00e9""#, ["a"]), Self.section(#""e\u0301""#, ["b"])],
                1: [Self.section(#""é""#, ["c"])],
            ]).count == 2)
    }

    @Test("a later page's header and footer win, and its silence keeps the earlier's")
    func views() throws {
        func unit(_ role: String, _ type: String, _ data: Int) -> String {
            #""\#(role)": {"unitType": "\#(type)", "unitData": \#(data)},"#
        }
        let model = try model([
            0: [Self.section("1", [], unit("header", "H", 10) + unit("footer", "F", 11))],
            1: [Self.section("1", [], unit("header", "H", 20))],
            2: [Self.section("1", [])],
        ])
        let section = model.summary(by: try sampleCatalog().registry).sections.first
        #expect(section?.header == "Title=20")
        #expect(section?.footer == "Title=11")
        let merged = try #require(
            model.merged(registry: try sampleCatalog().registry).sections.first)
        #expect(merged.header?.page.number == 1)
        #expect(merged.header?.pointer == "/sections/0/header")
        #expect(model.summary(by: try sampleCatalog().registry).diagnostics.isEmpty)
    }

    @Test("a later page's collapsed wins; a collapsed section keeps its header and hides its items")
    func collapsed() throws {
        let header = #""header": {"unitType": "H", "unitData": 1},"#
        let hidden = [
            0: [Self.section("1", ["a"], #""collapsed": false,"# + header)],
            1: [Self.section("1", ["b"], #""collapsed": true,"#)], 2: [Self.section("1", ["c"])],
        ]
        let registry = try sampleCatalog().registry
        let merged = try #require(try model(hidden).merged(registry: registry).sections.first)
        #expect(merged.collapsed)
        #expect(merged.itemCount == 0)
        #expect(merged.parts.isEmpty)
        #expect(merged.hasHeader)
        let shown = try model([
            0: [Self.section("1", ["a"], #""collapsed": true,"#)],
            1: [Self.section("1", ["b"], #""collapsed": false,"#)],
        ])
        #expect(shown.merged(registry: registry).sections.map(\.itemCount) == [2])
    }

    @Test("sections can be collapsed on top of what is stored, by their exact ids")
    func collapsedOnTop() throws {
        let model = try model([
            0: [
                Self.section(#""\u00e9""#, ["a"]), Self.section("2", ["b"]),
                Self.section("null", ["c"]),
            ]
        ])
        let registry = try sampleCatalog().registry
        let counts = { (ids: [String]) in
            model.merged(collapsed: ids, registry: registry).sections.map(\.itemCount)
        }
        #expect(counts([]) == [1, 1, 1])
        #expect(counts(["2", "unknown", ""]) == [1, 0, 1])
        #expect(counts(["e\u{301}"]) == [1, 1, 1])
        #expect(counts(["\u{e9}"]) == [0, 1, 1])
    }

    @Test("each layout member that a later page sets wins; the catalog's stands under them all")
    func layouts() throws {
        var registry = try sampleCatalog().registry
        var base = SectionLayout()
        base.flow.gridColumnCount = 9
        base.flow.minimumLineSpacing = 9
        base.flow.minimumInteritemSpacing = 9
        registry.setLayout(base, forSection: "1")
        let model = try model([
            1: [Self.section("1", [], #""layout": {"minimumLineSpacing": 2},"#)],
            0: [
                Self.section(
                    "1", [], #""layout": {"minimumLineSpacing": 1, "gridColumnCount": 1},"#)
            ],
        ])
        let flow = try #require(model.merged(registry: registry).sections.first).layout.flow
        #expect(flow.minimumLineSpacing == 2)
        #expect(flow.gridColumnCount == 1)
        #expect(flow.minimumInteritemSpacing == 9)
    }

    @Test("a tree up to a page holds that page and the lower ones, and says whether there is more")
    func upTo() throws {
        let sections = [Self.section("1", ["x"])]
        let registry = try sampleCatalog().registry
        let model = try model([5: sections, 2: sections, 9: sections], hasNext: [5])
        let states = [1, 2, 4, 5, 9, Int.max].map { last in
            let screen = model.merged(upTo: last, registry: registry)
            return "\(screen.page) \(screen.pageCount) \(screen.hasNext)"
        }
        #expect(
            states == [
                "0 0 true", "2 1 true", "2 1 true", "5 2 true", "9 3 false", "9 3 false",
            ])
        let more = try self.model([0: sections], hasNext: [0])
        #expect(more.merged(registry: registry).hasNext)
        let none = PaginatedViewModel().merged(registry: registry)
        #expect(none.page == 0)
        #expect(none.pageCount == 0)
        #expect(!none.hasNext)
        #expect(none.sections.isEmpty)
    }

    @Test("diagnostics stand in page order, with their pages' numbers")
    func diagnostics() throws {
        let model = try model([7: [#"[{"unitType": "?"}]"#], 3: [#"[{"unitType": "!"}]"#]])
        let screen = model.merged(registry: try sampleCatalog().registry)
        #expect(screen.diagnostics.map(\.page) == [3, 7])
        #expect(
            model.merged(upTo: 3, registry: try sampleCatalog().registry).diagnostics.count == 1)
    }
}
