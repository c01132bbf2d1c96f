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

    @Test("Cells, headers and footers are made of models, with members in the order of their names")
    func models() throws {
        struct Model: Encodable {
            var title = "T"
            var id: String
        }
        let page = ResolvedPage.build(number: 0) { page in
            page.section("A") { section in
                section.header(Title.self, data: "Head")
                section.cells(Card.self, data: ["a", "b"].map { Model(id: $0) })
                section.cell(Card.self, data: Model(id: "c"))
                section.footer(Title.self, data: 5)
            }
        }
        #expect(page.view(page.sections.first?.header) == #"Title="Head""#)
        #expect(page.view(page.sections.first?.footer) == "Title=5")
        #expect(
            page.items == [
                [
                    #"Card:a={"id":"a","title":"T"}"#, #"Card:b={"id":"b","title":"T"}"#,
                    #"Card:c={"id":"c","title":"T"}"#,
                ]
            ])
        #expect(page.diagnostics.isEmpty)
    }

    @Test("A page has data of several documents and models, each value once")
    func documents() throws {
        let document = try #require(document)
        let other = try JSONDocument(Array(#" [{"id": "x"}, {"id": "\u00fc"}] "#.utf8))
        let page = ResolvedPage.build(number: 0, from: document) { page in
            page.section { section in
                section.data = other.root
                section.cells(Card.self, data: other.root)
                section.cells(Card.self, data: document.root["cards"])
                section.cells(Card.self, data: other.root)
                section.cell(Card.self, data: ["id": 7])
                section.cell(Title.self, data: document.root["title"])
            }
        }
        let shown = [
            #"Card:x={"id": "x"}"#, #"Card:ü={"id": "\u00fc"}"#, #"Card:a={"id": "a"}"#,
            #"Card:2={"id": 2}"#, "Card:p0.u1.e2={}", #"Card:x={"id": "x"}"#,
            #"Card:ü={"id": "\u00fc"}"#, #"Card:7={"id":7}"#, #"Title:p0.u4.e0="T""#,
        ]
        #expect(page.items == [shown])
        #expect(
            String(decoding: page.bytes, as: UTF8.self)
                == #"[[{"id": "x"}, {"id": "\u00fc"}],[{"id": "a"}, {"id": 2}, {}],{"id":7},"T"]"#)
        #expect(page.sections.first?.dataRange == 1..<32)
        var model = PaginatedViewModel()
        try model.load(page)
        let screen = LaidOutScreen(model.merged(registry: CellRegistry()))
        #expect(screen.sections[0].items.map(\.frame.height).prefix(8) == [2, 2, 2, 2, 2, 2, 2, 2])
    }

    @Test("A page of values of one document has its bytes")
    func oneDocument() throws {
        let document = try #require(document)
        let page = ResolvedPage.build(number: 0) { page in
            page.section { $0.cell(Title.self, data: document.root["title"]) }
            page.section { $0.cells(Card.self, data: document.root["cards"]) }
        }
        #expect(page.bytes == document.bytes)
        #expect(ResolvedPage.build(number: 0, from: document) { _ in }.bytes == document.bytes)
        let empty = ResolvedPage.build(number: 0) { page in page.section("A") { _ in } }
        #expect(String(decoding: empty.bytes, as: UTF8.self) == "null")
    }

    @Test("MISSING_DATA: Models that cannot be JSON have a pointer to the part, others are made")
    func unusableModels() {
        let none: [Int]? = nil
        let page = ResolvedPage.build(number: 0) { page in
            page.section { section in
                section.cell(Card.self, data: ["a": ["b": Double.nan]])
                section.cells(Card.self, data: none)
                section.cells(Card.self, data: none, optional: true)
                section.cells(Card.self, data: "text")
                section.header(Title.self, data: none)
                section.header(Title.self, data: Double.infinity)
                section.cell(Card.self, data: 1)
            }
        }
        #expect(
            page.notes == [
                "MISSING_DATA /sections/0/units/0/unitData/a/b",
                "MISSING_DATA /sections/0/units/1/unitData",
                "NOT_AN_ARRAY /sections/0/units/3/unitData",
                "MISSING_DATA /sections/0/units/5/unitData",
            ])
        #expect(page.items == [["Card:p0.u6.e0=1"]])
        #expect(page.sections.first?.header == nil)
    }

    @Test("MISSING_DATA: A posted page has no cells of models")
    func modelsInPostedPage() throws {
        var registry = CellRegistry()
        registry.register("U") { unit, section in
            section.cells(Card.self, data: [1])
            section.cell(Card.self, data: unit.data)
        }
        let page = try resolved(
            #"{"sections": [[{"unitType": "U", "unitData": 2}]]}"#, by: registry)
        #expect(page.items == [["Card:p0.u0.e0=2"]])
        #expect(page.notes == ["MISSING_DATA /sections/0/0/unitData"])
        #expect(page.diagnostics.first?.detail.contains("not of models") == true)
    }

    @Test("A typed cell of a built page gets its model")
    func typedCells() throws {
        struct Price: Codable, Sendable { var amount: Double }
        enum PriceCell: CellType {
            static func size(with price: Price, constrainedTo container: Container) -> Size? {
                Size(width: 1, height: price.amount)
            }
        }
        let document = try #require(document)
        var model = PaginatedViewModel()
        try model.load(
            ResolvedPage.build(number: 0) { page in
                page.section("S") { section in
                    section.cells(PriceCell.self, data: [Price(amount: 3), Price(amount: 5)])
                    section.cell(Card.self, data: document.root["title"])
                }
            })
        let screen = LaidOutScreen(model.merged(registry: CellRegistry()))
        #expect(screen.sections[0].items.map(\.frame.height) == [3, 5, 2])
        #expect(try screen.sections[0].items[1].data.decode(Price.self).amount == 5)
        let unfit = try JSONDocument(Array(#"[{"amount": "high"}]"#.utf8)).root
        let page = ResolvedPage.build(number: 0) { page in
            page.section { $0.cells(PriceCell.self, data: unfit) }
        }
        #expect(page.notes == ["UNUSABLE_VALUE /sections/0/units/0/unitData/0/amount"])
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
