import BroadsheetCollections

/// One compiled subschema: the conditions of its keywords on one value.
///
/// Other subschemas are named by their indexes in their schema. A class, because copies of so many
/// fields would take a large part of the stack for each judgement within another; it is sendable,
/// because it is changed only while its schema is compiled, by one thread.
final class Subschema: @unchecked Sendable {
    let node: UInt32
    var isNever = false
    /// A Boolean value that indicates whether every value keeps it, so that none need be judged.
    var isAlways = false
    /// The kinds of values that `type` permits.
    var kinds = ValueKinds.all
    /// `const` and `enum`.
    var values: [ValueSet] = []
    var numbers: NumberRules?
    var strings: StringRules?
    var arrays: ArrayRules?
    var objects: ObjectRules?
    /// The subschemas that judge the same value.
    var inPlace = InPlaceRules()
    var hasInPlace = false
    /// The subschema that this one is the same as, if its only condition is `$ref`.
    var alias: Int?
    /// A Boolean value that indicates whether other subschemas lead here in several ways, so that
    /// results are kept.
    var isShared = false
    /// A Boolean value that indicates whether an `unevaluatedItems` or `unevaluatedProperties`
    /// depends on the members and elements that are evaluated here.
    var collects = false

    init(node: UInt32) { self.node = node }

    /// The subschemas that judge parts of the value, or names of members.
    var children: [Int] {
        (arrays?.children ?? []) + (objects?.children ?? [])
    }

    var sameValue: [Int] {
        inPlace.all + (objects?.rules.compactMap(\.dependentSchema) ?? [])
    }
}

/// The kinds of values that a schema permits.
package struct ValueKinds: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let null = ValueKinds(rawValue: 1)
    package static let boolean = ValueKinds(rawValue: 2)
    package static let object = ValueKinds(rawValue: 4)
    package static let array = ValueKinds(rawValue: 8)
    package static let string = ValueKinds(rawValue: 16)
    /// Whole numbers in any notation.
    package static let integer = ValueKinds(rawValue: 32)
    package static let fraction = ValueKinds(rawValue: 64)
    package static let number: ValueKinds = [.integer, .fraction]
    package static let all = ValueKinds(rawValue: 127)

    package static let named: [(name: String, kinds: ValueKinds)] = [
        ("null", .null), ("boolean", .boolean), ("object", .object), ("array", .array),
        ("number", .number), ("string", .string), ("integer", .integer),
    ]

    /// The names of the kinds, as `a number or null`.
    var description: String {
        var names: [String] = []
        for (name, kinds) in Self.named where isSuperset(of: kinds) {
            if name == "integer", contains(.fraction) { continue }
            switch name {
            case "null": names.append("null")
            case "boolean": names.append("true or false")
            case "object", "array": names.append("an \(name)")
            case "integer": names.append("a whole number")
            default: names.append("a \(name)")
            }
        }
        return names.joined(separator: " or ")
    }
}

/// `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum` and `multipleOf`.
struct NumberRules: Sendable {
    /// A number with its text in the schema.
    struct Bound: Sendable {
        let value: ExactNumber
        let text: String
    }

    var minimum: Bound?
    var maximum: Bound?
    var exclusiveMinimum: Bound?
    var exclusiveMaximum: Bound?
    var divisor: Bound?
}

/// `minLength`, `maxLength` and `pattern`.
struct StringRules: Sendable {
    var minLength = 0
    var maxLength = Int.max
    var pattern: Pattern?
}

struct ArrayRules: Sendable {
    var minItems = 0
    var maxItems = Int.max
    var areUnique = false
    var prefix: [Int] = []
    var items: Int?
    var contains: Int?
    var minContains = 1
    var maxContains = Int.max
    var unevaluated: Int?

    var children: [Int] { prefix + [items, contains, unevaluated].compactMap { $0 } }
}

struct ObjectRules: Sendable {
    /// The conditions that the presence of a member brings about.
    struct Rule: Sendable {
        /// The subschema of the member in `properties`.
        var property: Int?
        var isRequired = false
        /// The names that `dependentRequired` requires beside the member.
        var required: [Int] = []
        var dependentSchema: Int?
    }

    var names = TextTable()
    /// The conditions by the numbers of the names.
    var rules: [Rule] = []
    var minProperties = 0
    var maxProperties = Int.max
    var patterns: [(pattern: Pattern, schema: Int)] = []
    var additional: Int?
    var propertyNames: Int?
    var unevaluated: Int?

    /// The numbers of the required names.
    var required: [Int] = []
    /// The numbers of the names that have dependents.
    var dependents: [Int] = []

    var children: [Int] {
        rules.compactMap(\.property) + patterns.map(\.schema)
            + [additional, propertyNames, unevaluated].compactMap { $0 }
    }

    /// Changes the conditions of a name, and returns its number.
    @discardableResult
    mutating func change(_ name: String, _ change: (inout Rule) -> Void = { _ in }) -> Int {
        let number = names.insert(name)
        if number == rules.count { rules.append(Rule()) }
        change(&rules[number])
        return number
    }
}

/// The subschemas that judge the same value.
struct InPlaceRules: Sendable {
    var reference: Int?
    var allOf: [Int] = []
    var anyOf: [Int] = []
    var oneOf: [Int] = []
    var not: Int?
    var condition: Int?
    var then: Int?
    var otherwise: Int?

    var isEmpty: Bool { all.isEmpty }

    var all: [Int] { evaluating + [not].compactMap { $0 } }

    /// All whose evaluated parts count for this subschema.
    var evaluating: [Int] {
        allOf + anyOf + oneOf + [reference, condition, then, otherwise].compactMap { $0 }
    }
}

/// The values of `const` or `enum`, for a look-up that decodes no more than it needs.
struct ValueSet: Sendable {
    private var scalars = ValueKinds()
    private var isTrue = false
    private var isFalse = false
    private var strings = TextTable()
    /// The numbers in ascending order.
    private var numbers: [ExactNumber] = []
    /// The nodes of arrays and objects by the hashes of their values.
    private var containers: [Int: [UInt32]] = [:]
    private let document: JSONDocument
    private let nodes: [UInt32]
    let keyword: String
    /// The end of a sentence about a value: `must be …`.
    let expectation: String

    init(_ values: [JSONValue], of keyword: String, in document: JSONDocument) {
        self.document = document
        self.keyword = keyword
        nodes = values.map(\.node)
        expectation = Self.expectation(values)
        for value in values {
            switch value.kind {
            case .null: scalars.insert(.null)
            case .bool: if value.bool == true { isTrue = true } else { isFalse = true }
            case .string: _ = strings.insert(value.string ?? "")
            case .number: numbers.append(document.exactNumber(at: value.node))
            case .array, .object:
                containers[document.valueHash(of: value.node), default: []].append(value.node)
            }
        }
        strings.seal()
        numbers.sort { $0.order(to: $1) < 0 }
    }

    private static func expectation(_ values: [JSONValue]) -> String {
        let shown = values.prefix(10).map { value in
            let text = String(decoding: value.document.bytes[value.byteRange], as: UTF8.self)
            return text.utf8.count <= 64
                ? text : ReportedText.beginning(of: text, byteCount: 64) + "…"
        }
        let others = values.count > shown.count ? ["…"] : []
        let list = (shown + others).joined(separator: ", ")
        return values.count == 1 ? list : "one of \(list)"
    }

    /// Returns whether the value at `node` is one of the values.
    ///
    /// - Complexity: O(size), expected.
    func contains(_ node: UInt32, of page: JSONDocument) -> Bool {
        switch page.firstByte(of: node) {
        case UInt8(ascii: "n"): scalars.contains(.null)
        case UInt8(ascii: "t"): isTrue
        case UInt8(ascii: "f"): isFalse
        case UInt8(ascii: "\""): page.withText(of: node) { strings.find($0) } != nil
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            !containers.isEmpty
                && (containers[page.valueHash(of: node)] ?? []).contains {
                    page.isEqual(node, to: $0, of: document)
                }
        default: containsNumber(at: node, of: page)
        }
    }

    func isSubset(of other: ValueSet) -> Bool {
        nodes.allSatisfy { other.contains($0, of: document) }
    }

    private func containsNumber(at node: UInt32, of page: JSONDocument) -> Bool {
        guard !numbers.isEmpty else { return false }
        let number = page.exactNumber(at: node)
        let place = numbers.partitioningIndex { $0.order(to: number) >= 0 }
        return place < numbers.count && numbers[place] == number
    }
}
