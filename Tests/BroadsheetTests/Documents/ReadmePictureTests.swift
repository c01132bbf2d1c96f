import Foundation
import Testing

/// The pictures of README.md at the width at which GitHub shows them.
@Suite("The pictures of README.md")
struct ReadmePictureTests {
    private static let root = Fixtures.folder.deletingLastPathComponent()
    /// The width of a README's text on github.com, in pixels.
    private static let pageWidth = 830.0
    /// The size below which text is not legible, in pixels.
    private static let legibleSize = 8.0

    private struct Image {
        let path: String
        let width: Double
    }

    private func images() throws -> [Image] {
        let readme = try String(
            contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        return readme.matches(of: /<img src="([^"]+\.svg)" width="(\d+)"/).compactMap { match in
            Double(match.2).map { Image(path: String(match.1), width: $0) }
        }
    }

    /// Returns the font sizes of a picture's classes, as its style specifies them.
    private func fontSizes(_ style: String) -> [String: Double] {
        var sizes: [String: Double] = [:]
        for rule in style.matches(of: /([^{}]+)\{[^{}]*font-size:([0-9.]+)px/) {
            for name in rule.1.split(separator: ",") {
                let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
                sizes[String(name.dropFirst())] = Double(rule.2)
            }
        }
        return sizes
    }

    @Test("README.md has two pictures, which fit side by side")
    func sideBySide() throws {
        let widths = try images().map(\.width)
        #expect(widths.count == 2)
        // A space of the text is between them.
        #expect(widths.reduce(0, +) + 8 <= Self.pageWidth)
    }

    @Test("At least half of the texts of each picture are legible at the width that GitHub shows")
    func legible() throws {
        for image in try images() {
            let reader = PictureReader(
                [UInt8](try Data(contentsOf: Self.root.appending(path: image.path))))
            try #require(reader.isWellFormed && reader.width > 0)
            let sizes = fontSizes(reader.text)
            let shown = try reader.texts.map { text in
                try #require(sizes[text.kind], "\(text)") * image.width / reader.width
            }
            let legible = shown.filter { $0 >= Self.legibleSize }
            #expect(shown.count >= 10)
            #expect(2 * legible.count >= shown.count, "\(image.path): \(shown)")
        }
    }

    @Test("The pictures have colours for light and for dark backgrounds, and no other files")
    func schemes() throws {
        for image in try images() {
            let picture = try String(
                contentsOf: Self.root.appending(path: image.path), encoding: .utf8)
            #expect(picture.contains("@media (prefers-color-scheme:dark)"))
            let references = picture.matches(of: /(?:href="|url\()([^")]+)/).map { $0.1 }
            #expect(references.allSatisfy { $0.hasPrefix("#") })
        }
    }
}
