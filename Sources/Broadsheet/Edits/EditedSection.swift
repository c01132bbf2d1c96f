/// A section of a page under edit.
struct EditedSection: SingleElement {
    let identifier: Identifier?
    let condition: Condition?
    /// A Boolean value that indicates whether the section's condition holds.
    let isThere: Bool
    /// The number of units that the section depends on and that cannot be made.
    var missingUnits = 0
    /// The views of its own, header and footer, that the section depends on and that cannot be
    /// made.
    var missingViews: Set<PlacementRole> = []
    /// A Boolean value that indicates whether the section is an array of units.
    var isBare: Bool
    var units: WeightedList<EditedUnit>
    /// The indexes of the units that the current action, or the update, has changed, some more than
    /// once.
    private var touchedUnits: [Int] = []
    /// A Boolean value that indicates whether so many units were changed that all with an edit are
    /// judged, instead of a list that each insertion and removal would pass over.
    private var touchesMany = false
    private static let maxTouchedUnits = 256
    /// The edits of its own header and footer that are judged.
    var views: [PlacementRole: UnitEdit] = [:]
    /// The views of its own that the current action, or the update, has changed.
    var touchedViews: Set<PlacementRole> = []

    init(
        identifier: Identifier?, condition: Condition?, isThere: Bool, missingUnits: Int,
        isBare: Bool, units: WeightedList<EditedUnit>
    ) {
        self.identifier = identifier
        self.condition = condition
        self.isThere = isThere
        self.missingUnits = missingUnits
        self.isBare = isBare
        self.units = units
    }

    var isHidden: Bool { !isThere || missingUnits > 0 || !missingViews.isEmpty }

    var itemCount: Int { units.measure }

    var isTouched: Bool { touchesMany || !touchedUnits.isEmpty || !touchedViews.isEmpty }

    mutating func insert(_ unit: EditedUnit, at index: Int) {
        units.insert(unit, at: index)
        for place in touchedUnits.indices where touchedUnits[place] >= index {
            touchedUnits[place] += 1
        }
        if unit.edit != nil { touch(index) }
    }

    mutating func removeUnit(at index: Int) -> EditedUnit {
        touchedUnits.removeAll { $0 == index }
        for place in touchedUnits.indices where touchedUnits[place] > index {
            touchedUnits[place] -= 1
        }
        return units.remove(at: index)
    }

    mutating func touch(_ unit: Int) {
        guard !touchesMany, touchedUnits.last != unit else { return }
        touchedUnits.append(unit)
        guard touchedUnits.count > Self.maxTouchedUnits else { return }
        (touchesMany, touchedUnits) = (true, [])
    }

    /// Notes that an operation gives the section the place of another one, so that all of it is
    /// judged as an edit.
    mutating func touchAll(_ edit: UnitEdit) {
        for unit in 0..<units.count {
            units[unit].edit = edit
            touch(unit)
        }
        for role in [PlacementRole.header, .footer] {
            views[role] = edit
            touchedViews.insert(role)
        }
    }

    /// Returns the units that the current action has changed, and begins the next one.
    mutating func takeTouchedUnits() -> [Int] {
        defer { (touchesMany, touchedUnits) = (false, []) }
        if touchesMany { return units.indices.filter { units[$0].edit != nil } }
        return touchedUnits.count > 1 ? Set(touchedUnits).sorted() : touchedUnits
    }
}
