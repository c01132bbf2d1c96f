import Testing

@testable import BroadsheetCLI

@Suite("Lint diagnostics of broadsheet check")
struct CheckTests {
    private let files = [
        "c.json": """
        {"units": {"T": {"cells": {"type": "Cell"}}},
         "cellTypes": {"Cell": {"size": {"width": 500, "height": 10}}}}
        """,
        "p.json": """
        {"sections": [{"sectionId": "S", "units": [{"unitType": "T", "unitData": [1]}]}]}
        """,
    ]

    @Test("A lint diagnostic is a line with its position and code, and does not change the status")
    func diagnosticLine() async {
        let console = TestConsole(files: files)
        #expect(await console.run("check", "c.json", "p.json") == .success)
        #expect(console.output.contains("p.json:1:15 /sections/0 ITEM_WIDER_THAN_LINE "))
    }

    @Test("A lint diagnostic changes the status with --strict")
    func strict() async {
        let console = TestConsole(files: files)
        #expect(await console.run("check", "--strict", "c.json", "p.json") == .failure)
    }

    @Test("Lint diagnostics are for the viewport of the options")
    func viewport() async {
        let console = TestConsole(files: files)
        #expect(await console.run("check", "--width", "1024", "c.json", "p.json") == .success)
        #expect(!console.output.contains("ITEM_WIDER_THAN_LINE"))
    }

    @Test(
        "Data that does not keep the schema of its cell type is a line at the value, with status 1")
    func itemSchema() async {
        var files = files
        files["s.json"] = #"""
            {"units": {"T": {"cells": {"type": "Cell"}}},
             "cellTypes": {"Cell": {"size": {"height": 10}, "schema": {"type": "string"}}}}
            """#
        let console = TestConsole(files: files)
        #expect(await console.run("check", "s.json", "p.json") == .failure)
        #expect(
            console.output.hasPrefix(
                "p.json:1:75 /sections/0/units/0/unitData/0 SCHEMA_VIOLATION must be a string"))
    }

    @Test("--styles prints the names of styles, or the violations of the catalog")
    func styles() async {
        let types = #"""
            {"cellTypes": {"A": {"style": "card wide", "content": {"column": [
              {"box": "", "name": "a", "style": "sale"}, {"box": "", "name": "b", "style": "%"}]}}}}
            """#
        let files = [
            "c.json": types.replacing("%", with: "badge sale"),
            "plain.json": "{}", "wrong.json": types.replacing("%", with: "Badge"),
        ]
        let console = TestConsole(files: files)
        #expect(await console.run("check", "--styles", "c.json") == .success)
        #expect(console.output == "badge\ncard\nsale\nwide\n")
        let plain = TestConsole(files: files)
        #expect(await plain.run("check", "--styles", "plain.json") == .success)
        #expect(plain.output == "")
        let wrong = TestConsole(files: files)
        #expect(await wrong.run("check", "--styles", "wrong.json") == .failure)
        #expect(wrong.output.hasPrefix("wrong.json:2:"))
        #expect(wrong.output.contains(" /cellTypes/A/content/column/1/style must be "))
    }

    @Test("Members that are ignored are advice, of the catalog and of pages")
    func ignoredMembers() async {
        let files = [
            "c.json": #"{"sections": {"*": {"appearance": "plain"}}, "theme": {}}"#,
            "p.json": #"{"sections": [], "version": true}"#,
        ]
        let console = TestConsole(files: files)
        #expect(await console.run("check", "c.json", "p.json") == .success)
        #expect(
            console.output == """
                c.json:1:55 /theme UNKNOWN_MEMBER is not known and is ignored
                c.json:1:35 /sections/*/appearance MEMBER_WITHOUT_EFFECT has no effect on a section \
                of the kind "flow", only on "list"
                p.json:1:29 /version UNKNOWN_MEMBER is not known and is ignored

                """)
        #expect(await console.run("check", "--strict", "c.json") == .failure)
        #expect(await console.run("check", "--strict", "c.json", "p.json") == .failure)
    }

    @Test(
        "A name at most two letters off a known one is an error, in catalogs, schemas and pages",
        arguments: [
            (
                #"{"cellTypes": {"C": {"size": {"heigth": 1}}}}"#, "{}",
                #"c.json:1:41 /cellTypes/C/size/heigth UNKNOWN_MEMBER is not known and is ignored; did you mean "height"?"#
            ),
            (
                #"{"units": {"U": {"cel": {"type": "C"}}}, "cellTypes": {"C": {}}}"#, "{}",
                #"c.json:1:25 /units/U/cel UNKNOWN_MEMBER is not known and is ignored; did you mean "cell"?"#
            ),
            (
                #"{"units": {"U": {"cel": {"type": "C"}}}, "cellTypes": {"C": {}}}"#, nil,
                #"c.json:1:25 /units/U/cel UNKNOWN_MEMBER is not known and is ignored; did you mean "cell"?"#
            ),
            (
                #"{"units": {"U": {"schema": {"propreties": {}}}}}"#, "{}",
                #"c.json:1:43 /units/U/schema/propreties UNKNOWN_MEMBER is not known and is ignored; did you mean "properties"?"#
            ),
            (
                "{}", #"{"hasNexxt": true}"#,
                #"p.json:1:30 /hasNexxt UNKNOWN_MEMBER is not known and is ignored; did you mean "hasNext"?"#
            ),
        ] as [(String, String?, String)])
    func misspellings(catalog: String, page: String?, line: String) async {
        var files = ["c.json": catalog]
        if let page {
            files["p.json"] = "{\"sections\": []" + (page == "{}" ? "}" : ", " + page.dropFirst())
        }
        let console = TestConsole(files: files)
        let words = ["check", "c.json"] + (page == nil ? [] : ["p.json"])
        #expect(await console.run(words) == .failure)
        #expect(console.output == line + "\n")
    }

    @Test(
        "A catalog with a member at most two letters off a known one is refused by every command",
        arguments: [
            ("unitz", "units"), ("unit", "units"), ("Units", "units"), ("cellTyps", "cellTypes"),
            ("fnots", "fonts"), ("section", "sections"), ("contarct", "contract"),
            ("screens", "screen"),
        ], [["check"], ["compose", "--catalog"], ["render", "--catalog"]])
    func misspeltCatalog(names: (member: String, meant: String), words: [String]) async {
        let catalog = #"{"\#(names.member)": {}, "x-unitz": 1, "theme": {}, "units": 1}"#
        let console = TestConsole(files: ["c.json": catalog, "p.json": #"{"sections": []}"#])
        #expect(await console.run(words + ["c.json", "p.json"]) == .failure)
        let column = names.member.utf8.count + 6
        let lines =
            "c.json:1:\(column) /\(names.member) is not known; did you mean \"\(names.meant)\"?"
        let output = console.output + console.errors.joined(separator: "\n")
        #expect(output.contains(lines) && output.contains("/units must be an object"))
        #expect(!output.contains("x-unitz") && !output.contains("theme"))
    }

    @Test("A unit with nearly the name of its type or its data is advice")
    func misspeltUnitData() async {
        let unit = #"{"unitType": "T", "unitdata": [1]}"#
        let console = TestConsole(files: [
            "c.json": #"{"units": {"T": {"cell": {"type": "Cell"}}}, "cellTypes": {"Cell": {}}}"#,
            "p.json": #"{"sections": [{"units": [\#(unit)]}]}"#,
        ])
        #expect(await console.run("check", "c.json", "p.json") == .success)
        #expect(
            console.output == """
                p.json:1:56 /sections/0/units/0/unitdata UNKNOWN_MEMBER is data of the unit; did you \
                mean "unitData"?

                """)
        #expect(await console.run("check", "--strict", "c.json", "p.json") == .failure)
    }

    @Test("Pointers that find nothing and sections that no page has are advice on the catalog")
    func catalogLint() async {
        let files = [
            "c.json": """
            {"units": {"T": {"cells": {"type": "Cell", "data": "/lst"}},
                       "V": {"cell": {"type": "Cell"}}},
             "cellTypes": {"Cell": {"id": "/idd", "size": {"height": {"value": "/h"}}}},
             "sections": {"Home": {}, "*": {}}}
            """,
            "p.json": #"{"sections": [[{"unitType": "V", "unitData": {"id": 1, "h": 2}}]]}"#,
            "q.json":
                #"{"sections": [[{"unitType": "T", "unitData": {"list": []}, "when": {"flags": ["a"]}}]]}"#,
            "broken.json": #"{"sections": 1}"#,
        ]
        let console = TestConsole(files: files)
        #expect(await console.run("check", "c.json") == .success)
        #expect(console.output == "")
        #expect(await console.run("check", "c.json", "p.json") == .success)
        let identity =
            #"c.json:3:31 /cellTypes/Cell/id POINTER_FINDS_NOTHING finds a value in no item of the cell type "Cell"; did you mean "/id"?"#
        let section =
            "c.json:4:23 /sections/Home UNKNOWN_SECTION no section of these pages has this id"
        #expect(console.output == "\(identity)\n\(section)\n")
        #expect(await console.run("check", "--strict", "c.json", "p.json") == .failure)

        let both = TestConsole(files: files)
        #expect(await both.run("check", "c.json", "p.json", "q.json") == .failure)
        let data =
            #"c.json:1:52 /units/T/cells/data POINTER_FINDS_NOTHING finds a value in no unit of the type "T"; did you mean "/list"?"#
        #expect(both.output.hasSuffix("\(identity)\n\(data)\n\(section)\n"))

        let other = TestConsole(files: files)
        #expect(await other.run("check", "c.json", "p.json", "broken.json") == .failure)
        #expect(!other.output.contains("UNKNOWN_SECTION"))
    }
}

@Suite("Pages of which the catalog has no unit type")
struct UnknownUnitTypeCommandTests {
    private static let known =
        #"{"sections":[[{"unitType":"SS_TOP_BANNER","unitData":{}}]]}"#
    private static let unknown =
        #"{"sections":[[{"unitType":"A","unitData":{}},{"unitType":"B"},{"unitType":"A"}]]}"#

    @Test(
        "Both compose and render say so, and fail",
        arguments: [["compose"], ["render"], ["render", "-o", "a.svg"]])
    func fails(command: [String]) async {
        let console = TestConsole(files: [
            "a.json": Self.unknown, "b.json": #"{"sections":[{"units":[]}]}"#,
        ])
        #expect(await console.run(command + ["a.json", "b.json"]) == .failure)
        #expect(
            console.errors == [
                "a.json: all units are of types that the catalog does not have (\"A\", \"B\"); name "
                    + "the catalog of the page with --catalog FILE"
            ])
        #expect(console.output == "")
        #expect(console.saved.isEmpty)
    }

    @Test("Pages without units, and with a unit that the catalog has, are laid out")
    func succeeds() async {
        let console = TestConsole(files: [
            "empty.json": #"{"sections":[{"units":[]}]}"#, "known.json": Self.known,
            "unknown.json": Self.unknown,
        ])
        #expect(await console.run("compose", "empty.json") == .success)
        #expect(await console.run("compose", "unknown.json", "known.json") == .success)
        #expect(await console.run("render", "known.json", "unknown.json") == .success)
        #expect(console.errors == [])
    }
}
