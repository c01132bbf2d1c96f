import Broadsheet
import BroadsheetClient
import Testing

private enum Card: CellType {
    static let id: JSONPointer? = "/id"
    static func size(with data: JSONValue, constrainedTo container: Container) -> Size? { nil }
}

private enum Wide: CellType {
    static let id: JSONPointer? = "/id"
    static func size(with data: JSONValue, constrainedTo container: Container) -> Size? { nil }
}

@Suite("Handlers of sections and units in Swift") struct RegistrationTests {
    /// Units of type `U` are wide in the section `W`.
    private func registry() -> CellRegistry {
        var registry = CellRegistry()
        registry.register("U", cellTypes: Card.self, Wide.self) { unit, section in
            if section.identifier == "W" {
                section.cells(Wide.self, data: unit.data)
            } else {
                section.cells(Card.self, data: unit.data)
            }
        }
        return registry
    }

    private func section(_ members: String, _ units: String) -> String {
        #"{"sections": [{\#(members)"units": [\#(units)]}]}"#
    }

    private func layout(_ text: String, by registry: CellRegistry) throws -> SectionLayout {
        var model = PaginatedViewModel()
        try model.load(resolved(text, by: registry))
        return try #require(model.merged(registry: registry).sections.first?.layout)
    }

    @Test("Section handlers set members, each on those before it; units and the page override them")
    func sectionHandler() throws {
        var registry = CellRegistry()
        registry.setLayout(.flow(columns: 2, lineSpacing: 1, interitemSpacing: 9), forSection: "L")
        registry.configureSection { section, layout in
            guard section.identifier == "L" else { return }
            layout.flow.minimumLineSpacing = 15
            layout.flow.gridColumnCount = 3
            layout.pinHeader = true
        }
        registry.register("U") { _, section in
            #expect(section.layout.pinHeader == true)
            section.layout.flow.gridColumnCount = 4
        }
        let posted = #""sectionId": "L", "layout": {"gridColumnCount": 5}, "#
        #expect(try layout(section(posted, ""), by: registry).flow.gridColumnCount == 5)
        let own = #""sectionId": "L", "#
        let units = try layout(section(own, #"{"unitType": "U"}"#), by: registry)
        #expect(units.flow.gridColumnCount == 4)
        let set = try layout(section(own, ""), by: registry)
        #expect(set.flow.gridColumnCount == 3)
        #expect(set.flow.minimumLineSpacing == 15)
        #expect(set.flow.minimumInteritemSpacing == 9)
        #expect(set.pinHeader == true)
        #expect(try layout(section("", ""), by: registry) == SectionLayout())
        registry.configureSection { _, layout in
            guard layout.flow.gridColumnCount == 3 else { return }
            layout.flow.gridColumnCount = 6
        }
        let both = try layout(section(own, ""), by: registry)
        #expect(both.flow.gridColumnCount == 6 && both.flow.minimumLineSpacing == 15)
    }

    @Test("MEMBER_WITHOUT_EFFECT: A section handler may set the kind")
    func sectionKind() throws {
        var registry = CellRegistry()
        let text = section(#""layout": {"gridColumnCount": 5}, "#, "")
        #expect(try resolved(text, by: registry).notes == [])
        registry.configureSection { _, layout in layout = .list() }
        #expect(
            try resolved(text, by: registry).notes
                == ["MEMBER_WITHOUT_EFFECT /sections/0/layout/gridColumnCount"])
    }

    @Test("A unit handler sees the id of its section, also in headers")
    func unitHandler() throws {
        let unit = #"{"unitType": "U", "unitData": [{"id": 1}]}"#
        #expect(
            try resolved(section(#""sectionId": "W", "#, unit), by: registry()).items
                == [[#"Wide:1={"id": 1}"#]])
        for id in ["", #""sectionId": "w", "#, #""sectionId": null, "#] {
            #expect(
                try resolved(section(id, unit), by: registry()).items
                    == [[#"Card:1={"id": 1}"#]])
        }
        var headers = CellRegistry()
        headers.register("H") { unit, section in
            section.header(section.identifier == "W" ? Wide.self : Card.self, data: unit.data)
        }
        let page = try resolved(
            section(#""sectionId": "W", "header": {"unitType": "H", "unitData": 1}, "#, ""),
            by: headers)
        #expect(page.view(page.sections.first?.header) == "Wide=1")
    }

    @Test("Edits know what a unit makes in the section that it is in")
    func edits() throws {
        var registry = CellRegistry()
        registry.register("U") { unit, section in
            section.cell(Card.self, data: unit.data[section.identifier == "W" ? "wide" : "card"])
        }
        let unit = #"{"unitType":"U","unitData":{"wide":{"id":"w"},"card":{"id":"c"}}}"#
        let text =
            #"{"sections":[{"sectionId":"A","units":[\#(unit)]},{"sectionId":"W","units":[\#(unit)]}]}"#
        var model = PaginatedViewModel()
        try model.load(resolved(text, by: registry))
        let patch = try JSONDocument(Array(#"{"v":1}"#.utf8)).root
        try model.updatePages(registry: registry) { updater throws(EditError) in
            try updater.patchItem(section: "W", item: "w", patch: patch)
            try updater.patchItem(section: "A", item: "c", patch: patch)
        }
        let patched =
            #"{"unitType":"U","unitData":{"wide":{"id":"w"},"card":{"id":"c","v":1}}}"#
        #expect(texts(model).first?.contains(patched) == true)
        try model.updatePages(registry: registry) { updater throws(EditError) in
            try updater.moveItems(section: "A", items: ["c"], toSection: "W")
            try updater.patchItem(section: "W", item: "w#2", patch: patch)
            try updater.deleteItems(section: "W", .some(["w"]))
        }
        let items = model.merged(registry: registry).sections.map(\.items)
        #expect(items.map { $0.map(\.id) } == [[], ["w"]])
        #expect(items.last?.first.map { Array($0.data.bytes) } == Array(#"{"id":"w","v":1}"#.utf8))
    }

    private func withDefault() -> CellRegistry {
        var registry = registry()
        registry.registerDefault(cellTypes: Card.self) { unit, section in
            guard unit.unitType.hasPrefix("X_") else { return }
            section.cell(Card.self, data: unit.data)
        }
        return registry
    }

    @Test(
        "UNKNOWN_UNIT_TYPE: A default handler makes units that are not registered, or leaves them")
    func defaultHandler() throws {
        let page = try resolved(
            section(
                "",
                #"""
                {"unitType": "X_A", "unitData": 1}, {"unitType": "U", "unitData": [2]},
                {"unitType": "Y", "unitData": 3}, {"unitType": "X_B"}
                """#), by: withDefault())
        #expect(page.items.first?.count == 3)
        #expect(page.notes == ["UNKNOWN_UNIT_TYPE /sections/0/units/2/unitType"])
        #expect(page.unknownUnitTypes == ["Y"])
    }

    @Test("A fallback stands in for a unit that the default handler leaves")
    func defaultAndFallback() throws {
        func unit(_ type: String) -> String {
            #"{"unitType": "\#(type)", "unitData": 1, "fallback": {"unitType": "U", "unitData": [2]}}"#
        }
        #expect(
            try resolved(section("", unit("X_A")), by: withDefault()).items
                == [["Card:p0.u0.e0=1"]])
        let page = try resolved(section("", unit("Y")), by: withDefault())
        #expect(page.items == [["Card:p0.u0.e0=2"]])
        #expect(page.notes.contains("UNKNOWN_UNIT_TYPE /sections/0/units/0/unitType"))
    }

    @Test("Units of the default handler are edited")
    func defaultEdits() throws {
        let registry = withDefault()
        var model = PaginatedViewModel()
        try model.load(
            resolved(
                section(#""sectionId": "S", "#, #"{"unitType": "X_A", "unitData": {"id": "a"}}"#),
                by: registry))
        let data = try JSONDocument(Array(#"{"id": "b"}"#.utf8)).root
        try model.updatePages(registry: registry) { updater throws(EditError) in
            try updater.upsertItems(section: 0, unitType: "X_B", data: [data])
            try updater.deleteItems(section: "S", .some(["a"]))
        }
        #expect(
            model.merged(registry: registry).sections.map { $0.items.map(\.id) } == [["b"]])
    }

    @Test("A declared type whose id is not a JSON Pointer stops the program")
    func invalidPointer() async {
        await #expect(processExitsWith: .failure) {
            enum Wrong: CellType {
                static let id: JSONPointer? = "id"
                static func size(
                    with data: JSONValue, constrainedTo container: Container
                ) -> Size? { nil }
            }
            var registry = CellRegistry()
            registry.register("U", cellTypes: Wrong.self) { _, _ in }
        }
    }

    @Test("Two declared types of one name stop the program; one that is declared twice does not")
    func repeatedName() async {
        var registry = CellRegistry()
        registry.declare(Card.self)
        registry.declare(Card.self)
        await #expect(processExitsWith: .failure) {
            enum One: CellType {
                static let typeName = "Card"
                static func size(
                    with data: JSONValue, constrainedTo container: Container
                ) -> Size? { nil }
            }
            enum Other: CellType {
                static let typeName = "Card"
                static func size(
                    with data: JSONValue, constrainedTo container: Container
                ) -> Size? { nil }
            }
            var registry = CellRegistry()
            registry.declare(One.self)
            registry.registerDefault(cellTypes: Other.self) { _, _ in }
        }
    }

    @Test("Declared types with names or ids beyond the limits stop the program")
    func limits() async throws {
        enum Longest: CellType {
            static let typeName = String(repeating: "n", count: CatalogLimits.maxNameBytes)
            static let id = try? JSONPointer(
                "/" + String(repeating: "p", count: CatalogLimits.maxPointerBytes - 1))
            static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
                nil
            }
        }
        var registry = CellRegistry()
        registry.declare(Longest.self)
        await #expect(processExitsWith: .failure) {
            enum Named: CellType {
                static let typeName = String(repeating: "n", count: CatalogLimits.maxNameBytes + 1)
                static func size(
                    with data: JSONValue, constrainedTo container: Container
                ) -> Size? { nil }
            }
            var registry = CellRegistry()
            registry.declare(Named.self)
        }
        await #expect(processExitsWith: .failure) {
            enum Identified: CellType {
                static let id = try? JSONPointer(
                    "/" + String(repeating: "p", count: CatalogLimits.maxPointerBytes))
                static func size(
                    with data: JSONValue, constrainedTo container: Container
                ) -> Size? { nil }
            }
            var registry = CellRegistry()
            registry.declare(Identified.self)
        }
    }
}
