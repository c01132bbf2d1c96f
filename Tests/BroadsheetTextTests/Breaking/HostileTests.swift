import Broadsheet
import BroadsheetText
import Foundation
import TestSupport
import Testing
import TextTestSupport

@Suite("Hostile texts and fonts cost bounded time and memory", .serialized)
struct HostileTests {
    /// The length of large texts, in UTF-16 code units; `longestText` measures a mebibyte.
    private static let length = 1 << 13

    /// The longest processor time of a case in these tests, in yardsticks, in debug mode.
    ///
    /// Linear work takes a tenth of it; quadratic work takes minutes.
    private static let maxTime = 250.0

    /// The longest processor time with the heaviest tables, in yardsticks, at three widths.
    ///
    /// They take about a fifth; calls for each break that make many glyphs would take minutes.
    private static let maxTimeOfTables = 2_000.0

    /// Returns a text of a part, repeated to a number of UTF-16 code units.
    private static func text(_ part: String, _ length: Int) -> String {
        String(repeating: part, count: length / part.utf16.count)
    }

    @Test(
        "A large text takes linear time and memory, whatever it consists of",
        arguments: [
            "a", "a ", "W\u{301}", "\u{301}", "\u{94D}", "\u{AD}", "\u{200B}", "\u{200D}", "字", "ก",
            "\u{5D0} a ", "\u{202E}a\u{202C}", "\u{2067}\u{5D0}", "\u{1F468}\u{200D}", "(", "«",
            "\n", "\u{1F1E9}",
        ])
    func largeTexts(part: String) throws {
        let font = try TestFonts.font()
        let text = Self.text(part, Self.length)
        let time = ProcessorTime.ratio {
            let measured = font.shape(text)
            #expect(measured.byteCount < 40 * text.utf8.count + 4096)
            _ = measured.lines(300)
            _ = measured.lines(1)
        }
        #expect(time < Self.maxTime)
        print("\(part.debugDescription): \(time) yardsticks")
    }

    @Test("The longest text is measured whole, and of a longer one only as much")
    func longestText() throws {
        let font = try TestFonts.font()
        let request = TextRequest(width: TextRequest.wide, overflow: .clip)
        let count = TextLimits.maxBytes / 4
        let whole = font.shape(String(repeating: "\u{1D400}", count: count))
        let longer = font.shape(String(repeating: "\u{1D400}", count: count + 1))
        #expect(longer.measure(request) == whole.measure(request))
        let letter = font.shape("\u{1D400}").measure(request).longestLine
        #expect(abs(whole.measure(request).longestLine - letter * Double(count)) < 1)
    }

    @Test("10,000 nested embeddings, more than UAX #9 has levels, are measured")
    func embeddings() throws {
        let font = try TestFonts.font()
        let levels = (0..<10_000).map { $0 % 2 == 0 ? "\u{202B}a" : "\u{202A}b" }.joined()
        #expect(font.shape(levels).lines(1) > 9_000)
        let isolates = (0..<10_000).map { $0 % 2 == 0 ? "\u{2067}a " : "\u{2066}b " }.joined()
        #expect(font.shape(isolates).lines(1, overflow: .clip) == 10_000)
    }

    @Test("Any sequence of characters is measured, the same every time, as its ranges say")
    func randomTexts() throws {
        let seed = SeededGenerator.seed(of: "HostileTests")
        var generator = SeededGenerator(seed: seed)
        let files = TestFonts.files("mixed")
        let (one, other) = (try TestFonts.font(files), try TestFonts.font(files))
        for _ in 0..<150 {
            let scalars = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &generator))
            }
            let text = String(String.UnicodeScalarView(scalars))
            let (measured, again) = (one.shape(text), other.shape(text))
            for width in [0, 1, 30, 90, 200.5, 1e300, .infinity, .nan, -1] {
                let request = TextRequest(width: width)
                let lines = measured.measure(request)
                #expect(lines == again.measure(request), "\(text.debugDescription)")
                #expect(lines == measured.measure(request))
                #expect(lines.longestLine >= 0 && lines.lines <= scalars.count)
                let ranges = measured.lineRanges(request)
                #expect(ranges.count == lines.lines, "\(text.debugDescription) in \(width)")
            }
        }
    }

    @Test("A font of 65,535 glyphs is accepted, and so is one with as many rules as are permitted")
    func greatFonts() throws {
        try Self.withFont(FontBuilder(glyphs: 65_535).file()) { #expect($0 != nil) }
        let table = GSUBBuilder.contexts(lookups: 3, rules: 3_000)
        try Self.withFont(FontBuilder(tables: ["GSUB": table]).file()) { #expect($0 != nil) }
    }

    @Test("Tables whose rules could take too long are refused")
    func complexTables() throws {
        for (lookups, rules) in [(1, 3_100), (40, 3_000), (3_000, 30)] {
            let table = GSUBBuilder.contexts(lookups: lookups, rules: rules)
            try Self.withFont(FontBuilder(tables: ["GSUB": table]).file()) {
                #expect($0 == nil, "\(lookups) lookups of \(rules) rules")
            }
        }
        for tables in [
            ["morx": AppleTableBuilder.morx(insertions: 1, lookups: 16_384)],
            ["kern": AppleTableBuilder.kern(subtables: 16_385)],
        ] {
            try Self.withFont(FontBuilder(tables: tables).file()) { #expect($0 == nil) }
        }
    }

    @Test("The heaviest tables that are permitted, which call themselves, cost bounded time")
    func endlessTables() throws {
        let apple = [
            "morx": AppleTableBuilder.morx(insertions: 3, lookups: 16_000),
            "kern": AppleTableBuilder.kern(subtables: 16_000),
        ]
        let text = Self.text("aaaaaaabb ", 40)
        for (name, text, tables) in [
            ("contexts", text, ["GSUB": GSUBBuilder.contexts(lookups: 5, rules: 3_000)]),
            ("a context", text, ["GSUB": GSUBBuilder.contexts(lookups: 1, rules: 3_000)]),
            (
                "contexts of many glyphs", "a",
                ["GSUB": GSUBBuilder.contexts(lookups: 5, rules: 3_000, isGrowing: true)]
            ),
            ("tables of Apple's of many glyphs", text, apple),
        ] {
            try Self.withFont(FontBuilder(tables: tables).file()) { font in
                let font = try #require(font)
                let time = ProcessorTime.ratio {
                    let shaped = font.shape(text)
                    for width in [100.0, 20, 1] { _ = shaped.lines(width) }
                }
                print("\(name): \(time) yardsticks for \(text.utf8.count) characters")
                #expect(time < Self.maxTimeOfTables, "\(name)")
            }
        }
    }

    @Test("Fonts with random bytes changed are refused, or measure in bounded time")
    func fuzzedFonts() throws {
        let seed = SeededGenerator.seed(of: "HostileTests")
        var generator = SeededGenerator(seed: seed)
        for name in ["NotoSansArabic-Regular.ttf", "NotoSansKhmer-Regular.ttf"] {
            let path = "\(TestFonts.folder)/\(TestFonts.noto)\(name)"
            let original = [UInt8](try Data(contentsOf: URL(filePath: path)))
            for _ in 0..<30 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...200, using: &generator) {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
                        in: 0...255, using: &generator)
                }
                try Self.withFont(bytes) { font in
                    let time = ProcessorTime.ratio {
                        _ = font?.shape("السلام عليكم ភាសាខ្មែរ office 12").lines(60)
                    }
                    #expect(time < Self.maxTime)
                }
            }
        }
    }

    private static func withFont(
        _ bytes: [UInt8], _ body: ((any TextFont)?) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory
        let name = "broadsheet-font-\(UUID().uuidString).ttf"
        try Data(bytes).write(to: folder.appending(path: name))
        defer { try? FileManager.default.removeItem(at: folder.appending(path: name)) }
        let declaration = FontDeclaration(files: [.init(path: name)], size: 16)
        try body(try? FontMeasurer(folder: folder.path, cacheBytes: 0).open(declaration))
    }
}
