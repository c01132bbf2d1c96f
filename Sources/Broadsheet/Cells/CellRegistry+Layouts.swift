extension CellRegistry {
    /// The section id whose layout applies to unnamed sections and to ids without a layout.
    public static let anySection = "*"

    /// Returns the layout of the catalog that the layout of the sections with an id begins with;
    /// `nil` without one, and for one that a program has set.
    ///
    /// - Parameters:
    ///   - id: The section's id.
    ///   - unitLayout: The layout of the section's first unit type with one.
    /// - Complexity: O(unit types).
    func layoutSource(forSection id: String?, unitLayout: LayoutBox?) -> CatalogValue? {
        if let id, ownLayout(ofSection: id) != nil {
            return references.sectionLayouts[Identifier(id)]
        }
        guard let unitLayout else {
            return references.sectionLayouts[Identifier(Self.anySection)]
        }
        return catalogType(with: unitLayout).flatMap { references.unitLayouts[$0] }
    }
}

extension [Identifier: CatalogValue] {
    /// Replaces the values for some keys by those of another table, which may have none.
    mutating func replace(_ keys: some Sequence<Identifier>, by other: Self) {
        for key in keys { self[key] = other[key] }
    }
}
