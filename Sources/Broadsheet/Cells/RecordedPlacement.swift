/// A use of a unit's data: that of a placement, or of a call on a section builder.
struct RecordedPlacement: Sendable {
    /// The role of the data.
    let role: PlacementRole
    /// The cell type.
    let type: PlacementType
    /// The data, if it exists.
    let data: JSONValue?
    /// The pointer from the unit's data to it.
    var pointer = ""
    /// A Boolean value that indicates whether the data may be missing.
    var isOptional = true
}

extension PageDraft {
    /// Begins to record the uses of the data of a unit.
    mutating func beginRecording() { placements = [] }

    /// Ends the recording, and returns the uses.
    mutating func endRecording() -> [RecordedPlacement] {
        defer { placements = nil }
        return placements ?? []
    }

    /// Records a use of the current unit's data.
    mutating func record(_ placement: RecordedPlacement) { placements?.append(placement) }
}
