import Broadsheet
import Testing

@Suite("The contract (docs/api.md, Pages in)") struct ContractShapesTests {
    private func units(_ section: ServerStateSection) -> [String] {
        section.units.map { "\($0.unitType)=\(Self.bytes(of: $0.data))" }
    }

    private static func bytes(of value: JSONValue) -> String {
        String(decoding: value.document.bytes[value.byteRange], as: UTF8.self)
    }

    @Test("reads every member of a page")
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
        "has defaults for what may be left out, or null",
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

    @Test("takes a section that is just an array of units")
    func bareSections() throws {
        let page = try posted(
            #"{"sections": [[{"unitType": "A", "unitData": 1}, {"unitType": "B"}], []]}"#)
        #expect(page.sections.map(\.identifier) == [nil, nil])
        #expect(page.sections.map(units) == [["A=1", #"B={"unitType": "B"}"#], []])
    }

    @Test("takes a unit without data as its own data, but one of null data as null")
    func flatUnits() throws {
        let page = try posted(
            #"{"sections": [[{"unitType": "A", "x": 1}, {"unitType": "B", "unitData": null}]]}"#)
        #expect(page.sections.map(units) == [[#"A={"unitType": "A", "x": 1}"#, "B=null"]])
    }

    @Test("renames its members as a catalog says, and then knows the old names no more")
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
        "takes a section's id from a string or from a number's bytes",
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
        "takes a page number however it is written, up to 2^31 - 1",
        arguments: [
            ("0", 0), ("-0", 0), ("1.0", 1), ("1e2", 100), ("2147483647", 2_147_483_647),
        ])
    func pageNumbers(json: String, number: Int) throws {
        #expect(try posted(#"{"page": \#(json), "sections": []}"#).number == number)
    }

    @Test("ignores members that it does not know")
    func unknownMembers() throws {
        let page = try posted(
            #"{"x": 1, "sections": [{"y": [], "units": [{"unitType": "A", "unitData": 1, "z": 2}]}]}"#
        )
        #expect(page.sections.map(units) == [["A=1"]])
    }

    @Test("counts the last of the members of one name")
    func duplicateMembers() throws {
        let page = try posted(
            """
            {"sections": 1, "hasNext": 1, "sections": [[{"unitType": 7, "unitType": "A",
            "unitData": 1, "unitData": 2}]], "hasNext": true}
            """)
        #expect(page.hasNext)
        #expect(page.sections.map(units) == [["A=2"]])
    }

    @Test("reads a page that is part of a larger document, and says where in that it is wrong")
    func nestedPages() throws {
        let root = try JSONDocument(Array(#"{"pages": [{"sections": [{"units": 1}]}]}"#.utf8)).root
        let value = try #require(root["pages"]?.elements.first { _ in true })
        let error = #expect(throws: ContractError.self) {
            try ServerStatePage(value, at: "/pages/0")
        }
        #expect(error?.violations.map(\.pointer) == ["/pages/0/sections/0/units"])
    }
}
