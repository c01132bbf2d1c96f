import Broadsheet
import Testing

@Suite("Layouts of unit types (docs/catalog.md, units)")
struct UnitLayoutTests {
    /// Unit types with 2 and 3 columns, one without layout, and layouts for `S` and all sections.
    private static let units = #"""
        "units": {"TWO": {"cells": {"type": "A"}, "layout": {"gridColumnCount": 2}},
        "THREE": [{"cells": {"type": "A"}}, {"layout": {"gridColumnCount": 3}}],
        "HEAD": {"header": {"type": "A"}, "layout": {"gridColumnCount": 4}},
        "LIST": {"layout": {"kind": "list"}}, "NONE": {"cells": {"type": "A"}}},
        "cellTypes": {"A": {}}
        """#
    private static let standard =
        #"{"sections": {"S": {"inset": 7}, "*": {"gridColumnCount": 9, "inset": 1}}, "#
        + units + "}"

    /// Returns the number of columns of each section, 0 without one.
    private func columns(_ pages: String..., by json: String = standard) throws -> [Int] {
        try layouts(pages, by: json).map { $0.flow.gridColumnCount == nil ? 0 : columns($0) }
    }

    private func columns(_ layout: SectionLayout) -> Int {
        (0...9).first { layout.flow.gridColumnCount == GridColumnCount(integerLiteral: $0) } ?? -1
    }

    private func layouts(_ pages: [String], by json: String) throws -> [SectionLayout] {
        let catalog = try catalog(json)
        var model = PaginatedViewModel()
        for (number, page) in pages.enumerated() {
            try model.load(
                resolved("{\"sections\": [\(page)]}", number: number, by: catalog))
        }
        return model.merged(registry: catalog.registry).sections.map(\.layout)
    }

    /// Returns a section with units of these types.
    private static func section(_ types: [String], _ rest: String = "") -> String {
        let units = types.map { "{\"unitType\": \"\($0)\", \"unitData\": []}" }
        return "{\(rest)\"units\": [\(units.joined(separator: ","))]}"
    }

    @Test(
        "A section has the layout of its id, else of its first unit type with one, else of *",
        arguments: [
            (section(["NONE"]), 9), (section(["TWO"]), 2), (section(["NONE", "THREE", "TWO"]), 3),
            (section(["?", "TWO"]), 2), (section(["TWO"], #""sectionId": "x", "#), 2),
            (section(["TWO"], #""sectionId": "S", "#), 0),
            (section(["TWO"], #""sectionId": "*", "#), 2),
            (section(["NONE"], #""sectionId": "*", "#), 9),
            (section(["TWO"], #""layout": {"gridColumnCount": 5}, "#), 5),
            (#"[{"unitType": "THREE"}]"#, 3), (section([]), 9),
        ])
    func order(section: String, count: Int) throws {
        #expect(try columns(section) == [count])
    }

    @Test("The sources are not combined, and a page's layout applies member by member")
    func notCombined() throws {
        let two = Self.section(["TWO"])
        #expect(try layouts([two], by: Self.standard).first?.flow.inset == nil)
        let own = Self.section(["TWO"], #""layout": {"minimumLineSpacing": 3}, "#)
        let layout = try layouts([own], by: Self.standard).first
        #expect(layout.map(columns) == 2)
        #expect(layout?.flow.minimumLineSpacing == 3)
        let id = Self.section(["TWO"], #""sectionId": "S", "#)
        #expect(try layouts([id], by: Self.standard).first?.flow.inset == Insets(7))
    }

    @Test("The unit of a section's own header or footer does not count")
    func ownViews() throws {
        let head = #""header": {"unitType": "HEAD", "unitData": 1}, "#
        #expect(try columns(Self.section(["NONE"], head)) == [9])
        #expect(try columns(Self.section(["HEAD"])) == [4])
    }

    @Test("The first unit type is that of the first page, and a collapsed section keeps its layout")
    func merged() throws {
        let (first, none) = (#""sectionId": "M", "#, #""sectionId": "M", "collapsed": true, "#)
        #expect(
            try columns(
                Self.section(["NONE"], first), Self.section(["THREE"], none),
                Self.section(["TWO"], first)) == [3])
        #expect(
            try columns(Self.section(["NONE"], first), Self.section(["NONE"], first)) == [9])
    }

    @Test("The kind of a unit type's layout decides which members have an effect")
    func withoutEffect() throws {
        let page = try resolved(
            """
            {"sections": [\(Self.section(["NONE", "LIST"], #""layout": {"appearance": "plain"}, "#)),
            \(Self.section(["LIST"], #""layout": {"inset": 1}, "#)),
            \(Self.section(["LIST"], #""sectionId": "S", "layout": {"headerMode": "none"}, "#))]}
            """, by: try catalog(Self.standard))
        #expect(
            page.notes.filter { $0.hasPrefix("MEMBER") } == [
                "MEMBER_WITHOUT_EFFECT /sections/1/layout/inset",
                "MEMBER_WITHOUT_EFFECT /sections/2/layout/headerMode",
            ])
    }

    @Test("A catalog reports unknown members of these layouts and members without effect")
    func diagnostics() throws {
        let catalog = try catalog(
            #"""
            {"units": {"A": {"layout": {"kind": "list", "inset": 1, "hedderMode": "none"}},
            "B": [{}, {"layout": {"appearance": "plain", "decoration": [{"kind": "k", "zindex": 1}]}}],
            "C": {"layot": {}}}}
            """#)
        #expect(
            catalog.diagnostics.map { "\($0.code.rawValue) \($0.pointer)" } == [
                "UNKNOWN_MEMBER /units/A/layout/hedderMode",
                "MEMBER_WITHOUT_EFFECT /units/A/layout/inset",
                "UNKNOWN_MEMBER /units/B/1/layout/decoration/0/zindex",
                "MEMBER_WITHOUT_EFFECT /units/B/1/layout/appearance",
                "UNKNOWN_MEMBER /units/C/layot",
            ])
        #expect(catalog.diagnostics.last?.detail.hasSuffix(#"did you mean "layout"?"#) == true)
    }

    @Test(
        "An invalid layout of a unit type is a violation, and so is a second one",
        arguments: [
            (#"{"layout": 1}"#, "/layout"), (#"{"layout": {"kind": "x"}}"#, "/layout/kind"),
            (#"[{"layout": {}}, {"layout": {}}]"#, "/1/layout"),
            (#"[{"layout": {"inset": []}}]"#, "/0/layout/inset"),
        ])
    func violations(type: String, pointer: String) throws {
        let error = #expect(throws: CatalogError.self) {
            try Catalog(Array("{\"units\": {\"U\": \(type)}}".utf8))
        }
        guard case .violations(let violations, total: 1) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(violations.map(\.pointer) == ["/units/U\(pointer)"])
    }

    @Test("A null layout is none, and a unit type of only a layout makes nothing")
    func noLayout() throws {
        let catalog = try catalog(
            #"{"units": {"U": [{"layout": null}, {"layout": {"gridColumnCount": 2}}]}}"#)
        let page = try resolved(#"{"sections": [[{"unitType": "U"}]]}"#, by: catalog)
        #expect(page.notes == ["NO_PLACEMENT /sections/0/0/unitType"])
        #expect(catalog.diagnostics.isEmpty)
    }

    @Test("A Swift program registers a unit type with a layout")
    func registry() throws {
        var layout = SectionLayout()
        layout.flow.gridColumnCount = 3
        var registry = CellRegistry()
        registry.register("U", layout: layout) { _, _ in }
        var model = PaginatedViewModel()
        try model.load(resolved(#"{"sections": [[{"unitType": "U"}]]}"#, by: registry))
        #expect(model.merged(registry: registry).sections.map(\.layout) == [layout])
        #expect(registry.layout(forSection: "x", unitLayout: layout) == layout)
        #expect(registry.layout(forSection: "x") == SectionLayout())
        registry.register("U") { _, _ in }
        model = PaginatedViewModel()
        try model.load(resolved(#"{"sections": [[{"unitType": "U"}]]}"#, by: registry))
        #expect(model.merged(registry: registry).sections.map(\.layout) == [SectionLayout()])
    }
}
