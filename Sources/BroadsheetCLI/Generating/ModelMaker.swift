import Broadsheet

extension GeneratedModel {
    /// Makes the model of a catalog.
    ///
    /// - Parameters:
    ///   - catalog: The compiled catalog.
    ///   - root: The JSON of the catalog's file.
    ///   - header: The first line without its comment sign.
    ///   - name: The name of the file's scope.
    ///   - package: The package in Kotlin.
    init(_ catalog: Catalog, _ root: JSONValue, header: String, name: String, package: String?) {
        var model = GeneratedModel(header: header, name: name, package: package)
        let contract = root["contract"]
        model.unitMembers = (
            contract?["unitType"]?.string ?? model.unitMembers.type,
            contract?["unitData"]?.string ?? model.unitMembers.data
        )
        var maker = ModelMaker(catalog, root, model)
        maker.make()
        self = maker.model
    }
}

/// Gives names to the types of a catalog, in the order of the file.
private struct ModelMaker {
    /// A value of the catalog whose data has a type.
    private struct Root {
        enum Use {
            case cell, unit, input
        }

        let use: Use
        /// The name in the catalog; of an input that of the action.
        let value: String
        /// The name of the type, if it has one of its own.
        let typeName: String
        let declaration: JSONValue
        let schema: JSONValue?
        var type: DataType
        var notes: [TypeNote]
        /// The index of the action group of an input.
        var group = 0
    }

    /// A type that was reached, and the name that it asks for.
    private struct Reached {
        let index: Int
        let name: String
        let owner: String
    }

    private(set) var model: GeneratedModel
    private let catalog: Catalog
    private let root: JSONValue
    private var roots: [Root] = []
    private var targets: Set<Int> = []
    private var graph: TypeGraph
    private var scope: NameScope
    /// The types by their names without case.
    private var named: [String: Int] = [:]
    /// The named type that each reached type is, by the indexes of both.
    private var canonical: [Int: Int] = [:]
    private var names: [Int: String] = [:]
    private var listed: Set<Int> = []

    init(_ catalog: Catalog, _ root: JSONValue, _ model: GeneratedModel) {
        (self.catalog, self.root, self.model) = (catalog, root, model)
        graph = TypeGraph([])
        scope = .types(besides: model.name)
    }

    mutating func make() {
        addConstants()
        findRoots()
        for root in roots { if let reached = reached(root) { name(reached) } }
        for root in roots { list(root) }
        finish()
    }

    // MARK: Roots

    private mutating func findRoots() {
        var types = SchemaTypes(root.document, references: catalog.schemaReferences)
        let cells = root["cellTypes"]?.distinctMembers ?? []
        for (name, value) in cells {
            add(.cell, name, CodeName(name).capitalized, value, value["schema"], &types)
        }
        for (name, value) in root["units"]?.distinctMembers ?? [] {
            let parts = value.kind == .array ? Array(value.elements) : [value]
            let schema = parts.lazy.compactMap { $0["schema"] }.first
            add(.unit, name, CodeName(name).capitalized + "Unit", value, schema, &types)
        }
        for (cell, value) in cells {
            let actions = value["actions"]?.distinctMembers ?? []
            guard !actions.isEmpty else { continue }
            let spelling = CodeName(cell).capitalized
            model.actions.append(
                ActionGroup(
                    cellType: cell, cellName: spelling, name: scope.take(spelling + "Actions"),
                    actions: []))
            for (name, action) in actions {
                let type = spelling + CodeName(name).capitalized + "Input"
                add(.input, name, type, action, action["input"], &types)
            }
        }
        targets = types.targets
        graph = TypeGraph(types.declared)
        for place in roots.indices {
            roots[place].type = graph.resolved(roots[place].type, &roots[place].notes)
        }
    }

    private mutating func add(
        _ use: Root.Use, _ value: String, _ typeName: String, _ declaration: JSONValue,
        _ schema: JSONValue?, _ types: inout SchemaTypes
    ) {
        let schema = schema?.kind == .null ? nil : schema
        let typed = schema.map { types.type(of: $0) } ?? SchemaTypes.Typed(type: .json)
        roots.append(
            Root(
                use: use, value: value, typeName: CodeName.identifier(typeName),
                declaration: declaration, schema: schema, type: typed.type, notes: typed.notes,
                group: model.actions.count - 1))
    }

    /// Returns the type that a root leads to without arrays and maps, with the name for it.
    private func reached(_ root: Root) -> Reached? {
        guard case .declared(let index) = root.type.withoutNull else { return nil }
        let isOwn = graph.declared[index].node == root.schema?.node
        return Reached(
            index: index, name: isOwn ? root.typeName : name(ofTarget: index) ?? root.typeName,
            owner: root.typeName)
    }

    /// Returns the name of a type that references lead to, from the last part of its pointer.
    private func name(ofTarget index: Int) -> String? {
        guard targets.contains(index) else { return nil }
        let pointer = root.document.value(at: graph.declared[index].node).pointer
        let last = pointer.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let text = last.replacing("~1", with: "/").replacing("~0", with: "~")
        return CodeName.identifier(CodeName(String(text)).capitalized)
    }

    // MARK: Names of types

    /// Gives a type its name, unless it has one or means the same as one that has it.
    private mutating func name(_ reached: Reached) {
        let index = reached.index
        guard canonical[index] == nil else { return }
        var names = [reached.name]
        if targets.contains(index) {
            names.append(CodeName.identifier(reached.owner + CodeName.part(reached.name)))
        }
        names.append(reached.name + "Data")
        for name in names {
            if let other = named[name.lowercased()], graph.areSame(other, index) {
                canonical[index] = other
                return
            }
            if !scope.isTaken(name) { return take(name, for: index) }
        }
        var count = 2
        while let other = named["\(reached.name)_\(count)".lowercased()] {
            if graph.areSame(other, index) {
                canonical[index] = other
                return
            }
            count += 1
        }
        take(reached.name, for: index)
    }

    private mutating func take(_ name: String, for index: Int) {
        let name = scope.take(name)
        named[name.lowercased()] = index
        canonical[index] = index
        names[index] = name
    }

    /// Lists the types of a root, each before those of its members.
    private mutating func list(_ root: Root) {
        var stack = [(type: root.type, name: root.typeName)]
        while let (type, name) = stack.popLast() {
            switch type {
            case .nullable(let inner): stack.append((inner, name))
            case .array(let inner): stack.append((inner, name + "Item"))
            case .map(let inner): stack.append((inner, name + "Value"))
            case .declared(let index):
                self.name(
                    Reached(
                        index: index, name: self.name(ofTarget: index) ?? name,
                        owner: root.typeName))
                let index = canonical[index] ?? index
                guard listed.insert(index).inserted else { continue }
                model.order.append(index)
                stack += parts(of: index).reversed()
            case .json, .bool, .string, .integer, .number, .literal: break
            }
        }
    }

    /// The types of the parts of a type, with the names for those that are declared.
    private func parts(of index: Int) -> [(type: DataType, name: String)] {
        let owner = names[index] ?? ""
        switch graph.declared[index].form {
        case .object(let members, let additional):
            return members.map { ($0.type, owner + CodeName($0.name).capitalized) }
                + (additional.map { [(.map($0), owner + "AdditionalMembers")] } ?? [])
        case .union(_, let cases):
            return cases.map { ($0.type, owner + CodeName($0.value).capitalized) }
        case .strings, .alias: return []
        }
    }

    // MARK: Names of parts

    private mutating func finish() {
        model.declared = graph.declared
        for index in model.order {
            var type = graph.declared[index]
            type.name = names[index] ?? ""
            if type.comment.isEmpty {
                let schema = root.document.value(at: type.node)
                type.comment.lines = ["By the schema \(schema.pointer)"]
            }
            model.notes += type.notes
            type.form = named(type.form)
            model.declared[index] = type
        }
        var cells = NameScope.cases(in: model.name)
        var units = cells
        var actions = NameScope.constants
        var group = -1
        for root in roots {
            var comment = self.comment(of: root)
            comment.add(root.notes)
            model.notes += root.notes
            let type = named(root.type)
            let spelling = CodeName(root.value).member
            switch root.use {
            case .cell:
                model.cells.append(
                    DataCase(
                        value: root.value, identifier: cells.take(spelling), type: type,
                        comment: comment))
            case .unit:
                model.units.append(
                    DataCase(
                        value: root.value, identifier: units.take(spelling), type: type,
                        comment: comment))
            case .input:
                if root.group != group { (actions, group) = (.constants, root.group) }
                model.actions[group].actions.append(
                    GeneratedAction(
                        value: root.value, identifier: actions.take(spelling),
                        input: root.schema == nil ? nil : type, comment: comment))
            }
        }
        var seen: Set<TypeNote> = []
        model.notes = model.notes.filter { seen.insert($0).inserted }
    }

    /// Returns a form with the names of its parts, and with the types that have names.
    private mutating func named(_ form: DeclaredType.Form) -> DeclaredType.Form {
        switch form {
        case .object(var members, let additional):
            var scope = NameScope.members
            for place in members.indices {
                members[place].identifier = scope.take(CodeName(members[place].name).member)
                members[place].type = named(members[place].type)
                members[place].comment.add(members[place].notes)
                model.notes += members[place].notes
            }
            return .object(members, additional: additional.map(named))
        case .strings(var cases):
            var scope = NameScope.cases(in: model.name)
            for place in cases.indices {
                cases[place].identifier = scope.take(CodeName(cases[place].value).member)
            }
            return .strings(cases)
        case .union(let selector, var cases):
            var scope = NameScope.cases(in: model.name)
            for place in cases.indices {
                cases[place].identifier = scope.take(CodeName(cases[place].value).member)
                cases[place].type = named(cases[place].type)
            }
            return .union(selector, cases)
        case .alias: return form
        }
    }

    private func named(_ type: DataType) -> DataType {
        switch type {
        case .array(let inner): .array(named(inner))
        case .map(let inner): .map(named(inner))
        case .nullable(let inner): .nullable(named(inner))
        case .declared(let index): .declared(canonical[index] ?? index)
        case .json, .bool, .string, .integer, .number, .literal: type
        }
    }

    /// The comment on a cell type, a unit type or an action.
    private func comment(of root: Root) -> Comment {
        var comment = root.schema.map { Comment($0) } ?? Comment()
        guard root.use == .cell else { return comment }
        let apps = root.declaration["since"]?.distinctMembers.map { name, version in
            version.string.map { "\(name) \($0)" } ?? "never on \(name)"
        }
        if let apps, !apps.isEmpty {
            comment.lines.append("Since: \(apps.joined(separator: ", "))")
        }
        if let fallback = root.declaration["fallback"]?.string {
            comment.lines.append("Fallback: \(fallback)")
        }
        return comment
    }

    // MARK: Constants

    private mutating func addConstants() {
        let cellTypes = root["cellTypes"]?.distinctMembers.map(\.name) ?? []
        let groups: [(name: String, comment: String, values: [String])] = [
            ("CellType", "The names of cell types.", cellTypes),
            (
                "UnitType", "The names of unit types.",
                root["units"]?.distinctMembers.map(\.name) ?? []
            ),
            (
                "SectionID", "The ids of sections.",
                (root["sections"]?.distinctMembers.map(\.name) ?? []).filter { $0 != "*" }
            ),
            ("Flag", "The names of flags.", flags),
        ]
        for group in groups { add(group.name, nil, group.comment, group.values) }
        for (cellType, names) in catalog.partNames {
            let spelling = CodeName(cellType).capitalized
            let comment = "The names of the parts of the cell type \(cellType)."
            add(scope.take(spelling + "Parts"), spelling, comment, names)
        }
    }

    private mutating func add(
        _ name: String, _ cellName: String?, _ comment: String, _ values: [String]
    ) {
        var scope = NameScope.constants
        var seen: Set<Identifier> = []
        let constants = values.filter { seen.insert(Identifier($0)).inserted }.map {
            (identifier: scope.take(CodeName($0).member), value: $0)
        }
        guard !constants.isEmpty else { return }
        model.constants.append(
            ConstantGroup(
                name: name, cellName: cellName, comment: comment, constants: constants))
    }

    /// The flags of the conditions of all placements.
    private var flags: [String] {
        let unitTypes = root["units"]?.distinctMembers.map(\.value) ?? []
        let placements = unitTypes.flatMap(\.oneOrAll).flatMap { $0.distinctMembers.map(\.value) }
            .flatMap(\.oneOrAll)
        return placements.compactMap { $0["when"] }.flatMap { condition in
            ["flags", "without"].flatMap { condition[$0]?.oneOrAll.compactMap(\.string) ?? [] }
        }
    }
}

extension JSONValue {
    /// The elements of an array, or the value itself.
    fileprivate var oneOrAll: [JSONValue] { kind == .array ? Array(elements) : [self] }
}

extension DataType {
    fileprivate var withoutNull: DataType {
        if case .nullable(let inner) = self { inner } else { self }
    }
}

extension CodeName {
    /// Returns the name of a type as a part of another one.
    fileprivate static func part(_ name: String) -> String {
        name.hasPrefix("_") ? String(name.dropFirst()) : name
    }
}

extension Comment {
    fileprivate mutating func add(_ notes: [TypeNote]) {
        lines += notes.map { "Not typed: it \($0.reason)." }
    }
}
