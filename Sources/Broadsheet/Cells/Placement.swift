/// The conditions of a placement.
struct PlacementConditions: Sendable {
    /// The condition on which the placement is there; `nil` for none.
    let own: Condition?
    /// The conditions that decide which cell types are drawn.
    let cells: [Condition]

    /// Creates the conditions of a placement; `nil` if it has none.
    init?(of placement: Placement, _ fallbacks: CellFallbacks) {
        own = placement.condition
        cells = fallbacks.areUnused ? [] : placement.type.allKinds.flatMap(fallbacks.conditions)
        if own == nil, cells.isEmpty { return nil }
    }
}

/// One placement of a catalog: the cell type and the role that a unit's data gets.
struct Placement: Sendable {
    /// The role of the data in its section.
    let role: PlacementRole
    /// The cell type.
    let type: PlacementType
    /// The pointer from the unit's data to the placement's; `nil` for all of it.
    let data: JSONPointer?
    /// A Boolean value that indicates whether missing data causes no diagnostic.
    let isOptional: Bool
    /// The condition on which the placement is there; `nil` for none.
    let condition: Condition?
    /// The pointer to the placement in the catalog.
    let pointer: String

    /// Returns the part of a unit's data that the placement uses.
    func data(of unit: ServerStateUnit) -> JSONValue? {
        guard let data else { return unit.data }
        return data.evaluate(on: unit.data)
    }
}

/// The roles of a unit's data in a section.
package enum PlacementRole: String, Sendable, Hashable, CaseIterable {
    /// One item.
    case cell
    /// One item for each element of an array.
    case cells
    /// The section's header.
    case header
    /// The section's footer.
    case footer

    /// A Boolean value that indicates whether the data is that of a header or a footer.
    var isView: Bool { self == .header || self == .footer }
}

extension SectionBuilder {
    /// Adds `unit` to the section by its placements, in their order.
    mutating func place(_ placements: [Placement], of unit: ServerStateUnit) {
        for placement in placements where accepts(placement.role) {
            guard placement.condition?.holds(for: audience) ?? true else {
                omit(placement)
                continue
            }
            draft.origins?.placement = placement.pointer
            place(
                placement.role, placement.type,
                data: placement.data(of: unit), pointer: placement.data?.description ?? "",
                isOptional: placement.isOptional)
        }
    }
}
