import Foundation
import Testing

/// The document docs/api.md, and those beside it, whose tables are compared with declarations.
enum APIDocument {
    /// The text of the document.
    static var text: String { get throws { try text(of: "api.md") } }

    private static func text(of name: String) throws -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let url = tests.appending(path: "../../../docs/\(name)").standardized
        return try String(contentsOf: url, encoding: .utf8)
    }

    /// Returns the cells of every row of the table with a header.
    static func rows(of header: String, in name: String = "api.md") throws -> [[String]] {
        let lines = try text(of: name).split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == header }, "docs/\(name): \(header)")
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
