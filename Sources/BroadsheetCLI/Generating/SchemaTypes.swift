import Broadsheet

/// The types of the schemas of one catalog, by the rules of docs/generate.md, "Types".
///
/// Arrays and objects within a value have types of their own in a queue, so that the nesting of
/// schemas takes no stack; a type that is not known yet is an alias meanwhile.
struct SchemaTypes {
    private typealias KindCase = (kind: ValueKind, typed: Typed)

    private(set) var declared: [DeclaredType] = []
    private let document: JSONDocument
    private let references: [UInt32: UInt32]
    private let caseNames: NameScope
    private var shapes: [UInt32: SchemaShape] = [:]
    private var known: [[UInt32]: Typed] = [:]
    private var objects: [[UInt32]: Typed] = [:]
    private var aliases: [[UInt32]: Typed] = [:]
    private var waiting: [(alias: Int, schemas: [SchemaShape])] = []
    private var depth = 0
    private var combinations = 0

    /// The largest number of schemas for one value within each other; fixed.
    private static let maxDepth = 250
    /// The largest number of members that several schemas describe together; fixed.
    private static let maxCombinations = 10_000

    init(_ document: JSONDocument, references: [UInt32: UInt32], caseNames: NameScope) {
        (self.document, self.references, self.caseNames) = (document, references, caseNames)
    }

    mutating func type(of schema: JSONValue) -> Typed {
        let typed = child([schema])
        while let (alias, schemas) = waiting.popLast() {
            declared[alias].form = .alias(base(schemas))
        }
        return typed
    }

    private mutating func shape(_ schema: JSONValue) -> SchemaShape {
        if let known = shapes[schema.node] { return known }
        let target = references[schema.node].map { document.value(at: $0) }
        var shape = SchemaShape(schema, target: target)
        // The type of such a schema says why it is none.
        if depth >= Self.maxDepth { shape.kinds = .all }
        guard depth < Self.maxDepth else { return shape }
        depth += 1
        defer { depth -= 1 }
        let branches = shape.hasMembers ? [] : shape.branches.map { kinds(of: $0) }
        if shape.values != nil {
            (shape.form, shape.kinds) = (.values, shape.kindsOfValues)
        } else if branches.contains(where: { $0 != nil }) {
            let kinds = ValueKinds(branches.map { $0 ?? .all })
            (shape.form, shape.kinds) = (.union, kinds.intersection(shape.impliedKinds ?? .all))
        } else if let kinds = shape.impliedKinds {
            (shape.form, shape.kinds) = (.kinds, kinds)
        }
        shape.kinds = Self.common([shape.kinds] + shape.others.map { kinds(of: $0) })
        shapes[schema.node] = shape
        return shape
    }

    private mutating func kinds(of schema: JSONValue) -> ValueKinds? {
        schema.kind == .object ? shape(schema).kinds : nil
    }

    private static func common(_ kinds: [ValueKinds?]) -> ValueKinds? {
        kinds.compactMap(\.self).reduce(nil) { ($0 ?? .all).intersection($1) }
    }

    /// Returns schemas, those that they refer to, and those of which they consist, each once.
    private mutating func flattened(_ shapes: [SchemaShape]) -> [SchemaShape] {
        var (flattened, seen) = ([SchemaShape](), Set<UInt32>())
        var stack = Array(shapes.reversed())
        while let shape = stack.popLast() {
            guard seen.insert(shape.schema.node).inserted else { continue }
            flattened.append(shape)
            stack += shape.others.reversed().filter { $0.kind == .object }.map { self.shape($0) }
        }
        return flattened
    }

    /// Returns the type of a part of a value that keeps all of some schemas.
    private mutating func child(_ schemas: [JSONValue]) -> Typed {
        let shapes = schemas.filter { $0.kind == .object }.map { shape($0) }
        let isNever = schemas.contains { $0.bool == false }
        guard let kinds = Self.common(shapes.map(\.kinds)), !isNever else { return Typed(.json) }
        let key = shapes.map(\.schema.node)
        var typed: Typed
        if kinds.isDisjoint(with: [.array, .object]) {
            typed = base(shapes)
        } else if let found = known[key] ?? aliases[key] {
            typed = found
        } else {
            waiting.append((declared.count, shapes))
            typed = declare(.alias(Typed(.json)), [], shapes[0].schema)
            aliases[key] = typed
        }
        if kinds.contains(.null), typed.type != .json { typed.type = typed.type.within(.nullable) }
        return typed
    }

    /// Returns the type of a value that keeps all of some schemas, without null.
    private mutating func base(_ shapes: [SchemaShape]) -> Typed {
        let (key, place) = (shapes.map(\.schema.node), shapes[0].schema)
        if let known = known[key] { return known }
        guard depth < Self.maxDepth else {
            return note("has more than \(Self.maxDepth) schemas for one value", place)
        }
        depth += 1
        defer { depth -= 1 }
        if shapes.count > 1 { combinations += 1 }
        let isLimited = shapes.count > 1 && combinations > Self.maxCombinations
        let typed =
            isLimited ? note("is described by too many schemas together", place) : combined(shapes)
        known[key] = typed
        return typed
    }

    /// Returns the type of the parts of `allOf`, of `$ref`, and of what is beside them.
    private mutating func combined(_ shapes: [SchemaShape]) -> Typed {
        let place = shapes[0].schema
        let own = shapes.count == 1 ? shapes.filter { $0.form != .none } : []
        let typed = shapes[0].others.filter { self.kinds(of: $0) != nil }.map { shape($0) }
        let others = shapes.count > 1 ? shapes : typed
        if others.isEmpty { return self.own(shapes[0]) }
        if own.isEmpty, others.count == 1 { return base(others) }
        let all = own + flattened(others).filter { $0.schema.node != own.first?.schema.node }
        let parts = all.filter { $0.form != .none }
        let kinds = Self.common(parts.map(\.kinds))?.subtracting(.null) ?? .all
        guard !kinds.isEmpty else { return note("permits no value but null", place) }
        let solid = parts.filter { !$0.isBare }
        guard !solid.isEmpty else { return self.kinds(kinds, parts, at: place) }
        let nodes = Set(solid.map(\.schema.node))
        if let own = own.first, nodes == [own.schema.node] { return self.own(own) }
        for other in others where nodes.isSubset(of: flattened([other]).map(\.schema.node)) {
            return base([other])
        }
        if solid.allSatisfy(\.isObject) {
            return object(solid, isOpen: all.contains(where: \.isConditional), at: place)
        }
        let types = own.map { self.own($0) } + others.map { base([$0]) }
        guard Set(types.map(\.type)).count == 1, types[0].type != .json else {
            return note("is described by schemas of several types together", place)
        }
        return types[0]
    }

    private mutating func own(_ shape: SchemaShape) -> Typed {
        switch shape.form {
        case .none: Typed(.json)
        case .values: values(shape)
        case .union: union(shape)
        case .kinds:
            kinds((shape.impliedKinds ?? .all).subtracting(.null), [shape], at: shape.schema)
        }
    }

    private mutating func values(_ shape: SchemaShape) -> Typed {
        let (values, schema) = ((shape.values ?? []).filter { $0.kind != .null }, shape.schema)
        let kinds = shape.kindsOfValues.subtracting(.null)
        switch ValueKind(kinds) {
        case nil where kinds.isEmpty: return note("permits no value but null", schema)
        case nil: return note("has values of several kinds", schema)
        case .bool: return Typed(.bool)
        case .string:
            let cases = values.map { NamedValue(value: $0.string ?? "") }
            guard schema["const"] != nil else { return declare(.strings, cases, schema) }
            return Typed(DataType(core: .literal, literal: Identifier(cases[0].value)))
        case .number where kinds != .integer: return Typed(.number)
        case .number:
            let isExact = values.allSatisfy { SchemaShape.integer($0) != nil }
            return isExact ? Typed(.integer) : note("has whole numbers beyond 64 bits", schema)
        case .array, .object: return note("is a constant array or object", schema)
        }
    }

    /// Returns the type of values of some kinds, and of their parts in some schemas.
    private mutating func kinds(
        _ kinds: ValueKinds, _ shapes: [SchemaShape], at place: JSONValue
    ) -> Typed {
        var cases: [KindCase] = []
        if kinds.contains(.boolean) { cases.append((.bool, Typed(.bool))) }
        if kinds.contains(.fraction) {
            cases.append((.number, Typed(.number)))
        } else if kinds.contains(.integer) {
            let isExact = shapes.allSatisfy(\.hasExactBounds)
            let number = isExact ? Typed(.integer) : note("has a bound beyond 64 bits", place)
            cases.append((.number, number))
        }
        if kinds.contains(.string) { cases.append((.string, Typed(.string))) }
        if kinds.contains(.array) {
            var items = child(Array(shapes.compactMap(\.items).prefix(1)))
            items.type = items.type.within(.array)
            cases.append((.array, items))
        }
        if kinds.contains(.object) {
            let isOpen = shapes.contains(where: \.isConditional)
            cases.append((.object, object(shapes, isOpen: isOpen, at: place)))
        }
        return union(cases, at: place)
    }

    private mutating func object(
        _ shapes: [SchemaShape], isOpen: Bool, at place: JSONValue
    ) -> Typed {
        let key = shapes.map(\.schema.node) + (isOpen ? [.max] : [])
        if let known = objects[key] { return known }
        var members = members(shapes)
        let patterns = shapes.flatMap(\.patterns)
        let additional = shapes.compactMap { $0.schema["additionalProperties"] }
        var schemas = additional.filter { $0.kind == .object }
        let isClosed = additional.contains { $0.bool == false }
        let isOpen = isOpen || !patterns.isEmpty || shapes.contains { !$0.branches.isEmpty }
        let keepsOthers = isOpen || !schemas.isEmpty
        if !patterns.isEmpty || isOpen && !members.isEmpty {
            schemas = members.isEmpty && isClosed && patterns.count == 1 ? patterns : []
        }
        var others = child(schemas)
        others.type = others.type.within(.map)
        if members.isEmpty { return others }
        if keepsOthers {
            let name = "additionalMembers"
            members.append(
                NamedValue(
                    value: name, identifier: name, type: others.type, isRequired: true,
                    isAdditional: true, notes: others.notes))
        }
        let typed = declare(.object, members, place)
        objects[key] = typed
        return typed
    }

    private mutating func members(_ shapes: [SchemaShape]) -> [NamedValue] {
        let properties = shapes.flatMap(\.properties)
        guard !properties.isEmpty else { return [] }
        let schemas = Dictionary(grouping: properties) { Identifier($0.name) }
        let required = shapes.flatMap(\.required)
        let isRequired = Set(required.map(Identifier.init))
        let members = (properties.map(\.name) + required).compactMap { name -> NamedValue? in
            let schemas = schemas[Identifier(name)]?.map(\.value) ?? []
            guard schemas.allSatisfy({ $0.bool != false }) else { return nil }
            let typed = child(schemas)
            return NamedValue(
                value: name, type: typed.type, isRequired: isRequired.contains(Identifier(name)),
                constant: schemas.lazy.compactMap { Self.constant($0["const"], typed.type) }.first,
                comment: schemas.first.map { Comment($0) } ?? Comment(), notes: typed.notes,
                node: (schemas.first ?? shapes[0].schema).node)
        }
        return NameScope.members.naming(members)
    }

    private static func constant(_ value: JSONValue?, _ type: DataType) -> String? {
        switch type.layers.isEmpty ? type.core : .json {
        case .bool: value?.bool.map { "\($0)" }
        case .integer: value.flatMap(SchemaShape.integer).map { "\($0)" }
        case .number: value?.double.map { "\($0)" }
        case .literal: type.literal?.text
        case .json, .string, .declared: nil
        }
    }

    private mutating func union(_ shape: SchemaShape) -> Typed {
        let schema = shape.schema
        guard schema["oneOf"] == nil || schema["anyOf"] == nil else {
            return note("has both oneOf and anyOf", schema)
        }
        let branches = shape.branches.filter { kinds(of: $0)?.isSubset(of: .null) != true }
        let constants = branches.compactMap { branch -> NamedValue? in
            guard branch["$ref"] == nil, branch["allOf"] == nil else { return nil }
            let comment = Comment(branch, listsValues: false)
            return branch["const"]?.string.map { NamedValue(value: $0, comment: comment) }
        }
        if !constants.isEmpty, constants.count == branches.count {
            return declare(.strings, constants, schema)
        }
        if let union = selected(branches, schema) { return union }
        let others = shape.types
        guard others != nil || branches.allSatisfy({ kinds(of: $0) != nil }) else {
            return note("has a branch that permits any value", schema)
        }
        let types = branches.map { branch in
            kinds(of: branch) == nil
                ? kinds((others ?? []).subtracting(.null), [shape], at: schema)
                : base([self.shape(branch)])
        }
        if Set(types.map(\.type)).count == 1, types[0].type != .json { return types[0] }
        var cases: [KindCase] = []
        for (branch, typed) in zip(branches, types) {
            let permitted = (kinds(of: branch) ?? others ?? []).subtracting(.null)
            guard typed.type != .json, let kind = ValueKind(permitted) else {
                return note("has a branch without a type", schema)
            }
            guard let index = cases.firstIndex(where: { $0.kind == kind }) else {
                cases.append((kind, typed))
                continue
            }
            guard cases[index].typed.type != typed.type else { continue }
            guard let common = [.string: .string, .number: DataType.number][kind] else {
                return note("has branches that nothing distinguishes", schema)
            }
            cases[index].typed = Typed(common)
        }
        return union(cases, at: schema)
    }

    /// Returns the union of objects that require the same member with different constants; `nil`
    /// if the branches are none.
    private mutating func selected(_ branches: [JSONValue], _ schema: JSONValue) -> Typed? {
        let isObject = branches.allSatisfy { kinds(of: $0)?.subtracting(.null) == .object }
        guard branches.count > 1, isObject else { return nil }
        let constants = branches.map { requiredConstants(of: shape($0)) }
        let values = Dictionary(grouping: constants.joined(), by: \.0)
        for (name, _) in constants[0] {
            let values = values[name]?.map(\.1) ?? []
            guard Set(values).count == branches.count else { continue }
            let cases = zip(branches, values).map { branch, value in
                NamedValue(value: value.text, type: base([shape(branch)]).type)
            }
            let isMapped = cases.allSatisfy { part in
                part.type?.content.map { declared[$0].form == .object } == true
            }
            return isMapped
                ? declare(.union(selector: name), cases, schema)
                : note("has a branch without a type", schema)
        }
        return nil
    }

    private mutating func requiredConstants(of shape: SchemaShape) -> [(Identifier, Identifier)] {
        let parts = flattened([shape])
        var required = Set(parts.flatMap(\.required).map(Identifier.init))
        return parts.flatMap(\.properties).compactMap { name, schema in
            guard let value = schema["const"]?.string, let name = required.remove(Identifier(name))
            else { return nil }
            return (name, Identifier(value))
        }
    }

    private mutating func union(_ cases: [KindCase], at place: JSONValue) -> Typed {
        guard cases.count != 1 else { return cases[0].typed }
        guard !cases.isEmpty else { return note("permits no value but null", place) }
        let parts = cases.map { kind, typed in
            NamedValue(value: kind.rawValue, kind: kind, type: typed.type, notes: typed.notes)
        }
        return declare(.union(selector: nil), parts, place)
    }

    private mutating func declare(
        _ form: DeclaredType.Form, _ parts: [NamedValue], _ schema: JSONValue
    ) -> Typed {
        declared.append(
            DeclaredType(
                form: form, parts: form == .object ? parts : caseNames.naming(parts),
                comment: Comment(schema), node: schema.node))
        return Typed(DataType(core: .declared, declared: declared.count - 1))
    }

    private func note(_ reason: String, _ schema: JSONValue) -> Typed {
        Typed(.json, [TypeNote(node: schema.node, reason: reason)])
    }
}
