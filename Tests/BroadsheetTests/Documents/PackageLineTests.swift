import Broadsheet
import Foundation
import Testing

@Suite("The version of the package (docs/swift.md, Installation)")
struct PackageLineTests {
    @Test("A version is MAJOR.MINOR.PATCH, as a tag is")
    func version() throws {
        let parts = BroadsheetVersion.current.split(
            separator: ".", omittingEmptySubsequences: false)
        #expect(parts.count == 3)
        #expect(
            parts.compactMap { UInt($0) }.map { "\($0)" }.joined(separator: ".")
                == BroadsheetVersion.current)
    }

    @Test(
        "Documents show the package line of the version, and a product of the package",
        arguments: ["README.md", "docs/swift.md", "docs/client.md"])
    func packageLine(document: String) throws {
        let root = Fixtures.folder.deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: document), encoding: .utf8)
        #expect(
            text.contains(#".package(url: "<URL>", from: "\#(BroadsheetVersion.current)")"#))
        #expect(text.contains(#".product(name: "BroadsheetClient", package: "broadsheet")"#))
    }
}
