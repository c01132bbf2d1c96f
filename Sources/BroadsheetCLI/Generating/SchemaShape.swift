import Broadsheet
import BroadsheetClient

/// The keywords of one schema that say which types its values have.
final class SchemaShape {
    /// The parts of a schema that decide on its type, without `$ref` and `allOf`.
    enum Form {
        case none, values, union, kinds
    }

    let schema: JSONValue
    /// The kinds of `type`; `nil` without it.
    private(set) var types: ValueKinds?
    /// The values of `const` or `enum`.
    private(set) var values: [JSONValue]?
    private(set) var isConstant = false
    private(set) var properties: [(name: String, value: JSONValue)] = []
    private(set) var required: [String] = []
    private(set) var additional: JSONValue?
    private(set) var patterns: [JSONValue] = []
    private(set) var items: JSONValue?
    private(set) var oneOf: [JSONValue]?
    private(set) var anyOf: [JSONValue]?
    /// The target of `$ref`, and the schemas of `allOf`.
    private(set) var others: [JSONValue] = []
    /// A Boolean value that indicates whether some values have members of other schemas.
    private(set) var hasConditionalMembers = false
    private(set) var bounds: [JSONValue] = []
    private var impliesObject = false
    private var impliesArray = false
    private var hasPrefix = false

    /// Reads the keywords of a schema, whose `$ref` leads to `target`.
    init(_ schema: JSONValue, target: JSONValue?) {
        self.schema = schema
        if let target { others = [target] }
        for (name, value) in schema.distinctMembers { read(name, value) }
        if hasPrefix { items = nil }
    }

    private func read(_ name: String, _ value: JSONValue) {
        switch name {
        case "type": types = Self.kinds(value)
        case "const": (values, isConstant) = ([value], true)
        case "enum": if !isConstant { values = Array(value.elements) }
        case "properties": (properties, impliesObject) = (value.distinctMembers, true)
        case "required":
            (required, impliesObject) = (value.elements.compactMap(\.string), true)
        case "additionalProperties": (additional, impliesObject) = (value, true)
        case "patternProperties":
            (patterns, impliesObject) = (value.distinctMembers.map(\.value), true)
        case "items": (items, impliesArray) = (value, true)
        case "prefixItems": (hasPrefix, impliesArray) = (true, true)
        case "allOf": others += value.elements
        case "oneOf": oneOf = Array(value.elements)
        case "anyOf": anyOf = Array(value.elements)
        case "then", "else", "dependentSchemas": hasConditionalMembers = true
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum": bounds.append(value)
        default: break
        }
    }

    private static func kinds(_ value: JSONValue) -> ValueKinds {
        let names =
            value.kind == .array ? value.elements.compactMap(\.string) : [value.string ?? ""]
        return ValueKinds.named.reduce(into: []) { kinds, entry in
            if names.contains(entry.name) { kinds.formUnion(entry.kinds) }
        }
    }

    var branches: [JSONValue] { (oneOf ?? []) + (anyOf ?? []) }

    /// A Boolean value that indicates whether the branches stand beside members of their own.
    var hasMembers: Bool { !properties.isEmpty || additional != nil || !patterns.isEmpty }

    /// The kinds of `type`, or those that other keywords mean.
    var impliedKinds: ValueKinds? {
        if let types { return types }
        guard impliesObject || impliesArray else { return nil }
        return (impliesObject ? ValueKinds.object : []).union(impliesArray ? .array : [])
    }

    /// A Boolean value that indicates whether `type` is the only keyword that says a type.
    var isBare: Bool {
        types != nil && values == nil && !impliesObject && !impliesArray && branches.isEmpty
    }

    /// The values that are not null and of a permitted kind.
    var typedValues: [JSONValue] {
        (values ?? []).filter {
            $0.kind != .null && types?.isSuperset(of: Self.kind(of: $0)) != false
        }
    }

    /// The kinds of the values of `const` or `enum`.
    var kindsOfValues: ValueKinds {
        let kinds = (values ?? []).reduce(into: ValueKinds()) { $0.formUnion(Self.kind(of: $1)) }
        return types.map(kinds.intersection) ?? kinds
    }

    private static func kind(of value: JSONValue) -> ValueKinds {
        switch value.kind {
        case .null: .null
        case .bool: .boolean
        case .string: .string
        case .array: .array
        case .object: .object
        case .number: isWhole(value) ? .integer : .fraction
        }
    }

    /// Returns whether a number is whole, of any size.
    private static func isWhole(_ value: JSONValue) -> Bool {
        if integer(value) != nil { return true }
        guard let double = value.double, double.isFinite else { return true }
        return double.magnitude >= 9_007_199_254_740_992
    }

    /// Returns the value of a whole number of 64 bits.
    static func integer(_ value: JSONValue) -> Int64? {
        guard value.kind == .number, let text = value.text?.string else { return nil }
        return TreeNumber(validated: text).integer(Int64.self)
    }

    /// Returns whether a bound of integers is one of 64 bits.
    static func isWithin64Bits(_ bound: JSONValue) -> Bool {
        guard let double = bound.double else { return false }
        return integer(bound) != nil || double.magnitude < 9_223_372_036_854_775_808
    }
}

extension Comment {
    /// Reads the annotations of a schema.
    init(_ schema: JSONValue) {
        guard schema.kind == .object else { return }
        for name in ["title", "description"] {
            if let text = schema[name]?.string, !text.isEmpty { lines.append(text) }
        }
        for (name, label) in [("format", "Format"), ("pattern", "Pattern")] {
            if let text = schema[name]?.string { lines.append("\(label): \(text)") }
        }
        if let value = schema["default"] { lines.append("Default: \(Self.json(value))") }
        if let value = schema["const"], value.kind != .null {
            lines.append("Always \(Self.json(value)).")
        } else if let values = schema["enum"]?.elements.filter({ $0.kind != .null }),
            values.contains(where: { $0.kind != .string })
        {
            lines.append("One of: \(values.map(Self.json).joined(separator: ", "))")
        }
        isDeprecated = schema["deprecated"]?.bool == true
    }

    private static func json(_ value: JSONValue) -> String {
        String(decoding: value.document.bytes[value.byteRange], as: UTF8.self)
    }
}
