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
}
