import Broadsheet
import Foundation
import Testing

@Suite("Golden trees")
struct GoldenTreeTests {
    @Test("The engine writes every recorded tree, byte for byte", arguments: GoldenCase.all)
    func recorded(golden: GoldenCase) throws {
        let tree = try Engine.tree(
            catalog: golden.bytes(golden.catalog), pages: golden.pages.map(golden.bytes),
            query: golden.query)
        let difference = TreeComparison.difference(
            engine: tree, oracle: try golden.bytes(golden.tree))
        #expect(difference == nil, Comment(rawValue: difference ?? ""))
    }

    @Test("There are golden trees for every group of rules")
    func families() {
        #expect(GoldenCase.all.count > 100)
        let folders = Set(GoldenCase.all.map(\.folder.lastPathComponent))
        #expect(folders.isSuperset(of: ["storefront", "appcenter", "flow-lines", "right-to-left"]))
    }
}

/// A golden tree: its inputs and the file of the expected output (`Fixtures/**/cases.json`).
struct GoldenCase: Sendable, CustomTestStringConvertible {
    /// The folder that the case's file names are relative to.
    let folder: URL
    let name: String
    let pages: [String]
    let catalog: String
    let query: [String: String]
    let tree: String

    var testDescription: String { "\(folder.lastPathComponent): \(name)" }

    func bytes(_ file: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: file)))
    }

    /// Every case of every `cases.json` below `Fixtures/`.
    ///
    /// Files that cannot be read are skipped; a separate test checks that there are cases.
    static let all: [GoldenCase] = {
        let files = FileManager.default.enumerator(
            at: Fixtures.folder, includingPropertiesForKeys: nil)
        let manifests = (files?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.lastPathComponent == "cases.json" }
            .sorted { $0.path < $1.path }
        return manifests.flatMap { (try? cases(in: $0)) ?? [] }
    }()

    private static func cases(in manifest: URL) throws -> [GoldenCase] {
        struct Entry: Decodable {
            let name, catalog, query, tree: String
            let pages: [String]
        }
        let entries = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: manifest))
        return entries.map { entry in
            GoldenCase(
                folder: manifest.deletingLastPathComponent(), name: entry.name, pages: entry.pages,
                catalog: entry.catalog, query: Self.parameters(entry.query), tree: entry.tree)
        }
    }

    private static func parameters(_ query: String) -> [String: String] {
        var result = [String: String]()
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            result[parts[0]] = parts.count == 2 ? parts[1] : ""
        }
        return result
    }
}
