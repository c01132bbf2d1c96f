/// A reader of the JSON of a schema: compiles its subschemas, and reports the violations of its
/// keywords.
struct SchemaReader {
    static let dialect = "https://json-schema.org/draft/2020-12/schema"

    var subschemas: [Subschema] = []
    /// The indexes of the subschemas by their nodes.
    private(set) var indexes: [UInt32: Int] = [:]
    /// The schemas with an identifier of their own, the whole one first.
    private(set) var resources: [SchemaResource] = []
    private(set) var resourceIndexes: [URIReference: Int] = [:]
    private(set) var references: [SchemaReference] = []
    var collector: ViolationCollector

    private let limits: CatalogLimits
    private(set) var budget: SchemaBudget
    /// The resource of the subschema being read.
    private var resource = 0
    /// The node of the subschema being read.
    private var node: UInt32 = 0

    init(_ collector: ViolationCollector, limits: CatalogLimits, budget: SchemaBudget) {
        self.collector = collector
        self.limits = limits
        self.budget = budget
    }

    var isOverfull: Bool { subschemas.count > limits.maxSubschemas || budget.subschemas < 0 }

    mutating func report(_ detail: @autoclosure () -> String, at value: JSONValue) {
        collector.report(detail(), at: value)
    }

    // MARK: Schemas

    /// Reads a schema at the collector's path, in the resource with an index, and returns its
    /// index; `nil` for a value that is not a schema, and beyond the limit.
    mutating func schema(_ value: JSONValue, in resource: Int) -> Int? {
        let outer = self.resource
        defer { self.resource = outer }
        self.resource = resource
        return schema(value)
    }

    mutating func schema(_ value: JSONValue) -> Int? {
        guard value.kind == .object || value.kind == .bool else {
            return value.expecting("a schema: an object, true or false", nil, &collector)
        }
        guard !isOverfull else { return nil }
        let index = subschemas.count
        indexes[value.node] = index
        subschemas.append(Subschema(node: value.node))
        budget.subschemas -= 1
        if isOverfull {
            let excess =
                subschemas.count > limits.maxSubschemas
                ? "\(limits.maxSubschemas) subschemas that a schema"
                : "\(limits.maxCatalogSubschemas) subschemas that a catalog"
            report("is one of more than the \(excess) may have", at: value)
            return nil
        }
        if let bool = value.bool {
            subschemas[index].isNever = !bool
            return index
        }
        let outer = (resource, node)
        defer { (resource, node) = outer }
        node = value.node
        identify(value)
        read(value, index)
        return index
    }

    private mutating func read(_ value: JSONValue, _ index: Int) {
        let subschema = subschemas[index]
        for (name, value) in lastMembers(of: value) {
            guard let keyword = SchemaKeyword.named[Identifier(name.string)] else {
                collector.reportUnknown(name, among: KnownNames(SchemaKeyword.names))
                continue
            }
            collector.path.descend(to: keyword.name)
            keyword.read(&self, value, subschema)
            collector.path.ascend()
        }
        subschema.finish()
    }

    /// The members of an object, of those with one name the last.
    private func lastMembers(of value: JSONValue) -> [(name: JSONText, value: JSONValue)] {
        let members = Array(value.members)
        guard let replaced = value.document.replacedMembers(of: value.node) else { return members }
        // A name is the node before its value.
        return members.filter { !replaced.contains($0.value.node - 1) }
    }

    /// Begins a new resource if the schema has an identifier (JSON Schema core §8.2.1).
    private mutating func identify(_ value: JSONValue) {
        let base = resources.indices.contains(resource) ? resources[resource].uri : nil
        let id = value["$id"]?.string
        guard id != nil || base == nil else { return }
        let uri = URIReference(id ?? "").resolved(against: base ?? URIReference(""))
        if let fragment = uri.fragment, !fragment.isEmpty, let id = value["$id"] {
            collector.path.descend(to: "$id")
            report("must not have a fragment; \"$anchor\" names a place", at: id)
            collector.path.ascend()
        }
        let isRepeated = resourceIndexes[uri.withoutFragment] != nil
        if let id = value["$id"], isRepeated {
            collector.path.descend(to: "$id")
            report("is that of another schema of the same document", at: id)
            collector.path.ascend()
        }
        resource = resources.count
        if !isRepeated { resourceIndexes[uri.withoutFragment] = resource }
        resources.append(
            SchemaResource(uri: uri.withoutFragment, node: value.node, path: collector.path))
    }

    // MARK: Core keywords

    mutating func dialect(_ value: JSONValue, of subschema: Subschema) {
        guard let text = string(value) else { return }
        if text != Self.dialect, text != Self.dialect + "#" {
            report("must be \"\(Self.dialect)\", the only dialect that is supported", at: value)
        } else if resources.last?.node != subschema.node {
            report("may only be in a whole schema: at the root or beside \"$id\"", at: value)
        }
    }

    mutating func anchor(_ value: JSONValue) {
        guard let name = string(value) else { return }
        let scalars = name.unicodeScalars
        let isStart = { (scalar: Unicode.Scalar) in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "_")
        }
        guard let first = scalars.first, isStart(first),
            scalars.allSatisfy({ isStart($0) || "-.0123456789".unicodeScalars.contains($0) })
        else {
            return report(
                "must begin with a letter or \"_\" and consist of letters, digits, \"-\", \"_\" "
                    + "and \".\"", at: value)
        }
        guard resources[resource].anchors.updateValue(node, forKey: name) == nil else {
            return report("is a second anchor of this name", at: value)
        }
    }

    mutating func reference(_ value: JSONValue, of subschema: Subschema) {
        guard let text = string(value), let from = indexes[subschema.node] else { return }
        references.append(
            SchemaReference(
                from: from, text: text, value: value, path: collector.path, resource: resource))
    }

    // MARK: Patterns

    mutating func pattern(_ value: JSONValue) -> Pattern? {
        guard let source = string(value) else { return nil }
        do throws(PatternError) {
            let pattern = try Pattern(source, budget: &budget.patterns)
            patternInstructions += pattern.instructionCount
            let limits = limits
            guard patternInstructions <= limits.maxPatternStates else {
                report(
                    "makes more than the \(limits.maxPatternStates) states that the patterns of a "
                        + "schema may have", at: value)
                return nil
            }
            return pattern
        } catch {
            report("is not a pattern that is supported: it \(error.detail)", at: value)
            return nil
        }
    }

    private var patternInstructions = 0

    mutating func patterns(_ value: JSONValue) -> [(pattern: Pattern, schema: Int)]? {
        guard expect("an object of schemas", when: value.kind == .object, of: value) else {
            return nil
        }
        var patterns: [(pattern: Pattern, schema: Int)] = []
        for (name, schema) in lastMembers(of: value) {
            collector.path.descend(to: name.string)
            // The name is the node before the value.
            if let pattern = pattern(value.document.value(at: schema.node - 1)),
                let index = self.schema(schema)
            {
                patterns.append((pattern, index))
            }
            collector.path.ascend()
        }
        return patterns
    }

    // MARK: Tables

    mutating func table(_ value: JSONValue) -> [(name: String, schema: Int)] {
        entries(value, expecting: "an object of schemas") { $0.schema($1) }
    }

    mutating func lists(_ value: JSONValue) -> [(name: String, names: [String])] {
        entries(value, expecting: "an object of arrays of strings") { $0.names($1) }
    }

    private mutating func entries<Value>(
        _ value: JSONValue, expecting expected: String,
        _ read: (inout SchemaReader, JSONValue) -> Value?
    ) -> [(String, Value)] {
        guard expect(expected, when: value.kind == .object, of: value) else { return [] }
        var entries: [(String, Value)] = []
        for (name, value) in lastMembers(of: value) {
            let name = name.string
            collector.path.descend(to: name)
            if let value = read(&self, value) { entries.append((name, value)) }
            collector.path.ascend()
        }
        return entries
    }

    /// Reads an array of schemas that is not empty.
    mutating func list(_ value: JSONValue) -> [Int] {
        guard expect("an array of schemas", when: value.kind == .array, of: value) else {
            return []
        }
        _ = expect("an array of at least one schema", when: value.count > 0, of: value)
        return value.elements.enumerated().compactMap { index, element in
            collector.path.descend(to: index)
            defer { collector.path.ascend() }
            return schema(element)
        }
    }
}

/// Values of keywords by their kinds; each is `nil` for a value of another kind, which is reported.
extension SchemaReader {
    /// Returns whether a condition on a value holds, and reports it otherwise.
    @discardableResult
    mutating func expect(_ expected: String, when holds: Bool, of value: JSONValue) -> Bool {
        value.expecting(expected, holds ? true : nil, &collector) ?? false
    }

    mutating func string(_ value: JSONValue) -> String? {
        value.expecting("a string", value.string, &collector)
    }

    mutating func bool(_ value: JSONValue) -> Bool? {
        value.expecting("true or false", value.bool, &collector)
    }

    /// Reads a whole number from 0 on; one that no count reaches becomes the largest.
    mutating func count(_ value: JSONValue) -> Int? {
        let zero = ExactNumber.short(isNegative: false, 0, exponent: 0)
        let number = value.kind == .number ? value.document.exactNumber(at: value.node) : nil
        let isCount = number.map { $0.isInteger && $0.order(to: zero) >= 0 } ?? false
        return value.expecting(
            "a whole number from 0 on", isCount ? value.int ?? .max : nil, &collector)
    }

    mutating func bound(_ value: JSONValue) -> NumberRules.Bound? {
        let bound =
            value.kind == .number
            ? NumberRules.Bound(
                value: value.document.exactNumber(at: value.node), text: value.text?.string ?? "")
            : nil
        return value.expecting("a number", bound, &collector)
    }

    mutating func divisor(_ value: JSONValue) -> NumberRules.Bound? {
        guard let bound = bound(value) else { return nil }
        guard case .short(false, let significand, _) = bound.value, significand > 0 else {
            return value.expecting("a number above 0 of at most 19 digits", nil, &collector)
        }
        return bound
    }

    mutating func kinds(_ value: JSONValue) -> ValueKinds {
        var kinds = ValueKinds()
        let names = value.kind == .array ? Array(value.elements) : [value]
        let all = ValueKinds.named
        _ = expect("a type or an array of types", when: !names.isEmpty, of: value)
        for name in names {
            let kind = all.first { name.kind == .string && name.text?.equals($0.name) == true }
            guard
                let kind = name.expecting(all.map(\.name).alternatives, kind?.kinds, &collector)
            else { continue }
            kinds.formUnion(kind)
        }
        let texts = names.compactMap(\.string)
        expect("an array of different types", when: Set(texts).count == texts.count, of: value)
        return kinds
    }

    /// Reads an array of different strings.
    mutating func names(_ value: JSONValue) -> [String] {
        let expected = "an array of different strings"
        guard expect(expected, when: value.kind == .array, of: value) else { return [] }
        let names = value.elements.compactMap(\.string)
        let isValid =
            names.count == value.count && Set(names.map(Identifier.init)).count == names.count
        return expect(expected, when: isValid, of: value) ? names : []
    }
}

/// The rest of what the schemas of one catalog may take.
struct SchemaBudget: Sendable {
    /// The number of subschemas; negative if there are too many.
    var subschemas: Int
    var patterns: PatternBudget

    init(_ limits: CatalogLimits) {
        subschemas = limits.maxCatalogSubschemas
        patterns = PatternBudget(maxParts: limits.maxPatternParts)
    }
}

/// A schema with an identifier of its own, or the whole schema.
struct SchemaResource {
    let uri: URIReference
    let node: UInt32
    let path: JSONPath
    var anchors: [String: UInt32] = [:]
}

/// A `$ref` that has not been resolved.
struct SchemaReference {
    let from: Int
    let text: String
    let value: JSONValue
    let path: JSONPath
    let resource: Int
}

extension Subschema {
    /// Prepares the conditions for judging, after the last keyword.
    fileprivate func finish() {
        if inPlace.condition == nil { (inPlace.then, inPlace.otherwise) = (nil, nil) }
        guard var rules = objects else { return }
        rules.names.seal()
        rules.required = rules.rules.indices.filter { rules.rules[$0].isRequired }
        rules.dependents = rules.rules.indices.filter {
            !rules.rules[$0].required.isEmpty || rules.rules[$0].dependentSchema != nil
        }
        objects = rules
    }
}
