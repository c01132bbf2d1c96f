import Broadsheet
import Foundation
import TestSupport
import Testing

@Suite("The version of the package (docs/swift.md, Installation)")
struct PackageLineTests {
    private static let root = Fixtures.folder.deletingLastPathComponent()
    private static let current = BroadsheetVersion.current

    @Test("A version is MAJOR.MINOR.PATCH, as a tag is")
    func version() throws {
        #expect(Self.current.wholeMatch(of: /(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}/) != nil)
    }

    @Test(
        "Documents show the package line of the version, and a product of the package",
        arguments: ["README.md", "docs/swift.md", "docs/client.md"])
    func packageLine(document: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
        #expect(text.contains(#".package(url: "<URL>", from: "\#(Self.current)")"#))
        #expect(text.contains(#".product(name: "BroadsheetClient", package: "broadsheet")"#))
    }

    /// Returns what is wrong with the headings of a changelog, and with the tags of its commit.
    private func mistakes(in changelog: String, tags: [String]) -> [String] {
        let headings = changelog.matches(of: /(?m)^## (.+)$/).map { String($0.1) }
        let dated = headings.compactMap { $0.wholeMatch(of: /(\S+) \((\d{4}-\d{2}-\d{2})\)/) }
        let undated = headings.count - dated.count
        var mistakes: [String] = []
        if undated > (headings.first == "Unreleased" ? 1 : 0) { mistakes.append("no date") }
        for tag in tags {
            if tag != Self.current { mistakes.append("tag \(tag)") }
            let isFirst = headings.first == dated.first.map { String($0.output.0) }
            if dated.first?.output.1 != Self.current[...] || !isFirst {
                mistakes.append("no heading of \(Self.current)")
            }
        }
        return mistakes
    }

    @Test("A tag of this commit is the version, and the first heading of the changelog has it")
    func tags() throws {
        let changelog = Self.root.appending(path: "CHANGELOG.md")
        // Without git, or outside of a repository, there are no tags.
        let git = try? ChildProgram.run(
            ["git", "-C", Self.root.path, "tag", "--points-at", "HEAD"])
        let tags = git?.status == 0 ? git?.output.split(separator: "\n").map(String.init) : nil
        #expect(
            mistakes(in: try String(contentsOf: changelog, encoding: .utf8), tags: tags ?? [])
                == [])
    }

    @Test(
        "A tag with a v, of another version, or without a dated heading is found",
        arguments: [
            ("## Unreleased\n\n## CURRENT (2026-01-31)\n", [], []),
            ("## CURRENT (2026-01-31)\n\n## 0.0.1 (2025-01-31)\n", ["CURRENT"], []),
            ("## CURRENT (2026-01-31)\n", ["vCURRENT"], ["tag vCURRENT"]),
            ("## CURRENT (2026-01-31)\n", ["9.0.0"], ["tag 9.0.0"]),
            ("## Unreleased\n", ["CURRENT"], ["no heading of CURRENT"]),
            (
                "## Unreleased\n\n## CURRENT (2026-01-31)\n", ["CURRENT"],
                ["no heading of CURRENT"]
            ),
            ("## 0.0.1 (2025-01-31)\n", ["CURRENT"], ["no heading of CURRENT"]),
            ("## CURRENT\n", [], ["no date"]),
        ] as [(String, [String], [String])])
    func mistakes(changelog: String, tags: [String], expected: [String]) {
        func named(_ text: String) -> String {
            text.replacing("CURRENT", with: BroadsheetVersion.current)
        }
        #expect(
            mistakes(in: named(changelog), tags: tags.map(named)) == expected.map(named))
    }
}
