import Foundation
import Testing

@testable import BroadsheetCLI

/// `Fixtures/generated` has the code of catalogs of the fixtures, which a test compares.
///
/// To record them again, run the command in the first line of each file.
@Suite("Fixtures/generated")
struct GoldenCodeTests {
    private static let fixtures = URL(filePath: #filePath)
        .appending(path: "../../../../Fixtures").standardized

    private static let extensions: [GeneratedLanguage: String] = [
        .swift: "swift", .kotlin: "kt", .typescript: "ts",
    ]

    @Test(
        "The code of a fixture's catalog is the recorded one",
        arguments: ["Storefront", "Cells", "Wishes", "Schemas"], GeneratedLanguage.allCases)
    func goldens(name: String, language: GeneratedLanguage) async throws {
        let path = Self.fixtures.appending(path: "\(name.lowercased())/catalog.json").path
        let file = "\(name).\(Self.extensions[language] ?? "")"
        let golden = Self.fixtures.appending(path: "generated/\(file)")
        let fonts = "/usr/share/fonts"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let console = TestConsole(files: ["catalog.json": text])
        let status = await console.run(
            "generate", language.rawValue, "--name", name, "--fonts", fonts, "catalog.json")
        #expect(status == .success, "\(console.errors)")
        #expect(console.output == (try String(contentsOf: golden, encoding: .utf8)))
    }
}
