import Testing

@testable import Broadsheet

@Suite("Members that are ignored (docs/api.md, Diagnostics; docs/catalog.md)")
struct IgnoredMemberTests {
    private func page(_ json: String, by catalog: String = "{}") throws -> ResolvedPage {
        let catalog = try Catalog(Array(catalog.utf8))
        return try resolved(json, number: 3, by: catalog.registry)
    }

    private func notes(_ diagnostics: [Diagnostic]) -> [String] {
        diagnostics.filter { $0.code != .unknownUnitType }
            .map { "\($0.code.rawValue) \($0.pointer) \($0.detail)" }
    }

    @Test(
        "An unknown member has a diagnostic with the nearest known name",
        arguments: [
            (#"{"sections": [], "hasNexxt": true}"#, "/hasNexxt", "hasNext"),
            (#"{"sections": [], "frobnicate": null}"#, "/frobnicate", nil),
            (
                #"{"sections": [{"units": [], "sectionID": 1}]}"#, "/sections/0/sectionID",
                "sectionId"
            ),
            (#"{"sections": [[], {"units": [], "a/b": 1}]}"#, "/sections/1/a~1b", nil),
            (
                #"{"sections": [{"units": [], "layout": {"minimumLineSpacng": 1}}]}"#,
                "/sections/0/layout/minimumLineSpacng", "minimumLineSpacing"
            ),
            (
                #"{"sections": [{"units": [], "layout": {"inset": {"topp": 1}}}]}"#,
                "/sections/0/layout/inset/topp", "top"
            ),
            (
                #"{"sections": [{"units": [], "layout": {"gridColumnCount": {"minItemWidth": 9, "maxx": 2}}}]}"#,
                "/sections/0/layout/gridColumnCount/maxx", "max"
            ),
            (
                #"{"sections": [{"units": [], "layout": {"paging": {"isLoping": 1}}}]}"#,
                "/sections/0/layout/paging/isLoping", "isLooping"
            ),
            (
                #"{"sections": [{"units": [], "layout": {"decoration": {"kind": "k", "modus": 1}}}]}"#,
                "/sections/0/layout/decoration/modus", "mode"
            ),
            (
                #"{"sections": [[{"unitType": "U", "unitData": 1, "unitDate": 1}]]}"#,
                "/sections/0/0/unitDate", "unitData"
            ),
            (
                #"{"sections": [{"units": [], "header": {"unitType": "U", "unitData": 1, "meta": {}}}]}"#,
                "/sections/0/header/meta", nil
            ),
        ] as [(String, String, String?)])
    func unknown(json: String, pointer: String, nearest: String?) throws {
        let question = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
        #expect(
            notes(try page(json).diagnostics)
                == ["UNKNOWN_MEMBER \(pointer) is not known and is ignored\(question)"])
    }

    @Test("Objects of a compositional layout are looked at, too")
    func compositional() throws {
        let page = try page(
            """
            {"sections": [{"units": [], "layout": {"kind": "compositional",
             "itemSize": {"uniform": {"colums": 2, "width": {"frac": 1, "fraction": 1}},
              "dynamic": 1}, "scrolling": "continuous",
             "orthogonalScrollingProperties": {"bounces": true}}}]}
            """)
        #expect(
            page.diagnostics.map(\.pointer) == [
                "/sections/0/layout/itemSize/dynamic",
                "/sections/0/layout/itemSize/uniform/colums",
                "/sections/0/layout/itemSize/uniform/width/frac",
                "/sections/0/layout/orthogonalScrollingProperties/bounces",
            ])
    }

    @Test(
        "Data, $schema and names that begin with x- have no diagnostic",
        arguments: [
            #"{"sections": [], "$schema": "urn:page", "x-trace": 1, "x-": 2}"#,
            #"{"sections": [[{"unitType": "U", "title": "flat"}]]}"#,
            #"{"sections": [[{"unitType": "U", "unitData": {"any": {"thing": 1}}}]]}"#,
            #"{"sections": [[{"unitData": 1, "unitType": "U", "x-y": 0}]]}"#,
            #"{"sections": [{"units": [], "layout": {"decoration": {"kind": "k", "data": {"a": 1}}}}]}"#,
        ])
    func exempt(json: String) throws {
        #expect(notes(try page(json).diagnostics) == [])
    }

    @Test("A name has one diagnostic a page, at its first position")
    func once() throws {
        let page = try page(
            """
            {"sections": [[{"unitType": "U", "unitData": 1, "id": 1},
            {"unitType": "U", "unitData": 1, "id": 1, "\\u0069d": 2}], {"units": [], "id": 1}]}
            """)
        #expect(
            page.diagnostics.filter { $0.code == .unknownMember }.map(\.pointer)
                == ["/sections/0/0/id"])
    }

    @Test("The first 100 names are listed, and members of further names are counted")
    func bounded() throws {
        let members = (0..<150).map { "\"n\($0)\":0" } + ["\"n149\":1", "\"n3\":1"]
        let page = try page("{\"sections\":[],\(members.joined(separator: ","))}")
        #expect(MemberDiagnostics.maxNames == 100)
        #expect(page.diagnosticCounts.byCode == [.unknownMember: 100, .diagnosticsTruncated: 51])
        #expect(page.diagnostics.count == 101)
        #expect(page.diagnostics.last?.detail.hasPrefix("51 more diagnostics") == true)
        let catalog = try Catalog(Array("{\(members.joined(separator: ","))}".utf8))
        #expect(catalog.diagnostics.count == 101)
        #expect(catalog.diagnostics.last?.code == .diagnosticsTruncated)
        #expect(catalog.diagnostics.last?.detail.hasPrefix("51 more diagnostics") == true)
    }

    @Test("The contract's own names are known, the default ones are not")
    func renamed() throws {
        let page = try page(
            #"{"blocks": [{"units": [], "sectionId": 1}], "sections": 1}"#,
            by: #"{"contract": {"sections": "blocks"}}"#)
        #expect(page.diagnostics.map(\.pointer) == ["/sections"])
    }

    @Test(
        "A ratio that refers to data has the same diagnostics",
        arguments: [
            (#"{"value": "/a", "defualt": 1}"#, "defualt", "default"),
            (#"{"value": "/a", "default": 1, "minimum": 0}"#, "minimum", nil),
            (#"{"width": "/w", "height": "/h", "defaults": 1}"#, "defaults", "default"),
        ] as [(String, String, String?)])
    func ratio(json: String, name: String, nearest: String?) throws {
        let catalog = try Catalog(
            Array("{\"cellTypes\": {\"T\": {\"size\": {\"height\": {\"ratio\": \(json)}}}}}".utf8))
        let question = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
        #expect(
            notes(catalog.diagnostics) == [
                "UNKNOWN_MEMBER /cellTypes/T/size/height/ratio/\(name) is not known and is "
                    + "ignored\(question)"
            ])
    }

    @Test(
        "A layout member for other kinds has a diagnostic",
        arguments: [
            (#""appearance": "plain""#, "{}", ["appearance"]),
            (#""kind": "list", "appearance": "plain""#, "{}", []),
            (
                #""kind": "list", "inset": 1, "gridColumnCount": 2"#, "{}",
                ["inset", "gridColumnCount"]
            ),
            (#""kind": "compositional", "inset": 1, "minimumLineSpacing": 1"#, "{}", []),
            (#""kind": "compositional", "gridColumnCount": 1"#, "{}", ["gridColumnCount"]),
            (#""scrolling": "paging""#, #"{"sections": {"S": {"kind": "compositional"}}}"#, []),
            (#""scrolling": "paging""#, #"{"sections": {"*": {"kind": "compositional"}}}"#, []),
            (#""inset": 1"#, #"{"sections": {"S": {"kind": "list"}}}"#, ["inset"]),
            (#""scrolling": null, "pinHeader": true, "paging": {}"#, "{}", []),
            (#""kind": "list", "paging": {}, "decoration": {"kind": "k"}"#, "{}", []),
            (#""kind": "list", "contentInsetsReference": "none", "maxWidth": 9"#, "{}", []),
            (#""placement": "inOrder""#, "{}", ["placement"]),
            (
                #""kind": "masonry", "placement": "inOrder", "gridColumnCount": 2, "inset": 1"#,
                "{}", []
            ),
            (
                #""kind": "masonry", "itemSize": "dynamic", "appearance": "plain""#, "{}",
                ["itemSize", "appearance"]
            ),
        ] as [(String, String, [String])])
    func withoutEffect(layout: String, catalog: String, names: [String]) throws {
        let page = try page(
            "{\"sections\": [{\"sectionId\": \"S\", \"layout\": {\(layout)}, \"units\": []}]}",
            by: catalog)
        #expect(
            page.diagnostics.map { "\($0.code.rawValue) \($0.pointer)" }
                == names.map { "MEMBER_WITHOUT_EFFECT /sections/0/layout/\($0)" })
    }

    @Test("A member without effect has one diagnostic a page, with the kinds that it is for")
    func withoutEffectOnce() throws {
        let section = #"{"units": [], "layout": {"kind": "list", "inset": 1}}"#
        #expect(
            notes(try page("{\"sections\": [\(section), \(section)]}").diagnostics) == [
                "MEMBER_WITHOUT_EFFECT /sections/0/layout/inset has no effect on a section of the "
                    + #"kind "list", only on "flow", "compositional" or "masonry""#
            ])
    }

    @Test(
        "C5, C17: A member without effect beside other members has a diagnostic",
        arguments: [
            (
                #""scrolling": "paging", "itemSize": {"uniform": {"columns": 2, "width": 140}}"#,
                "{}", ["itemSize/uniform/columns"]
            ),
            (
                #""scrolling": "continuous", "itemSize": {"uniform": {"width": {"fraction": 1}}}, "#
                    + #""itemSpacing": 4, "minimumInteritemSpacing": 4, "lineSpacing": 8"#,
                "{}", ["itemSpacing", "minimumInteritemSpacing"]
            ),
            (
                #""direction": "vertical", "scrolling": "paging", "itemSpacing": 4, "#
                    + #""itemSize": {"uniform": {"columns": 2, "width": 140}}"#, "{}", []
            ),
            (#""itemSize": {"uniform": {"width": 140}}"#, "{}", ["itemSize/uniform/width"]),
            (
                #""scrolling": "none", "itemSize": {"uniform": {"columns": 2, "width": 140}}"#,
                "{}", ["itemSize/uniform/width"]
            ),
            (
                #""itemSize": {"uniform": {"width": 140}}"#, #"{"scrolling": "groupPaging"}"#, []
            ),
            (
                #""itemSpacing": 4"#,
                #"{"scrolling": "paging", "itemSize": {"uniform": {"width": 140}}}"#,
                ["itemSpacing"]
            ),
            (
                #""scrolling": "none""#,
                #"{"scrolling": "paging", "itemSize": {"uniform": {"width": 140}}}"#, []
            ),
            (
                #""direction": "vertical", "itemSpacing": 4"#,
                #"{"scrolling": "paging", "itemSize": {"uniform": {"width": 140}}}"#, []
            ),
            (
                #""scrolling": "paging", "itemSpacing": 4, "itemSize": {"uniform": {"columns": 2}}"#,
                "{}", []
            ),
            (#""scrolling": "paging", "itemSize": "dynamic", "itemSpacing": 4"#, "{}", []),
        ] as [(String, String, [String])])
    func withoutEffectBesideOthers(layout: String, registered: String, names: [String]) throws {
        let page = try page(
            """
            {"sections": [{"sectionId": "S", "units": [],
              "layout": {"kind": "compositional", \(layout)}}]}
            """, by: "{\"sections\": {\"S\": \(registered)}}")
        #expect(
            page.diagnostics.map { "\($0.code.rawValue) \($0.pointer)" }
                == names.map { "MEMBER_WITHOUT_EFFECT /sections/0/layout/\($0)" })
    }

    @Test("C17: A catalog's cards have the same diagnostics, once a name")
    func cardsOfCatalog() throws {
        let cards = #"""
            {"kind": "compositional", "scrolling": "groupPaging", "itemSpacing": 4,
             "itemSize": {"uniform": {"columns": 1, "width": 140, "height": 180}}}
            """#
        let catalog = try Catalog(Array("{\"sections\": {\"A\": \(cards), \"B\": \(cards)}}".utf8))
        #expect(
            notes(catalog.diagnostics) == [
                #"MEMBER_WITHOUT_EFFECT /sections/A/itemSize/uniform/columns has no effect beside "#
                    + #""width" in a section that scrolls sideways: each card is a group"#,
                #"MEMBER_WITHOUT_EFFECT /sections/A/itemSpacing has no effect on cards; the space "#
                    + #"between them is "lineSpacing""#,
            ])
        let still = #"{"kind": "compositional", "itemSize": {"uniform": {"width": 140}}}"#
        #expect(
            notes(try Catalog(Array("{\"sections\": {\"*\": \(still)}}".utf8)).diagnostics) == [
                #"MEMBER_WITHOUT_EFFECT /sections/*/itemSize/uniform/width has no effect on "#
                    + #"horizontal groups without "scrolling"; their items share the width of the "#
                    + "section"
            ])
    }

    @Test(
        "P11: An interval that is not above 0 and at most 600 s has one diagnostic, and 3 s are used",
        arguments: ["0", "-1", "600.5", "3000", "3600", "2147484", "1e300", "600", "0.125"])
    func interval(_ value: String) throws {
        let seconds = try #require(Double(value))
        let isUsable = (0.1...600).contains(seconds)
        let layout = #"{"paging": {"isAutoRolling": true, "autoRollingTimeInterval": \#(value)}}"#
        let section = #"{"units": [{"unitType": "A", "unitData": {}}], "layout": \#(layout)}"#
        let member = "layout/paging/autoRollingTimeInterval"
        func expected(_ pointer: String) -> [String] {
            isUsable
                ? []
                : [
                    "UNUSABLE_VALUE \(pointer) is in seconds (not milliseconds), above 0 and at "
                        + "most 600; the default of 3 is used"
                ]
        }
        let page = try page("{\"sections\": [\(section), \(section)]}")
        #expect(notes(page.diagnostics) == expected("/sections/0/\(member)"))
        let catalog = try Catalog(Array("{\"sections\": {\"A\": \(layout)}}".utf8))
        #expect(
            notes(catalog.diagnostics)
                == expected("/sections/A/paging/autoRollingTimeInterval"))
        let paging = catalog.registry.layout(forSection: "A").flow.paging
        #expect(paging?.autoRollingTimeInterval == (isUsable ? seconds : 3))
    }

    @Test("A catalog has the same diagnostics, without a page")
    func catalog() throws {
        let catalog = try Catalog(
            Array(
                """
                {"$schema": "s", "cellType": {}, "screen": {"pinHeader": true, "itemSize": {"w": 1}},
                 "contract": {"section": "s"}, "sections": {"x-y": {"appearance": "plain"}},
                 "units": {"U": [{"cell": {"type": "T", "optionl": true}, "sells": {}}]},
                 "cellTypes": {"T": {"siz": 1, "picture": {"titel": "", "title": ""}, "size": {"hight": 1, "height": {"value": "/h", "def": 1}}}}}
                """.utf8))
        #expect(catalog.diagnostics.allSatisfy { $0.page == nil })
        #expect(
            catalog.diagnostics.map { "\($0.code.rawValue) \($0.pointer)" } == [
                "UNKNOWN_MEMBER /cellType", "UNKNOWN_MEMBER /screen/pinHeader",
                "UNKNOWN_MEMBER /screen/itemSize/w", "UNKNOWN_MEMBER /contract/section",
                "UNKNOWN_MEMBER /cellTypes/T/siz", "UNKNOWN_MEMBER /cellTypes/T/size/hight",
                "UNKNOWN_MEMBER /cellTypes/T/size/height/def",
                "UNKNOWN_MEMBER /cellTypes/T/picture/titel",
                "MEMBER_WITHOUT_EFFECT /sections/x-y/appearance", "UNKNOWN_MEMBER /units/U/0/sells",
                "UNKNOWN_MEMBER /units/U/0/cell/optionl",
            ])
        #expect(Catalog.storefront.diagnostics.isEmpty)
    }
}
