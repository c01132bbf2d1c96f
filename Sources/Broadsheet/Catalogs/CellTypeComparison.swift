/// A comparison of the cell types that a catalog sends to apps with those of an older one.
struct CellTypeComparison {
    private let old: CellRegistry
    private let new: CellRegistry
    private let oldKinds: [Identifier: CellKind]
    /// The placements that make each cell type of the new catalog, also in place of another one.
    private let uses: [Int: [Use]]

    private struct Use {
        let unitType: String
        let condition: Condition?
    }

    init(from old: CellRegistry, to new: CellRegistry) {
        (self.old, self.new) = (old, new)
        oldKinds = Dictionary(
            old.kinds.map { (Identifier($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        uses = Self.uses(in: new)
    }

    private static func uses(in registry: CellRegistry) -> [Int: [Use]] {
        var uses: [Int: [Use]] = [:]
        for unitType in registry.unitTypeNames {
            for placement in registry.placements(of: unitType) ?? [] {
                let use = Use(unitType: unitType, condition: placement.condition)
                let kinds = Set(
                    placement.type.allKinds.flatMap { registry.cellFallbacks.sent(for: $0) })
                for kind in kinds { uses[kind, default: []].append(use) }
            }
        }
        return uses
    }

    /// The new cell types that apps from before them are sent.
    var withoutSince: [CatalogDifference] {
        differences(.cellTypeWithoutSince) { index, kind in
            guard oldKinds[Identifier(kind.name)] == nil, (kind.since?.clients ?? [:]).isEmpty,
                uses[index, default: []].contains(where: { $0.condition.includesOldApps })
            else { return nil }
            return "is new and has no \"since\"; apps that do not know it are sent it"
        }
    }

    /// The cell types without a fallback that units of an old type make, and that apps which drew
    /// those units cannot draw.
    var withoutFallback: [CatalogDifference] {
        differences(.cellTypeWithoutFallback) { index, kind in
            guard !new.cellFallbacks.hasFallback(index) else { return nil }
            let before = oldKinds[Identifier(kind.name)]
            let isLater = before.map { kind.since.isLater(than: $0.since) } ?? true
            let use = uses[index, default: []].first {
                old.configuration(of: $0.unitType) != nil
                    && $0.condition.includesAppsTooOld(for: kind.since)
            }
            guard isLater, let use else { return nil }
            return (before == nil ? "is new" : "has a later \"since\"")
                + " and has no \"fallback\" for apps that cannot draw it; units of the type "
                + "\"\(use.unitType)\" make it"
        }
    }

    /// The keywords of schemas of cell types that may accept less: than those of the same cell type
    /// before, and than those of the cell type that a placement had instead.
    var narrowings: [CatalogDifference] {
        let same = new.kinds.sorted { $0.name < $1.name }.flatMap { kind in
            guard let before = oldKinds[Identifier(kind.name)] else { return [CatalogDifference]() }
            return CatalogDifference.narrowings(from: before.schema, to: kind.schema)
        }
        var listed: Set<Replacement> = []
        return same
            + new.unitTypeNames.flatMap(replacements).flatMap { replacement in
                guard listed.insert(replacement).inserted else { return [CatalogDifference]() }
                let (before, after) = (old.kinds[replacement.old], new.kinds[replacement.new])
                return CatalogDifference.narrowings(
                    from: before.schema, to: after.schema,
                    remark: "; the cell type \"\(before.name)\" was here before")
            }
    }

    var narrowerInputs: [CatalogDifference] {
        new.kinds.sorted { $0.name < $1.name }.flatMap { kind in
            kind.behavior.actions.sorted { $0.key.text < $1.key.text }.flatMap { name, action in
                let before = oldKinds[Identifier(kind.name)]?.behavior.actions[name]
                guard let before else { return [CatalogDifference]() }
                return CatalogDifference.narrowings(from: before.input, to: action.input)
            }
        }
    }

    var partsGone: [CatalogDifference] {
        new.kinds.sorted { $0.name < $1.name }.flatMap { kind in
            guard let before = oldKinds[Identifier(kind.name)]?.contents else {
                return [CatalogDifference]()
            }
            let names = Set(kind.contents?.names ?? [])
            return zip(before.names, before.nameLocations).compactMap { name, location in
                guard !names.contains(name) else { return nil }
                return CatalogDifference(
                    code: .partGone, isInOld: true, pointer: location,
                    detail: "is gone; apps that draw this part have no frame for it")
            }
        }
    }

    var controlsChanged: [CatalogDifference] {
        new.kinds.sorted { $0.name < $1.name }.flatMap { kind in
            guard let before = oldKinds[Identifier(kind.name)]?.contents, let after = kind.contents
            else { return [CatalogDifference]() }
            return before.boxes.indices.compactMap { index in
                guard let control = before.control(ofBox: index),
                    let box = after.box(named: before.names[Int(before.boxes[index].name)]),
                    after.control(ofBox: box) != control
                else { return nil }
                let found = after.control(ofBox: box).map { "/\($0.member)" } ?? ""
                return CatalogDifference(
                    code: .controlChanged, isInOld: false,
                    pointer: after.location(ofBox: box) + found,
                    detail: "had \"\(control.member)\": \"\(control.target)\" before; apps that "
                        + "draw this part do something else, or nothing")
            }
        }
    }

    /// A cell type of the old catalog, and the one that the new catalog has for the same data, by
    /// their indexes.
    private struct Replacement: Hashable {
        let old: Int
        let new: Int
    }

    /// A part of a unit's data, in its role.
    private struct Place: Hashable {
        let role: PlacementRole
        let data: String

        init(_ placement: Placement) {
            role = placement.role
            data = placement.data?.description ?? ""
        }
    }

    /// Returns the cell types of another name that units of a type make of data of which the old
    /// catalog made something as well: by the same case, or by the default.
    private func replacements(in unitType: String) -> [Replacement] {
        var before = Dictionary(
            grouping: old.placements(of: unitType) ?? [], by: Place.init
        ).mapValues { $0[...] }
        return (new.placements(of: unitType) ?? []).flatMap { placement in
            guard let other = before[Place(placement)]?.popFirst() else { return [Replacement]() }
            return replacements(from: other.type, to: placement.type)
        }
    }

    private func replacements(
        from before: PlacementType, to after: PlacementType
    ) -> [Replacement] {
        let kinds = after.kindsByCase
        let isSameValue =
            before.pointer == nil || after.pointer == nil
            || before.pointer?.description == after.pointer?.description
        return before.kindsByCase.compactMap { key, index in
            guard key == nil || isSameValue,
                let kind = (kinds.first { $0.key == key } ?? kinds.first { $0.key == nil })?.kind,
                old.kinds[index].name != new.kinds[kind].name
            else { return nil }
            return Replacement(old: index, new: kind)
        }
    }

    private func differences(
        _ code: CatalogDifference.Code, _ detail: (Int, CellKind) -> String?
    ) -> [CatalogDifference] {
        new.kinds.enumerated().sorted { $0.element.name < $1.element.name }
            .compactMap { index, kind in
                detail(index, kind).map {
                    CatalogDifference(
                        code: code, isInOld: false,
                        pointer: JSONPointer.appending("/cellTypes", kind.name), detail: $0)
                }
            }
    }
}

extension ContentTree {
    /// What a control does.
    fileprivate struct Control: Equatable {
        /// The member that makes the control.
        let member: String
        /// The name of the action, or the pointer to the URL.
        let target: String
    }

    fileprivate func control(ofBox index: Int) -> Control? {
        guard boxes[index].name >= 0, meanings.indices.contains(index) else { return nil }
        if let action = meanings[index].action {
            return Control(member: "action", target: action.name)
        }
        guard meanings[index].link >= 0,
            case .link(let pointer) = inputs[Int(meanings[index].link)]
        else { return nil }
        return Control(member: "link", target: pointer.description)
    }

    fileprivate func box(named name: [UInt8]) -> Int? {
        boxes.firstIndex { $0.name >= 0 && names[Int($0.name)] == name }
    }

    fileprivate func location(ofBox index: Int) -> String {
        String(nameLocations[Int(boxes[index].name)].dropLast("/name".count))
    }
}

extension Condition? {
    /// A Boolean value that indicates whether apps of the lowest version are among the clients.
    fileprivate var includesOldApps: Bool {
        guard let clients = self?.clients else { return true }
        return clients.values.contains { $0.lowest == .zero }
    }

    /// Returns whether apps among the clients are too old for a cell type, by its `since`; without
    /// one, whether old apps are among them.
    fileprivate func includesAppsTooOld(for since: Condition?) -> Bool {
        guard let bounds = since?.clients, !bounds.isEmpty else { return includesOldApps }
        return bounds.contains { platform, bound in
            guard let clients = self?.clients else { return bound.lowest != .zero }
            guard let lowest = clients[platform]?.lowest else { return false }
            return bound.lowest.map { lowest < $0 } ?? true
        }
    }

    fileprivate func isLater(than other: Condition?) -> Bool {
        (self?.clients ?? [:]).contains { platform, bound in
            guard let earlier = other?.clients?[platform] else { return bound.lowest != .zero }
            guard let before = earlier.lowest else { return false }
            return bound.lowest.map { $0 > before } ?? true
        }
    }
}

extension Comparisons<ClientVersion> {
    /// The lowest version, or the one that all are above; `nil` if there is none.
    fileprivate var lowest: ClientVersion? { hold(for: .zero) ? .zero : lowerBound }
}
