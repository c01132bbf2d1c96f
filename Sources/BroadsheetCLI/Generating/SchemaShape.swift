import Broadsheet
import BroadsheetClient

/// The keywords of one schema that say which types its values have.
struct SchemaShape {
    /// The keywords that decide on the type, besides `$ref` and `allOf`.
    enum Form {
        case none, values, union, kinds
    }

    let schema: JSONValue
    /// The target of `$ref`, and the schemas of `allOf`.
    let others: [JSONValue]
    var form = Form.none
    /// The kinds of the values that the schema and the others permit; `nil` if they say no type.
    var kinds: ValueKinds?

    init(_ schema: JSONValue, target: JSONValue?) {
        self.schema = schema
        others = (target.map { [$0] } ?? []) + (schema["allOf"].map { Array($0.elements) } ?? [])
    }

    private func hasOne(of keywords: String...) -> Bool {
        keywords.contains { schema[$0] != nil }
    }

    var types: ValueKinds? {
        guard let value = schema["type"] else { return nil }
        let names = value.string.map { [$0] } ?? value.elements.compactMap(\.string)
        return ValueKinds(ValueKinds.named.filter { names.contains($0.name) }.map(\.kinds))
    }

    /// The values of `const` or `enum` that `type` permits; `nil` without these.
    var values: [JSONValue]? {
        let values = schema["const"].map { [$0] } ?? schema["enum"].map { Array($0.elements) }
        return values?.filter { types?.isSuperset(of: Self.kind(of: $0)) != false }
    }
    var kindsOfValues: ValueKinds { ValueKinds((values ?? []).map(Self.kind)) }
    var properties: [(name: String, value: JSONValue)] {
        schema["properties"]?.distinctMembers ?? []
    }
    var required: [String] { schema["required"]?.elements.compactMap(\.string) ?? [] }
    var patterns: [JSONValue] { schema["patternProperties"]?.distinctMembers.map(\.value) ?? [] }
    var items: JSONValue? { schema["prefixItems"] == nil ? schema["items"] : nil }
    var branches: [JSONValue] {
        ["oneOf", "anyOf"].flatMap { schema[$0].map { Array($0.elements) } ?? [] }
            .filter { $0.bool != false }
    }
    /// A Boolean value that indicates whether some values have members of other schemas.
    var isConditional: Bool { hasOne(of: "then", "else", "dependentSchemas") }
    var hasMembers: Bool {
        !properties.isEmpty || !patterns.isEmpty || hasOne(of: "additionalProperties")
    }

    private var kindsOfParts: ValueKinds {
        let isObject = hasOne(
            of: "properties", "required", "additionalProperties", "patternProperties")
        let isArray = hasOne(of: "items", "prefixItems")
        return ValueKinds((isObject ? [.object] : []) + (isArray ? [.array] : []))
    }

    /// The kinds of `type`, or those that other keywords mean.
    var impliedKinds: ValueKinds? { types ?? (kindsOfParts.isEmpty ? nil : kindsOfParts) }

    var isObject: Bool { form == .kinds && impliedKinds?.subtracting(.null) == .object }

    /// A Boolean value that indicates whether `type` is the only keyword that says a type.
    var isBare: Bool { form == .kinds && kindsOfParts.isEmpty && branches.isEmpty }

    /// A Boolean value that indicates whether the bounds of integers are of 64 bits.
    var hasExactBounds: Bool {
        ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].compactMap { schema[$0] }
            .allSatisfy { bound in
                Self.isBelow(9_223_372_036_854_775_808, bound) || Self.integer(bound) != nil
            }
    }

    private static func kind(of value: JSONValue) -> ValueKinds {
        switch value.kind {
        case .null: .null
        case .bool: .boolean
        case .string: .string
        case .array: .array
        case .object: .object
        case .number:
            isBelow(9_007_199_254_740_992, value) && integer(value) == nil ? .fraction : .integer
        }
    }

    private static func isBelow(_ bound: Double, _ number: JSONValue) -> Bool {
        number.double.map { $0.magnitude < bound } == true
    }

    static func integer(_ value: JSONValue) -> Int64? {
        guard value.kind == .number, let text = value.text?.string else { return nil }
        return TreeNumber(validated: text).integer(Int64.self)
    }
}

extension Comment {
    /// Reads the annotations of a schema, and the values of one that is no case itself.
    init(_ schema: JSONValue, listsValues: Bool = true) {
        guard schema.kind == .object else { return }
        let labels = [
            ("title", ""), ("description", ""), ("format", "Format: "), ("pattern", "Pattern: "),
        ]
        lines = labels.compactMap { name, label in schema[name]?.string.map { label + $0 } }
            .filter { !$0.isEmpty }
        if let value = schema["default"] { lines.append("Default: \(Self.json(value))") }
        isDeprecated = schema["deprecated"]?.bool == true
        guard listsValues else { return }
        if let value = schema["const"], value.kind != .null {
            lines.append("Always \(Self.json(value)).")
        } else if let values = schema["enum"]?.elements.filter({ $0.kind != .null }),
            values.contains(where: { $0.kind != .string })
        {
            lines.append("One of: \(values.map(Self.json).joined(separator: ", "))")
        }
    }

    private static func json(_ value: JSONValue) -> String {
        String(decoding: value.document.bytes[value.byteRange], as: UTF8.self)
    }
}
