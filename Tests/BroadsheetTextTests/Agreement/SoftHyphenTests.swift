import Broadsheet
import BroadsheetText
import TestSupport
import Testing

@Suite("Soft hyphens, compared with Chromium")
struct SoftHyphenTests {
    // Lines of a letter and less are left out.
    private static let widths = stride(from: 10.0, through: 120, by: 2.5).map { $0 }

    /// Returns the lines of texts at each width, in Chromium and as they are measured here.
    private static func lines(
        of texts: [String], at widths: [Double], letterSpacing: Double = 0
    ) throws -> (chromium: [[Int]], own: [[Int]]) {
        let files = [FontDeclaration.File(path: TestFonts.sans)]
        let job = Chromium.Job(
            files: files.map { Chromium.Job.File($0) }, size: 16, letterSpacing: letterSpacing,
            texts: texts, widths: widths)
        let font = try TestFonts.font(files, size: 16) { $0.letterSpacing = letterSpacing }
        let own = texts.map { text in
            let shaped = font.shape(text)
            return widths.map { shaped.lines($0) }
        }
        return (try Chromium.lines([job], ratios: [1]).ratios[0][0], own)
    }

    @Test(
        "A part that fits only without its hyphen breaks so that the hyphen fits",
        arguments: [
            (15.0, 19), (20, 14), (25, 11), (30, 10), (35, 8), (40, 7), (50, 6),
            (55, 5), (60, 4), (70, 4),
        ])
    func parts(width: Double, lines: Int) throws {
        let font = try TestFonts.font([.init(path: TestFonts.sans)], size: 16)
        let text = font.shape("Donau\u{AD}dampf\u{AD}schiff\u{AD}fahrt")
        #expect(text.lines(width) == lines)
    }

    @Test(
        "Random words with soft hyphens have as many lines as in Chromium, in 99.5 % of the pairs")
    func random() throws {
        let seed = SeededGenerator.seed(of: "SoftHyphenTests")
        var generator = SeededGenerator(seed: seed)
        let texts = (0..<400).map { _ in Self.text(&generator) }
        for spacing in [0, 0.5] {
            let (chromium, own) = try Self.lines(
                of: texts, at: Self.widths, letterSpacing: spacing)
            var different: [String] = []
            for (text, (own, chromium)) in zip(texts, zip(own, chromium)) {
                for (width, (own, chromium)) in zip(Self.widths, zip(own, chromium))
                where own != chromium {
                    let lines = "\(own) lines, Chromium \(chromium)"
                    different.append("\(text.debugDescription) at \(width): \(lines)")
                }
            }
            let pairs = texts.count * Self.widths.count
            print("letter spacing \(spacing): \(different.count) of \(pairs) differ")
            #expect(different.count <= pairs / 200, "\(different.prefix(10))")
        }
    }

    /// Returns one to three words, with soft hyphens between some of their letters, which form no
    /// ligatures.
    private static func text(_ generator: inout SeededGenerator) -> String {
        let letters = Array("abdehiklmnorstuwzäöüß")
        return (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            var word = ""
            for place in 0..<Int.random(in: 2...14, using: &generator) {
                if place > 0, Int.random(in: 0..<4, using: &generator) == 0 { word += "\u{AD}" }
                word.append(letters.randomElement(using: &generator) ?? "a")
            }
            return word
        }.joined(separator: " ")
    }
}
