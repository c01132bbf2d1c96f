/// One thing that a catalog makes of a unit.
struct Placement: Sendable {
    /// What the data becomes.
    let role: PlacementRole
    /// The index of its cell type among the registry's kinds.
    let kind: Int
    /// Where in the unit's data its own stands; nil for all of it.
    let data: JSONPointer?
    /// Whether missing data is nothing to speak of.
    let isOptional: Bool

    /// What the placement takes of a unit's data.
    func data(of unit: ServerStateUnit) -> JSONValue? {
        guard let data else { return unit.data }
        return data.evaluate(on: unit.data)
    }
}

extension SectionBuilder {
    /// Adds what `placements` make of `unit`, in their order.
    mutating func place(_ placements: [Placement], of unit: ServerStateUnit) {
        for placement in placements where accepts(placement.role) {
            place(
                placement.role, kind: placement.kind,
                data: placement.data(of: unit), pointer: placement.data?.description ?? "",
                isOptional: placement.isOptional)
        }
    }
}
