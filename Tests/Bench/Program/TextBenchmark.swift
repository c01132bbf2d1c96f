import Broadsheet
import BroadsheetText
import CHarfBuzz
import Foundation

/// Shaping titles, compared with HarfBuzz alone, and filling the lines of a shaped title.
enum TextBenchmark {
    /// The languages, each with the file of its script (docs/text.md, "Agreement").
    private static let fonts = [
        ("english", "opentype/inter/Inter-Regular.otf"),
        ("german", "opentype/inter/Inter-Regular.otf"),
        ("japanese", "opentype/noto/NotoSansCJK-Regular.ttc"),
        ("arabic", "truetype/noto/NotoSansArabic-Regular.ttf"),
        ("hebrew", "truetype/noto/NotoSansHebrew-Regular.ttf"),
        ("hindi", "truetype/noto/NotoSansDevanagari-Regular.ttf"),
        ("thai", "truetype/noto/NotoSansThai-Regular.ttf"),
    ]
    private static let folder = "/usr/share/fonts"

    static func rows(_ context: BenchmarkContext) throws -> [ResultRow] {
        let measurer = FontMeasurer(folder: folder, cacheBytes: 0)
        let subjects = try fonts.map { language, path in
            let declaration = FontDeclaration(files: [.init(path: path)], size: 17)
            return Subject(
                titles: try context.titles(language), font: try measurer.open(declaration),
                shaper: try BareShaper("\(folder)/\(path)", size: 17))
        }
        let titles = Double(subjects.reduce(0) { $0 + $1.titles.count })
        let shaping = DurationComparison.measure(
            baseline: { for subject in subjects { subject.shapeAlone() } },
            subject: { for subject in subjects { subject.shape() } })
        let perTitle = { (seconds: Double) in "\((seconds / titles * 1e6).formatted(2)) µs" }
        return [
            ResultRow(
                name: "shape a title", figure: perTitle(shaping.subject),
                baseline: "hb_shape " + perTitle(shaping.baseline),
                ratio: shaping.ratio.formatted(),
                target: Target(ratio: shaping.ratio, .atMost(1.5))),
            try lines(subjects),
        ]
    }

    /// Returns the row of the median duration of filling the lines of a title.
    private static func lines(_ subjects: [Subject]) throws -> ResultRow {
        let texts = subjects.flatMap { subject in subject.titles.map { subject.shaped($0) } }
        let request = TextRequest(width: 240)
        let rounds = (0..<15).map { _ in
            texts.map { text in
                let start = ContinuousClock.now
                for _ in 0..<100 { keep(text.measure(request)) }
                return start.secondsToNow / 100 * 1e9
            }.median
        }
        let median = rounds.median
        return ResultRow(
            name: "  fill its lines at a width", figure: "\(median.formatted(0)) ns",
            target: Target("below 100 ns", isMet: median < 100))
    }

    /// The titles of a language with their fonts.
    private struct Subject {
        let titles: [[UInt8]]
        let font: any TextFont
        let shaper: BareShaper
        private let units: [[UInt16]]

        init(titles: [[UInt8]], font: any TextFont, shaper: BareShaper) {
            self.titles = titles
            self.font = font
            self.shaper = shaper
            units = titles.map { Array(String(decoding: $0, as: UTF8.self).utf16) }
        }

        func shapeAlone() { for title in units { shaper.shape(title) } }

        func shape() { for title in titles { keep(shaped(title)) } }

        func shaped(_ title: [UInt8]) -> any ShapedText {
            title.withUnsafeBytes { font.shape($0, ShapingOptions()) }
        }
    }
}

/// HarfBuzz without anything around it: a buffer that is filled and shaped.
private final class BareShaper {
    private let functions: UnsafePointer<CHarfBuzzFunctions>
    private let buffer: OpaquePointer
    private let font: OpaquePointer
    /// The bytes of the file, to which HarfBuzz's objects refer; they last until the program ends.
    private let bytes: UnsafeMutableBufferPointer<CChar>

    init(_ path: String, size: Int32) throws {
        let data = try Data(contentsOf: URL(filePath: path))
        bytes = .allocate(capacity: data.count)
        _ = bytes.initialize(from: data.map { CChar(bitPattern: $0) })
        guard let functions = charfbuzz_functions(),
            let buffer = functions.pointee.hb_buffer_create(),
            let blob = functions.pointee.hb_blob_create(
                bytes.baseAddress, UInt32(bytes.count), HB_MEMORY_MODE_READONLY, nil, nil),
            let face = functions.pointee.hb_face_create(blob, 0),
            let font = functions.pointee.hb_font_create(face)
        else { throw BenchmarkError("HarfBuzz is missing") }
        functions.pointee.hb_font_set_scale(font, size << 16, size << 16)
        (self.functions, self.buffer, self.font) = (functions, buffer, font)
    }

    func shape(_ text: [UInt16]) {
        functions.pointee.hb_buffer_clear_contents(buffer)
        text.withUnsafeBufferPointer {
            functions.pointee.hb_buffer_add_utf16(
                buffer, $0.baseAddress, Int32($0.count), 0, Int32($0.count))
        }
        functions.pointee.hb_buffer_guess_segment_properties(buffer)
        functions.pointee.hb_shape(font, buffer, nil, 0)
    }
}

extension BenchmarkContext {
    /// Returns titles of a language, made from the words of `Fixtures/text`.
    fileprivate func titles(_ language: String) throws -> [[UInt8]] {
        let data = try Data(contentsOf: fixture("text/\(language).json"))
        let words = try JSONDecoder().decode([String: [String]].self, from: data)
        guard let adjectives = words["a"], let nouns = words["n"], let places = words["p"] else {
            throw BenchmarkError("Fixtures/text/\(language).json has no words")
        }
        return (0..<200).map { number in
            let parts = [
                adjectives[number % adjectives.count], nouns[number % nouns.count],
                places[number * 7 % places.count], nouns[number * 11 % nouns.count],
            ]
            return Array(parts.joined(separator: " ").utf8)
        }
    }
}
