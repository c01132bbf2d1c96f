import Broadsheet
import Testing

@Suite("Item identity (docs/catalog.md, id)") struct ItemIdentityTests {
    private func ids(_ json: String, number: Int = 0) throws -> [[String]] {
        let page = try resolved(#"{"sections": \#(json)}"#, number: number, by: sampleCatalog())
        return page.sections.map { section in
            section.cells.map { String(decoding: page.text(of: $0.id), as: UTF8.self) }
        }
    }

    @Test(
        "An item is identified by the string or the number's bytes at its pointer",
        arguments: [
            (#""a""#, "a"), ("1e2", "1e2"), ("-0", "-0"), (#""""#, ""), (#""\u0041\"\n""#, "A\"\n"),
            (#""가 😀""#, "가 😀"), ("0.10", "0.10"),
        ])
    func texts(json: String, id: String) throws {
        #expect(try ids(#"[[{"unitType": "U", "unitData": [{"id": \#(json)}]}]]"#) == [[id]])
    }

    @Test(
        "An item is identified by its position if its pointer finds neither",
        arguments: [
            "{}", #"{"id": null}"#, #"{"id": true}"#, #"{"id": {}}"#, #"{"id": ["a"]}"#, "1",
            "null",
        ])
    func positions(element: String) throws {
        #expect(
            try ids(
                """
                [[], [{"unitType": "?"}, {"unitType": "H"},
                      {"unitType": "U", "unitData": [{"id": "x"}, \(element)]}]]
                """, number: 7) == [[], ["x", "p7.u2.e1"]])
    }

    @Test("An item of a type without an id is identified by its position")
    func typesWithoutId() throws {
        #expect(
            try ids(#"[[{"unitType": "P", "unitData": [{"id": "x"}, 2]}, {"unitType": "ONE"}]]"#)
                == [["p0.u0.e0", "p0.u0.e1", "p0.u1.e0"]])
    }

    @Test("Positions count units within their posted section, in either form")
    func unitsOfASection() throws {
        #expect(
            try ids(
                """
                [{"units": [{"unitType": "ONE"}, {"unitType": "ONE"}]}, [{"unitType": "ONE"}]]
                """) == [["p0.u0.e0", "p0.u1.e0"], ["p0.u0.e0"]])
    }

    @Test("An item takes 24 bytes")
    func memory() {
        #expect(MemoryLayout<CellInfo>.stride == 24)
    }
}
