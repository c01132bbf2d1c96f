import Broadsheet
import BroadsheetText
import Foundation
import TestSupport
import Testing

@Suite("Shaped texts are kept")
struct TextCacheTests {
    /// The declarations of two fonts.
    private static let declarations = [
        FontDeclaration(files: TestFonts.files("mixed"), size: 17, letterSpacing: 0.5),
        FontDeclaration(files: [.init(path: TestFonts.sans)], size: 13),
    ]

    /// Returns a measurer, and the fonts that it has opened.
    private static func open(
        cacheBytes: Int
    ) throws -> (measurer: FontMeasurer, fonts: [any TextFont]) {
        let measurer = FontMeasurer(folder: TestFonts.folder, cacheBytes: cacheBytes)
        return (measurer, try declarations.map { try measurer.open($0) })
    }

    @Test("What is kept never differs from what is measured again, whatever the bound")
    func property() throws {
        let seed = SeededGenerator.seed(of: "TextCacheTests")
        var generator = SeededGenerator(seed: seed)
        let titles = try TitleCorpus.titles("mixed", count: 60, seed: seed)
        let bounds = [0, 5_000, 40_000, 1 << 20]
        let opened = try bounds.map { try Self.open(cacheBytes: $0) }
        for _ in 0..<800 {
            let title = try #require(titles.randomElement(using: &generator))
            let font = Int.random(in: 0...1, using: &generator)
            let hangul: ShapingOptions.Hangul = Bool.random(using: &generator) ? .syllable : .word
            let request = TextRequest(
                width: Double(Int.random(in: 0...300, using: &generator)),
                textScale: [0.5, 1, 1.25].randomElement(using: &generator) ?? 1,
                maxLines: [nil, 1, 2].randomElement(using: &generator) ?? nil,
                overflow: Bool.random(using: &generator) ? .anywhere : .clip)
            let expected = opened[0].fonts[font].shape(title, hangul: hangul).measure(request)
            for (bound, (measurer, fonts)) in zip(bounds, opened) {
                let measured = fonts[font].shape(title, hangul: hangul).measure(request)
                #expect(measured == expected, "\(bound): \(title)")
                #expect(measurer.cachedBytes <= bound)
            }
        }
        #expect(opened[0].measurer.cachedBytes == 0 && opened[3].measurer.cachedBytes > 10_000)
    }

    @Test("A kept text is the same object, until others have taken its place")
    func eviction() throws {
        let (_, fonts) = try Self.open(cacheBytes: 10_000)
        let font = fonts[1]
        let first = font.shape("first")
        #expect(font.shape("first") === first)
        #expect(font.shape("other") !== first)
        #expect(font.shape("first", hangul: .word) !== first)
        #expect(fonts[0].shape("first") !== first)
        for number in 0..<100 { _ = font.shape("text \(number)") }
        #expect(font.shape("first") !== first)
    }

    @Test("Many threads measure the same texts with the same results")
    func threads() async throws {
        let font = try Self.open(cacheBytes: 30_000).fonts[0]
        let titles = try TitleCorpus.titles("mixed", count: 80, seed: 3)
        let expected = titles.map { Self.lines($0, font) }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for step in 0..<160 {
                        let index = (step * 7 + task * 31) % titles.count
                        #expect(Self.lines(titles[index], font) == expected[index])
                    }
                }
            }
        }
    }

    private static func lines(_ title: String, _ font: any TextFont) -> [TextMeasurement] {
        [40, 120, 250].map { font.shape(title).measure(TextRequest(width: $0)) }
    }
}
