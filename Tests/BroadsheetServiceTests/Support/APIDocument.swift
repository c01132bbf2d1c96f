import Foundation
import Testing

/// The document docs/api.md, whose tables are compared with the declarations of the service.
enum APIDocument {
    /// The text of the document.
    static var text: String {
        get throws {
            let tests = URL(filePath: #filePath).deletingLastPathComponent()
            let url = tests.appending(path: "../../../docs/api.md").standardized
            return try String(contentsOf: url, encoding: .utf8)
        }
    }

    /// Returns the cells of every row of the table with a header.
    static func rows(of header: String) throws -> [[String]] {
        let lines = try text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == header }, "docs/api.md: \(header)")
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
