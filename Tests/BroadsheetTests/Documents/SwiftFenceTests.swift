import Broadsheet
import Foundation
import Testing

/// Every Swift fence of a document is a region of a file that the tests compile and run.
@Suite("Swift in documents")
struct SwiftFenceTests {
    static let documents = [
        "README.md", "docs/guide.md", "docs/catalog.md", "docs/architecture.md", "docs/client.md",
        "docs/edits.md", "docs/swift.md",
        "docs/changes.md", "Sources/Broadsheet/Broadsheet.docc/Broadsheet.md",
        "Sources/BroadsheetClient/BroadsheetClient.docc/BroadsheetClient.md",
        "docs/custom-layouts.md",
    ]

    /// The files whose regions the documents show.
    static let examples = [
        "Tests/BroadsheetTests/Documents/GuideExamples.swift",
        "Tests/Embedding/Tests/EmbeddingTests/SwiftExamples.swift",
        "Tests/Embedding/Tests/EmbeddingTests/CustomLayouts.swift",
        "Tests/Embedding/Tests/EmbeddingTests/CustomLayoutTests.swift",
        "Tests/BroadsheetClientTests/ClientExamples.swift",
        "Tests/BroadsheetClientTests/PartsExamples.swift",
        "Tests/Embedding/Sources/Embedding/PriceServer.swift",
        "Tests/Embedding/Tests/EmbeddingTests/DictionaryBackend.swift",
        "Tests/Embedding/Tests/EmbeddingTests/DictionaryBackendTests.swift",
        "Tests/Embedding/Tests/EmbeddingTests/PriceServerTests.swift",
        "Tests/Embedding/Sources/Embedding/BoardServer.swift",
        "Tests/Embedding/Tests/EmbeddingTests/BoardTests.swift",
    ]

    @Test("Every swift fence of a document is a region of an examples file, word for word")
    func fencesAreCompiled() throws {
        let regions = Set(try Self.regions().values)
        #expect(regions.count > 3)
        for document in Self.documents {
            for fence in try Self.swiftFences(of: document) {
                #expect(
                    regions.contains(fence),
                    "\(document) contains Swift that is not tested:\n\(fence)")
            }
        }
    }

    @Test("Every region of an examples file occurs in a document")
    func regionsAreShown() throws {
        let fences = Set(try Self.documents.flatMap(Self.swiftFences))
        for (name, region) in try Self.regions() {
            #expect(fences.contains(region), "no document contains [\(name)]")
        }
    }

    private static func swiftFences(of document: String) throws -> [String] {
        let text = String(decoding: try repositoryFile(document), as: UTF8.self)
        var fences: [String] = []
        var open: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```swift" {
                open = []
            } else if line.hasPrefix("```"), let lines = open {
                fences.append(lines.joined(separator: "\n"))
                open = nil
            } else {
                open?.append(line)
            }
        }
        return fences
    }

    /// The regions by name, without the indentation of their first line.
    private static func regions() throws -> [String: String] {
        var regions: [String: String] = [:]
        for path in examples { try addRegions(of: path, to: &regions) }
        return regions
    }

    private static func addRegions(of path: String, to regions: inout [String: String]) throws {
        let text = String(decoding: try repositoryFile(path), as: UTF8.self)
        var open: (name: Substring, lines: [Substring])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let mark = line.drop { $0 == " " }
            if mark.hasPrefix("// [/") {
                if let (name, lines) = open { regions[String(name)] = dedented(lines) }
                open = nil
            } else if mark.hasPrefix("// ["), mark.hasSuffix("]") {
                open = (mark.dropFirst(4).dropLast(), [])
            } else {
                open?.lines.append(line)
            }
        }
    }

    private static func dedented(_ lines: [Substring]) -> String {
        let indentation = lines.first?.prefix { $0 == " " }.count ?? 0
        return lines.map { $0.dropFirst(min(indentation, $0.prefix { $0 == " " }.count)) }
            .joined(separator: "\n")
    }

    private static func repositoryFile(_ path: String) throws -> Data {
        try Data(contentsOf: Fixtures.folder.deletingLastPathComponent().appending(path: path))
    }
}
