import Broadsheet

extension GeneratedModel {
    /// Makes the model of a compiled catalog, whose file has the JSON `root`.
    init(_ catalog: Catalog, _ root: JSONValue, header: String, name: String, package: String?) {
        self.init(header: header, name: name, package: package)
        if let type = root["contract"]?["unitType"]?.string { unitMembers.type = type }
        if let data = root["contract"]?["unitData"]?.string { unitMembers.data = data }
        var maker = ModelMaker(catalog, root, name)
        maker.addGroups()
        maker.nameTypes(in: &self)
    }
}

/// Gives names to the types of a catalog, in the order of the file.
private struct ModelMaker {
    private let catalog: Catalog
    private let root: JSONValue
    private let caseNames: NameScope
    private var typeNames: NameScope
    private var groups: [NamedGroup] = []
    private var types: SchemaTypes
    private var graph = TypeGraph([])
    /// The nodes of schemas that references lead to.
    private let targets: Set<UInt32>
    /// The types by their names without case.
    private var named: [String: Int] = [:]

    init(_ catalog: Catalog, _ root: JSONValue, _ name: String) {
        (self.catalog, self.root) = (catalog, root)
        (caseNames, typeNames) = (.cases(in: name), .types(besides: name))
        let references = catalog.schemaReferences
        targets = Set(references.values)
        types = SchemaTypes(root.document, references: references, caseNames: caseNames)
    }

    private func members(_ name: String) -> [(name: String, value: JSONValue)] {
        root[name]?.distinctMembers ?? []
    }

    private mutating func add(
        _ kind: NamedGroup.Kind, _ name: String, of cellType: String? = nil,
        _ values: [NamedValue], _ comment: String = ""
    ) {
        var group = NamedGroup(kind: kind, name: name, comment: comment)
        guard group.isFamily || !values.isEmpty else { return }
        if let cellType {
            group.cellName = CodeName.identifier(CodeName(cellType).capitalized)
            group.name = typeNames.take(group.cellName + name)
            group.comment += " of the cell type \(cellType)."
        }
        group.values = (group.isFamily ? caseNames : .constants).naming(values)
        groups.append(group)
    }

    mutating func addGroups() {
        func values(_ texts: [String]) -> [NamedValue] { texts.map { NamedValue(value: $0) } }
        let (cellTypes, units) = (members("cellTypes"), members("units"))
        let sections = members("sections").map(\.name).filter { $0 != "*" }
        add(.names, "CellType", values(cellTypes.map(\.name)), "The names of cell types.")
        add(.names, "UnitType", values(units.map(\.name)), "The names of unit types.")
        add(.names, "SectionID", values(sections), "The ids of sections.")
        add(.names, "Flag", values(flags), "The names of flags.")
        for (cellType, texts) in catalog.partNames {
            add(.parts, "Parts", of: cellType, values(texts), "The names of the parts")
        }
        add(.cells, "Cell", cellTypes.map { cell($0, $1) })
        let schemas = units.map { $1.oneOrAll.lazy.compactMap { $0["schema"] }.first }
        add(.units, "Unit", zip(units, schemas).map { typed($0.name, $1) })
        for (cellType, value) in cellTypes {
            let actions = value["actions"]?.distinctMembers ?? []
            let inputs = actions.map { typed($0.name, $0.value["input"]) }
            add(.actions, "Actions", of: cellType, inputs, "The actions")
        }
    }

    private var flags: [String] {
        let placements = members("units").flatMap(\.value.oneOrAll)
            .flatMap { $0.distinctMembers.map(\.value) }.flatMap(\.oneOrAll)
        return placements.compactMap { $0["when"] }.flatMap { condition in
            ["flags", "without"].flatMap { condition[$0]?.oneOrAll.compactMap(\.string) ?? [] }
        }
    }

    private mutating func cell(_ name: String, _ value: JSONValue) -> NamedValue {
        var cell = typed(name, value["schema"])
        let since = (value["since"]?.distinctMembers ?? []).map { name, version in
            version.string.map { "\(name) \($0)" } ?? "never on \(name)"
        }
        if !since.isEmpty { cell.comment.lines.append("Since: \(since.joined(separator: ", "))") }
        cell.comment.lines += value["fallback"]?.string.map { ["Fallback: \($0)"] } ?? []
        return cell
    }

    private mutating func typed(_ name: String, _ schema: JSONValue?) -> NamedValue {
        guard let schema, schema.kind != .null else { return NamedValue(value: name) }
        let typed = types.type(of: schema)
        return NamedValue(
            value: name, type: typed.type, comment: Comment(schema), notes: typed.notes,
            node: schema.node)
    }

    mutating func nameTypes(in model: inout GeneratedModel) {
        graph = TypeGraph(types.declared)
        for place in groups.indices {
            groups[place].values = groups[place].values.map(graph.resolved)
        }
        let ends = [NamedGroup.Kind.units: "Unit", .actions: "Input"]
        let data = groups.flatMap { group in
            group.values.map { value in
                let name = group.cellName + CodeName(value.value).capitalized
                return (CodeName.identifier(name + (ends[group.kind] ?? "")), value)
            }
        }
        // The types of roots have their names before those that other names lead to.
        for (name, value) in data {
            guard let index = value.type?.unwrapped.content else { continue }
            let isOwn = graph.types[index].node == value.node
            _ = named(index, isOwn ? name : targetName(of: index) ?? name, owner: name)
        }
        var (order, listed, seen) = ([Int](), Set<Int>(), Set<TypeNote>())
        for (owner, value) in data {
            var stack = [(part: value, name: owner)]
            while let (part, name) = stack.popLast() {
                guard let type = part.type, let reached = type.declared else { continue }
                let ends = type.layers.compactMap { [.array: "Item", .map: "Value"][$0] }
                let wanted = targetName(of: reached) ?? name + ends.joined()
                let index = named(reached, wanted, owner: owner)
                guard listed.insert(index).inserted else { continue }
                order.append(index)
                let found = graph.types[index]
                stack += found.parts.reversed().map { part in
                    (part, found.name + CodeName(part.value).capitalized)
                }
            }
        }
        (model.groups, model.declared) = (groups, graph.types)
        model.types = order.map { index in
            var type = graph.types[index]
            guard type.comment.lines.isEmpty, !type.comment.isDeprecated else { return type }
            type.comment.lines = ["By the schema \(root.document.value(at: type.node).pointer)"]
            return type
        }
        model.notes = (model.types.flatMap(\.parts) + data.map(\.1)).flatMap(\.notes)
            .filter { seen.insert($0).inserted }
    }

    /// Returns the name of a type that references lead to, from the last part of its pointer.
    private func targetName(of index: Int) -> String? {
        let node = graph.types[index].node
        guard targets.contains(node) else { return nil }
        let pointer = root.document.value(at: node).pointer
        let last = pointer.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let text = last.replacing("~1", with: "/").replacing("~0", with: "~")
        return CodeName.identifier(CodeName(String(text)).capitalized)
    }

    /// Gives a type its name, and returns the first type of that name, which means the same.
    private mutating func named(_ index: Int, _ wanted: String, owner: String) -> Int {
        if let first = named[graph.types[index].name.lowercased()] { return first }
        func isFree(_ name: String) -> Bool {
            named[name.lowercased()].map { graph.areSame($0, index) } ?? !typeNames.isTaken(name)
        }
        let part = wanted.hasPrefix("_") ? String(wanted.dropFirst()) : wanted
        let isTarget = targets.contains(graph.types[index].node)
        let owned = isTarget ? [CodeName.identifier(owner + part)] : []
        // Where types are not compared any more, no number of an earlier one is tried.
        let firstNumber = graph.comparisonsLeft > 0 ? 2 : named.count + 2
        let name =
            ([wanted] + owned + [wanted + "Data"]).first(where: isFree)
            ?? (firstNumber...).lazy.map { "\(wanted)_\($0)" }.first(where: isFree) ?? wanted
        let first = named[name.lowercased()] ?? index
        graph.types[index].name = first == index ? typeNames.take(name) : graph.types[first].name
        named[name.lowercased()] = first
        return first
    }
}

extension JSONValue {
    fileprivate var oneOrAll: [JSONValue] { kind == .array ? Array(elements) : [self] }
}
