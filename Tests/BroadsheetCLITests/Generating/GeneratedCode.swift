import Foundation
import Testing

@testable import BroadsheetCLI

/// The code that `broadsheet generate` writes for a catalog.
struct GeneratedCode {
    let text: String
    /// The lines on standard error.
    let errors: [String]

    /// Generates the code of a catalog.
    init(
        _ language: GeneratedLanguage, of catalog: String, name: String = "Shop"
    ) async throws {
        let console = TestConsole(files: ["catalog.json": catalog])
        let status = await console.run(
            "generate", language.rawValue, "--name", name, "catalog.json")
        try #require(status == .success, "\(console.errors)")
        text = console.output
        errors = console.errors
    }

    /// Returns the rest of the first line that begins with some text, without its indentation.
    func line(after start: String) -> String? {
        text.split(separator: "\n").lazy.map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }
}

extension String {
    /// A catalog with one cell type, `T`, whose data has a schema.
    static func catalog(schema: String) -> String {
        #"{"cellTypes": {"T": {"schema": \#(schema)}}}"#
    }

    /// A catalog with one cell type whose data has the members of a schema, all of them required.
    static func catalog(member schema: String, definitions: String = "{}") -> String {
        catalog(
            schema: """
                {"type": "object", "required": ["m"], "properties": {"m": \(schema)},
                 "$defs": \(definitions)}
                """)
    }
}
