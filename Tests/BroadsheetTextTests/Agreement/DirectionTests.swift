import Broadsheet
import Foundation
import Testing

@Suite("Base directions and separators, compared with Chromium")
struct DirectionTests {
    private static let files: [FontDeclaration.File] = [
        .init(path: TestFonts.inter), .init(path: TestFonts.noto + "NotoSansHebrew-Regular.ttf"),
        .init(path: TestFonts.noto + "NotoSansArabic-Regular.ttf"),
    ]

    /// Returns the widths of texts in Chromium and as they are measured here, in 1/64 points.
    private static func widths(
        _ texts: [String], _ files: [FontDeclaration.File], letterSpacing: Double = 0
    ) throws -> [(text: String, chromium: Int, own: Double)] {
        let job = Chromium.Job(
            files: files.map { Chromium.Job.File($0) }, size: 20, letterSpacing: letterSpacing,
            texts: texts, widths: [])
        let font = try TestFonts.font(files) { $0.letterSpacing = letterSpacing }
        let all = try Chromium.lines([job], ratios: [1]).ratios[0][0]
        return zip(texts, all).map { text, chromium in
            let request = TextRequest(width: TextRequest.wide)
            return (text, chromium[0], font.shape(text).measure(request).longestLine * 64)
        }
    }

    @Test("T8: a text has the advance that Chromium draws with dir=auto, in whatever direction")
    func advances() throws {
        let phrases = [
            "P.", "T, V.", "אב", "(AV)", "−20 %", "1 h", "العربية", "P. T", "١٢٫٥", "$5.00", "L'A",
            "\u{200F}", "\u{200E}", "\u{2067}אב P.\u{2069}", "\u{2068}P.\u{2069}", "AV\nP. T",
        ]
        let texts = phrases.flatMap { first in phrases.map { "\(first) \($0)" } }
        // A line of several directions may be wider in Chromium by 1/64 a direction.
        let different = try Self.widths(texts, Self.files).filter {
            abs($0.own - Double($0.chromium)) > 8
        }
        #expect(different.isEmpty, "\(different.prefix(20).map { ($0.text, $0.chromium, $0.own) })")
    }

    @Test(
        "U+2028 and U+2029 are a space of the font, and controls and format characters as in Chromium",
        arguments: [0, 2])
    func separators(letterSpacing: Double) throws {
        let numbers = [
            0x7F...0x9F, 0xA0...0xA0, 0xAD...0xAD, 0x34F...0x34F, 0x180B...0x180E, 0x2002...0x2003,
            0x200B...0x200E, 0x2028...0x202A, 0x202C...0x202D, 0x2060...0x2066, 0x2068...0x206F,
            0xFE00...0xFE0F, 0xFEFF...0xFEFF,
        ].joined()
        let texts = numbers.compactMap(Unicode.Scalar.init).flatMap { ["a\($0)b", "T\($0)o"] }
        let separators = ["\u{2028}", "\u{2029}"].flatMap {
            ["a\($0)\($0)b", "a \($0)b", "a\($0) b", "a\($0)", "\($0)a", $0]
        }
        for file in [TestFonts.inter, TestFonts.sans, TestFonts.dejaVu] {
            let different = try Self.widths(
                texts + separators, [.init(path: file)], letterSpacing: letterSpacing
            ).filter { abs($0.own - Double($0.chromium)) > 2 }
            #expect(
                different.isEmpty,
                "\(file): \(different.map { ($0.text.debugDescription, $0.chromium, $0.own) })")
        }
    }
}
