import Broadsheet
import BroadsheetText
import Foundation
import TestSupport
import Testing

@Suite("Break rules, compared with Chromium")
struct BreakRuleTests {
    /// A text, and the parts into which it can be divided.
    struct Case: CustomTestStringConvertible {
        let rule: String
        let text: String
        let parts: Int

        var testDescription: String { "\(rule): \(text.debugDescription)" }
    }

    /// Each rule that differs from plain ICU, or that ICU does not have.
    static let cases = [
        Case(rule: "ASCII: not between a letter and a bracket", text: "a(b)", parts: 1),
        Case(rule: "ASCII: a bracket behind another begins a line", text: "(a)(b)", parts: 2),
        Case(rule: "ASCII: after a question mark", text: "a?b", parts: 2),
        Case(rule: "ASCII: not after a slash", text: "and/or", parts: 1),
        Case(rule: "ASCII: after a hyphen", text: "well-known", parts: 2),
        Case(rule: "ASCII: not after a minus sign", text: "-1", parts: 1),
        Case(rule: "ASCII: after a hyphen between digits", text: "2024-25", parts: 2),
        Case(rule: "ASCII: not after a full stop", text: "e.g.x", parts: 1),
        Case(rule: "ASCII: not before an exclamation mark", text: "a!b", parts: 1),
        Case(rule: "LB7 does not apply: after a space always", text: "« a »", parts: 3),
        Case(rule: "LB19a: around a quoted word", text: "他说“好”吗", parts: 4),
        Case(rule: "LB19a: not beside Latin", text: "a“好”b", parts: 1),
        Case(rule: "LB19a with a mark (LB9)", text: "字“\u{301}字”字", parts: 3),
        Case(rule: "LB20a: a dash that begins a word", text: "a –b", parts: 2),
        Case(rule: "LB20a: a dash behind a word", text: "a–b", parts: 2),
        Case(rule: "LB21a: a maqaf between Hebrew words", text: "בית־ספר", parts: 2),
        Case(rule: "LB21a: a hyphen between Hebrew words", text: "בית-ספר", parts: 2),
        Case(rule: "LB21a: a maqaf before Latin", text: "ב־a", parts: 1),
        Case(rule: "LB21a: a soft hyphen behind Hebrew", text: "א\u{AD}a", parts: 2),
        Case(rule: "lb=normal: small kana and the prolonged sound mark", text: "カー", parts: 2),
        Case(rule: "ZW: a zero-width space", text: "a\u{200B}b", parts: 2),
        Case(rule: "GL: a no-break space", text: "a\u{A0}b", parts: 1),
        Case(rule: "SA: words of Thai", text: "สวัสดีชาวโลก", parts: 3),
        Case(rule: "White space: runs are one space", text: "  a \t b  ", parts: 2),
        Case(rule: "White space: CR LF is a line feed", text: "a\r\nb", parts: 2),
        Case(rule: "White space: a carriage return is a space", text: "a\rb", parts: 2),
        Case(rule: "White space: the last line feed adds no line", text: "a\n", parts: 1),
        Case(rule: "White space: a line feed alone is a line", text: "\n", parts: 1),
        Case(rule: "White space: empty lines", text: "a\n\n\nb", parts: 4),
        Case(rule: "White space: spaces alone have no line", text: " \t ", parts: 0),
        Case(rule: "Ideographic spaces hang", text: "字\u{3000}字", parts: 2),
        Case(rule: "Separators: a line may end after U+2028", text: "a\u{2028}b", parts: 2),
        Case(rule: "Separators: they are not collapsed", text: "a\u{2029} \u{2029}b", parts: 3),
    ]

    /// At least one character of each class of UAX #14, and those with rules of their own.
    private static let samples =
        "aéб1٣אب字あ가각っー々・(「（」。、）)\"«»“”‘’!！?؟,.:،/$€%℃％-–‐|।־´—…กក👍😀①×÷कａ１ ±°+\u{A0}\u{2011}\u{2060}"
        .unicodeScalars.map(String.init) + [
            "\u{301}", "ก็", "\u{AD}", "के", "\u{200D}", "🏽", "🇩🇪", "\u{2028}", "\u{2029}",
        ]

    private static func parts(_ texts: [String]) throws -> (chromium: [Int], own: [Int]) {
        let files = TestFonts.files("mixed")
        let job = Chromium.Job(
            files: files.map { Chromium.Job.File($0) }, size: 16,
            css: "overflow-wrap: normal;", texts: texts, widths: [1])
        let font = try TestFonts.font(files, size: 16)
        let lines = try Chromium.lines([job], ratios: [1]).ratios[0][0]
        return (lines.map { $0[0] }, texts.map { font.shape($0).lines(1, overflow: .clip) })
    }

    @Test("Each rule divides its text as in Chromium")
    func rules() throws {
        let (chromium, own) = try Self.parts(Self.cases.map(\.text))
        for (number, rule) in Self.cases.enumerated() {
            #expect(own[number] == rule.parts, "\(rule.testDescription)")
            #expect(chromium[number] == rule.parts, "\(rule.testDescription), in Chromium")
        }
    }

    @Test("All pairs of ASCII characters, and of the classes of UAX #14, break as in Chromium")
    func pairs() throws {
        let ascii = (0x21...0x7E).compactMap { Unicode.Scalar($0).map(String.init) }
        var texts = ascii.flatMap { first in ascii.map { first + $0 } }
        texts += Self.samples.flatMap { first in Self.samples.map { first + $0 } }
        let (chromium, own) = try Self.parts(texts)
        let different = texts.indices.filter { chromium[$0] != own[$0] }
        #expect(different.isEmpty, "\(different.prefix(20).map { texts[$0].debugDescription })")
    }

    @Test("Random texts of all classes break as in Chromium, in 99.8 % of them")
    func random() throws {
        let seed = SeededGenerator.seed(of: "BreakRuleTests")
        var generator = SeededGenerator(seed: seed)
        let texts = (0..<10_000).map { _ in
            (0..<Int.random(in: 3...8, using: &generator))
                .map { _ in Self.samples.randomElement(using: &generator) ?? "" }.joined()
        }
        let (chromium, own) = try Self.parts(texts)
        let different = texts.indices.filter { chromium[$0] != own[$0] }
        let examples = different.prefix(20).map { texts[$0].debugDescription }
        #expect(different.count <= texts.count / 500, "\(different.count): \(examples)")
    }
}
