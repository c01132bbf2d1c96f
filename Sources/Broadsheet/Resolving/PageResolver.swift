/// A resolver of a posted page's units to cells, headers and footers, section by section.
struct PageResolver {
    private let page: ServerStatePage
    private let registry: CellRegistry
    private let limits: ScreenLimits
    private var builder: SectionBuilder
    /// The members of layouts without effect that were reported; each name is reported once.
    private var withoutEffect: Set<String> = []

    /// Creates a resolver of `page` by the types of `registry`.
    init(_ page: ServerStatePage, registry: CellRegistry, limits: ScreenLimits) {
        self.page = page
        self.registry = registry
        self.limits = limits
        builder = SectionBuilder(
            draft: PageDraft(page.document, kinds: registry.kinds, limits: limits),
            unit: UnitContext(call: 0, in: 0))
    }

    /// The page with the sections resolved so far.
    var draft: PageDraft { builder.draft }

    /// Resolves the page's sections.
    ///
    /// - Throws: A violation if the units make too many items.
    /// - Complexity: O(bytes).
    mutating func sections() throws(ContractError) -> [SectionDraft] {
        var drafts: [SectionDraft] = []
        drafts.reserveCapacity(page.sections.count)
        for (index, section) in page.sections.enumerated() {
            drafts.append(try resolve(section, at: index))
        }
        return drafts
    }

    private mutating func resolve(
        _ section: ServerStateSection, at index: Int
    ) throws(ContractError) -> SectionDraft {
        let start = builder.draft.cells.count
        builder.begin()
        let location = { (part: UnitLocation.Part) in
            UnitLocation(
                section: Int32(truncatingIfNeeded: index), isBare: section.isBare, part: part)
        }
        builder.unitLayout = registry.unitLayout(in: section)
        reportMembersWithoutEffect(of: section, at: location(.section))
        var number: Int32 = 0
        for unit in section.units {
            let location = location(.unit(number))
            configure(unit, at: location, only: nil)
            guard !builder.draft.isOverfull else { throw tooManyItems(at: location, unit) }
            number &+= 1
        }
        // Last, because they override the views that units made.
        if let header = section.header { configureOwn(header, .header, at: location(.header)) }
        if let footer = section.footer { configureOwn(footer, .footer, at: location(.footer)) }
        if let layout = section.layout { builder.layout = builder.layout.overridden(by: layout) }
        builder.data = section.data ?? builder.data
        return SectionDraft(
            identifier: section.identifier, collapsed: section.collapsed, builder,
            cells: start..<builder.draft.cells.count)
    }

    /// Reports the members of a section's layout that have no effect, given the section's layout in
    /// the registry.
    private mutating func reportMembersWithoutEffect(
        of section: ServerStateSection, at location: UnitLocation
    ) {
        guard let layout = section.layout, let value = section.layoutValue else { return }
        let registered = registry.layout(
            forSection: section.identifier, unitLayout: builder.unitLayout?.layout)
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
        guard let type = unit.typeValue.text else { return }
        let name = type.string
        guard let configuration = registry.configuration(of: name) else {
            return builder.draft.report(unknownUnitType: name, at: location)
        }
        builder.unit = UnitContext(location: location, isFlat: unit.nodes.isFlat, only: role)
        builder.hasPlaced = false
        configuration(unit, &builder)
        if !builder.hasPlaced {
            builder.draft.report(.noPlacement(role), at: location)
        }
    }

    private func tooManyItems(
        at location: UnitLocation, _ unit: ServerStateUnit
    ) -> ContractError {
        ContractError(violations: [
            ContractViolation(
                pointer: page.pointer + location.pointer(page.names),
                detail: "makes more than the \(limits.maxItems) items that a page may have "
                    + "(--max-items)",
                offset: unit.typeValue.byteRange.lowerBound)
        ])
    }
}
