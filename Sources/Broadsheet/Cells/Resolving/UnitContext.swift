/// Which unit is being configured, and what of it counts.
struct UnitContext: Sendable {
    /// The unit's place in its page.
    let place: PagePlace
    /// Whether the unit is its own data.
    let isFlat: Bool
    /// The only role that counts, when the unit is a section's own header or footer.
    let only: PlacementRole?

    /// The unit's index within its posted section; 0 for a header or footer.
    var index: Int {
        if case .unit(let index) = place.part { Int(index) } else { 0 }
    }
}
