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

    @Test("Members that are ignored are advice, of the catalog and of pages")
    func ignoredMembers() async {
        let files = [
            "c.json": #"{"sections": {"*": {"appearance": "plain"}}, "unit": {}}"#,
            "p.json": #"{"sections": [], "hasNexxt": true}"#,
        ]
        let console = TestConsole(files: files)
        #expect(await console.run("check", "c.json", "p.json") == .success)
        #expect(
            console.output == """
                c.json:1:54 /unit UNKNOWN_MEMBER is not known and is ignored; did you mean "units"?
                c.json:1:35 /sections/*/appearance MEMBER_WITHOUT_EFFECT has no effect on a section \
                of the kind "flow", only on "list"
                p.json:1:30 /hasNexxt UNKNOWN_MEMBER is not known and is ignored; did you mean "hasNext"?

                """)
        #expect(await console.run("check", "--strict", "c.json") == .failure)
        #expect(await console.run("check", "--strict", "c.json", "p.json") == .failure)
    }
}
