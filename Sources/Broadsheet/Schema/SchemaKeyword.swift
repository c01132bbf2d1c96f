struct SchemaKeyword: Sendable {
    /// The effect of a keyword on the set of accepted values.
    enum Role: Sendable {
        /// None: it describes, or contains schemas that other keywords refer to.
        case annotation
        case identifier
        /// It accepts fewer values.
        case condition
    }

    typealias Read = @Sendable (inout SchemaReader, JSONValue, Subschema) -> Void

    let name: String
    let role: Role
    let read: Read

    private init(_ name: String, _ role: Role = .condition, _ read: @escaping Read) {
        self.name = name
        self.role = role
        self.read = read
    }

    static let named = Dictionary(
        uniqueKeysWithValues: all.map { (Identifier($0.name), $0) })

    static let names = all.map(\.name)

    /// All keywords of the core, applicator, validation, unevaluated, format-annotation, content
    /// and meta-data vocabularies.
    static let all = core + annotations + general + numbers + strings + arrays + objects + inPlace

    // MARK: Core

    private static let core = [
        SchemaKeyword("$schema", .identifier) { $0.dialect($1, of: $2) },
        SchemaKeyword("$id", .identifier) { reader, value, _ in _ = reader.string(value) },
        SchemaKeyword("$anchor", .identifier) { reader, value, _ in reader.anchor(value) },
        SchemaKeyword("$dynamicAnchor", .identifier) { reader, value, _ in reader.anchor(value) },
        SchemaKeyword("$ref") { reader, value, subschema in
            reader.reference(value, of: subschema)
        },
        SchemaKeyword("$dynamicRef") { reader, value, _ in
            reader.report("is not supported; refer to the schema itself by \"$ref\"", at: value)
        },
        SchemaKeyword("$defs", .annotation) { reader, value, _ in _ = reader.table(value) },
        SchemaKeyword("definitions", .annotation) { reader, value, _ in _ = reader.table(value) },
        SchemaKeyword("$comment", .annotation) { reader, value, _ in _ = reader.string(value) },
        SchemaKeyword("$vocabulary", .annotation) { reader, value, _ in
            reader.expect("an object", when: value.kind == .object, of: value)
        },
    ]

    // MARK: Annotations

    private static let annotations =
        ["title", "description", "format", "contentEncoding", "contentMediaType"].map { name in
            SchemaKeyword(name, .annotation) { reader, value, _ in _ = reader.string(value) }
        }
        + ["deprecated", "readOnly", "writeOnly"].map { name in
            SchemaKeyword(name, .annotation) { reader, value, _ in _ = reader.bool(value) }
        } + [
            SchemaKeyword("default", .annotation) { _, _, _ in },
            SchemaKeyword("examples", .annotation) { reader, value, _ in
                reader.expect("an array", when: value.kind == .array, of: value)
            },
            SchemaKeyword("contentSchema", .annotation) { reader, value, _ in
                _ = reader.schema(value)
            },
        ]

    // MARK: Values of any kind

    private static let general = [
        SchemaKeyword("type") { $2.kinds = $0.kinds($1) },
        SchemaKeyword("const") { reader, value, subschema in
            subschema.values.append(ValueSet([value], of: "const", in: value.document))
        },
        SchemaKeyword("enum") { reader, value, subschema in
            guard reader.expect("an array", when: value.kind == .array, of: value) else { return }
            subschema.values.append(ValueSet(Array(value.elements), of: "enum", in: value.document))
        },
    ]

    // MARK: Numbers

    private static let numbers = [
        SchemaKeyword("minimum") { $2.change(\.numbers, \.minimum, $0.bound($1)) },
        SchemaKeyword("maximum") { $2.change(\.numbers, \.maximum, $0.bound($1)) },
        SchemaKeyword("exclusiveMinimum") {
            $2.change(\.numbers, \.exclusiveMinimum, $0.bound($1))
        },
        SchemaKeyword("exclusiveMaximum") {
            $2.change(\.numbers, \.exclusiveMaximum, $0.bound($1))
        },
        SchemaKeyword("multipleOf") { $2.change(\.numbers, \.divisor, $0.divisor($1)) },
    ]

    // MARK: Strings

    private static let strings = [
        SchemaKeyword("minLength") { $2.change(\.strings, \.minLength, $0.count($1)) },
        SchemaKeyword("maxLength") { $2.change(\.strings, \.maxLength, $0.count($1)) },
        SchemaKeyword("pattern") { $2.change(\.strings, \.pattern, $0.pattern($1)) },
    ]

    // MARK: Arrays

    private static let arrays = [
        SchemaKeyword("minItems") { $2.change(\.arrays, \.minItems, $0.count($1)) },
        SchemaKeyword("maxItems") { $2.change(\.arrays, \.maxItems, $0.count($1)) },
        SchemaKeyword("uniqueItems") { $2.change(\.arrays, \.areUnique, $0.bool($1)) },
        SchemaKeyword("minContains") { $2.change(\.arrays, \.minContains, $0.count($1)) },
        SchemaKeyword("maxContains") { $2.change(\.arrays, \.maxContains, $0.count($1)) },
        SchemaKeyword("prefixItems") { $2.change(\.arrays, \.prefix, $0.list($1)) },
        SchemaKeyword("items") { $2.change(\.arrays, \.items, $0.schema($1)) },
        SchemaKeyword("contains") { $2.change(\.arrays, \.contains, $0.schema($1)) },
        SchemaKeyword("unevaluatedItems") { $2.change(\.arrays, \.unevaluated, $0.schema($1)) },
    ]

    // MARK: Objects

    private static let objects = [
        SchemaKeyword("minProperties") { $2.change(\.objects, \.minProperties, $0.count($1)) },
        SchemaKeyword("maxProperties") { $2.change(\.objects, \.maxProperties, $0.count($1)) },
        SchemaKeyword("additionalProperties") {
            $2.change(\.objects, \.additional, $0.schema($1))
        },
        SchemaKeyword("propertyNames") { $2.change(\.objects, \.propertyNames, $0.schema($1)) },
        SchemaKeyword("unevaluatedProperties") {
            $2.change(\.objects, \.unevaluated, $0.schema($1))
        },
        SchemaKeyword("patternProperties") { $2.change(\.objects, \.patterns, $0.patterns($1)) },
        SchemaKeyword("properties") { reader, value, subschema in
            for (name, schema) in reader.table(value) {
                subschema.changeRule(name) { $0.property = schema }
            }
        },
        SchemaKeyword("required") { reader, value, subschema in
            for name in reader.names(value) { subschema.changeRule(name) { $0.isRequired = true } }
        },
        SchemaKeyword("dependentRequired") { reader, value, subschema in
            for (name, required) in reader.lists(value) {
                let numbers = required.map { subschema.changeRule($0) }
                subschema.changeRule(name) { $0.required = numbers }
            }
        },
        SchemaKeyword("dependentSchemas") { reader, value, subschema in
            for (name, schema) in reader.table(value) {
                subschema.changeRule(name) { $0.dependentSchema = schema }
            }
        },
    ]

    // MARK: Subschemas for the same value

    private static let inPlace = [
        SchemaKeyword("allOf") { $2.inPlace.allOf = $0.list($1) },
        SchemaKeyword("anyOf") { $2.inPlace.anyOf = $0.list($1) },
        SchemaKeyword("oneOf") { $2.inPlace.oneOf = $0.list($1) },
        SchemaKeyword("not") { $2.inPlace.not = $0.schema($1) },
        SchemaKeyword("if") { $2.inPlace.condition = $0.schema($1) },
        SchemaKeyword("then") { $2.inPlace.then = $0.schema($1) },
        SchemaKeyword("else") { $2.inPlace.otherwise = $0.schema($1) },
    ]
}

extension Subschema {
    /// Sets a condition of a group, unless the keyword was invalid.
    fileprivate func change<Group: SchemaRuleGroup, Value>(
        _ group: ReferenceWritableKeyPath<Subschema, Group?>,
        _ member: WritableKeyPath<Group, Value>,
        _ value: Value?
    ) {
        guard let value else { return }
        var rules = self[keyPath: group] ?? Group()
        rules[keyPath: member] = value
        self[keyPath: group] = rules
    }

    /// Changes the conditions of a member, and returns the number of its name.
    @discardableResult
    fileprivate func changeRule(
        _ name: String, _ change: (inout ObjectRules.Rule) -> Void = { _ in }
    ) -> Int {
        if objects == nil { objects = ObjectRules() }
        return objects?.change(name, change) ?? 0
    }
}

/// Conditions on values of one kind, none at first.
private protocol SchemaRuleGroup {
    init()
}

extension NumberRules: SchemaRuleGroup {}
extension StringRules: SchemaRuleGroup {}
extension ArrayRules: SchemaRuleGroup {}
extension ObjectRules: SchemaRuleGroup {}
