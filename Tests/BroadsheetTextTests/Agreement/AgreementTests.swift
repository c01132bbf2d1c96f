import Broadsheet
import BroadsheetText
import Foundation
import Testing

@Suite("Agreement with Chromium")
struct AgreementTests {
    /// The number of titles in each language.
    private static let titles =
        ProcessInfo.processInfo.environment["TITLES"].flatMap(Int.init) ?? 300
    private static let widths = (0..<20).map { 80 + Double($0) * 520 / 19 }.map { $0.rounded() }
    private static let seed: UInt64 = 20

    private struct Subject {
        let language: String
        let font: any TextFont
        let job: Chromium.Job

        init(_ language: String) throws {
            self.language = language
            let files = TestFonts.files(language)
            let spacing = language == "german" ? 0.2 : 0
            font = try TestFonts.font(files, size: 17) { $0.letterSpacing = spacing }
            job = Chromium.Job(
                files: files.map { Chromium.Job.File($0) }, size: 17,
                letterSpacing: spacing,
                texts: try TitleCorpus.titles(language, count: titles, seed: seed), widths: widths)
        }

        /// The lines that are measured here, by text and width.
        func ownLines() -> [[Int]] {
            job.texts.map { text in
                let shaped = font.shape(text)
                return job.widths.map { shaped.lines($0) }
            }
        }
    }

    /// Returns the share of pairs with the same lines, and prints a few of the others.
    private func agreement(_ subject: Subject, _ own: [[Int]], _ expected: [[Int]]) -> Double {
        var same = 0
        var printed = 0
        for (text, (own, expected)) in zip(subject.job.texts, zip(own, expected)) {
            for (width, (own, expected)) in zip(subject.job.widths, zip(own, expected)) {
                if own == expected {
                    same += 1
                } else if printed < 3 {
                    printed += 1
                    print("  \(width) points: \(own) lines, Chromium \(expected): \(text)")
                }
            }
        }
        return Double(same) / Double(Self.titles * Self.widths.count)
    }

    @Test("Titles have as many lines as in Chromium, in 99.9 % of the pairs of title and width")
    func languages() throws {
        let subjects = try (TitleCorpus.languages + ["mixed"]).map(Subject.init)
        let lines = try Chromium.lines(subjects.map(\.job), ratios: [1, 2])
        print("\(FontMeasurer.libraryVersions ?? ""), \(lines.version)")
        let own = subjects.map { $0.ownLines() }
        for (ratio, results) in zip([1, 2], lines.ratios) {
            for (number, subject) in subjects.enumerated() {
                let share = agreement(subject, own[number], results[number])
                let percent = String(format: "%.2f", share * 100)
                print("\(subject.language), ratio \(ratio): \(percent) %")
                #expect(share >= (subject.language == "khmer" ? 0.985 : 0.999))
            }
        }
    }
}
