/// The conditions of a placement.
struct PlacementConditions: Sendable {
    /// The condition on which the placement is there; `nil` for none.
    let own: Condition?
    /// The conditions that decide which cell types are drawn.
    let cells: [Condition]

    init?(of placement: Placement, _ fallbacks: CellFallbacks) {
        own = placement.condition
        cells = fallbacks.areUnused ? [] : placement.type.allKinds.flatMap(fallbacks.conditions)
        if own == nil, cells.isEmpty { return nil }
    }
}

/// One placement of a catalog: the cell type and the role that a unit's data gets.
struct Placement: Sendable {
    let role: PlacementRole
    let type: PlacementType
    /// The pointer from the unit's data to the placement's; `nil` for all of it.
    let data: JSONPointer?
    /// A Boolean value that indicates whether missing data causes no diagnostic.
    let isOptional: Bool
    let condition: Condition?
    /// The pointer to the placement in the catalog.
    let pointer: String

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
    case header
    case footer

    var isView: Bool { self == .header || self == .footer }
}

extension SectionBuilder {
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
