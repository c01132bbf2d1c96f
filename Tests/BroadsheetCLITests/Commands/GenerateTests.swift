import Testing

@testable import BroadsheetCLI

@Suite("broadsheet generate")
struct GenerateTests {
    private let files = [
        "shop-catalog.json":
            #"{"cellTypes": {"T": {"schema": {"properties": {"a": {"type": "string"}}}}}}"#,
        "broken.json": #"{"units": {"A": {"cell": {"type": "X"}}}}"#,
        "misspelt.json": #"{"cellTypes": {"T": {"schema": {"propreties": {}}}}}"#,
    ]

    @Test("The first line has the command without paths, and the beginning of the SHA-256")
    func header() async {
        let console = TestConsole(files: ["folder/my catalog.json": "{}"])
        #expect(
            await console.run(
                "generate", "kotlin", "--package", "com.example", "folder/my catalog.json")
                == .success)
        #expect(
            console.output.hasPrefix(
                "// broadsheet generate kotlin --name MyCatalog --package com.example my_catalog.json; "
                    + "tag 44136fa355b3678a; do not edit\n"))
        #expect(!console.output.contains("\t") && !console.output.contains(" \n"))
    }

    @Test("Standard input has the name Catalog")
    func standardInput() async {
        let console = TestConsole(files: ["-": "{}"])
        #expect(await console.run("generate", "swift", "-") == .success)
        #expect(console.output.hasPrefix("// broadsheet generate swift --name Catalog -; tag "))
        #expect(console.output.contains("public enum Catalog {"))
    }

    @Test(
        "A wrong command line has status 2",
        arguments: [
            [], ["swift"], ["java", "shop-catalog.json"], ["swift", "a.json", "b.json"],
            ["swift", "--name", "shop", "shop-catalog.json"],
            ["swift", "--name", "Sh.op", "shop-catalog.json"],
            ["swift", "--package", "com.example", "shop-catalog.json"],
            ["kotlin", "--package", "com.1", "shop-catalog.json"],
            ["swift", "--check", "shop-catalog.json"],
        ])
    func usage(words: [String]) async {
        let console = TestConsole(files: files)
        #expect(await console.run(["generate"] + words) == .usage)
        #expect(console.output.isEmpty && console.saved.isEmpty)
    }

    @Test(
        "A catalog with faults has the lines of check, and nothing is written",
        arguments: ["broken.json", "misspelt.json"])
    func faults(path: String) async {
        let console = TestConsole(files: files)
        #expect(await console.run("generate", "swift", "--output", "Shop.swift", path) == .failure)
        let check = TestConsole(files: files)
        #expect(await check.run("check", path) == .failure)
        #expect(console.errors == check.output.split(separator: "\n").map(String.init))
        #expect(console.output.isEmpty && console.saved.isEmpty)
    }

    @Test("A file that cannot be written has status 1")
    func fullDisk() async {
        let console = TestConsole(files: files)
        #expect(
            await console.run("generate", "swift", "-o", "/full/S.swift", "shop-catalog.json")
                == .failure)
        #expect(console.errors == ["/full/S.swift: No space left on device"])
    }

    @Test("--check compares the file without its tag, and says how to renew it")
    func checking() async {
        let words = [
            "generate", "swift", "--name", "Shop", "--output", "S.swift", "shop-catalog.json",
        ]
        let console = TestConsole(files: files)
        #expect(await console.run(words) == .success)
        let text = String(decoding: console.saved["S.swift"] ?? [], as: UTF8.self)
        var files = files
        files["S.swift"] = text
        files["shop-catalog.json"]? += "\n"
        let same = TestConsole(files: files)
        #expect(await same.run(words + ["--check"]) == .success)
        #expect(same.errors.isEmpty && same.output.isEmpty && same.saved.isEmpty)
        files["S.swift"] = text.replacing("public enum Shop", with: "public enum Shap")
        let other = TestConsole(files: files)
        #expect(await other.run(words + ["--check"]) == .failure)
        let renewal =
            "renew it with: broadsheet generate swift --name Shop --output S.swift shop-catalog.json"
        #expect(other.errors == ["S.swift:6: differs from what the catalog gives; \(renewal)"])
        files["S.swift"] = nil
        let missing = TestConsole(files: files)
        #expect(await missing.run(words + ["--check"]) == .failure)
        #expect(missing.errors.first?.hasSuffix(renewal) == true)
    }

    @Test("10,000 subschemas in a chain, and in allOf, take no deep stack")
    func chains() async throws {
        let links = (0..<4_900).map { index in
            ##""d\##(index)": {"properties": {"n": {"$ref": "#/$defs/d\##(index + 1)"}}}"##
        }
        let schema = """
            {"properties": {"n": {"$ref": "#/$defs/d0"}},
             "$defs": {\(links.joined(separator: ",")), "d4900": {"type": "string"}}}
            """
        let console = TestConsole(files: ["c.json": .catalog(schema: schema)])
        #expect(await console.run("generate", "typescript", "c.json") == .success)
        #expect(console.output.contains("export interface D4899 {"))
    }
}
