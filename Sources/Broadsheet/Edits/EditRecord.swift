/// The work of an update that grows with the screen, in numbers that depend on the edits alone.
package struct EditWork: Sendable, Hashable {
    /// The number of bytes of units that were read again because something in them had changed.
    package var rereadBytes = 0
    /// The number of items that were listed to find some of them.
    package var listedItems = 0
    /// The number of sections, and of groups of them, that were passed in searches for sections.
    package var passedSections = 0
    /// The number of units that were passed in searches for an array of a unit type.
    package var passedUnits = 0
    package var searchedItems = 0
    /// The number of items that were added to indexes as a whole.
    package var indexedItems = 0
    package var lookups = 0
    /// The number of steps of searches, which has a limit (docs/edits.md, "Cost").
    package var steps = 0

    /// The steps that an item takes that is listed or indexed.
    package static let listedSteps = 64
    /// The steps that an item takes that gets a number.
    static let numberedSteps = 1 << 10
    /// The steps that a byte of the identity of such an item takes.
    static let numberedByteSteps = 8
    /// The steps that a section or a unit takes that is passed.
    static let unitSteps = 16
    /// The steps between two checkpoints, as long as a millisecond.
    static let stepsOfCheckpoint = 1 << 20
    /// The steps that an element takes that is put somewhere; they do not count in the limit.
    static let elementSteps = 1 << 10
    /// The steps that an operation takes at least; they do not count in the limit.
    static let operationSteps = 1 << 13

    package init() {}
}

/// The record of what an update did, for the pages and for the editor of the screen.
final class EditRecord {
    /// The identities that edits have given to items, by their hashes, with the numbers of the
    /// pages.
    private(set) var newIdentities: [UInt32: Set<Int>] = [:]
    /// The number of edits of lists of units, and of the arrays that units have.
    private(set) var unitEdits = 0
    /// The sections that may have come into the tree or left it by an edit of what they have, by
    /// the numbers of their pages and their indexes there.
    private var visibilityEdits: [(page: Int, section: Int)] = []
    var work = EditWork()
    /// A Boolean value that indicates whether the edits are those of an action, which respects the
    /// capabilities of items, and whose outcome is judged.
    var isActing = false
    /// A Boolean value that indicates whether the outcome of all operations is judged, those of no
    /// action included.
    var judgesOperations = false
    /// The index of the current operation among those that are no action's.
    var operation = 0
    /// A Boolean value that indicates whether the units that are changed are noted, to be judged.
    var notesUnits: Bool { isActing || judgesOperations }
    /// The number of items that have come, gone or got another identity.
    private(set) var placeEdits = 0
    private let recordsIdentities: Bool
    private let maxSteps: Int
    /// The number of steps since the last checkpoint.
    private var stepsToCheckpoint = 0
    /// A Boolean value that indicates whether no one waits for the update any more.
    private var isAbandoned = false

    init(recordsIdentities: Bool, maxSteps: Int) {
        self.recordsIdentities = recordsIdentities
        self.maxSteps = maxSteps
    }

    func addPlaceEdit() { placeEdits += 1 }

    func addUnitEdit() { unitEdits += 1 }

    func addVisibilityEdit(_ section: Int, page: Int) {
        visibilityEdits.append((page, section))
        addUnitEdit()
    }

    /// Returns the sections that may have come into the tree or left it since the last call.
    func takeVisibilityEdits() -> [(page: Int, section: Int)] {
        defer { visibilityEdits = [] }
        return visibilityEdits
    }

    func add(_ unit: EditedUnit, page: Int) {
        guard recordsIdentities else { return }
        for placement in unit.placements { add(placement, page: page) }
    }

    func add(_ placement: EditedPlacement, page: Int) {
        guard recordsIdentities, placement.isItems else { return }
        for item in placement.elements {
            add(item, page: page)
            pass(EditWork.listedSteps)
        }
    }

    func add(_ item: EditedItem, page: Int) {
        guard recordsIdentities, item.isMade, item.text != nil else { return }
        newIdentities[item.hash, default: []].insert(page)
    }
}

// MARK: - Steps

extension EditRecord {
    @inline(__always)
    func spend(_ steps: Int) {
        work.steps += steps
        pass(steps)
    }

    /// Adds steps of other work, which do not count in the limit.
    @inline(__always)
    func pass(_ steps: Int) {
        stepsToCheckpoint += steps
        if stepsToCheckpoint >= EditWork.stepsOfCheckpoint { pause() }
    }

    private func pause() {
        stepsToCheckpoint = 0
        isAbandoned = LongWork.isAbandoned()
    }

    /// Checks that the searches so far have not taken too many steps, and that the result is still
    /// needed.
    ///
    /// - Parameter steps: The steps of other work that comes next.
    func check(afterSteps steps: Int = 0) throws(EditFailure) {
        pass(steps)
        guard !isAbandoned else { throw .abandoned }
        guard work.steps <= maxSteps else { throw .tooManySteps(maxSteps) }
    }

    func list(_ items: Int) {
        work.listedItems += items
        spend(items * EditWork.listedSteps)
    }

    /// Adds a try to give an item a number, which counts in the limit if it is not the first.
    ///
    /// - Parameter byteCount: The number of bytes of its identity.
    func number(_ byteCount: Int, isRepeated: Bool) throws(EditFailure) {
        let steps = EditWork.numberedSteps + byteCount * EditWork.numberedByteSteps
        if isRepeated { spend(steps) }
        try check(afterSteps: isRepeated ? 0 : steps)
    }

    func search(_ items: Int) {
        work.searchedItems += items
        spend(items)
    }

    func passSections(_ count: Int) {
        work.passedSections += count
        spend(count)
    }

    func passUnit() {
        work.passedUnits += 1
        spend(EditWork.unitSteps)
    }

    func reread(_ bytes: Int) {
        work.rereadBytes += bytes
        spend(bytes)
    }
}
