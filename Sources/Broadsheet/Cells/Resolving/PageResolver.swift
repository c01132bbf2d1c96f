/// Turns a posted page's units into cells, headers and footers, section by section.
struct PageResolver {
    private let page: ServerStatePage
    private let registry: CellRegistry
    private let limits: ScreenLimits
    private(set) var builder: SectionBuilder

    init(_ page: ServerStatePage, registry: CellRegistry, limits: ScreenLimits) {
        self.page = page
        self.registry = registry
        self.limits = limits
        builder = SectionBuilder(
            draft: PageDraft(page.document, kinds: registry.kinds, limits: limits),
            unit: UnitContext(call: 0, in: 0))
    }

    /// What the page's sections become.
    ///
    /// O(bytes); throws when they hold too many items.
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
        let place = { (part: UnitLocation.Part) in
            UnitLocation(
                section: Int32(truncatingIfNeeded: index), isBare: section.isBare, part: part)
        }
        var number: Int32 = 0
        for unit in section.units {
            let place = place(.unit(number))
            configure(unit, at: place, only: nil)
            guard !builder.draft.isOverfull else { throw tooManyItems(at: place, unit) }
            number &+= 1
        }
        // Last, so that they win over what the units made.
        if let header = section.header { configureOwn(header, .header, at: place(.header)) }
        if let footer = section.footer { configureOwn(footer, .footer, at: place(.footer)) }
        return SectionDraft(
            identifier: section.identifier, collapsed: section.collapsed, posted: section.layout,
            builder, cells: start..<builder.draft.cells.count)
    }

    /// A section's own header or footer takes only the placement of that name, and leaves the
    /// section's layout alone.
    private mutating func configureOwn(
        _ unit: ServerStateUnit, _ role: PlacementRole, at place: UnitLocation
    ) {
        let layout = builder.layout
        configure(unit, at: place, only: role)
        builder.layout = layout
    }

    private mutating func configure(
        _ unit: ServerStateUnit, at place: UnitLocation, only role: PlacementRole?
    ) {
        guard let type = unit.typeValue.text else { return }
        guard let configuration = registry.configuration(of: type.string) else {
            return builder.draft.note(.unknownUnitType, at: place)
        }
        builder.unit = UnitContext(place: place, isFlat: unit.nodes.isFlat, only: role)
        builder.hasPlaced = false
        configuration(unit, &builder)
        if !builder.hasPlaced {
            builder.draft.note(.noPlacement(role), at: place)
        }
    }

    private func tooManyItems(at place: UnitLocation, _ unit: ServerStateUnit) -> ContractError {
        ContractError(violations: [
            ContractViolation(
                pointer: page.pointer + place.pointer(page.names),
                detail: "makes more than the \(limits.maxItems) items that a page may have "
                    + "(--max-items)",
                offset: unit.typeValue.byteRange.lowerBound)
        ])
    }
}
