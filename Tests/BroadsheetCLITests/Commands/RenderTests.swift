import Testing

@testable import BroadsheetCLI

@Suite("broadsheet render")
struct RenderTests {
    private let files = [
        "home.json":
            #"{"sections":[{"sectionId":"S","units":[{"unitType":"SS_TOP_BANNER","unitData":{}}]}]}"#
    ]

    @Test("Without -o, render prints a picture with the files' names as its heading")
    func standardOutput() async {
        let console = TestConsole(files: files)
        #expect(await console.run("render", "home.json") == .success)
        #expect(console.output.hasPrefix("<svg "))
        #expect(console.output.hasSuffix("</svg>\n"))
        #expect(console.output.contains(">home.json<"))
        #expect(console.output.contains(">TopBannerCell<"))
        #expect(console.errors.isEmpty)
    }

    @Test("With -o, render writes a file", arguments: ["-o", "--output"])
    func file(flag: String) async {
        let console = TestConsole(files: files)
        #expect(
            await console.run("render", flag, "a.svg", "--title", "Home", "home.json") == .success)
        #expect(console.output == "")
        let picture = console.saved["a.svg"].map { String(decoding: $0, as: UTF8.self) }
        #expect(picture?.contains(">Home<") == true)
    }

    @Test("A file that cannot be written is a failure with the system's reason")
    func fullDisk() async {
        let console = TestConsole(files: files)
        #expect(await console.run("render", "-o", "/full/a.svg", "home.json") == .failure)
        #expect(console.errors == ["/full/a.svg: No space left on device"])
    }

    @Test("The picture is drawn for the viewport of the options")
    func device() async {
        let console = TestConsole(files: files)
        #expect(
            await console.run("render", "--width", "768", "--height=1024", "home.json") == .success)
        #expect(console.output.contains("viewport 768 × 1024"))
    }

    @Test(
        "G9: A picture, a tree and changes are those of a safe area",
        arguments: [["render"], ["compose"], ["changes", "home.json", "--"]])
    func safeArea(words: [String]) async {
        let page = #"""
            {"sections":[{"layout":{"kind":"list"},"units":[{"unitType":"SS_TOP_BANNER","unitData":{}}]}]}
            """#
        func output(_ options: String...) async -> String {
            let console = TestConsole(files: ["home.json": page, "next.json": page])
            let files = words.count > 1 ? "next.json" : "home.json"
            #expect(
                await console.run([words[0]] + options + words.dropFirst() + [files]) == .success,
                "\(console.errors)")
            return console.output
        }
        let (plain, inside) = (await output(), await output("--safe-area", "59,20,34,0"))
        #expect(plain != inside)
        #expect(plain == (await output("--safe-area=0,0,0,0")).replacing(Self.noSides, with: ""))
        if words[0] == "compose" { #expect(inside.contains(#""frame":{"x":20,"y":0,"width":370"#)) }
    }

    private static let noSides = #","safeArea":{"top":0,"left":0,"bottom":0,"right":0}"#

    @Test("A safe area that is none is a failure that says what it needs")
    func badSafeArea() async {
        let console = TestConsole(files: files)
        #expect(await console.run("render", "--safe-area", "59,0,34", "home.json") != .success)
        #expect(console.errors.contains { $0.contains("top,left,bottom,right: four numbers") })
    }

    @Test("Items show the texts that the catalog's pictures point to")
    func contents() async {
        let banner = #"{"title":"Sale","titleEn":"20 % off"}"#
        let console = TestConsole(files: [
            "home.json":
                #"{"sections":[{"units":[{"unitType":"SS_TOP_BANNER","unitData":"#
                + "\(banner)}]}]}"
        ])
        #expect(await console.run("render", "--style=app", "home.json") == .success)
        #expect(console.output.contains(">Sale<"))
        #expect(console.output.contains(">20 % off<"))
        #expect(!console.output.contains("TopBannerCell"))
        #expect(!console.output.contains("viewport 390"))
    }

    @Test("A screen longer than --max-length is cut with a note")
    func cut() async {
        let console = TestConsole(files: files)
        #expect(await console.run("render", "--max-length=844", "home.json") == .success)
        #expect(!console.output.contains("cut here"))
        let cut = TestConsole(files: files)
        #expect(await cut.run("render", "--max-length", "100", "home.json") == .success)
        #expect(cut.output.contains(">cut here: 744 more points<"))
    }

    @Test(
        "An unknown style and a length out of range are errors of the command line",
        arguments: ["--style=photo", "--max-length=0", "--max-length=100001"])
    func invalid(flag: String) async {
        let console = TestConsole(files: files)
        #expect(await console.run("render", flag, "home.json") == .usage)
        #expect(console.output == "")
    }

    @Test("An invalid page is reported by render as by compose")
    func invalidPage() async {
        let console = TestConsole(files: ["bad.json": "{"])
        #expect(await console.run("render", "bad.json") == .failure)
        #expect(console.errors.first?.hasPrefix("bad.json:1:2 ") == true)
        #expect(console.output == "")
    }
}
