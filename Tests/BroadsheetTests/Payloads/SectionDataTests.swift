import Broadsheet
import Testing

@Suite("Data of sections (docs/api.md, A page)")
struct SectionDataTests {
    /// Returns the `data` of each section of the tree, as text.
    private func data(
        _ pages: String..., by json: String = "{}",
        with parameters: LayoutParameters = LayoutParameters()
    ) throws -> [String?] {
        let composer = Composer(registry: try catalog(json).registry)
        let tree = try JSONDocument(
            composer.compose(pages.map { Array($0.utf8) }, parameters))
        let sections = try #require(tree.root["sections"])
        return sections.elements.map { section in
            section["data"].map { String(decoding: tree.bytes[$0.byteRange], as: UTF8.self) }
        }
    }

    private static func page(_ sections: String...) -> String {
        "{\"sections\": [\(sections.joined(separator: ","))]}"
    }

    @Test(
        "The data of a section is copied into the tree, byte for byte",
        arguments: [
            #"{"b" : 1e2, "a":[ 1,2 ], "\u0061" : null}"#, "[]", "0.10", #""x\/""#, "false", "{}",
        ])
    func verbatim(json: String) throws {
        let page = Self.page("{\"data\":\t\(json) , \"units\": []}")
        #expect(try data(page) == [json])
        var parameters = LayoutParameters()
        parameters.options.pretty = true
        #expect(try data(page, with: parameters) == [json])
        parameters.options.coordinates = .content
        #expect(try data(page, with: parameters) == [json])
    }

    @Test("Without data, with null, and as an array of units, a section has none")
    func absent() throws {
        #expect(
            try data(Self.page(#"{"units": []}"#, #"{"data": null, "units": []}"#, "[]"))
                == [nil, nil, nil])
    }

    @Test("The data is the last member of a section, and is omitted with fields=frames")
    func fields() throws {
        let page = Array(Self.page(#"{"units": [], "data": 7}"#).utf8)
        let composer = Composer(registry: CellRegistry())
        let tree = String(decoding: try composer.compose(page), as: UTF8.self)
        #expect(tree.contains(#""items":[],"data":7}],"diagnostics":[]"#))
        let frames = LayoutParameters(options: TreeOptions(fields: .frames))
        #expect(try data(Self.page(#"{"units": [], "data": 7}"#), with: frames) == [nil])
    }

    @Test("The data of the last page with data replaces that of earlier ones, as does a later one")
    func merged() throws {
        func section(_ data: String) -> String { #"{"sectionId": "S", \#(data) "units": []}"# }
        let (first, second) = (section(#""data": 1,"#), section(#""data": {"n": 2},"#))
        #expect(try data(Self.page(first), Self.page(second)) == [#"{"n": 2}"#])
        #expect(try data(Self.page(second), Self.page(first), Self.page(section(""))) == ["1"])
        #expect(
            try data(Self.page(second), Self.page(section(#""data": null,"#))) == [#"{"n": 2}"#])
        #expect(try data(Self.page(first, second, section(""))) == [#"{"n": 2}"#])
        #expect(try data(Self.page(section(#""data": 1, "data": 2,"#))) == ["2"])
    }

    @Test("A collapsed section and one without area have their data")
    func collapsed() throws {
        #expect(
            try data(Self.page(#"{"collapsed": true, "data": 1, "units": []}"#)) == ["1"])
        let nothing = LayoutParameters(viewport: Viewport(width: 0, height: 0))
        #expect(try data(Self.page(#"{"data": 1, "units": []}"#), with: nothing) == ["1"])
    }

    @Test("A contract can give the name data to another member, and then there is no data")
    func renamed() throws {
        let units = #"{"contract": {"units": "data"}}"#
        #expect(try data(Self.page(#"{"data": []}"#), by: units) == [nil])
        let id = #"{"contract": {"sectionId": "data"}}"#
        let page = try posted(
            Self.page(#"{"data": "S", "units": []}"#), names: try catalog(id).registry.names)
        #expect(page.sections.map(\.identifier) == ["S"])
        #expect(page.sections.allSatisfy { $0.data == nil })
    }

    @Test("The data is never looked at, and a repeated one is a diagnostic")
    func diagnostics() throws {
        let page = try resolved(
            Self.page(#"{"data": {"sectionID": 1, "layot": {}}, "data": {"a": 1}, "units": []}"#),
            by: sampleCatalog())
        #expect(page.notes == ["DUPLICATE_MEMBER /sections/0/data"])
    }

    @Test("A Swift program sets the data of a section, which the page's own replaces")
    func builder() throws {
        var registry = CellRegistry()
        registry.register("U") { unit, section in section.data = unit.data }
        let unit = #""units": [{"unitType": "U", "unitData": {"x": 1}}]"#
        var model = PaginatedViewModel()
        try model.load(
            resolved(Self.page("{\(unit)}", "{\(unit), \"data\": 5}"), by: registry))
        let sections = model.merged(registry: registry).sections
        #expect(
            sections.map { $0.data.map { $0.page.text($0.range) } } == [#"{"x": 1}"#, "5"])
    }
}
