import Broadsheet
import BroadsheetHTTP
import TestSupport
import Testing

@testable import BroadsheetService

@Suite("The patterns of headers in the OpenAPI document (docs/api.md, Generating a client)")
struct HeaderPatternTests {
    private let document: JSONValue
    private let validator: SchemaValidator

    init() throws {
        document = try JSONDocument(OpenAPIDocument.bytes()).root
        validator = SchemaValidator(document: document)
    }

    /// Returns the names of the schemas that the schema of a parameter refers to, and those of
    /// these.
    private func schemas(of parameter: String) throws -> [String] {
        let components = try #require(document["components"])
        var names: [String] = []
        var rest = [try #require(components["parameters"]?[parameter]?["schema"])]
        while let schema = rest.popLast() {
            rest += schema["anyOf"].map { Array($0.elements) } ?? []
            guard let name = schema["$ref"]?.string?.split(separator: "/").last else { continue }
            names.append(String(name))
            rest.append(try #require(components["schemas"]?[String(name)]))
        }
        return names
    }

    @Test(
        "X-Request-Id, If-Match and If-None-Match have the patterns of what is read",
        arguments: [
            ("requestId", "RequestId"), ("ifMatch", "EntityTags"), ("ifNoneMatch", "EntityTags"),
        ])
    func stated(parameter: String, schema: String) throws {
        #expect(try schemas(of: parameter).contains(schema))
        #expect(document["components"]?["schemas"]?[schema]?["pattern"]?.string != nil)
    }

    @Test("A value keeps the pattern if and only if the daemon reads it", arguments: [1, nil])
    func agreement(fixed: UInt64?) throws {
        let seed = fixed ?? SeededGenerator.seed(of: "header patterns")
        var random = SeededGenerator(seed: seed)
        let letters = Array("W/\"\"\"aB0*,, \t!-._~+=:;@")
        var kept = 0
        for _ in 0..<3000 {
            let count = Int.random(in: 1...9, using: &random)
            let text = String((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" })
            let value = try JSONDocument(quoted(text)).root
            let keepsID = try validator.violations(of: value, schema: "RequestId").isEmpty
            #expect(keepsID == (RequestID(text) != nil), "seed \(seed): \(text)")
            #expect(try validator.violations(of: value, schema: "SentRequestId").isEmpty)
            // HTTP removes blanks around the value of a field.
            guard text.first != " ", text.first != "\t", text.last != " ", text.last != "\t"
            else { continue }
            let keepsTags = try validator.violations(of: value, schema: "EntityTags").isEmpty
            #expect(keepsTags == areTags(text), "seed \(seed): \(text)")
            if keepsTags { kept += 1 }
        }
        #expect(kept > 5)
    }

    @Test("The lengths of ids are those of the schema", arguments: [1, 128, 129])
    func lengths(count: Int) throws {
        let text = String(repeating: "a", count: count)
        let value = try JSONDocument(quoted(text)).root
        #expect(try validator.violations(of: value, schema: "RequestId").isEmpty == (count <= 128))
        #expect((RequestID(text) != nil) == (count <= 128))
    }

    private func quoted(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.string(text)
        return writer.bytes
    }

    private func areTags(_ text: String) -> Bool {
        do {
            return try EntityTagCondition(.ifMatch, in: [.ifMatch: text]) != nil
        } catch { return false }
    }
}
