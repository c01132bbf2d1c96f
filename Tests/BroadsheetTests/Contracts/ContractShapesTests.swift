import Broadsheet
import Testing

@Suite("Contract of pages (docs/api.md, \"A page\")") struct ContractShapesTests {
    private func units(_ section: ServerStateSection) -> [String] {
        section.units.map { "\($0.unitType)=\(Self.bytes(of: $0.data))" }
    }

    private static func bytes(of value: JSONValue) -> String {
        String(decoding: value.document.bytes[value.byteRange], as: UTF8.self)
    }

    @Test("Every member of a page is read")
    func everyMember() throws {
        let page = try posted(
            """
            {"page": 3, "hasNext": true, "sections": [{
              "sectionId": "A", "collapsed": true, "layout": {"gridColumnCount": 2},
              "header": {"unitType": "H", "unitData": {"t": 1}},
              "footer": {"unitType": "F", "unitData": [ ]},
              "units": [{"unitType": "U", "unitData": {"a" : 1}}, {"unitType": "V", "unitData": 2}]
            }]}
            """)
        #expect(page.number == 3)
        #expect(page.hasNext)
        let section = try #require(page.sections.first)
        #expect(section.identifier == "A")
        #expect(section.collapsed == true)
        #expect(section.layout?.flow.gridColumnCount == 2)
        #expect(section.header?.unitType == "H")
        #expect(section.header.map { Self.bytes(of: $0.data) } == #"{"t": 1}"#)
        #expect(section.footer?.unitType == "F")
        #expect(units(section) == [#"U={"a" : 1}"#, "V=2"])
    }

    @Test(
        "Members that are left out or null have defaults",
        arguments: [
            #"{"sections": [{"units": []}]}"#,
            """
            {"page": null, "hasNext": null, "sections": [{"sectionId": null, "layout": null,
            "collapsed": null, "header": null, "footer": null, "units": []}]}
            """,
        ])
    func defaults(json: String) throws {
        let page = try posted(json)
        #expect(page.number == nil)
        #expect(!page.hasNext)
        let section = try #require(page.sections.first)
        #expect(section.identifier == nil)
        #expect(section.layout == nil)
        #expect(section.collapsed == nil)
        #expect(section.header == nil)
        #expect(section.footer == nil)
        #expect(section.units.isEmpty)
    }

    @Test("A section can be an array of units")
    func bareSections() throws {
        let page = try posted(
            #"{"sections": [[{"unitType": "A", "unitData": 1}, {"unitType": "B"}], []]}"#)
        #expect(page.sections.map(\.identifier) == [nil, nil])
        #expect(page.sections.map(units) == [["A=1", #"B={"unitType": "B"}"#], []])
    }

    @Test("A unit without a data member is its own data, and null data is null")
    func flatUnits() throws {
        let page = try posted(
            #"{"sections": [[{"unitType": "A", "x": 1}, {"unitType": "B", "unitData": null}]]}"#)
        #expect(page.sections.map(units) == [[#"A={"unitType": "A", "x": 1}"#, "B=null"]])
    }

    @Test("A catalog's names replace the default names")
    func renamedMembers() throws {
        let names = ContractNames(
            sections: "blocks", sectionId: "key", units: "rows", unitType: "kind", unitData: "body")
        let page = try posted(
            """
            {"blocks": [{"key": "K", "sectionId": 1, "rows": [{"kind": "A", "body": 1,
            "unitType": 2}]}], "sections": "ignored"}
            """, names: names)
        #expect(page.sections.map(\.identifier) == ["K"])
        #expect(page.sections.map(units) == [["A=1"]])
        #expect(try violations(#"{"sections": []}"#, names: names) == ["/blocks"])
    }

    @Test(
        "A section's id is a string or a number's bytes",
        arguments: [
            (#""a""#, "a"), (#""\u0061\n""#, "a\n"), (#""""#, ""), ("1e2", "1e2"), ("-0", "-0"),
            (
                "1234567890123456789012345678901234567890",
                "1234567890123456789012345678901234567890"
            ),
            (#""\ud83d\ude00""#, "😀"),
        ])
    func identifiers(json: String, text: String) throws {
        let page = try posted(#"{"sections": [{"sectionId": \#(json), "units": []}]}"#)
        #expect(page.sections.first?.identifier == text)
    }

    @Test(
        "A page number is read in any notation, up to 2^31 - 1",
        arguments: [
            ("0", 0), ("-0", 0), ("1.0", 1), ("1e2", 100), ("2147483647", 2_147_483_647),
        ])
    func pageNumbers(json: String, number: Int) throws {
        #expect(try posted(#"{"page": \#(json), "sections": []}"#).number == number)
    }

    @Test("Unknown members are ignored")
    func unknownMembers() throws {
        let page = try posted(
            #"{"x": 1, "sections": [{"y": [], "units": [{"unitType": "A", "unitData": 1, "z": 2}]}]}"#
        )
        #expect(page.sections.map(units) == [["A=1"]])
    }

    @Test("The last of duplicate members counts")
    func duplicateMembers() throws {
        let page = try posted(
            """
            {"sections": 1, "hasNext": 1, "sections": [[{"unitType": 7, "unitType": "A",
            "unitData": 1, "unitData": 2}]], "hasNext": true}
            """)
        #expect(page.hasNext)
        #expect(page.sections.map(units) == [["A=2"]])
    }

    @Test("Violations of a page in a larger document have pointers into that document")
    func nestedPages() throws {
        let root = try JSONDocument(Array(#"{"pages": [{"sections": [{"units": 1}]}]}"#.utf8)).root
        let value = try #require(root["pages"]?.elements.first { _ in true })
        let error = #expect(throws: ContractError.self) {
            try ServerStatePage(value, at: "/pages/0")
        }
        #expect(error?.violations.map(\.pointer) == ["/pages/0/sections/0/units"])
    }
}
