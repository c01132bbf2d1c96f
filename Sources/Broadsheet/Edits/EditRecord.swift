/// The work of an update that grows with the screen, in numbers that depend on the edits alone.
package struct EditWork: Sendable, Hashable {
    /// The number of bytes of units that were read again because something in them had changed.
    package var rereadBytes = 0
    /// The number of items that were listed to find some of them.
    package var listedItems = 0
    /// The number of units that were passed in searches for an array of a unit type.
    package var passedUnits = 0

    /// Creates the record of no work.
    package init() {}
}

/// The record of what an update did, for the pages and for the editor of the screen.
final class EditRecord {
    /// The identities that edits have given to items, by their hashes, with the numbers of the
    /// pages.
    private(set) var newIdentities: [UInt32: Set<Int>] = [:]
    /// The number of changes of lists of units, and of the arrays that units have.
    private(set) var unitChanges = 0
    /// A Boolean value that indicates whether sections may have come into the tree or left it.
    private var hasSectionChanges = false
    /// The work that was done.
    var work = EditWork()
    /// A Boolean value that indicates whether the edits are those of an action, which respects the
    /// capabilities of items, and whose outcome is judged.
    var isActing = false
    private let recordsIdentities: Bool

    /// Creates a record.
    ///
    /// - Parameter recordsIdentities: A Boolean value that indicates whether identities are needed.
    init(recordsIdentities: Bool) {
        self.recordsIdentities = recordsIdentities
    }

    /// Adds a change of a list of units, or of the arrays that a unit has.
    func addUnitChange() { unitChanges += 1 }

    /// Adds a section that came into the tree, or left it.
    func addSectionChange() {
        hasSectionChanges = true
        addUnitChange()
    }

    /// Returns whether sections may have come into the tree or left it since the last call.
    func takeSectionChanges() -> Bool {
        defer { hasSectionChanges = false }
        return hasSectionChanges
    }

    /// Adds the items that a unit makes.
    func add(_ unit: EditedUnit, page: Int) {
        guard recordsIdentities else { return }
        for placement in unit.placements { add(placement, page: page) }
    }

    /// Adds the items that a placement makes.
    func add(_ placement: EditedPlacement, page: Int) {
        guard recordsIdentities, placement.isItems else { return }
        for item in placement.elements { add(item, page: page) }
    }

    /// Adds an item.
    func add(_ item: EditedItem, page: Int) {
        guard recordsIdentities, item.isMade, item.text != nil else { return }
        newIdentities[item.hash, default: []].insert(page)
    }
}
