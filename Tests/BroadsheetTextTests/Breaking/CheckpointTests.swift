import Broadsheet
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BroadsheetText

@Suite("Shaping and filling lines have checkpoints", .serialized)
struct CheckpointTests {
    /// Parts of texts, in each of which something takes long.
    static let parts = [
        "a", "-", "->", "a ", "é", "字", "\u{301}", "\u{17BE}", "\u{301}\u{200C}", "\u{E33}", "ក",
        "ก", "\u{AD}", "\u{5D0}(", "\u{5D0}1 a", "\u{2067}(", "(]", "\u{10FFFF}", "“字”", "\n",
    ]

    /// Returns a text of a part, repeated to a number of UTF-16 code units; the first character is
    /// Hebrew, so that all of them have levels.
    private static func text(_ part: String, _ length: Int) -> String {
        "\u{5D0}" + String(repeating: part, count: length / part.utf16.count)
    }

    /// The checkpoints of a computation.
    private final class Checkpoints: Sendable {
        private let state = Mutex((count: 0, last: ProcessorTime.now, longest: 0.0))
        private let cancelsAt: Int

        init(cancellingAt number: Int = .max) { cancelsAt = number }

        var count: Int { state.withLock { $0.count } }
        /// The longest time between two checkpoints, in seconds.
        var longest: Double { state.withLock { $0.longest } }

        /// Calls a function with these checkpoints.
        func run<Result>(_ body: () -> Result) -> Result {
            let result = LongWork.run(givingWay: { self.pass() }, body)
            pass()
            return result
        }

        private func pass() {
            let count = state.withLock { state in
                let now = ProcessorTime.now
                (state.count, state.longest) = (
                    state.count + 1, max(state.longest, now - state.last)
                )
                state.last = now
                return state.count
            }
            if count >= cancelsAt { withUnsafeCurrentTask { $0?.cancel() } }
        }
    }

    /// The longest time between two checkpoints in these tests, in yardsticks, in debug mode, where
    /// the code outside of the system's libraries takes many times as long.
    private static let maxTime = 8.0

    @Test("A long text of any kind has a checkpoint every few milliseconds", arguments: parts)
    func checkpoints(part: String) throws {
        let font = try TestFonts.font(TestFonts.files("mixed"))
        let text = Self.text(part, 1 << 14)
        let expected = text.utf16.count * TextCheckpoints.character / TextCheckpoints.interval
        // A virtual machine that waits for its host seems to compute: the best of three counts.
        var longest = Double.infinity
        for _ in 0..<3 where longest >= Self.maxTime {
            let yardstick = ProcessorTime.yardstick
            let shaping = Checkpoints()
            let shaped = shaping.run { font.shape(text) }
            let filling = Checkpoints()
            filling.run { _ = shaped.lines(1) }
            print(
                "\(part.debugDescription): \(shaping.count) checkpoints, \(shaping.longest) s; "
                    + "\(filling.count), \(filling.longest) s")
            #expect(shaping.count > expected)
            longest =
                max(shaping.longest, filling.longest) / max(yardstick, ProcessorTime.yardstick)
        }
        #expect(longest < Self.maxTime)
    }

    @Test("Short texts have checkpoints together")
    func shortTexts() throws {
        let font = try TestFonts.font()
        let checkpoints = Checkpoints()
        checkpoints.run { for number in 0..<2_000 { _ = font.shape("a title, number \(number)") } }
        #expect(checkpoints.count > 10)
    }

    @Test("A text that is abandoned at any checkpoint ends soon, and nothing of it is kept")
    func abandoned() async throws {
        var random = SeededGenerator(seed: SeededGenerator.seed(of: "abandoned texts"))
        let measurer = FontMeasurer(folder: TestFonts.folder)
        let declaration = FontDeclaration(files: TestFonts.files("mixed"), size: 20)
        let font = try measurer.open(declaration)
        let other = try TestFonts.font(TestFonts.files("mixed"))
        let request = TextRequest(width: 40)
        for part in Self.parts {
            let text = Self.text(part, 1 << 13)
            let number = Int.random(in: 1...6, using: &random)
            let kept = measurer.cachedBytes
            let count = await Task {
                let checkpoints = Checkpoints(cancellingAt: number)
                checkpoints.run { _ = font.shape(text).measure(request) }
                return Task.isCancelled ? checkpoints.count : 0
            }.value
            // One is that of the test itself, after the computation.
            #expect(count == 0 || count <= number + 2, "\(part.debugDescription)")
            if count > 0, number == 1 { #expect(measurer.cachedBytes == kept) }
            let (again, expected) = (font.shape(text), other.shape(text))
            #expect(again.measure(request) == expected.measure(request), "\(part.debugDescription)")
            #expect(again.lineRanges(request) == expected.lineRanges(request))
        }
    }

    @Test("In a cancelled task without checkpoints, a text is measured whole")
    func cancelled() async throws {
        let font = try TestFonts.font(TestFonts.files("mixed"))
        let text = Self.text("\u{17BE} a", 1 << 13)
        let expected = font.shape(text).lines(100)
        let lines = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return Task.isCancelled ? font.shape(text).lines(100) : 0
        }.value
        #expect(lines == expected && lines > 10)
    }

    @Test(
        "Titles in one long text have the lines that each has alone",
        arguments: TitleCorpus.languages + ["mixed"])
    func longTexts(language: String) throws {
        let font = try TestFonts.font(TestFonts.files(language), size: 17)
        let titles = try TitleCorpus.titles(language, count: 300, seed: 7)
        let joined = titles.joined(separator: "\n")
        for width in [90.0, 200] {
            let alone = titles.reduce(0) { $0 + font.shape($1).lines(width) }
            #expect(font.shape(joined).lines(width) == alone, "\(joined.utf16.count) code units")
        }
    }

    @Test(
        "ICU finds the same break opportunities in parts of a text as in the whole",
        arguments: ["japanese", "chinese", "korean", "thai", "khmer", "hindi", "german", "mixed"])
    func partsForICU(language: String) throws {
        let font = try #require(try TestFonts.font(TestFonts.files(language)) as? OpenFont)
        let scratch = try #require(TextScratch(font.libraries))
        let titles = try TitleCorpus.titles(language, count: 400, seed: 11)
        for separator in ["", " "] {
            CollapsedText.decode(Array(titles.joined(separator: separator).utf8), into: scratch)
            var breaks: [[Int32]] = []
            for length in [Int.max, ICUBreaks.maxLength, 2_000] {
                LineBreaks(scratch: scratch, hangul: .syllable, maxPart: length).find()
                breaks.append(scratch.breaks)
            }
            #expect(scratch.text.count > 4_000 && breaks[0].count > 100)
            #expect(breaks[1] == breaks[0] && breaks[2] == breaks[0], "\(separator.isEmpty)")
        }
    }

    @Test("A run is divided only within a sequence of more than 64 combining characters")
    func combiningSequences() throws {
        #expect(CombiningSequences.maxLength == 64)
        let font = try #require(try TestFonts.font() as? OpenFont)
        let scratch = try #require(TextScratch(font.libraries))
        func runs(_ text: String) -> [Int] {
            CollapsedText.decode(Array(text.utf8), into: scratch)
            Shaper(font: font, scratch: scratch).makeRuns()
            return scratch.runs.map { $0.end - $0.start }
        }
        func marks(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }
        #expect(runs("a" + marks(64) + "b" + marks(64)) == [130])
        #expect(runs("a" + marks(65)) == [65, 1])
        #expect(runs("ab" + marks(130) + "c" + marks(3)) == [66, 64, 6])
        let pairs = String(repeating: "\u{1D165}", count: 40)
        #expect(runs("a" + pairs) == [65, 16])
        #expect(runs(String(repeating: "a\u{301}", count: 500)) == [1000])
    }

    @Test("Levels are those of whole paragraphs up to 4096 code units")
    func bidiParts() throws {
        #expect(BidiRuns.maxLength == 4096)
        let font = try #require(try TestFonts.font() as? OpenFont)
        let scratch = try #require(TextScratch(font.libraries))
        func ends(_ text: String) -> [Int] {
            CollapsedText.decode(Array(text.utf8), into: scratch)
            Shaper(font: font, scratch: scratch).makeRuns()
            return scratch.bidiRuns.map(\.end)
        }
        // The embedding ends with the paragraph; the line feed has a level of its own.
        let embedded = "\u{202B}" + String(repeating: "a", count: 4_000)
        #expect(ends(embedded + "\n" + embedded).count == ends(embedded).count * 2 + 1)
        // Beyond the limit it ends after a space, which has the level of the paragraph.
        let long = "\u{202B}" + String(repeating: "aaaaaaa ", count: 1_000)
        #expect(ends(long) == [4_088, 4_089, 8_000])
    }
}
