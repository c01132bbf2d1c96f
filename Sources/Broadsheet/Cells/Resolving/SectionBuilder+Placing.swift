extension SectionBuilder {
    /// Whether the unit being configured may make something in `role`.
    func accepts(_ role: PlacementRole) -> Bool {
        unit.only == nil || unit.only == role
    }

    /// Adds what a placement of the current unit makes of `data`.
    ///
    /// - Parameter pointer: Where in the unit's data `data` was looked for.
    mutating func place(
        _ role: PlacementRole, kind: Int, data: JSONValue?, pointer: String, isOptional: Bool
    ) {
        hasPlaced = true
        guard let data, !data.isNull, data.document === draft.document else {
            if role == .header || role == .footer || isOptional { return }
            return draft.note(.missingData(isFlat: unit.isFlat, pointer: pointer), at: unit.place)
        }
        switch role {
        case .cell:
            draft.append(data, kind: kind, unit: unit.index)
        case .cells where data.kind == .array:
            draft.append(elementsOf: data, kind: kind, unit: unit.index)
        case .cells:
            draft.note(.notAnArray(isFlat: unit.isFlat, pointer: pointer), at: unit.place)
        case .header:
            header = view(of: data, kind: kind, replacing: header, role)
        case .footer:
            footer = view(of: data, kind: kind, replacing: footer, role)
        }
    }

    private mutating func view(
        of data: JSONValue, kind: Int, replacing earlier: ReusableViewInfo?, _ role: PlacementRole
    ) -> ReusableViewInfo {
        if let earlier { draft.note(.replaced(role), at: earlier.place) }
        return ReusableViewInfo(
            kind: kind, dataRange: data.byteRange, inputs: draft.inputs(of: data, kind: kind),
            place: unit.place)
    }
}
