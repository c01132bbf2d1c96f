import Foundation
import TestSupport

/// Titles as shops, films and recipes have them, made from the words of `Fixtures/text`.
struct TitleCorpus {
    /// The languages with a file of words.
    static let languages = [
        "english", "german", "korean", "japanese", "chinese", "arabic", "hebrew", "hindi", "thai",
        "khmer",
    ]

    private let words: [String: [String]]

    /// Reads the words of a language.
    init(_ language: String) throws {
        let file = TestFiles.root.appending(path: "Fixtures/text/\(language).json")
        words = try JSONDecoder().decode([String: [String]].self, from: Data(contentsOf: file))
    }

    /// Returns distinct titles, the same for the same seed.
    static func titles(_ language: String, count: Int, seed: UInt64) throws -> [String] {
        var generator = SeededGenerator(seed: seed)
        var titles: Set<String> = []
        var ordered: [String] = []
        let corpora = try (language == "mixed" ? languages : [language]).map(TitleCorpus.init)
        while ordered.count < count {
            let title =
                corpora.count == 1
                ? corpora[0].title(&generator) : mixed(corpora, &generator)
            if titles.insert(title).inserted { ordered.append(title) }
        }
        return ordered
    }

    /// Returns parts of titles in two or three languages, joined as in a list of translations.
    private static func mixed(
        _ corpora: [TitleCorpus], _ generator: inout SeededGenerator
    ) -> String {
        let joints = [" – ", " / ", ": ", " ", ", ", "（", " · ", " | ", "-"]
        var text = ""
        for number in 0..<Int.random(in: 2...3, using: &generator) {
            if number > 0 { text += joints.randomElement(using: &generator) ?? " " }
            let corpus = corpora.randomElement(using: &generator) ?? corpora[0]
            text += corpus.phrase(&generator)
        }
        return text
    }

    private func word(_ kind: Character, _ generator: inout SeededGenerator) -> String {
        if kind == "#" { return "\(Int.random(in: 1...1500, using: &generator))" }
        return words[String(kind)]?.randomElement(using: &generator) ?? ""
    }

    private func phrase(_ generator: inout SeededGenerator) -> String {
        let kinds: [Character] = ["n", "p", "b", "n", "#"]
        return kinds.shuffled(using: &generator).prefix(2).map { word($0, &generator) }
            .joined(separator: " ")
    }

    private func title(_ generator: inout SeededGenerator) -> String {
        let pattern = words["patterns"]?.randomElement(using: &generator) ?? ""
        var text = ""
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            text += word(rest[rest.index(after: open)], &generator)
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}

/// The places of files.
enum TestFiles {
    /// The repository's root folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
