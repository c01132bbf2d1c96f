import Broadsheet
import Foundation
import Testing

@Suite("docs/contents.md")
struct ContentsDocumentTests {
    private static let docs = Fixtures.folder.deletingLastPathComponent().appending(path: "docs")

    @Test("Each member of a content's box has a heading, in the order of the declaration")
    func members() throws {
        let text = try String(
            contentsOf: Self.docs.appending(path: "contents.md"), encoding: .utf8)
        let headings = text.matches(of: /\n### `(\w+)`\n/).map { String($0.1) }
        #expect(headings == ContentMember.all.map(\.name))
        // With a picture each that frames depend on, which docs/pictures/draw compares.
        let sections = text.components(separatedBy: "\n### ").dropFirst()
            .prefix(ContentMember.all.count - ContentMember.meaning.count)
        for section in sections {
            let picture = section.firstMatch(of: /<img src="(pictures\/box-[a-z-]+\.svg)"/)?.1
            let path = Self.docs.appending(path: String(picture ?? "none")).path
            #expect(FileManager.default.fileExists(atPath: path), "\(section.prefix(20))")
        }
    }
}
