/// The judge of a page in strict mode: every unit by itself, whatever the page's other members and
/// the asking client say (docs/schemas.md, "What violations do").
///
/// Units of a type that a Swift program registered by code are not judged: only their code knows
/// their data.
///
/// Units that actions of clients, updates and patches change are judged in the same way
/// (``EditedPage/judgeTouched(_:)``). Then items without a cell type are violations as well, and
/// units that code does not make.
struct StrictJudge {
    private let document: JSONDocument
    private let registry: CellRegistry
    private var judge: SchemaJudge
    private var unknownTypes = UnknownUnitTypes()
    /// The builder of what units make, for the judgement of edits.
    private var builder: SectionBuilder?
    /// A Boolean value that indicates whether a cell type has a schema.
    private let judgesItems: Bool
    private(set) var found: StrictViolations

    private init(_ page: ServerStatePage, _ registry: CellRegistry) {
        document = page.document
        self.registry = registry
        judge = SchemaJudge(
            document, SchemaCost(limits: SchemaLimits(), registry.judgementBudget))
        judgesItems = registry.kinds.contains { $0.schema != nil }
        found = StrictViolations()
    }

    /// The `cost` is the work of earlier judgements of the request.
    init(
        ofEditsIn document: JSONDocument, section: Identifier?, for audience: Audience,
        _ registry: CellRegistry, _ cost: SchemaCost
    ) {
        self.document = document
        self.registry = registry
        judge = SchemaJudge(document, cost)
        builder = SectionBuilder(document, for: audience, registry, limits: ScreenLimits())
        builder?.identifier = section?.text
        judgesItems = registry.kinds.contains { $0.schema != nil }
        found = StrictViolations(keeping: .max)
    }

    var cost: SchemaCost { judge.cost }

    /// Returns the violations of a page by the types of a registry: unknown unit types, data of
    /// units and items that does not keep its schema, missing data, and placements that make
    /// nothing.
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
    mutating func check(
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
        let step = UnitChain.Step(unit: unit, location: location)
        guard let placements = registry.placements(of: type) else { return checkCode(step, role) }
        var isEmpty = true
        for (index, placement) in placements.enumerated()
        where role == nil || placement.role == role {
            isEmpty = false
            let use = RecordedPlacement(
                role: placement.role, type: placement.type, data: placement.data(of: unit),
                pointer: placement.data?.description ?? "",
                isOptional: placement.isOptional || placement.role.isView)
            check(use, index, of: step)
        }
        if isEmpty { report(.noPlacement(role), at: location, unit.typeValue) }
    }

    /// Judges what code makes of a unit, for edits.
    private mutating func checkCode(_ step: UnitChain.Step, _ role: PlacementRole?) {
        guard builder != nil else { return }
        guard let uses = builder?.uses(of: step, only: role, registry) else {
            let kind = unknownTypes.kind(of: step.unit.unitType, registry)
            return report(kind, at: step.location, step.unit.typeValue)
        }
        for (index, use) in uses.enumerated() { check(use, index, of: step) }
        if uses.isEmpty { report(.noPlacement(role), at: step.location, step.unit.typeValue) }
    }

    private mutating func checkSchema(
        of unit: ServerStateUnit, named type: String, at location: UnitLocation
    ) {
        guard let schema = registry.schema(of: type) else { return }
        check(unit.nodes.data, schema, from: DataOrigin(of: unit, at: location))
    }

    private mutating func check(
        _ data: UInt32, _ schema: UnitSchema, from origin: DataOrigin,
        of subject: StrictViolations.Subject = .unit
    ) {
        let offset = document.byteRange(of: data).lowerBound
        let violations = judge.violations(
            of: data, by: schema, keeping: found.lists(offset) ? ContractError.maxViolations : 0)
        for violation in violations.first {
            report(
                violation.diagnostic(of: origin), at: origin.unit.location,
                document.value(at: violation.node), of: subject)
        }
        found.addUnlisted(violations.total - violations.first.count)
    }

    /// Judges a use of a unit's data, by its position among those of the unit.
    private mutating func check(
        _ use: RecordedPlacement, _ index: Int, of step: UnitChain.Step
    ) {
        let isFlat = step.unit.nodes.isFlat
        guard let data = use.data, !data.isNull, data.document === document else {
            guard !use.isOptional else { return }
            return report(
                .missingData(isFlat: isFlat, pointer: use.pointer), at: step.location,
                step.unit.data, of: .placement(index))
        }
        guard use.role != .cells || data.kind == .array else {
            return report(
                .notAnArray(isFlat: isFlat, pointer: use.pointer), at: step.location, data,
                of: .placement(index))
        }
        guard judgesItems(of: use.type) else { return }
        var origin = DataOrigin(of: step.unit, at: step.location, pointer: use.pointer)
        guard use.role == .cells else {
            return check(item: data, use.type, from: origin, of: .placement(index))
        }
        for (element, value) in data.elements.enumerated() {
            origin.element = element
            check(item: value, use.type, from: origin, of: .item(index, value))
        }
    }

    private func judgesItems(of type: PlacementType) -> Bool {
        if builder != nil, type.pointer != nil { return true }
        return judgesItems && type.contains { schema(ofKind: $0) != nil }
    }

    /// Returns the schema of a cell type; code has none.
    private func schema(ofKind index: Int) -> UnitSchema? { registry.kinds[safe: index]?.schema }

    /// Judges the data of an item, a header or a footer by the schema of its cell type; for edits
    /// it has to have one.
    private mutating func check(
        item data: JSONValue, _ type: PlacementType, from origin: DataOrigin,
        of subject: StrictViolations.Subject
    ) {
        if let kind = type.kind(of: data) {
            guard let schema = schema(ofKind: kind) else { return }
            return check(data.node, schema, from: origin, of: subject)
        }
        guard builder != nil, let pointer = type.pointer else { return }
        report(
            .noCellType(
                isFlat: origin.unit.isFlat, pointer: origin.pointer(to: pointer.description)),
            at: origin.unit.location, data, of: subject)
    }

    private mutating func report(
        _ kind: UnitDiagnostic.Kind, at location: UnitLocation, _ value: JSONValue,
        of subject: StrictViolations.Subject = .unit
    ) {
        found.add(
            StrictViolations.Entry(
                diagnostic: UnitDiagnostic(kind: kind, location: location),
                offset: value.byteRange.lowerBound, subject: subject))
    }
}

/// The violations of a page in strict mode: the first in document order, and their number.
struct StrictViolations {
    /// The part of a unit that a violation is about.
    enum Subject {
        /// The unit as a whole, by its type and the schema of that.
        case unit
        /// The data of a placement, by its position among those of the unit.
        case placement(Int)
        /// An element of the data of a placement.
        case item(Int, JSONValue)
    }

    /// A violation.
    struct Entry {
        let diagnostic: UnitDiagnostic
        let offset: Int
        let subject: Subject
    }

    /// The identity of a violation, which it keeps while other parts of its unit change.
    ///
    /// All violations of one schema by one value have the same.
    struct Identity: Hashable {
        let fallback: UInt8
        let code: Diagnostic.Code
        /// The position of the placement; `nil` for the unit as a whole.
        var placement: Int?
        /// The bytes of the element, without the white space between its values.
        var item: [UInt8] = []
    }

    private var entries: [Entry] = []
    private(set) var total = 0
    /// The offset at and after which a violation is not among the first.
    private var cutoff = Int.max
    private let capacity: Int

    init(keeping capacity: Int = ContractError.maxViolations) { self.capacity = capacity }

    mutating func add(_ entry: Entry) {
        total += 1
        guard entry.offset < cutoff else { return }
        entries.append(entry)
        guard entries.count / 2 >= capacity else { return }
        entries = first
        cutoff = entries.last?.offset ?? 0
    }

    /// Returns whether a violation by a value at an offset can be among the first.
    func lists(_ offset: Int) -> Bool { offset < cutoff }

    /// Counts violations that are not listed, because they come after as many as are kept.
    mutating func addUnlisted(_ count: Int) { total += count }

    /// The first violations in document order.
    var first: [Entry] {
        let order = entries.indices.sorted {
            (entries[$0].offset, $0) < (entries[$1].offset, $1)
        }
        return order.prefix(capacity).map { entries[$0] }
    }

    var identities: Set<Identity> { Set(entries.map(\.identity)) }

    func diagnostics(of page: ServerStatePage) -> [Diagnostic] {
        first.map { $0.diagnostic.diagnostic(page: page.number ?? 0, names: page.names) }
    }

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

extension StrictViolations.Entry {
    var identity: StrictViolations.Identity {
        var identity = StrictViolations.Identity(
            fallback: diagnostic.location.fallback, code: diagnostic.kind.code)
        switch subject {
        case .unit: break
        case .placement(let index): identity.placement = index
        case .item(let index, let data):
            identity.placement = index
            identity.item = Self.compact(data.document.bytes[data.byteRange])
        }
        return identity
    }

    private static func compact(_ json: ArraySlice<UInt8>) -> [UInt8] {
        var (isString, isEscaped) = (false, false)
        return json.filter { byte in
            if isString {
                isString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                return true
            }
            isString = byte == UInt8(ascii: "\"")
            return byte > UInt8(ascii: " ")
        }
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
