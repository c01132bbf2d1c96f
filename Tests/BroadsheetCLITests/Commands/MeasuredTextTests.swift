import Testing

@testable import BroadsheetCLI

@Suite("The commands measure texts with the fonts of the catalog (docs/cli.md)")
struct MeasuredTextCommandTests {
    private static let catalog = """
        {"fonts": {"f": {"files": ["DejaVuSans.ttf"], "size": 10, "lineHeight": 12}},
         "units": {"U": {"cells": {"type": "C"}}},
         "cellTypes": {"C": {"id": "/id", "size": {"height": {"text": "/t", "font": "f"}}}}}
        """

    private static func page(_ text: String) -> String {
        """
        {"sections": [{"sectionId": "S", "layout": {"kind": "list"}, "units": [
          {"unitType": "U", "unitData": [{"id": "a", "t": "\(text)"}]}]}]}
        """
    }

    private let files = [
        "catalog.json": catalog, "page.json": page("one two three four five"),
        "new.json": page("one two three four five six seven"), "two.json": page("one two"),
        "cjk.json": page("\u{5B57}"),
    ]

    /// A folder of a system package that the tests install.
    private static let fonts = "/usr/share/fonts/truetype/dejavu"

    private func run(
        _ command: String, _ words: String..., succeeds: Bool = true
    ) async -> String {
        let console = TestConsole(files: files)
        let catalog = command == "check" ? ["catalog.json"] : ["--catalog", "catalog.json"]
        let result = await console.run(
            [command, "--fonts", Self.fonts, "--width", "100"] + catalog + words)
        #expect(result == (succeeds ? .success : .failure), "\(console.errors)")
        return console.output
    }

    @Test("The lines of a text are composed at the reader's text size")
    func compose() async {
        let plain = await run("compose", "page.json")
        #expect(plain.contains(#""height":24},"lines":2"#))
        #expect(!plain.contains("textScale"))
        let scaled = await run("compose", "--text-scale", "2", "page.json")
        #expect(scaled.contains(#""height":72},"lines":3"#))
        #expect(scaled.contains(#""direction":"ltr","textScale":2}"#))
    }

    @Test("As many lines are rendered as are measured")
    func render() async {
        for (scale, last) in [("1", ">five<"), ("2", ">three four<")] {
            let svg = await run("render", "--text-scale", scale, "page.json")
            #expect(svg.contains(last), "at \(scale)")
        }
    }

    @Test("Changes are between trees of a text size")
    func changes() async {
        let words = ["page.json", "--", "new.json"]
        let plain = await run("changes", words[0], words[1], words[2])
        #expect(plain.contains(#""height":24"#) && plain.contains(#""lines":2"#))
        let scaled = await run("changes", "--text-scale", "2", words[0], words[1], words[2])
        #expect(scaled.contains(#""height":96"#) && scaled.contains(#""lines":4"#))
        #expect(scaled.contains(#""textScale":2"#))
    }

    @Test("Missing glyphs are reported, and at a text size the lines that a pixel would change")
    func check() async {
        let missing = await run("check", "cjk.json", succeeds: false)
        #expect(missing.contains(" /sections/0/units/0/unitData/0/t NO_GLYPH "), "\(missing)")
        let words = ["--strict", "--width", "80.05", "two.json"]
        _ = await run("check", words[0], words[1], words[2], words[3])
        let fragile = await run(
            "check", "--text-scale", "2", words[0], words[1], words[2], words[3], succeeds: false)
        #expect(fragile.contains("FRAGILE_TEXT"), "\(fragile)")
    }

    /// Returns the exit status of `check` at text scales, and its lines without positions.
    private func check(
        at scales: [String]
    ) async -> (status: BroadsheetCLI.ExitStatus, lines: [String]) {
        var files = files
        files["content.json"] = """
            {"fonts": {"f": {"files": ["DejaVuSans.ttf"], "size": 10, "lineHeight": 12}},
             "units": {"U": {"cells": {"type": "C"}}},
             "cellTypes": {"C": {"id": "/id", "content": {"column": [
               {"text": "/t", "font": "f", "maxLines": 1}, {"box": "", "width": 500}]}}}}
            """
        files["cut.json"] = Self.page("one two three")
        let console = TestConsole(files: files)
        let words = ["check", "--fonts", Self.fonts, "--width", "100"]
        let status = await console.run(
            words + scales.flatMap { ["--text-scale", $0] } + ["content.json", "cut.json"])
        let lines = console.output.split(separator: "\n").map { line in
            line.split(separator: " ", maxSplits: 2).dropFirst(2).first.map(String.init) ?? ""
        }
        return (status, lines)
    }

    @Test("A line of a text scale names it, and is left out if a smaller scale has it")
    func textScales() async {
        let box = "PART_OUTSIDE_ITEM a text, an image or a box of its content is more than a pixel"
        let cut = "TEXT_CUT_WHEN_LARGER at the reader's text size a text has more lines"
        func firsts(_ scales: String...) async -> [String] {
            let lines = await check(at: scales).lines
            return lines.filter { $0.hasPrefix(box) || $0.hasPrefix(cut) }.map { line in
                let end = line.firstRange(of: " at text scale").map { line[$0.lowerBound...] }
                return (line.hasPrefix(box) ? "outside" : "cut") + String(end ?? "")
            }
        }
        #expect(await firsts() == ["outside"])
        #expect(await firsts("2") == ["outside"])
        #expect(await firsts("2", "2") == ["outside"])
        #expect(await firsts("2", "1") == ["outside", "cut at text scale 2"])
        #expect(await firsts("4", "1", "2.5") == ["outside", "cut at text scale 2.5"])
        #expect(
            await firsts("2", "1.5")
                == ["outside at text scale 1.5", "cut at text scale 1.5"])
    }

    @Test("At most 16 text scales are checked")
    func mostTextScales() async {
        let scales = (0..<17).map { "\(1 + Double($0) / 8)" }
        #expect(await check(at: Array(scales.dropLast())).status == .success)
        #expect(await check(at: scales).status == .usage)
        #expect(await check(at: ["1", "0.4"]).status == .usage)
    }
}
