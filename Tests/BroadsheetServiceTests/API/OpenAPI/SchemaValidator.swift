import Broadsheet
import Testing

/// Validates values against the schemas of an OpenAPI document.
///
/// It supports the keywords of JSON Schema that the document uses; another keyword fails the test.
struct SchemaValidator {
    private let schemas: [String: JSONValue]
    /// A Boolean value that indicates whether a member without a schema is a violation.
    var refusesUnnamedMembers = false

    init(document: JSONValue) {
        let members = document["components"]?["schemas"]?.members.map { ($0.name.string, $0.value) }
        schemas = Dictionary(members ?? [], uniquingKeysWith: { first, _ in first })
    }

    /// Returns the violations of a schema, each with its pointer.
    func violations(of value: JSONValue, schema name: String) throws -> [String] {
        try violations(of: value, try #require(schemas[name]), at: "")
    }

    private func violations(
        of value: JSONValue, _ schema: JSONValue, at path: String
    ) throws -> [String] {
        var violations: [String] = []
        for (keyword, rule) in schema.members {
            violations += try self.violations(of: value, keyword.string, rule, schema, at: path)
        }
        return violations
    }

    private func violations(
        of value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: JSONValue,
        at path: String
    ) throws -> [String] {
        func unless(_ holds: Bool) -> [String] { holds ? [] : ["\(path): \(keyword)"] }
        switch keyword {
        case "title", "description", "default", "format": return []
        case "$ref":
            let name = (rule.string ?? "").replacing("#/components/schemas/", with: "")
            return try violations(of: value, try #require(schemas[name]), at: path)
        case "type":
            let types = rule.string.map { [$0] } ?? rule.elements.compactMap(\.string)
            return unless(types.contains { Self.isOf($0, value) })
        case "enum": return unless(rule.elements.contains { Self.areEqual($0, value) })
        case "const": return unless(Self.areEqual(rule, value))
        case "oneOf": return unless(try matches(value, rule, at: path) == 1)
        case "anyOf": return unless(try matches(value, rule, at: path) > 0)
        case "allOf":
            return try rule.elements.flatMap { try violations(of: value, $0, at: path) }
        case "not": return unless(try !violations(of: value, rule, at: path).isEmpty)
        case "minimum": return unless(value.double ?? .infinity >= rule.double ?? 0)
        case "maximum": return unless(value.double ?? -.infinity <= rule.double ?? 0)
        case "exclusiveMinimum": return unless(value.double ?? .infinity > rule.double ?? 0)
        case "minLength": return unless(value.string?.unicodeScalars.count ?? .max >= rule.int ?? 0)
        case "maxLength": return unless(value.string?.unicodeScalars.count ?? 0 <= rule.int ?? 0)
        case "minItems": return unless(value.kind != .array || value.count >= rule.int ?? 0)
        case "maxItems": return unless(value.kind != .array || value.count <= rule.int ?? 0)
        case "maxProperties": return unless(value.kind != .object || value.count <= rule.int ?? 0)
        case "pattern":
            guard let text = value.string else { return [] }
            return unless(try text.contains(Regex(rule.string ?? "")))
        case "required":
            guard value.kind == .object else { return [] }
            return unless(rule.elements.allSatisfy { $0.string.map { value[$0] != nil } ?? false })
        case "properties":
            let unnamed = value.members.filter { rule[$0.name.string] == nil }
                .map { "\(path)/\($0.name.string): unnamed" }
            return try rule.members.flatMap { name, schema -> [String] in
                guard let member = value[name.string] else { return [] }
                return try violations(of: member, schema, at: "\(path)/\(name.string)")
            } + (refusesUnnamedMembers ? unnamed : [])
        case "additionalProperties":
            let others = value.members.filter { schema["properties"]?[$0.name.string] == nil }
            return try others.flatMap { name, member in
                let place = "\(path)/\(name.string)"
                guard rule.bool != false else { return ["\(place): \(keyword)"] }
                return try violations(of: member, rule, at: place)
            }
        case "items":
            return try value.elements.enumerated().flatMap { index, element in
                try violations(of: element, rule, at: "\(path)/\(index)")
            }
        default:
            Issue.record("the validator does not know \(keyword)")
            return []
        }
    }

    private func matches(_ value: JSONValue, _ schemas: JSONValue, at path: String) throws -> Int {
        try schemas.elements.count { try violations(of: value, $0, at: path).isEmpty }
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch value.kind {
        case .object: type == "object"
        case .array: type == "array"
        case .string: type == "string"
        case .bool: type == "boolean"
        case .null: type == "null"
        case .number: type == "number" || (type == "integer" && value.int != nil)
        }
    }

    private static func areEqual(_ one: JSONValue, _ other: JSONValue) -> Bool {
        switch (one.kind, other.kind) {
        case (.string, .string): one.string == other.string
        case (.number, .number): one.double == other.double
        case (.bool, .bool): one.bool == other.bool
        case (.null, .null): true
        default: false
        }
    }
}
