import Broadsheet
import Testing

/// A cell type in Swift whose height is in its data.
private enum Banner: CellType {
    static let typeName = "BannerCell"
    static let id: JSONPointer? = "/key"

    static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
        data["height"]?.double.map { Size(width: container.available.width, height: $0) }
    }
}

private enum Plain: CellType {
    static func size(with data: JSONValue, constrainedTo container: Container) -> Size? { nil }
}

@Suite("Cell registry in Swift") struct CellRegistryTests {
    private func registry() -> CellRegistry {
        var registry = CellRegistry()
        registry.register("BANNERS") { unit, section in
            section.header(Plain.self, data: unit.data["title"])
            section.cells(Banner.self, data: unit.data["list"])
            section.cell(Plain.self, data: unit.data["more"], optional: true)
            section.footer(Plain.self, data: unit.data["end"])
            section.layout.flow.gridColumnCount = 2
        }
        return registry
    }

    private let json = """
        {"sections": [{"layout": {"minimumLineSpacing": 3}, "units": [{"unitType": "BANNERS",
        "unitData": {"title": 1, "list": [{"key": "a", "height": 30}, {"height": 40}, {}], "end": 2}}]}]}
        """

    @Test("A registry in Swift makes the same items as a catalog")
    func placements() throws {
        let page = try resolved(json, by: registry())
        let section = try #require(page.sections.first)
        #expect(
            page.items(of: section) == [
                #"BannerCell:a={"key": "a", "height": 30}"#, #"BannerCell:p0.u0.e1={"height": 40}"#,
                "BannerCell:p0.u0.e2={}",
            ])
        #expect(page.view(section.header) == "Plain=1")
        #expect(page.view(section.footer) == "Plain=2")
        #expect(page.diagnostics.isEmpty)
    }

    @Test("A Swift type is called for sizes with the item's data and the container")
    func sizes() throws {
        var model = PaginatedViewModel()
        try model.load(resolved(json, by: registry()))
        let section = try #require(model.merged(registry: registry()).sections.first)
        let request = SizeRequest(
            container: Container(
                viewport: Size(width: 400, height: 800), available: Size(width: 300, height: 800)),
            absent: .zero, fallback: Size(width: 50, height: 60))
        let sizes = [
            Size(width: 300, height: 30), Size(width: 300, height: 40), Size(width: 50, height: 60),
        ]
        #expect(section.itemSizes(request) == sizes)
        #expect(section.uniformItemSize(request) == nil)
        #expect(section.headerSize(request) == Size(width: 50, height: 60))
    }

    @Test(
        "A unit's layout members override its section's registered ones, and a page's override both"
    )
    func layoutPrecedence() throws {
        var registry = registry()
        var base = SectionLayout()
        base.flow.gridColumnCount = 1
        base.flow.minimumLineSpacing = 1
        base.flow.minimumInteritemSpacing = 1
        registry.setLayout(base, forSection: "*")
        var model = PaginatedViewModel()
        try model.load(resolved(json, by: registry))
        let layout = try #require(model.merged(registry: registry).sections.first?.layout)
        #expect(layout.flow.gridColumnCount == 2)
        #expect(layout.flow.minimumLineSpacing == 3)
        #expect(layout.flow.minimumInteritemSpacing == 1)
    }

    @Test("Missing data has the same diagnostics as in a catalog")
    func missingData() throws {
        let page = try resolved(
            #"{"sections": [[{"unitType": "BANNERS", "unitData": {"list": 1}}, {"unitType": "BANNERS"}]]}"#,
            by: registry())
        #expect(
            page.notes == [
                "NOT_AN_ARRAY /sections/0/0/unitData", "MISSING_DATA /sections/0/1",
            ])
    }

    @Test("Data of another document is treated as missing")
    func foreignData() throws {
        let foreign = try JSONDocument(Array("[1]".utf8))
        var registry = CellRegistry()
        registry.register("U") { _, section in section.cells(Plain.self, data: foreign.root) }
        let page = try resolved(#"{"sections": [[{"unitType": "U"}]]}"#, by: registry)
        #expect(page.notes == ["MISSING_DATA /sections/0/0"])
    }

    @Test(
        "A registration replaces an earlier one, and an empty configuration makes nothing")
    func reregistration() throws {
        var registry = registry()
        registry.register("BANNERS") { _, _ in }
        let page = try resolved(json, by: registry)
        #expect(page.items == [[]])
        #expect(page.notes == ["NO_PLACEMENT /sections/0/units/0/unitType"])
    }

    @Test("The configuration of a section's own header adds only that header")
    func ownHeader() throws {
        let page = try resolved(
            """
            {"sections": [{"units": [], "header": {"unitType": "BANNERS", "unitData":
            {"title": 1, "list": [1], "end": 2}}}]}
            """, by: registry())
        let section = try #require(page.sections.first)
        #expect(page.view(section.header) == "Plain=1")
        #expect(section.footer == nil)
        #expect(section.cells.isEmpty)
        #expect(section.layout == nil)
    }

    @Test("A section has the layout of its id or that of *, never both")
    func sectionLayouts() {
        var registry = CellRegistry()
        #expect(registry.layout(forSection: "A") == SectionLayout())
        var any = SectionLayout()
        any.flow.inset = Insets(1)
        var own = SectionLayout()
        own.flow.minimumLineSpacing = 2
        registry.setLayout(any, forSection: "*")
        registry.setLayout(own, forSection: "A")
        #expect(registry.layout(forSection: "A") == own)
        #expect(registry.layout(forSection: "B") == any)
        #expect(registry.layout(forSection: nil) == any)
        #expect(registry.layout(forSection: "*") == any)
    }
}
