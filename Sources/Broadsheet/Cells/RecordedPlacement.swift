/// A use of a unit's data: that of a placement, or of a call on a section builder.
struct RecordedPlacement: Sendable {
    let role: PlacementRole
    let type: PlacementType
    let data: JSONValue?
    /// The pointer from the unit's data to it.
    var pointer = ""
    var isOptional = true
}

extension PageDraft {
    mutating func beginRecording() { placements = [] }

    mutating func endRecording() -> [RecordedPlacement] {
        defer { placements = nil }
        return placements ?? []
    }

    mutating func record(_ placement: RecordedPlacement) { placements?.append(placement) }
}
