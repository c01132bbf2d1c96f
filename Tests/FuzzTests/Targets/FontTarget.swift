import Broadsheet
import BroadsheetText
import Glibc
import TestSupport
import TextTestSupport

extension FuzzTarget {
    /// Font files: a font is refused with a place in its declaration, or it measures texts within
    /// the limits of docs/text.md, the same every time.
    static let font = FuzzTarget("font", bytes: FontSeeds.all) {
        let file = try FontScratchFile()
        return { input, _ in try file.check(input) }
    }
}

/// Small font files.
private enum FontSeeds {
    /// Fonts of system packages whose layout tables are small, without their outlines, and fonts of
    /// the tests with one table of each kind.
    static let all =
        [
            "Batak", "Buhid", "Elymaic", "Mandaic", "MeeteiMayek", "Palmyrene", "PhagsPa",
            "PsalterPahlavi", "Rejang", "SylotiNagri", "Thaana",
        ].compactMap { cut("/usr/share/fonts/truetype/noto/NotoSans\($0)-Regular.ttf") }
        + [
            [:], ["GSUB": GSUBBuilder.contexts(lookups: 3, rules: 4)],
            ["GSUB": GSUBBuilder.contexts(lookups: 2, rules: 3, isGrowing: true)],
            ["morx": AppleTableBuilder.morx(insertions: 1, lookups: 2)],
            ["kern": AppleTableBuilder.kern(subtables: 2)],
            ["fvar": FontBuilder.axes([("wght", 100, 400, 900), ("opsz", 8, 14, 72)])],
        ].map { FontBuilder(tables: $0).file() }

    /// The tables that a text is measured with.
    private static let kept = [
        "head", "maxp", "hhea", "hmtx", "cmap", "GDEF", "GSUB", "GPOS", "kern",
    ]

    /// Returns a font with the tables that measuring needs, or `nil` without the file.
    private static func cut(_ path: String) -> [UInt8]? {
        guard let bytes = try? read(path) else { return nil }
        let number = { (offset: Int) in bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        var tables: [String: [UInt8]] = [:]
        for entry in 0..<number(4) >> 16 {
            let start = 12 + 16 * entry
            let tag = String(decoding: bytes[start..<start + 4], as: UTF8.self)
            guard kept.contains(tag) else { continue }
            tables[tag] = Array(bytes[number(start + 8)...].prefix(number(start + 12)))
        }
        return FontBuilder.file(of: tables)
    }
}

/// A file for the font of a case, which the measurer opens as a daemon does.
///
/// The cases of a target run one after the other.
private final class FontScratchFile: @unchecked Sendable {
    private static let name = "font.ttf"
    private let folder: String
    private let measurer: FontMeasurer

    init() throws {
        var template = Array("/tmp/broadsheet-fuzz-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FuzzFailure("cannot create a folder") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        measurer = FontMeasurer(folder: folder, cacheBytes: 0)
        guard FontMeasurer.libraryVersions != nil else {
            throw FuzzFailure("HarfBuzz or ICU is missing")
        }
    }

    deinit {
        unlink("\(folder)/\(Self.name)")
        rmdir(folder)
    }

    /// Texts of the scripts of the seeds, with what fonts treat in a way of its own: joining
    /// letters, marks, soft hyphens, ligatures.
    private static let texts = [
        "aaab fi\u{AD}fi AV", "\u{1BC0}\u{1BE7}\u{1BE2} \u{1BC2}\u{1BF2}",
        "\u{840}\u{841}\u{859} \u{842}", "\u{A840}\u{A843}\u{A871} \u{ABC0}\u{ABE3}\u{ABED}",
        "\u{10B80}\u{10B81} \u{10860}\u{10861} \u{10FE0}",
        "\u{A800}\u{A806}\u{A823} \u{A930}\u{A947}",
        "\u{780}\u{7A6}\u{781}\u{7B0} \u{1740}\u{1752}",
    ]

    /// The longest processor time of a text in yardsticks: HarfBuzz may make 16,384 glyphs of one
    /// character, and compare each with the rules of all lookups (docs/text.md, "Limits"), which
    /// takes up to a fifth.
    private static let maxTime = 2_000.0

    func check(_ input: [UInt8]) throws {
        try write(input)
        let declaration = FontDeclaration(
            files: [.init(path: Self.name)], size: 17, letterSpacing: Double(input.count % 2))
        let font: any TextFont
        do throws(FontFailure) { font = try measurer.open(declaration) } catch {
            try require(error.pointer.hasPrefix("/files/0"), "no place: \(error)")
            return
        }
        try require(font.naturalLineHeight.isFinite, "a line height of \(font.naturalLineHeight)")
        for text in Self.texts {
            let start = ProcessorTime.now
            try check(text, font)
            let seconds = ProcessorTime.now - start
            // Nearly all texts take much less than a yardstick, which then is not measured.
            try require(
                seconds < 1 || seconds < Self.maxTime * ProcessorTime.yardstick,
                "\(seconds) s for \(text.debugDescription)")
        }
    }

    private func check(_ text: String, _ font: any TextFont) throws {
        let (one, other) = (shaped(text, font), shaped(text, font))
        try require(one.byteCount < 40 * text.utf8.count + 4096, "\(one.byteCount) bytes")
        for width in [0, 30, 1e6] {
            let request = TextRequest(width: width)
            let lines = one.measure(request)
            try require(lines == other.measure(request), "\(lines), and differs the second time")
            try require(lines.longestLine >= 0, "a line of \(lines.longestLine)")
            try require(lines.lines <= text.utf16.count, "\(lines.lines) lines")
            let ranges = one.lineRanges(request)
            try require(ranges.count == lines.lines, "\(ranges.count) ranges of \(lines.lines)")
        }
    }

    private func shaped(_ text: String, _ font: any TextFont) -> any ShapedText {
        Array(text.utf8).withUnsafeBytes { font.shape($0, ShapingOptions()) }
    }

    private func write(_ input: [UInt8]) throws {
        let file = open("\(folder)/\(Self.name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(file) }
        guard file >= 0, Glibc.write(file, input, input.count) == input.count else {
            throw FuzzFailure("cannot write the font file")
        }
    }
}
