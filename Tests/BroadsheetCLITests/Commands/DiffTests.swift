import Testing

@testable import BroadsheetCLI

@Suite("broadsheet diff")
struct DiffTests {
    private static func catalog(_ units: String) -> String {
        "{\n\"cellTypes\": {\"T\": {}},\n\"units\": {\(units)}}"
    }

    private static func unit(_ schema: String) -> String {
        #"{"cell": {"type": "T"}, "schema": \#(schema)}"#
    }

    private let files = [
        "old.json": catalog(#""A": \#(unit(#"{"minimum": 1}"#)), "B": {"cell": {"type": "T"}}"#),
        "wider.json": catalog(#""A": \#(unit("{}")), "B": {"cell": {"type": "T"}}, "C": {}"#),
        "new.json": catalog(#""A": \#(unit(#"{"minimum": 2}"#))"#),
        "broken.json": catalog(#""A": {"cell": {"type": "X"}}"#),
        "page.json": #"{"sections": [[{"unitType": "A", "unitData": 5}]]}"#,
        "other.json": #"{"sections": [[{"unitType": "B"}]]}"#,
    ]

    @Test("What can break pages or backends is a line in the file that has it, with status 1")
    func breaking() async {
        let console = TestConsole(files: files)
        #expect(await console.run("diff", "old.json", "new.json") == .failure)
        let lines = console.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("old.json:3:") == true)
        #expect(lines.first?.contains(" /units/B UNIT_TYPE_GONE ") == true)
        #expect(
            lines.last?.hasPrefix("new.json:3:") == true
                && lines.last?.contains(" /units/A/schema/minimum SCHEMA_NARROWER ") == true)
    }

    @Test("A schema of a cell type that accepts less is a line, with status 1")
    func cellTypes() async {
        var files = files
        let units = #""A": {"cell": {"type": "T"}}, "B": {"cell": {"type": "T"}}"#
        for (name, schema) in [("wide", #"{"minimum": 1}"#), ("narrow", #"{"minimum": 2}"#)] {
            files[name] =
                "{\n\"units\": {\(units)},\n\"cellTypes\": {\"T\": {\"schema\": \(schema)}}}"
        }
        let console = TestConsole(files: files)
        #expect(await console.run("diff", "wide", "narrow") == .failure)
        #expect(
            console.output
                == "narrow:3:43 /cellTypes/T/schema/minimum SCHEMA_NARROWER is higher than it was\n"
        )
        let wider = TestConsole(files: files)
        #expect(await wider.run("diff", "narrow", "wide") == .success)
    }

    @Test("A control that is none, or another, is a line in the new catalog, with status 1")
    func controls() async {
        var files = files
        for (name, member) in [
            ("one", #""action": "like""#), ("two", #""action": "hate""#), ("none", #""if": null"#),
        ] {
            files[name] = """
                {"cellTypes": {"T": {"actions": {"like": {"forward": true}, "hate": {"forward": true}},
                "content": {"box": "", "name": "a", \(member)}}}}
                """
        }
        let other = TestConsole(files: files)
        #expect(await other.run("diff", "one", "two") == .failure)
        #expect(
            other.output == """
                two:2:47 /cellTypes/T/content/action CONTROL_CHANGED had "action": "like" before; \
                apps that draw this part do something else, or nothing

                """)
        let gone = TestConsole(files: files)
        #expect(await gone.run("diff", "one", "none") == .failure)
        #expect(gone.output.hasPrefix("none:2:12 /cellTypes/T/content CONTROL_CHANGED "))
        let added = TestConsole(files: files)
        #expect(await added.run("diff", "none", "one") == .success)
    }

    @Test("What old apps are sent, and cannot draw, is a line in the new catalog, with status 1")
    func oldApps() async {
        var files = files
        files["apps.json"] = """
            {"units": {"A": {"cell": {"type": "New"}}, "B": {"cells": {"type": "T"}}},
             "cellTypes": {
              "New": {},
              "T": {"since": {"ios": "5.2"}}}}
            """
        let console = TestConsole(files: files)
        #expect(await console.run("diff", "old.json", "apps.json") == .failure)
        let lines = console.output.split(separator: "\n").map { line in
            line.split(separator: " ").prefix(3).map(String.init)
        }
        #expect(
            lines == [
                ["apps.json:3:10", "/cellTypes/New", "CELL_TYPE_WITHOUT_SINCE"],
                ["apps.json:3:10", "/cellTypes/New", "CELL_TYPE_WITHOUT_FALLBACK"],
                ["apps.json:4:8", "/cellTypes/T", "CELL_TYPE_WITHOUT_FALLBACK"],
            ])
    }

    @Test("Without such a change there is no line, and status 0")
    func compatible() async {
        for new in ["old.json", "wider.json"] {
            let console = TestConsole(files: files)
            #expect(await console.run("diff", "old.json", new) == .success)
            #expect(console.output == "")
        }
    }

    @Test("A page whose tree changes is a line that does not change the status")
    func trees() async {
        let console = TestConsole(files: files)
        #expect(
            await console.run("diff", "wider.json", "old.json", "--", "page.json") == .failure)
        #expect(!console.output.contains("TREE_CHANGED"))
        let gone = TestConsole(files: files)
        #expect(await gone.run("diff", "old.json", "wider.json", "--", "other.json") == .success)
        #expect(gone.output == "")
        let changed = TestConsole(files: files)
        #expect(
            await changed.run("diff", "old.json", "new.json", "--", "other.json", "page.json")
                == .failure)
        #expect(changed.output.contains("other.json:1:1 TREE_CHANGED "))
        #expect(!changed.output.contains("page.json:1:1"))
    }

    @Test("Violations of a catalog are on standard error, with status 1")
    func invalidCatalog() async {
        let console = TestConsole(files: files)
        #expect(await console.run("diff", "old.json", "broken.json") == .failure)
        #expect(console.output == "")
        #expect(console.errors.contains { $0.hasPrefix("broken.json:3:") })
    }

    @Test("Without exactly two catalogs the command line is invalid")
    func usage() async {
        let console = TestConsole(files: files)
        #expect(await console.run("diff") == .usage)
        #expect(await console.run("diff", "old.json") == .usage)
        #expect(await console.run("diff", "old.json", "new.json", "page.json") == .usage)
    }
}
