import Broadsheet

/// The types of the schemas of one catalog, by the rules of docs/generate.md, "Types".
///
/// Parts of a value have types of their own in a queue, so that the nesting of schemas takes no
/// stack; a type that is not known yet is an alias meanwhile.
struct SchemaTypes {
    /// A type with the reasons why it, or parts of it, are none.
    struct Typed {
        var type: DataType
        var notes: [TypeNote] = []
    }

    private struct Facts {
        var kinds = ValueKinds.all
        var hasShape = false
    }

    private(set) var declared: [DeclaredType] = []
    /// The declared types that references lead to.
    private(set) var targets: Set<Int> = []

    private let document: JSONDocument
    private let references: [UInt32: UInt32]
    private let targetNodes: Set<UInt32>
    private var shapes: [UInt32: SchemaShape] = [:]
    private var facts: [UInt32: Facts] = [:]
    private var known: [[UInt32]: Typed] = [:]
    private var objects: [[UInt32]: Int] = [:]
    private var aliases: [[UInt32]: Int] = [:]
    private var waiting: [(alias: Int, schemas: [SchemaShape])] = []
    private var depth = 0
    private var combinations = 0

    /// The largest number of schemas for one value within each other; fixed.
    private static let maxDepth = 250
    /// The largest number of members that several schemas describe together; fixed.
    private static let maxCombinations = 10_000

    init(_ document: JSONDocument, references: [UInt32: UInt32]) {
        self.document = document
        self.references = references
        targetNodes = Set(references.values)
    }

    /// Returns the type of a schema, and those of its parts.
    mutating func type(of schema: JSONValue) -> Typed {
        let typed = child([schema], defers: false)
        while let (alias, schemas) = waiting.popLast() {
            let typed = base(schemas)
            declared[alias].form = .alias(typed.type)
            declared[alias].notes = typed.notes
        }
        return typed
    }

    // MARK: Shapes

    private mutating func shape(_ schema: JSONValue) -> SchemaShape {
        if let shape = shapes[schema.node] { return shape }
        let target = references[schema.node].map { document.value(at: $0) }
        let shape = SchemaShape(schema, target: target)
        shapes[schema.node] = shape
        return shape
    }

    /// Returns the kinds of values that a schema permits, and whether it says a type at all.
    private mutating func facts(of schema: JSONValue) -> Facts {
        guard schema.kind == .object else {
            return Facts(kinds: schema.bool == false ? [] : .all)
        }
        if let known = facts[schema.node] { return known }
        guard depth < Self.maxDepth else { return Facts() }
        depth += 1
        defer { depth -= 1 }
        let shape = shape(schema)
        let form = form(of: shape)
        var result = Facts(
            kinds: form == .values ? shape.kindsOfValues : shape.impliedKinds ?? .all,
            hasShape: form != .none)
        if form == .union {
            result.kinds.formIntersection(
                shape.branches.reduce(into: []) { $0.formUnion(facts(of: $1).kinds) })
        }
        for other in shape.others {
            let facts = facts(of: other)
            result.kinds.formIntersection(facts.kinds)
            result.hasShape = result.hasShape || facts.hasShape
        }
        facts[schema.node] = result
        return result
    }

    private mutating func form(of shape: SchemaShape) -> SchemaShape.Form {
        if shape.values != nil { return .values }
        if !shape.hasMembers, shape.branches.contains(where: { facts(of: $0).hasShape }) {
            return .union
        }
        return shape.impliedKinds == nil ? .none : .kinds
    }

    // MARK: Types of values

    /// Returns the type of a part of a value that keeps all of some schemas.
    private mutating func child(_ schemas: [JSONValue], defers: Bool = true) -> Typed {
        let shapes = schemas.filter { $0.kind == .object }.map { shape($0) }
        var kinds = ValueKinds.all
        var hasShape = false
        for shape in shapes {
            let facts = facts(of: shape.schema)
            kinds.formIntersection(facts.kinds)
            hasShape = hasShape || facts.hasShape
        }
        guard hasShape, schemas.allSatisfy({ $0.bool != false }) else { return Typed(type: .json) }
        let key = shapes.map(\.schema.node)
        var typed: Typed
        if !defers || kinds.isDisjoint(with: [.array, .object]) {
            typed = base(shapes)
        } else {
            typed = known[key] ?? Typed(type: .declared(alias(of: key, shapes)))
        }
        if kinds.contains(.null), typed.type != .json { typed.type = .nullable(typed.type) }
        return typed
    }

    private mutating func alias(of key: [UInt32], _ shapes: [SchemaShape]) -> Int {
        if let alias = aliases[key] { return alias }
        let alias = declare(.alias(.json), shapes[0].schema, isTarget: false)
        aliases[key] = alias
        waiting.append((alias, shapes))
        return alias
    }

    /// Returns the type of a value that keeps all of some schemas, without null.
    private mutating func base(_ shapes: [SchemaShape]) -> Typed {
        let key = shapes.map(\.schema.node)
        if let known = known[key] { return known }
        guard depth < Self.maxDepth else {
            return note("has more than \(Self.maxDepth) schemas for one value", shapes[0].schema)
        }
        depth += 1
        defer { depth -= 1 }
        let typed: Typed
        if shapes.count == 1 {
            typed = single(shapes[0])
        } else {
            combinations += 1
            typed =
                combinations > Self.maxCombinations
                ? note("is described by too many schemas together", shapes[0].schema)
                : combined(shapes, at: shapes[0].schema)
        }
        known[key] = typed
        return typed
    }

    private mutating func single(_ shape: SchemaShape) -> Typed {
        let others = shape.others.filter { facts(of: $0).hasShape }.map { self.shape($0) }
        let isOwn = form(of: shape) != .none
        if others.isEmpty { return isOwn ? own(shape) : Typed(type: .json) }
        return combined(others, beside: isOwn ? shape : nil, at: shape.schema)
    }

    /// Returns the type of the parts of `allOf`, of `$ref`, and of what is beside them.
    private mutating func combined(
        _ others: [SchemaShape], beside own: SchemaShape? = nil, at place: JSONValue
    ) -> Typed {
        if own == nil, others.count == 1 { return base(others) }
        var parts = own.map { [$0] } ?? []
        var seen = Set(parts.map(\.schema.node))
        var isConditional = own?.hasConditionalMembers ?? false
        for other in others { flatten(other, into: &parts, &seen, &isConditional) }
        let kinds = parts.reduce(into: ValueKinds.all) {
            $0.formIntersection(facts(of: $1.schema).kinds)
        }.subtracting(.null)
        guard !kinds.isEmpty else { return note("permits no value but null", place) }
        let solid = parts.filter { !$0.isBare }
        guard !solid.isEmpty else { return self.kinds(kinds, parts, at: place) }
        let nodes = Set(solid.map(\.schema.node))
        if let own, nodes == [own.schema.node] { return self.own(own) }
        for other in others {
            var (own, seen, ignored) = ([SchemaShape](), Set<UInt32>(), false)
            flatten(other, into: &own, &seen, &ignored)
            if nodes.isSubset(of: own.map(\.schema.node)) { return base([other]) }
        }
        if solid.allSatisfy({ isObject($0) }) { return object(solid, isConditional, at: place) }
        let types = (own.map { [self.own($0)] } ?? []) + others.map { base([$0]) }
        guard Set(types.map(\.type)).count == 1, types[0].type != .json else {
            return note("is described by schemas of several types together", place)
        }
        return types[0]
    }

    /// Adds a schema, and those that it refers to and consists of, as far as they say a type.
    private mutating func flatten(
        _ shape: SchemaShape, into parts: inout [SchemaShape], _ seen: inout Set<UInt32>,
        _ isConditional: inout Bool
    ) {
        guard seen.insert(shape.schema.node).inserted else { return }
        if form(of: shape) != .none { parts.append(shape) }
        if shape.hasConditionalMembers { isConditional = true }
        for other in shape.others where other.kind == .object {
            flatten(self.shape(other), into: &parts, &seen, &isConditional)
        }
    }

    private mutating func isObject(_ shape: SchemaShape) -> Bool {
        form(of: shape) == .kinds && shape.impliedKinds?.subtracting(.null) == .object
    }

    /// Returns the type of a schema by its own keywords.
    private mutating func own(_ shape: SchemaShape) -> Typed {
        switch form(of: shape) {
        case .none: Typed(type: .json)
        case .values: values(shape)
        case .union: union(shape)
        case .kinds:
            kinds((shape.impliedKinds ?? .all).subtracting(.null), [shape], at: shape.schema)
        }
    }

    private mutating func values(_ shape: SchemaShape) -> Typed {
        let values = shape.typedValues
        let kinds = Set(values.map(\.kind))
        switch kinds {
        case [.string]:
            let texts = values.compactMap(\.string)
            if shape.isConstant { return Typed(type: .literal(texts[0])) }
            return strings(texts.map { StringCase(value: $0) }, shape)
        case [.bool]: return Typed(type: .bool)
        case [.number]:
            if values.allSatisfy({ SchemaShape.integer($0) != nil }) {
                return Typed(type: .integer)
            }
            return shape.kindsOfValues.contains(.fraction)
                ? Typed(type: .number) : note("has whole numbers beyond 64 bits", shape.schema)
        case []: return note("permits no value but null", shape.schema)
        default:
            return note(
                kinds.count > 1 ? "has values of several kinds" : "is a constant array or object",
                shape.schema)
        }
    }

    private mutating func strings(_ cases: [StringCase], _ shape: SchemaShape) -> Typed {
        var seen: Set<Identifier> = []
        let cases = cases.filter { seen.insert(Identifier($0.value)).inserted }
        return Typed(type: .declared(declare(.strings(cases), shape.schema)))
    }

    /// Returns the type of values of some kinds, and of their parts in some schemas.
    private mutating func kinds(
        _ kinds: ValueKinds, _ shapes: [SchemaShape], at place: JSONValue
    ) -> Typed {
        var cases: [(String, Typed)] = []
        if kinds.contains(.boolean) { cases.append(("bool", Typed(type: .bool))) }
        if kinds.contains(.fraction) {
            cases.append(("number", Typed(type: .number)))
        } else if kinds.contains(.integer) {
            let isMapped = shapes.flatMap(\.bounds).allSatisfy(SchemaShape.isWithin64Bits)
            cases.append(
                (
                    "number",
                    isMapped ? Typed(type: .integer) : note("has a bound beyond 64 bits", place)
                ))
        }
        if kinds.contains(.string) { cases.append(("string", Typed(type: .string))) }
        if kinds.contains(.array) {
            var items = shapes.compactMap(\.items).first.map { child([$0]) } ?? Typed(type: .json)
            items.type = .array(items.type)
            cases.append(("array", items))
        }
        if kinds.contains(.object) {
            let isConditional = shapes.contains(where: \.hasConditionalMembers)
            cases.append(("object", object(shapes, isConditional, at: place)))
        }
        guard cases.count != 1 else { return cases[0].1 }
        guard !cases.isEmpty else { return note("permits no value but null", place) }
        return union(cases, at: place)
    }

    private mutating func union(_ cases: [(String, Typed)], at place: JSONValue) -> Typed {
        let union = cases.map { UnionCase(value: $0.0, type: $0.1.type) }
        return Typed(
            type: .declared(declare(.union(.kind, union), place)), notes: cases.flatMap(\.1.notes))
    }

    // MARK: Objects

    /// Returns the type of objects that keep all of some schemas.
    private mutating func object(
        _ shapes: [SchemaShape], _ isConditional: Bool, at place: JSONValue
    ) -> Typed {
        let key = shapes.map(\.schema.node) + (isConditional ? [.max] : [])
        if let index = objects[key] { return Typed(type: .declared(index)) }
        let members = shapes.contains { !$0.properties.isEmpty } ? members(shapes) : []
        let isOpen =
            isConditional || shapes.contains { !$0.branches.isEmpty || !$0.patterns.isEmpty }
        let schemas = shapes.compactMap(\.additional).filter { $0.kind == .object }
        guard !members.isEmpty else { return map(shapes, schemas) }
        var additional: Typed?
        if isOpen {
            additional = Typed(type: .json)
        } else if !schemas.isEmpty {
            additional = child(schemas)
        }
        let index = declare(.object(members, additional: additional?.type), place)
        declared[index].notes = additional?.notes ?? []
        objects[key] = index
        return Typed(type: .declared(index))
    }

    private mutating func map(_ shapes: [SchemaShape], _ additional: [JSONValue]) -> Typed {
        let patterns = shapes.flatMap(\.patterns)
        var values = Typed(type: .json)
        if patterns.isEmpty, !additional.isEmpty {
            values = child(additional)
        } else if patterns.count == 1, shapes.contains(where: { $0.additional?.bool == false }) {
            values = child(patterns)
        }
        values.type = .map(values.type)
        return values
    }

    private mutating func members(_ shapes: [SchemaShape]) -> [ObjectMember] {
        var order: [Identifier] = []
        var schemas: [Identifier: [JSONValue]] = [:]
        for (name, schema) in shapes.flatMap(\.properties) {
            let name = Identifier(name)
            if schemas[name] == nil { order.append(name) }
            schemas[name, default: []].append(schema)
        }
        var required: Set<Identifier> = []
        for name in shapes.flatMap(\.required).map(Identifier.init)
        where required.insert(name).inserted && schemas[name] == nil {
            order.append(name)
            schemas[name] = []
        }
        return order.compactMap { name in
            let schemas = schemas[name] ?? []
            guard schemas.allSatisfy({ $0.bool != false }) else { return nil }
            return member(
                name.text, schemas, isRequired: required.contains(name), of: shapes[0].schema)
        }
    }

    private mutating func member(
        _ name: String, _ schemas: [JSONValue], isRequired: Bool, of object: JSONValue
    ) -> ObjectMember {
        let typed = child(schemas)
        var member = ObjectMember(
            name: name, type: typed.type, presence: isRequired ? .required : .optional,
            notes: typed.notes, node: schemas.first?.node ?? object.node)
        if case .nullable(let type) = typed.type {
            member.type = type
            member.presence = isRequired ? .requiredNullable : .optionalNullable
        }
        member.constant = schemas.lazy.compactMap { Self.constant($0["const"], member.type) }.first
        if let schema = schemas.first { member.comment = Comment(schema) }
        return member
    }

    private static func constant(_ value: JSONValue?, _ type: DataType) -> Constant? {
        if case .literal(let text) = type { return .string(text) }
        guard let value else { return nil }
        switch type {
        case .bool: return value.bool.map { .bool($0) }
        case .integer: return SchemaShape.integer(value).map { .integer($0) }
        case .number: return value.text.map { .number($0.string) }
        case .json, .string, .literal, .array, .map, .nullable, .declared: return nil
        }
    }

    // MARK: Unions

    private mutating func union(_ shape: SchemaShape) -> Typed {
        let schema = shape.schema
        guard shape.oneOf == nil || shape.anyOf == nil else {
            return note("has both oneOf and anyOf", schema)
        }
        let branches = shape.branches.filter {
            $0.bool != false && facts(of: $0).kinds != .null
        }
        if let cases = constants(branches) { return strings(cases, shape) }
        if let union = selected(branches, schema) { return union }
        var types: [Typed] = []
        for branch in branches {
            if facts(of: branch).hasShape {
                types.append(base([self.shape(branch)]))
            } else if let kinds = shape.types?.subtracting(.null) {
                types.append(self.kinds(kinds, [shape], at: schema))
            } else {
                return note("has a branch that permits any value", schema)
            }
        }
        return distinct(types, schema)
    }

    /// Returns the cases of branches that are constant strings.
    private mutating func constants(_ branches: [JSONValue]) -> [StringCase]? {
        let cases = branches.compactMap { branch -> StringCase? in
            guard branch.kind == .object, branch["$ref"] == nil, branch["allOf"] == nil,
                let value = branch["const"]?.string
            else { return nil }
            var comment = Comment(branch)
            comment.lines.removeAll { $0.hasPrefix("Always ") }
            return StringCase(value: value, comment: comment)
        }
        return cases.isEmpty || cases.count < branches.count ? nil : cases
    }

    /// Returns the union of objects that require the same member with different constants; `nil`
    /// if the branches are none.
    private mutating func selected(_ branches: [JSONValue], _ schema: JSONValue) -> Typed? {
        guard branches.count > 1,
            branches.allSatisfy({ facts(of: $0).kinds.subtracting(.null) == .object })
        else { return nil }
        let constants = branches.map { requiredConstants(of: shape($0)) }
        let selector = constants[0].first { candidate in
            let values = constants.compactMap { branch in
                branch.first { $0.name == candidate.name }?.value
            }
            return values.count == branches.count && Set(values).count == values.count
        }
        guard let selector else { return nil }
        var cases: [UnionCase] = []
        for (branch, constants) in zip(branches, constants) {
            guard case .declared(let index) = base([shape(branch)]).type,
                case .object = declared[index].form
            else { return note("has a branch without a type", schema) }
            let value = constants.first { $0.name == selector.name }?.value
            cases.append(UnionCase(value: value?.text ?? "", type: .declared(index)))
        }
        return Typed(
            type: .declared(declare(.union(.member(selector.name.text), cases), schema)))
    }

    private mutating func requiredConstants(
        of shape: SchemaShape
    ) -> [(name: Identifier, value: Identifier)] {
        var (parts, seen, ignored) = ([SchemaShape](), Set<UInt32>(), false)
        flatten(shape, into: &parts, &seen, &ignored)
        let required = Set(parts.flatMap(\.required).map(Identifier.init))
        return parts.flatMap(\.properties).compactMap { name, schema in
            guard required.contains(Identifier(name)), let value = schema["const"]?.string else {
                return nil
            }
            return (Identifier(name), Identifier(value))
        }
    }

    /// Returns the type of branches that are one type or of different kinds.
    private mutating func distinct(_ branches: [Typed], _ schema: JSONValue) -> Typed {
        var cases: [(String, Typed)] = []
        for branch in branches {
            guard let kind = kind(of: branch.type) else {
                return note("has a branch without a type", schema)
            }
            guard let index = cases.firstIndex(where: { $0.0 == kind }) else {
                cases.append((kind, branch))
                continue
            }
            guard cases[index].1.type != branch.type else { continue }
            switch kind {
            case "string": cases[index].1 = Typed(type: .string)
            case "number": cases[index].1 = Typed(type: .number)
            default: return note("has branches that nothing distinguishes", schema)
            }
        }
        guard cases.count != 1 else { return cases[0].1 }
        guard !cases.isEmpty else { return note("permits no value but null", schema) }
        return union(cases, at: schema)
    }

    /// Returns the kind of JSON value that a type has; `nil` if it has several.
    private func kind(of type: DataType) -> String? {
        switch type {
        case .bool: return "bool"
        case .integer, .number: return "number"
        case .string, .literal: return "string"
        case .array: return "array"
        case .map: return "object"
        case .json, .nullable: return nil
        case .declared(let index):
            switch declared[index].form {
            case .object, .union(.member, _): return "object"
            case .strings: return "string"
            case .union(.kind, _), .alias: return nil
            }
        }
    }

    // MARK: Declarations

    private mutating func declare(
        _ form: DeclaredType.Form, _ schema: JSONValue, isTarget: Bool = true
    ) -> Int {
        if isTarget, targetNodes.contains(schema.node) { targets.insert(declared.count) }
        declared.append(DeclaredType(form: form, comment: Comment(schema), node: schema.node))
        return declared.count - 1
    }

    private func note(_ reason: String, _ schema: JSONValue) -> Typed {
        Typed(type: .json, notes: [TypeNote(node: schema.node, reason: reason)])
    }
}
