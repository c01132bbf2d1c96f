/// A reader of the items, headers and footers that the units of one document make.
struct UnitAnalyzer {
    private let registry: CellRegistry
    let audience: Audience
    private var builder: SectionBuilder
    /// The rules of the placements of the catalog's unit types that were met.
    private var rules: [Identifier: [PlacementRule]] = [:]

    /// Facts of a placement that are the same for all units of its type.
    private struct PlacementRule {
        let pointer: [JSONPathStep]?
        let isIndependent: Bool
        let identification: ItemIdentification
        /// The identification in a unit that the data of its items may stop as a whole.
        let identificationOfRequired: ItemIdentification

        init(
            pointer: [JSONPathStep]?, isIndependent: Bool, _ type: PlacementType, kinds: [CellKind]
        ) {
            self.pointer = pointer
            self.isIndependent = isIndependent
            identification = ItemIdentification(type, kinds: kinds)
            let hasSchemas = type.contains { kinds[$0].schema != nil }
            identificationOfRequired =
                hasSchemas
                ? ItemIdentification(type, kinds: kinds, ignoresSchemas: true) : identification
        }
    }

    /// The judge of the units and items; `nil` without schemas.
    var judge: SchemaJudge? {
        _read { yield builder.draft.judge }
        _modify { yield &builder.draft.judge }
    }

    init(_ document: JSONDocument, for audience: Audience, registry: CellRegistry) {
        self.registry = registry
        self.audience = audience
        builder = SectionBuilder(document, for: audience, registry, limits: ScreenLimits())
    }

    /// Returns a unit with the items, headers and footers that its data makes.
    ///
    /// - Parameters:
    ///   - unit: The unit.
    ///   - section: The identifier of its section.
    ///   - isEdited: A Boolean value that indicates whether an operation of an update has changed
    ///     a unit that was made. Its items stay until the update is complete, although its data may
    ///     violate a schema between two operations.
    ///   - view: The only role that counts, for a section's own header or footer.
    /// - Complexity: O(elements of its arrays), and the judgements of its schema.
    mutating func unit(
        _ unit: ServerStateUnit, in section: Identifier?, isEdited: Bool = false,
        as view: PlacementRole? = nil
    ) -> EditedUnit {
        builder.identifier = section?.text
        let none = { (isMissing: Bool) in
            EditedUnit(
                type: JSONKey(unit.unitType), dataPath: [], isMissing: isMissing, mayDiffer: true,
                placements: [])
        }
        guard unit.isThere(for: audience) else { return none(false) }
        let location = UnitLocation(section: 0, isBare: false, part: .unit(0))
        guard builder.needsJudgement(unit) else {
            guard isEdited || builder.schemaViolations(of: unit, registry).isEmpty else {
                return none(false)
            }
            return made(UnitChain.Step(unit: unit, location: location), hasChain: false)
        }
        guard let step = builder.chain(of: unit, at: location, only: view, registry).made else {
            return none(unit.isEssential)
        }
        return made(step, hasChain: unit.hasChain)
    }

    private mutating func made(_ step: UnitChain.Step, hasChain: Bool) -> EditedUnit {
        let type = step.unit.unitType
        builder.draft.beginRecording()
        builder.unit = UnitContext(
            location: step.location, isFlat: step.unit.nodes.isFlat, only: nil)
        registry.configuration(of: type)?(step.unit, &builder)
        let rules = rules(of: type)
        let kinds = builder.draft.kinds
        let placements = builder.draft.endRecording().enumerated().map { index, use in
            let rule =
                rules[safe: index]
                ?? PlacementRule(pointer: nil, isIndependent: false, use.type, kinds: kinds)
            return placement(use, index, of: step, rule)
        }
        var dataPath = Array(
            repeating: JSONPathStep(member: registry.names.fallback),
            count: Int(step.location.fallback))
        if !step.unit.nodes.isFlat {
            dataPath.append(JSONPathStep(member: registry.names.unitData))
        }
        return EditedUnit(
            type: JSONKey(type), dataPath: dataPath,
            mayDiffer: builder.draft.drawn != nil || !registry.conditions(of: type).isEmpty,
            hasChain: hasChain, placements: placements)
    }

    private mutating func placement(
        _ use: RecordedPlacement, _ ordinal: Int, of step: UnitChain.Step, _ rule: PlacementRule
    ) -> EditedPlacement {
        let unit = step.unit
        let identification =
            step.requiresData && !use.isOptional
            ? rule.identificationOfRequired : rule.identification
        var placement = EditedPlacement(
            ordinal: ordinal, role: use.role, pointer: rule.pointer,
            isIndependent: rule.isIndependent, identification: identification)
        guard let data = use.data, !data.isNull, data.document === unit.data.document,
            use.role != .cells || data.kind == .array
        else { return placement }
        placement.path =
            rule.pointer ?? data.document.path(from: unit.data.node, to: data.node)
        placement.setElements(
            use.role == .cells
                ? data.elements.map { identification.item(of: $0, by: &judge) }
                : [identification.item(of: data, by: &judge)])
        return placement
    }

    /// Returns the rules of the placements of a unit type of the catalog; none for a type that is
    /// registered in code.
    private mutating func rules(of type: String) -> [PlacementRule] {
        if let known = rules[Identifier(type)] { return known }
        let placements = registry.placements(of: type) ?? []
        let pointers = placements.map { $0.data?.steps ?? [] }
        let result = placements.indices.map { index in
            let isIndependent = pointers.indices.allSatisfy { other in
                other == index
                    || !pointers[other].starts(with: pointers[index])
                        && !pointers[index].starts(with: pointers[other])
            }
            return PlacementRule(
                pointer: pointers[index], isIndependent: isIndependent, placements[index].type,
                kinds: registry.kinds)
        }
        rules[Identifier(type)] = result
        return result
    }
}

extension JSONDocument {
    /// Returns the path from the value at `start` to that at `target`, or `nil` if it is not inside
    /// or is hidden by a later member of the same name.
    ///
    /// - Complexity: O(children of the containers on the path).
    func path(from start: UInt32, to target: UInt32) -> [JSONPathStep]? {
        var path: [JSONPathStep] = []
        var current = start
        while current != target {
            guard isContainer(current), current < target, target < tape[current].extent else {
                return nil
            }
            let isObject = firstByte(of: current) == UInt8(ascii: "{")
            var (name, child, index) = (current, current &+ 1, 0)
            while true {
                if isObject { (name, child) = (child, child &+ 1) }
                let next = node(after: child)
                if target < next { break }
                (child, index) = (next, index + 1)
            }
            if isObject {
                guard let text = value(at: name).text, child <= target else { return nil }
                let key = JSONKey(text)
                guard member(key, of: current) == child else { return nil }
                path.append(JSONPathStep(key: key, index: nil))
            } else {
                path.append(JSONPathStep(index: index))
            }
            current = child
        }
        return path
    }
}

extension UnitAnalyzer {
    mutating func section(_ section: ServerStateSection) -> EditedSection {
        let identifier = section.identifier.map(Identifier.init)
        let units = section.units.map { unit($0, in: identifier) }
        var edited = EditedSection(
            identifier: identifier, condition: section.condition,
            isThere: section.isThere(for: audience),
            missingUnits: units.count(where: \.isMissing), isBare: section.isBare,
            units: WeightedList(units))
        for (role, view) in [(PlacementRole.header, section.header), (.footer, section.footer)] {
            guard let view, view.isEssential, unit(view, in: identifier, as: role).isMissing else {
                continue
            }
            edited.missingViews.insert(role)
        }
        return edited
    }
}
