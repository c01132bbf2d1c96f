import Broadsheet
import BroadsheetText
import Foundation
import TestSupport
import Testing

@Suite("Measuring texts")
struct MeasuringTests {
    private static func width(
        _ text: String, _ font: any TextFont, scale: Double = 1
    ) -> Double {
        font.shape(text).measure(TextRequest(width: TextRequest.wide, textScale: scale)).longestLine
    }

    @Test("The advance is that of the font's glyphs with kerning")
    func advances() throws {
        let font = try TestFonts.font()
        // Noto Sans, of 1000 units: A 639, V 600; kerning of the pair is -40.
        #expect(abs(Self.width("A", font) - 12.78) < 0.001)
        #expect(abs(Self.width("V", font) - 12) < 0.001)
        #expect(Self.width("AV", font) < Self.width("A", font) + Self.width("V", font) - 0.5)
    }

    @Test(
        "A feature is switched on by its tag, and has a value: 0 switches it off",
        arguments: [
            // Noto Sans without the kerning of the pair; figures of Inter that are as wide as each
            // other; the first and the second of its other forms of a letter.
            (TestFonts.sans, "AV", ["kern=0"], 24.78), (TestFonts.sans, "AV", ["kern=1"], 23.98),
            (TestFonts.inter, "1", [], 9.29), (TestFonts.inter, "1", ["tnum"], 12.95),
            (TestFonts.inter, "a", [], 11.28), (TestFonts.inter, "a", ["aalt=1"], 12.41),
            (TestFonts.inter, "a", ["aalt=2"], 8.98),
        ])
    func features(file: String, text: String, features: [String], expected: Double) throws {
        let font = try TestFonts.font([.init(path: file)]) { $0.features = features }
        #expect(abs(Self.width(text, font) - expected) < 0.01)
    }

    @Test("Letter spacing follows every cluster, the last too, and switches ligatures off")
    func letterSpacing() throws {
        let plain = try TestFonts.font([.init(path: TestFonts.dejaVu)])
        let spaced = try TestFonts.font(
            [.init(path: TestFonts.dejaVu)]
        ) { $0.letterSpacing = 2 }
        #expect(abs(Self.width("abc", spaced) - Self.width("abc", plain) - 6) < 0.001)
        #expect(abs(Self.width("e\u{301}", spaced) - Self.width("e\u{301}", plain) - 2) < 0.001)
        let apart = Self.width("f", plain) + Self.width("i", plain)
        #expect(abs(Self.width("fi", spaced) - apart - 4) < 0.001)
        #expect(abs(Self.width("a\u{200B}b", spaced) - Self.width("ab", spaced)) < 0.001)
    }

    @Test("Arabic letters join, and have no letter spacing")
    func cursiveScripts() throws {
        let file = FontDeclaration.File(path: TestFonts.noto + "NotoSansArabic-Regular.ttf")
        let plain = try TestFonts.font([file])
        let spaced = try TestFonts.font([file]) { $0.letterSpacing = 3 }
        let word = "\u{633}\u{644}\u{627}\u{645}"
        #expect(Self.width(word, plain) == Self.width(word, spaced))
        let letters = word.unicodeScalars.map { Self.width(String($0), plain) }.reduce(0, +)
        #expect(Self.width(word, plain) < letters - 5)
    }

    @Test("The next file has what the first does not; what none has is named")
    func fallback() throws {
        let sans = try TestFonts.font()
        let both = try TestFonts.font([.init(path: TestFonts.sans), .init(path: TestFonts.cjk)])
        let cjk = try TestFonts.font([.init(path: TestFonts.cjk)])
        #expect(Self.width("字", both) == Self.width("字", cjk))
        let sum = Self.width("ab", sans) + Self.width("字", cjk)
        #expect(abs(Self.width("ab字", both) - sum) < 0.001)
        #expect(both.shape("ab字").missingCharacters == [])
        #expect(sans.shape("a字b字\u{1F600}").missingCharacters == ["字", "\u{1F600}"])
        let many = String(
            String.UnicodeScalarView((0x4E00..<0x4F00).compactMap(Unicode.Scalar.init)))
        #expect(sans.shape(many).missingCharacters.count == 8)
    }

    @Test(
        "The reader's text size multiplies advances, so that the lines are those of a narrower space"
    )
    func scales() throws {
        let font = try TestFonts.font()
        let text = font.shape("The quick brown fox jumps over the lazy dog")
        for scale in [0.5, 1, 1.3, 2, 4] {
            let wide = text.measure(TextRequest(width: 120 * scale, textScale: scale))
            #expect(wide.lines == text.lines(120))
            #expect(
                abs(wide.longestLine - scale * text.measure(TextRequest(width: 120)).longestLine)
                    < 0.001)
        }
    }

    @Test("The longest line's advance leaves out the space at its end, and lines can be cut off")
    func longestLine() throws {
        let font = try TestFonts.font()
        let text = font.shape("wide  \nWWW  \n i")
        let all = text.measure(TextRequest(width: TextRequest.wide))
        #expect(all.lines == 3 && !all.isTruncated)
        #expect(abs(all.longestLine - Self.width("WWW", font)) < 0.001)
        let cut = text.measure(TextRequest(width: TextRequest.wide, maxLines: 1))
        #expect(cut.lines == 1 && cut.isTruncated)
        #expect(abs(cut.longestLine - Self.width("wide", font)) < 0.001)
        #expect(text.measure(TextRequest(width: TextRequest.wide, maxLines: 3)) == all)
    }

    @Test("A line fits when its advance, rounded down to 1/64, does")
    func exactFit() throws {
        let font = try TestFonts.font([.init(path: TestFonts.cjk)], size: 16.01)
        let text = font.shape("字字")
        // 32.02 is 2049.28 / 64.
        #expect(text.lines(2049 / 64) == 1)
        #expect(text.lines(2048.9 / 64) == 2)
    }

    @Test("A word wider than the line breaks between clusters, or is clipped")
    func overflow() throws {
        let font = try TestFonts.font()
        let word = font.shape("e\u{301}e\u{301}e\u{301}e\u{301}")
        #expect(word.lines(1) == 4)
        #expect(word.lines(1, overflow: .clip) == 1)
        #expect(word.lines(Self.width("ee", font) + 0.1) == 2)
        #expect(word.measure(TextRequest(width: 1, maxLines: 2)).isTruncated)
    }

    @Test("A soft hyphen shows a hyphen where a line ends, whose advance counts")
    func softHyphen() throws {
        let font = try TestFonts.font()
        let text = font.shape("over\u{AD}flow")
        let hyphenated = Self.width("over\u{2010}", font)
        #expect(text.lines(hyphenated + 0.1) == 2)
        #expect(
            abs(text.measure(TextRequest(width: hyphenated + 0.1)).longestLine - hyphenated) < 0.3)
        #expect(abs(Self.width("over\u{AD}flow", font) - Self.width("overflow", font)) < 0.001)
    }

    @Test("Korean breaks between syllables, or with `hangul: word` between words")
    func hangul() throws {
        let font = try TestFonts.font([.init(path: TestFonts.cjk, index: 1)])
        let text = "부산 해운대 A형 1개"
        #expect(font.shape(text).lines(1, overflow: .clip) == 9)
        #expect(font.shape(text, hangul: .word).lines(1, overflow: .clip) == 4)
        #expect(font.shape("東京の人", hangul: .word).lines(1, overflow: .clip) == 4)
    }

    @Test("The ranges of lines are those of the text's bytes, without the spaces at their ends")
    func ranges() throws {
        let font = try TestFonts.font()
        let text = "  über \t alle  \r\n\n Maßen  extraordinary 字"
        let bytes = Array(text.utf8)
        let request = TextRequest(width: 70)
        let shaped = font.shape(text)
        let lines = shaped.lineRanges(request).map { String(decoding: bytes[$0], as: UTF8.self) }
        #expect(lines == ["über", "alle", "", "Maßen", "extraor", "dinary", "字"])
        #expect(shaped.measure(request).lines == lines.count)
        let cut = TextRequest(width: 70, maxLines: 2)
        #expect(shaped.lineRanges(cut).count == 2 && shaped.lineRanges(cut)[1].count == 4)
    }

    @Test("Bytes that are not UTF-8 are measured as U+FFFD each")
    func malformedText() throws {
        let font = try TestFonts.font()
        func width(_ bytes: [UInt8]) -> Double {
            font.shape(bytes).measure(TextRequest(width: TextRequest.wide)).longestLine
        }
        let replacement = width(Array("\u{FFFD}".utf8))
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xC0], [0xE2, 0x82], [0xED, 0xA0, 0x80]] {
            #expect(width(bytes) >= replacement, "\(bytes)")
        }
        #expect(width(Array("a".utf8) + [0x80]) > width(Array("a".utf8)))
    }
}
