/// A resolver of a posted page's units to cells, headers and footers, section by section.
struct PageResolver {
    let page: ServerStatePage
    let limits: ScreenLimits
    private let registry: CellRegistry
    private let audience: Audience
    private var builder: SectionBuilder
    /// The members of layouts without effect that were reported; each name is reported once.
    private var withoutEffect: Set<String> = []
    /// The ids of sections that were reported as misspelt.
    private var reportedSections: Set<Identifier> = []
    private var unmade = UnmadeUnits()

    /// Units that cannot be made.
    private struct UnmadeUnits {
        var areAny = false
        var areEssential = false
        /// A Boolean value that indicates whether the app is too old for one of them.
        var isClientTooOld = false
        var reason: UnitDiagnostic?

        mutating func add(_ reasons: [UnitDiagnostic], isEssential: Bool) {
            areAny = true
            areEssential = areEssential || isEssential
            isClientTooOld =
                isClientTooOld || reasons.contains { $0.kind.code == .cellTypeTooNew }
            reason = reason ?? reasons.first
        }
    }

    init(
        _ page: ServerStatePage, for audience: Audience, registry: CellRegistry,
        limits: ScreenLimits
    ) {
        self.page = page
        self.registry = registry
        self.limits = limits
        self.audience = audience
        builder = SectionBuilder(page.document, for: audience, registry, limits: limits)
    }

    var draft: PageDraft {
        _read { yield builder.draft }
        _modify { yield &builder.draft }
    }

    /// Throws a violation if the units make too many items.
    mutating func sections() throws(ContractError) -> [SectionDraft] {
        var drafts: [SectionDraft] = []
        drafts.reserveCapacity(page.sections.count)
        for (index, section) in page.sections.enumerated() {
            drafts.append(try resolve(section, at: index))
        }
        reportRepeatedIDs(of: drafts.filter { !$0.isHidden }.map { ($0.identifier, $0.cells) })
        return drafts
    }

    private mutating func resolve(
        _ section: ServerStateSection, at index: Int
    ) throws(ContractError) -> SectionDraft {
        let start = builder.draft.cells.count
        builder.begin(section.identifier)
        unmade = UnmadeUnits()
        guard section.isThere(for: audience) else {
            return SectionDraft(hidden: section.identifier, cells: start..<start)
        }
        let location = { (part: UnitLocation.Part) in
            UnitLocation(
                section: Int32(truncatingIfNeeded: index), isBare: section.isBare, part: part)
        }
        reportMisspelling(of: section, at: location(.section))
        let isConfigured = registry.configure(section, &builder.layout)
        builder.unitLayout = registry.unitLayout(in: section, for: audience)
        reportMembersWithoutEffect(
            of: section, at: location(.section), isConfigured: isConfigured)
        var number: Int32 = 0
        for unit in section.units {
            let location = location(.unit(number))
            configure(unit, at: location, only: nil)
            guard !builder.draft.isOverfull else { throw tooManyItems(at: location, unit) }
            try checkBudget()
            number &+= 1
        }
        // Last, because they override the views that units made.
        if let header = section.header { configureOwn(header, .header, at: location(.header)) }
        if let footer = section.footer { configureOwn(footer, .footer, at: location(.footer)) }
        try checkBudget()
        if let layout = section.layout { builder.layout = builder.layout.overridden(by: layout) }
        builder.data = section.data ?? builder.data
        if isMissing(section, from: start, at: location(.section)) {
            return SectionDraft(hidden: section.identifier, cells: start..<start)
        }
        var draft = SectionDraft(
            identifier: section.identifier, collapsed: section.collapsed, builder,
            cells: start..<builder.draft.cells.count)
        draft.hasOwnViews = section.header != nil || section.footer != nil
        draft.hasOwnLayout = section.layout != nil
        return draft
    }

    /// Reports an id that the catalog does not have and that is nearly one of its sections'.
    private mutating func reportMisspelling(
        of section: ServerStateSection, at location: UnitLocation
    ) {
        guard let id = section.identifier,
            reportedSections.insert(Identifier(id)).inserted,
            let nearest = registry.references.sectionNames.nearest(to: id)
        else { return }
        builder.draft.report(.misspeltSection(id, nearest: nearest), at: location)
    }

    /// Reports the members of a section's layout that have no effect, given the section's layout in
    /// the registry, and what the program has set if `isConfigured`.
    private mutating func reportMembersWithoutEffect(
        of section: ServerStateSection, at location: UnitLocation, isConfigured: Bool
    ) {
        guard let layout = section.layout, let value = section.layoutValue else { return }
        var registered = registry.layout(
            forSection: section.identifier, unitLayout: builder.unitLayout?.layout)
        if isConfigured { registered = registered.overridden(by: builder.layout) }
        for member in layout.membersWithoutEffect(in: value, over: registered)
        where withoutEffect.insert(member.name).inserted {
            builder.draft.report(.memberWithoutEffect(member), at: location)
        }
    }

    /// Configures a section's own header or footer: only the placement of that role counts, and the
    /// section's layout and data do not change.
    private mutating func configureOwn(
        _ unit: ServerStateUnit, _ role: PlacementRole, at location: UnitLocation
    ) {
        let (layout, data) = (builder.layout, builder.data)
        configure(unit, at: location, only: role)
        (builder.layout, builder.data) = (layout, data)
    }

    private mutating func configure(
        _ unit: ServerStateUnit, at location: UnitLocation, only role: PlacementRole?
    ) {
        guard unit.isThere(for: audience) else { return }
        let hasSchema = registry.hasSchemas && registry.schema(of: unit.unitType) != nil
        guard hasSchema || builder.needsJudgement(unit) else {
            return make(UnitChain.Step(unit: unit, location: location), only: role)
        }
        let chain = builder.chain(of: unit, at: location, only: role, registry)
        guard let made = chain.made else { return leaveOut(unit, chain, at: location) }
        for reason in chain.reasons { builder.draft.report(reason) }
        if !chain.substitutes.isEmpty {
            builder.draft.report(
                .fallbackUsed(chain.substitutes, isUnit: chain.isFallback), at: location)
        }
        make(made, only: role)
    }

    /// Makes a unit as far as its data goes.
    private mutating func make(_ step: UnitChain.Step, only role: PlacementRole?) {
        let (unit, location) = (step.unit, step.location)
        let name = unit.unitType
        builder.unitTypes.insert(name)
        if let configuration = registry.configuration(of: name) {
            builder.unit = UnitContext(
                location: location, isFlat: unit.nodes.isFlat, only: role,
                isJudged: step.requiresData)
            builder.hasPlaced = false
            builder.draft.unitData = unit.nodes.data
            builder.draft.origins?.beginUnit(name)
            configuration(unit, &builder)
            guard !builder.hasPlaced else { return }
        }
        guard registry.isRegistered(name) else {
            let reason = UnitDiagnostic(
                kind: builder.draft.unknownTypes.kind(of: name, registry), location: location)
            unmade.add([reason], isEssential: false)
            return builder.draft.report(leftOut: reason)
        }
        let reason = UnitDiagnostic(kind: .noPlacement(role), location: location)
        builder.draft.report(reason)
        if role != nil { unmade.add([reason], isEssential: false) }
    }

    /// Reports a unit that cannot be made, nor any of its fallbacks.
    private mutating func leaveOut(
        _ unit: ServerStateUnit, _ chain: UnitChain, at location: UnitLocation
    ) {
        unmade.add(chain.reasons, isEssential: unit.isEssential)
        if !chain.wantsNothing {
            for reason in chain.reasons { builder.draft.report(leftOut: reason) }
        }
        if unit.isEssential { builder.draft.report(.essentialUnitMissing, at: location) }
    }

    /// Returns whether a section goes with an essential unit; notes an essential section that
    /// goes so, or that is without any item because units cannot be made.
    private mutating func isMissing(
        _ section: ServerStateSection, from start: Int, at location: UnitLocation
    ) -> Bool {
        let isEmpty = builder.draft.cells.count == start
        if unmade.areEssential { builder.draft.removeCells(from: start) }
        if section.isEssential, unmade.areEssential || unmade.areAny && isEmpty {
            builder.draft.missing.append(
                MissingSection(
                    location: location, isClientTooOld: unmade.isClientTooOld,
                    reason: unmade.reason))
        }
        return unmade.areEssential
    }

    /// Throws the violation of the first value that was not judged because of the budget of the
    /// request, which would be judged when the page is read again.
    private func checkBudget() throws(ContractError) {
        guard let node = builder.draft.judge?.unjudged,
            let violation = builder.draft.judge?.cost.violation(at: node)
        else { return }
        let document = page.document
        // A page that is read again, for another audience, does not know its place in the request.
        let pointer =
            page.pointer.isEmpty
            ? document.pointer(to: node, inside: document.root.node)
            : page.pointer + document.pointer(to: node, inside: page.node)
        let error = ContractError(violations: [
            ContractViolation(
                pointer: pointer, detail: violation.detail,
                offset: document.byteRange(of: node).lowerBound)
        ])
        registry.judgementBudget?.note(error)
        throw error
    }

    private func tooManyItems(
        at location: UnitLocation, _ unit: ServerStateUnit
    ) -> ContractError {
        ContractError(violations: [
            ContractViolation(
                pointer: page.pointer + location.pointer(page.names),
                detail: "makes more than the \(limits.maxItems) items that a page may have "
                    + "(--max-items)",
                offset: unit.typeValue.byteRange.lowerBound, isOfLimit: true)
        ])
    }
}
