/// The outcome of the units that stand in for each other: a unit, its fallback, and so on.
struct UnitChain {
    /// A unit with its location.
    struct Step {
        let unit: ServerStateUnit
        let location: UnitLocation
        /// A Boolean value that indicates whether data that is missing, or that does not keep the
        /// schema of its cell type, stops the unit, so that one that is made has all of its data.
        var requiresData = false
    }

    /// The first unit that can be made; `nil` if none can.
    var made: Step?
    /// The reasons why those before it, or all, cannot be made.
    var reasons: [UnitDiagnostic] = []
    /// The names of the posted unit or cell types, and of those that stand in.
    var substitutes: [(posted: String, shown: String)] = []
    /// A Boolean value that indicates whether nothing is wanted if no unit can be made.
    var wantsNothing = false

    var isFallback: Bool { made.map { $0.location.fallback > 0 } ?? false }
}

extension SectionBuilder {
    /// Returns whether a unit may not be made as it is posted, so that its chain has to be judged.
    func needsJudgement(_ unit: ServerStateUnit) -> Bool {
        draft.drawn != nil || unit.hasChain
    }

    /// Judges a unit and its fallbacks until one can be made.
    mutating func chain(
        of posted: ServerStateUnit, at location: UnitLocation, only role: PlacementRole?,
        _ registry: CellRegistry
    ) -> UnitChain {
        var chain = UnitChain()
        var next: ServerStateUnit? = posted
        var place = location
        while let unit = next {
            if place.fallback == 0 || unit.isThere(for: audience) {
                let step = UnitChain.Step(
                    unit: unit, location: place,
                    requiresData: posted.isEssential || unit.hasFallbackMember)
                if judge(step, of: posted, only: role, registry, &chain) {
                    chain.made = step
                    return chain
                }
            }
            if case .nothing? = unit.options?.fallback { chain.wantsNothing = true }
            next = unit.fallback
            place.fallback += 1
        }
        return chain
    }

    /// Returns whether a unit can be made; if not, adds the reasons to the chain.
    private mutating func judge(
        _ step: UnitChain.Step, of posted: ServerStateUnit, only role: PlacementRole?,
        _ registry: CellRegistry, _ chain: inout UnitChain
    ) -> Bool {
        var judgement = UnitJudgement(
            isFlat: step.unit.nodes.isFlat, requiresData: step.requiresData, draft.drawn)
        if let uses = uses(of: step, only: role, registry) {
            if !hasPlaced, role != nil { judgement.reasons.append(.noPlacement(role)) }
            judgement.reasons += schemaViolations(of: step.unit, registry)
            for use in uses {
                judgement.judge(use, kinds: draft.kinds, in: draft.document) {
                    draft.keepsSchema($0, ofKind: $1)
                }
                guard step.requiresData, !use.isOptional else { continue }
                judgement.reasons += draft.itemViolations(of: use, in: unit)
            }
        } else {
            judgement.reasons.append(
                draft.unknownTypes.kind(of: step.unit.unitType, registry))
        }
        chain.reasons += judgement.reasons.map {
            UnitDiagnostic(kind: $0, location: step.location)
        }
        guard judgement.reasons.isEmpty else { return false }
        if step.location.fallback > 0 {
            chain.substitutes.append((posted.unitType, step.unit.unitType))
        }
        chain.substitutes += judgement.substitutes
        return true
    }

    mutating func schemaViolations(
        of unit: ServerStateUnit, _ registry: CellRegistry
    ) -> [UnitDiagnostic.Kind] {
        guard draft.judge != nil, let schema = registry.schema(of: unit.unitType) else { return [] }
        let violations = draft.judge?.violations(
            of: unit.nodes.data, by: schema, keeping: PageDraft.maxSchemaViolations)
        return (violations?.first ?? []).map { violation in
            .schemaViolation(
                isFlat: unit.nodes.isFlat, pointer: violation.pointer, detail: violation.detail)
        }
    }

    /// Returns the uses of the data of a unit, without adding anything; `nil` if its type is
    /// unknown.
    mutating func uses(
        of step: UnitChain.Step, only role: PlacementRole?, _ registry: CellRegistry
    ) -> [RecordedPlacement]? {
        guard let configuration = registry.configuration(of: step.unit.unitType) else { return nil }
        let (layout, data) = (layout, data)
        defer { (self.layout, self.data) = (layout, data) }
        unit = UnitContext(
            location: step.location, isFlat: step.unit.nodes.isFlat, only: role)
        hasPlaced = false
        draft.beginRecording()
        configuration(step.unit, &self)
        let uses = draft.endRecording()
        return hasPlaced || registry.isRegistered(step.unit.unitType) ? uses : nil
    }
}

extension ServerStateUnit {
    /// A Boolean value that indicates whether a fallback may stand in, or the section depends on
    /// the unit.
    var hasChain: Bool { isEssential || hasFallbackMember }

    /// A Boolean value that indicates whether the unit has a fallback, or null instead of one.
    fileprivate var hasFallbackMember: Bool {
        switch options?.fallback {
        case nil, .absent?: false
        case .nothing?, .unit?: true
        }
    }
}

/// The reasons why a unit cannot be made, and the cell types that stand in if it can.
private struct UnitJudgement {
    let isFlat: Bool
    let requiresData: Bool
    private let drawn: DrawnCells?
    var reasons: [UnitDiagnostic.Kind] = []
    private(set) var substitutes: [(posted: String, shown: String)] = []
    private var judged: Set<Int> = []

    init(isFlat: Bool, requiresData: Bool, _ drawn: DrawnCells?) {
        self.isFlat = isFlat
        self.requiresData = requiresData
        self.drawn = drawn
    }

    /// Adds the reasons for which a use of data stops the unit.
    ///
    /// - Parameter keeps: Returns whether data keeps the schema of a cell type; data that does not
    ///   makes nothing that would have to be drawn.
    mutating func judge(
        _ use: RecordedPlacement, kinds: [CellKind], in document: JSONDocument,
        keeps: (JSONValue, Int) -> Bool
    ) {
        guard let data = use.data, !data.isNull, data.document === document else {
            if requiresData, !use.isOptional {
                reasons.append(.missingData(isFlat: isFlat, pointer: use.pointer))
            }
            return
        }
        guard use.role == .cells else { return judge(use.type, of: [data], kinds, keeps) }
        if data.kind == .array {
            judge(use.type, of: data.elements, kinds, keeps)
        } else if requiresData, !use.isOptional {
            reasons.append(.notAnArray(isFlat: isFlat, pointer: use.pointer))
        }
    }

    private mutating func judge(
        _ type: PlacementType, of elements: some Sequence<JSONValue>, _ kinds: [CellKind],
        _ keeps: (JSONValue, Int) -> Bool
    ) {
        guard let drawn,
            type.contains(where: { drawn.kind(for: $0) != $0 && !judged.contains($0) })
        else { return }
        for element in elements {
            guard let index = type.kind(of: element), !judged.contains(index) else { continue }
            let shown = drawn.kind(for: index)
            guard shown != index, keeps(element, index) else { continue }
            judged.insert(index)
            if let shown {
                substitutes.append((kinds[index].name, kinds[shown].name))
            } else {
                reasons.append(.cellTypeTooNew(kinds[index].name))
            }
            if case .kind = type { return }
        }
    }
}
