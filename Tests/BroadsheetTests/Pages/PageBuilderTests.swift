import Broadsheet
import Testing

private enum Card: CellType {
    static let id: JSONPointer? = "/id"

    static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
        Size(width: 1, height: 2)
    }
}

private enum Title: CellType {
    static func size(with data: JSONValue, constrainedTo container: Container) -> Size? { nil }
}

@Suite("Pages built in Swift") struct PageBuilderTests {
    private let document = try? JSONDocument(
        Array(#"{"title": "T", "cards": [{"id": "a"}, {"id": 2}, {}], "x": null}"#.utf8))

    @Test("A built page has its sections, cells, headers, footers and layouts")
    func builds() throws {
        let document = try #require(document)
        let page = ResolvedPage.build(number: 4, hasNext: true, from: document) { page in
            page.section("A", collapsed: true) { section in
                section.layout.flow.gridColumnCount = 2
                section.header(Title.self, data: document.root["title"])
                section.cells(Card.self, data: document.root["cards"])
                section.cell(Title.self, data: document.root["title"])
                section.footer(Title.self, data: document.root["cards"])
            }
            page.section { _ in }
        }
        #expect(page.number == 4)
        #expect(page.hasNext)
        #expect(page.sections.map(\.identifier) == ["A", nil])
        #expect(page.sections.map(\.collapsed) == [true, nil])
        #expect(page.sections.first?.layout?.flow.gridColumnCount == 2)
        #expect(page.sections.last?.layout == nil)
        #expect(page.view(page.sections.first?.header) == #"Title="T""#)
        #expect(
            page.items == [
                [
                    #"Card:a={"id": "a"}"#, #"Card:2={"id": 2}"#, "Card:p4.u1.e2={}",
                    #"Title:p4.u2.e0="T""#,
                ],
                [],
            ])
        #expect(page.diagnostics.isEmpty)
    }

    @Test("Diagnostics of missing data have the section and the call")
    func diagnostics() throws {
        let document = try #require(document)
        let page = ResolvedPage.build(number: 0, from: document) { page in
            page.section { $0.cell(Card.self, data: document.root["title"]) }
            page.section { section in
                section.header(Title.self, data: nil)
                section.cell(Card.self, data: document.root["x"])
                section.cells(Card.self, data: document.root["title"])
            }
        }
        #expect(
            page.notes == [
                "MISSING_DATA /sections/1/units/1/unitData",
                "NOT_AN_ARRAY /sections/1/units/2/unitData",
            ])
    }

    @Test("Errors of the closures are rethrown")
    func throwing() throws {
        struct Stop: Error {}
        let document = try #require(document)
        #expect(throws: Stop.self) {
            try ResolvedPage.build(number: 0, from: document) { page throws(Stop) in
                try page.section { _ throws(Stop) in throw Stop() }
            }
        }
    }

    @Test("A built page merges with posted pages")
    func merges() throws {
        let document = try #require(document)
        var model = PaginatedViewModel()
        try model.load(
            ResolvedPage.build(number: 1, from: document) { page in
                page.section("S") { $0.cells(Card.self, data: document.root["cards"]) }
            })
        try model.load(
            resolved(
                #"{"sections": [{"sectionId": "S", "units": [{"unitType": "U", "unitData": [{"id": "a"}]}]}]}"#,
                by: sampleCatalog()))
        let screen = model.merged(registry: try sampleCatalog().registry)
        #expect(screen.sections.map { $0.items.map(\.id) } == [["a", "a#2", "2", "p1.u0.e2"]])
        let request = SizeRequest(
            container: Container(viewport: .zero, available: .zero), absent: .zero)
        #expect(screen.sections.first?.itemSizes(request).map(\.height) == [20, 2, 2, 2])
        #expect(screen.sections.first?.uniformItemSize(request) == nil)
    }
}
