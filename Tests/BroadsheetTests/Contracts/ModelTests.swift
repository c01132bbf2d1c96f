import Broadsheet
import Testing

private struct Goods: Codable, Hashable, Sendable {
    var id: String
    var title: String
    var price: Double?
}

private struct Unit: ServerStateUnitRepresentable {
    var unitType: String
    var unitData: (any Encodable & Sendable)?
}

private struct Section: ServerStateSectionRepresentable {
    var sectionId: String?
    var units: [any ServerStateUnitRepresentable]
    var header: (any ServerStateUnitRepresentable)?
    var collapsed: Bool?
    var data: (any Encodable & Sendable)?
}

private struct Infinite: Encodable, Sendable {
    var lengths = [1, Double.infinity]
}

@Suite("Models as pages and as values") struct ModelTests {
    private let sections = [
        Section(
            sectionId: "Products",
            units: [
                Unit(
                    unitType: "SS_PRODUCT_LIST",
                    unitData: [Goods(id: "a/1", title: "\"é\"", price: 9.5)])
            ],
            header: Unit(unitType: "H", unitData: nil), collapsed: true, data: ["sort": "new"])
    ]

    @Test("Sections and units of a backend's own types become the bytes of a page")
    func page() throws {
        let page = try ServerStatePage(number: 3, hasNext: true, sections: sections)
        #expect(
            String(decoding: page.document.bytes, as: UTF8.self)
                == #"{"hasNext":true,"page":3,"sections":[{"collapsed":true,"data":{"sort":"new"},"#
                + #""header":{"unitData":null,"unitType":"H"},"sectionId":"Products","units":["#
                + #"{"unitData":[{"id":"a/1","price":9.5,"title":"\"é\""}],"#
                + #""unitType":"SS_PRODUCT_LIST"}]}]}"#)
        #expect(page.number == 3)
        #expect(page.hasNext)
        #expect(page.sections.first?.identifier == "Products")
        #expect(page.sections.first?.units.first?.unitType == "SS_PRODUCT_LIST")
    }

    @Test("A page has the names of its contract")
    func names() throws {
        let names = ContractNames(
            sections: "s", sectionId: "i", units: "u", unitType: "t", unitData: "d")
        let page = try ServerStatePage(
            sections: [Section(units: [Unit(unitType: "T", unitData: 1)])], names: names)
        #expect(
            String(decoding: page.document.bytes, as: UTF8.self)
                == #"{"hasNext":false,"s":[{"u":[{"d":1,"t":"T"}]}]}"#)
    }

    @Test("A model that JSON cannot have is an error with its pointer in the page")
    func invalidModel() {
        let error = #expect(throws: ModelPageError.self) {
            try ServerStatePage(
                sections: [Section(units: [Unit(unitType: "T", unitData: Infinite())])])
        }
        guard case .invalidModel(let invalid) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(invalid.pointer == "/sections/0/units/0/unitData/lengths/1")
    }

    @Test("Models that break a limit of pages are refused")
    func limits() {
        #expect(throws: ModelPageError.self) {
            try ServerStatePage(sections: sections, limits: ScreenLimits(maxDepth: 3))
        }
        #expect(throws: ModelPageError.self) {
            try ServerStatePage(sections: sections, limits: ScreenLimits(maxSections: 0))
        }
    }

    @Test("A value is decoded as a model")
    func decode() throws {
        let root = try JSONDocument(
            Array(#"{"x": 1, "p": {"id": "7", "title": "T", "more": []}}"#.utf8)
        ).root
        let value = try #require(root["p"])
        #expect(try value.decode(Goods.self) == Goods(id: "7", title: "T", price: nil))
        #expect(Array(value.bytes) == Array(#"{"id": "7", "title": "T", "more": []}"#.utf8))
    }

    @Test("A member that stands twice is decoded as its last value, which the tree has too")
    func duplicates() throws {
        let root = try JSONDocument(Array(#"{"id":"1","title":"A","title":"B"}"#.utf8)).root
        #expect(try root.decode(Goods.self).title == "B")
    }

    @Test(
        "A value that does not fit a model is an error with the pointer to the part",
        arguments: [
            (#"[{"id": "1"}]"#, "/0/title"), (#"[{"id": "1", "title": 2}]"#, "/0/title"),
            (#"[{"id": "1", "title": "T"}, null]"#, "/1"), ("{}", ""),
        ])
    func decodeFailure(json: String, pointer: String) throws {
        let root = try JSONDocument(Array(json.utf8)).root
        let error = #expect(throws: ModelError.self) { try root.decode([Goods].self) }
        #expect(error?.pointer == pointer)
        #expect(error?.detail.isEmpty == false)
    }

    @Test("A literal is a JSON Pointer")
    func literal() throws {
        let id: JSONPointer? = "/a~1b/0"
        let root = try JSONDocument(Array(#"{"a/b": [5]}"#.utf8)).root
        #expect(id?.evaluate(on: root)?.int == 5)
    }

    @Test("A literal that is not a JSON Pointer stops the program with the reason")
    func invalidLiteral() async {
        await #expect(processExitsWith: .failure) {
            let id: JSONPointer = "id"
            print(id)
        }
    }
}
