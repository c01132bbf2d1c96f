@testable import Broadsheet
import Foundation
import Testing

/// The groups of Fixtures/schemas/conformance.json: a schema, and values that keep it or do not.
@Suite("Schemas (JSON Schema 2020-12)") struct SchemaConformanceTests {
    private static let document: JSONDocument? =
        try? JSONDocument(Fixtures.bytes("schemas/conformance.json"))
    private static let keywords = document?.root.members.map(\.name.string) ?? []

    @Test("Every group of a keyword has its results", arguments: keywords)
    func group(keyword: String) throws {
        let groups = try #require(Self.document?.root[keyword])
        for group in groups.elements {
            let about = "\(keyword): \(group["about"]?.string ?? "")"
            let tested = TestedSchema(try #require(group["schema"]))
            #expect(tested.violations.isEmpty, "\(about)")
            guard let schema = tested.schema else { continue }
            for (expectation, isValid) in [("valid", true), ("invalid", false)] {
                for value in try #require(group[expectation]).elements {
                    var judge = SchemaJudge(value.document)
                    let found = judge.violations(of: value.node, by: schema, keeping: 10)
                    #expect(
                        (found.total == 0) == isValid,
                        "\(about), \(expectation): \(text(of: value))")
                    #expect(found.first.isEmpty == isValid)
                }
            }
        }
    }

    private func text(of value: JSONValue) -> String {
        String(decoding: value.document.bytes[value.byteRange], as: UTF8.self)
    }

    @Test("Every keyword with a condition has groups")
    func coverage() throws {
        let text = String(decoding: try Fixtures.bytes("schemas/conformance.json"), as: UTF8.self)
        for keyword in SchemaKeyword.all where keyword.role != .annotation {
            if ["$dynamicRef", "$dynamicAnchor"].contains(keyword.name) { continue }
            #expect(text.contains("\"\(keyword.name)\":"), "\(keyword.name)")
        }
    }

    @Test("The documentation says of every keyword how it is tested (docs/schemas.md)")
    func documented() throws {
        let path = Fixtures.folder.deletingLastPathComponent().appending(path: "docs/schemas.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let table = try #require(text.components(separatedBy: "| keywords | tests |").last)
        let rows = table.split(separator: "\n").prefix { $0.hasPrefix("|") }
        let names = rows.flatMap { row in
            row.split(separator: "|").first?.split(separator: "`").filter { !$0.contains(" ") }
                ?? []
        }
        let documented = names.map(String.init).filter { $0 != "---" }
        #expect(documented.sorted() == SchemaKeyword.names.sorted())
    }

    @Test(
        "Numbers are compared by their exact values",
        arguments: [
            (#"{"const": 1e400}"#, ["10e399", "1E+400"], ["1e401", "1e399", "-1e400"]),
            (
                #"{"minimum": 9007199254740993}"#, ["9007199254740993", "9007199254740993.0"],
                ["9007199254740992", "9007199254740992.99999999999999999999"]
            ),
            (
                #"{"maximum": 0.1}"#, ["0.1", "0.1000", "1e-1", "-5e300"],
                ["0.10000000000000000000000000000001", "1e99999999999999999999999"]
            ),
            (
                #"{"exclusiveMinimum": -1e99999999999999999999999}"#,
                ["-1e99999999999999999999998", "0", "-0.0"], ["-10e99999999999999999999998"]
            ),
            (
                #"{"multipleOf": 3}"#,
                ["111111111111111111111111111", "3e99999999999999999999999", "0e5", "9.0"],
                ["111111111111111111111111112", "1e99999999999999999999999", "3e-1"]
            ),
            (#"{"multipleOf": 1e-300}"#, ["1e-299", "1e300", "7.5"], ["1e-301", "1.5e-300"]),
            (
                #"{"type": "integer"}"#, ["1e2", "100e-2", "0.0", "1e400"],
                ["1e-2", "101e-2", "1e-400"]
            ),
            (#"{"enum": [1.50, 2e1]}"#, ["1.5", "15e-1", "20", "20.000"], ["1.4", "2"]),
            (#"{"uniqueItems": true}"#, ["[1, 2, 1.5, 10]"], ["[1e1, 10.0]", "[0, -0.0]"]),
            (
                #"{"uniqueItems": true}"#, ["[1e400, 1e401, 1.00000000000000000000001]"],
                ["[1e400, 10e399]", "[0.30000000000000000000001, 3.0000000000000000000001e-1]"]
            ),
        ])
    func exactNumbers(schema: String, valid: [String], invalid: [String]) throws {
        let schema = try TestedSchema(schema)
        for value in valid { #expect(try schema.accepts(value), "\(value)") }
        for value in invalid { #expect(try !schema.accepts(value), "\(value)") }
    }

    @Test("Of members of one name the last one counts")
    func duplicates() throws {
        let typed = try TestedSchema(#"{"properties": {"a": {"type": "integer"}}}"#)
        #expect(try typed.accepts(#"{"a": "x", "a": 1}"#))
        #expect(try !typed.accepts(#"{"a": 1, "\u0061": "x"}"#))
        let counted = try TestedSchema(#"{"minProperties": 2, "maxProperties": 2}"#)
        #expect(try !counted.accepts(#"{"a": 1, "a": 2}"#))
        #expect(try counted.accepts(#"{"a": 1, "b": 2, "\u0061": 2}"#))
        let others = try TestedSchema(#"{"additionalProperties": {"type": "integer"}}"#)
        #expect(try others.accepts(#"{"a": "x", "a": 1}"#))
        let unevaluated = try TestedSchema(#"{"unevaluatedProperties": {"type": "integer"}}"#)
        #expect(try unevaluated.accepts(#"{"a": "x", "a": 1}"#))
        let constant = try TestedSchema(#"{"const": {"a": 1}}"#)
        #expect(try constant.accepts(#"{"a": 2, "a": 1}"#))
    }
}
