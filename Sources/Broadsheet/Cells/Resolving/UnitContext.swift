/// Which unit is being configured, and what of it counts.
struct UnitContext: Sendable {
    /// The unit's place in its page.
    private(set) var place: UnitLocation
    /// Whether the unit is its own data.
    let isFlat: Bool
    /// The only role that counts, when the unit is a section's own header or footer.
    let only: PlacementRole?
    /// Whether each call on the section is a unit of its own, since nobody posted any.
    private let countsCalls: Bool

    /// The context of a posted unit.
    init(place: UnitLocation, isFlat: Bool, only: PlacementRole?) {
        self.place = place
        self.isFlat = isFlat
        self.only = only
        countsCalls = false
    }

    /// The context of the call at that index on the section at that index of a built page.
    init(call: Int32, in section: Int) {
        place = UnitLocation(
            section: Int32(truncatingIfNeeded: section), isBare: false, part: .unit(call))
        isFlat = false
        only = nil
        countsCalls = true
    }

    /// Goes on to the next call, where calls count.
    mutating func advance() {
        guard countsCalls else { return }
        self = UnitContext(
            call: Int32(truncatingIfNeeded: index + 1), in: Int(place.section))
    }

    /// The unit's index within its posted section; 0 for a header or footer.
    var index: Int {
        if case .unit(let index) = place.part { Int(index) } else { 0 }
    }
}
