/// The capabilities of items that actions move and delete, and the units that actions leave.
extension ScreenEditor {
    /// Judges the units that an action, or an update, has changed.
    ///
    /// - Throws: A failure for the first violation that it has caused.
    func judgeTouched() throws(EditFailure) {
        for case let page? in opened where !page.touchedSections.isEmpty {
            // The actions of a request have the limits of one page together, an update those of
            // its pages.
            if record.judgesOperations {
                judgeCost = SchemaCost(limits: SchemaLimits(), registry.judgementBudget)
            }
            try page.judgeTouched(&judgeCost)
        }
    }

    /// Throws a failure for the first item whose type does not have the capability.
    func require(
        _ capability: CellCapability, of items: [Item], at pointer: String = "/items"
    ) throws(EditFailure) {
        guard record.isActing, registry.restrictsItems else { return }
        for item in items {
            let page = try page(item.page)
            let identification = page.placement(of: item.item).identification
            guard let kind = identification.kind(of: try page.data(of: item.item)),
                !kind.behavior.allows(capability)
            else { continue }
            throw EditFailure(
                "The cell type \"\(kind.name)\" does not have \"\(capability.rawValue)\" in \"can\".",
                at: pointer)
        }
    }
}

extension CellRegistry {
    /// A Boolean value that indicates whether a cell type restricts what clients may do.
    ///
    /// Types that are registered in code are known only once their pages are resolved.
    fileprivate var restrictsItems: Bool {
        hasTypesInCode || kinds.contains { $0.behavior.can != nil }
    }
}
