/// The judge of a page in strict mode: every unit by itself, whatever the page's other members and
/// the asking client say (docs/schemas.md, "What violations do").
///
/// Units of a type that a Swift program registered by code are not judged: only their code knows
/// their data.
struct StrictJudge {
    private let page: ServerStatePage
    private let registry: CellRegistry
    private var judge: SchemaJudge
    private var unknownTypes = UnknownUnitTypes()
    private var found = StrictViolations()

    private init(_ page: ServerStatePage, _ registry: CellRegistry) {
        self.page = page
        self.registry = registry
        judge = SchemaJudge(page.document)
    }

    /// Returns the violations of a page by the unit types of a registry: unknown unit types, data
    /// that does not keep its schema, missing data, and placements that make nothing.
    ///
    /// - Complexity: O(bytes), and the judgements of the schemas.
    static func violations(
        of page: ServerStatePage, by registry: CellRegistry
    ) -> StrictViolations {
        var judge = StrictJudge(page, registry)
        for (index, section) in page.sections.enumerated() {
            let location = { (part: UnitLocation.Part) in
                UnitLocation(
                    section: Int32(truncatingIfNeeded: index), isBare: section.isBare, part: part)
            }
            for (number, unit) in section.units.enumerated() {
                judge.check(unit, at: location(.unit(Int32(truncatingIfNeeded: number))), nil)
            }
            if let header = section.header { judge.check(header, at: location(.header), .header) }
            if let footer = section.footer { judge.check(footer, at: location(.footer), .footer) }
        }
        return judge.found
    }

    /// Judges a unit and each of its fallbacks by itself; `role` is the one that counts for a
    /// section's own header or footer.
    private mutating func check(
        _ posted: ServerStateUnit, at location: UnitLocation, _ role: PlacementRole?
    ) {
        var place = location
        var next: ServerStateUnit? = posted
        while let unit = next {
            checkAlone(unit, at: place, role)
            next = unit.fallback
            place.fallback += 1
        }
    }

    private mutating func checkAlone(
        _ unit: ServerStateUnit, at location: UnitLocation, _ role: PlacementRole?
    ) {
        let type = unit.unitType
        guard registry.configuration(of: type) != nil else {
            return report(unknownTypes.kind(of: type, registry), at: location, unit.typeValue)
        }
        checkSchema(of: unit, named: type, at: location)
        guard let placements = registry.placements(of: type) else { return }
        let accepted = placements.filter { role == nil || $0.role == role }
        if accepted.isEmpty {
            report(.noPlacement(role), at: location, unit.typeValue)
        }
        for placement in accepted { check(placement, of: unit, at: location) }
    }

    private mutating func checkSchema(
        of unit: ServerStateUnit, named type: String, at location: UnitLocation
    ) {
        guard let schema = registry.schema(of: type) else { return }
        let violations = judge.violations(
            of: unit.nodes.data, by: schema, keeping: ContractError.maxViolations)
        for violation in violations.first {
            report(
                .schemaViolation(
                    isFlat: unit.nodes.isFlat, pointer: violation.pointer,
                    detail: violation.detail), at: location,
                page.document.value(at: violation.node))
        }
        found.addUnlisted(violations.total - violations.first.count)
    }

    private mutating func check(
        _ placement: Placement, of unit: ServerStateUnit, at location: UnitLocation
    ) {
        let pointer = placement.data?.description ?? ""
        let isFlat = unit.nodes.isFlat
        guard let data = placement.data(of: unit), !data.isNull else {
            let isNeeded = placement.role == .cell || placement.role == .cells
            guard isNeeded, !placement.isOptional else { return }
            return report(
                .missingData(isFlat: isFlat, pointer: pointer), at: location, unit.data)
        }
        if placement.role == .cells, data.kind != .array {
            report(.notAnArray(isFlat: isFlat, pointer: pointer), at: location, data)
        }
    }

    /// Reports a diagnostic as a violation by `value`.
    private mutating func report(
        _ kind: UnitDiagnostic.Kind, at location: UnitLocation, _ value: JSONValue
    ) {
        found.add(UnitDiagnostic(kind: kind, location: location), at: value.byteRange.lowerBound)
    }
}

/// The violations of a page in strict mode: the first in document order, and their number.
struct StrictViolations {
    private struct Entry {
        let diagnostic: UnitDiagnostic
        let offset: Int
    }

    private var entries: [Entry] = []
    /// The number of all violations.
    private(set) var total = 0
    /// The offset at and after which a violation is not among the first.
    private var cutoff = Int.max

    /// Adds a violation by the value at an offset.
    mutating func add(_ diagnostic: @autoclosure () -> UnitDiagnostic, at offset: Int) {
        total += 1
        guard offset < cutoff else { return }
        entries.append(Entry(diagnostic: diagnostic(), offset: offset))
        guard entries.count >= 2 * ContractError.maxViolations else { return }
        entries = first
        cutoff = entries.last?.offset ?? 0
    }

    /// Counts violations that are not listed, because they come after as many as are kept.
    mutating func addUnlisted(_ count: Int) { total += count }

    private var first: [Entry] {
        let order = entries.indices.sorted {
            (entries[$0].offset, $0) < (entries[$1].offset, $1)
        }
        return order.prefix(ContractError.maxViolations).map { entries[$0] }
    }

    /// Returns the violations of a page as diagnostics.
    func diagnostics(of page: ServerStatePage) -> [Diagnostic] {
        first.map { $0.diagnostic.diagnostic(page: page.number ?? 0, names: page.names) }
    }

    /// Returns the violations of a page as an error, or `nil` if there are none.
    func error(of page: ServerStatePage) -> ContractError? {
        guard total > 0 else { return nil }
        let violations = zip(first, diagnostics(of: page)).map { entry, diagnostic in
            ContractViolation(
                pointer: page.pointer + diagnostic.pointer, detail: diagnostic.detail,
                offset: entry.offset)
        }
        return ContractError(violations: violations, total: total)
    }
}

extension ServerStatePage {
    /// Throws the violations of the page in strict mode.
    ///
    /// - Throws: The first violations in document order.
    /// - Complexity: O(bytes), and the judgements of the schemas.
    public func checkStrictly(by registry: CellRegistry) throws(ContractError) {
        if let error = StrictJudge.violations(of: self, by: registry).error(of: self) {
            throw error
        }
    }

    /// Returns the violations of the page in strict mode as diagnostics: the first in document
    /// order, and the number of all.
    package func strictDiagnostics(by registry: CellRegistry) -> (first: [Diagnostic], total: Int) {
        let found = StrictJudge.violations(of: self, by: registry)
        return (found.diagnostics(of: self), found.total)
    }
}

extension Diagnostic.Code {
    /// The codes of diagnostics that are violations in strict mode.
    package static let strict: [Diagnostic.Code] = [
        .unknownUnitType, .schemaViolation, .missingData, .notAnArray, .noPlacement,
    ]
}
