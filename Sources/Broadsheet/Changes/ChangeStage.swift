/// The changes of one batch update of a collection view (docs/changes.md, "Stages").
struct ChangeStage: Sendable {
    /// Consecutive items of a section.
    struct Items: Sendable, Hashable {
        var section: Int
        var first: Int
        var count: Int
    }

    /// Consecutive items that stay side by side.
    struct Moves: Sendable, Hashable {
        /// The items before the stage.
        var from: Items
        /// The section of the items after the stage.
        var section: Int
        /// The first item after the stage.
        var first: Int
    }

    /// The sections to delete, ascending, by their places before the stage.
    var deleteSections: [Int] = []
    /// The sections to insert, ascending, by their places in the new tree.
    var insertSections: [Int] = []
    /// The sections to move, in the order of the new tree.
    var moveSections: [(from: Int, to: Int)] = []
    /// The items to delete, by their places before the stage.
    var deleteItems: [Items] = []
    /// The items to insert, by their places in the new tree.
    var insertItems: [Items] = []
    var moveItems: [Moves] = []
    /// The items to reload, with their places in the new tree.
    var reloadItems: [Moves] = []

    var isEmpty: Bool {
        deleteSections.isEmpty && insertSections.isEmpty && moveSections.isEmpty
            && deleteItems.isEmpty && insertItems.isEmpty && moveItems.isEmpty
            && reloadItems.isEmpty
    }

    mutating func addReloads(of pair: SectionPair) {
        for run in pair.runs where run.isReloaded {
            reloadItems.append(
                Moves(
                    from: Items(
                        section: Int(run.oldSection), first: Int(run.old), count: Int(run.count)),
                    section: pair.new, first: Int(run.new)))
        }
    }

    /// The `places` are those of the sections of the earlier tree before the stage.
    mutating func addDisplacements(of pair: SectionPair, _ places: [Int]) {
        Self.add(pair.deleted, of: places[pair.old], to: &deleteItems)
        Self.add(pair.inserted, of: pair.new, to: &insertItems)
        for run in pair.runs where run.isMoved {
            moveItems.append(
                Moves(
                    from: Items(
                        section: places[Int(run.oldSection)], first: Int(run.old),
                        count: Int(run.count)),
                    section: pair.new, first: Int(run.new)))
        }
    }

    private static func add(
        _ items: [SectionItems.Loose], of section: Int, to list: inout [Items]
    ) {
        for item in items {
            let index = Int(item.item)
            if let last = list.last, last.section == section, last.first + last.count == index {
                list[list.count - 1].count += 1
            } else {
                list.append(Items(section: section, first: index, count: 1))
            }
        }
    }

    /// Returns the stage with its deletions and reloads in the order of the tree before it.
    func sorted() -> ChangeStage {
        var stage = self
        let isSorted = zip(deleteItems, deleteItems.dropFirst()).allSatisfy { $0 < $1 }
        if !isSorted { stage.deleteItems.sort { $0 < $1 } }
        if !zip(reloadItems, reloadItems.dropFirst()).allSatisfy({ $0.from < $1.from }) {
            stage.reloadItems.sort { $0.from < $1.from }
        }
        return stage
    }
}

extension ChangeStage.Items {
    static func < (one: Self, other: Self) -> Bool {
        (one.section, one.first) < (other.section, other.first)
    }
}

/// The lists of a stage, in the order in which they are written.
enum StageList: CaseIterable {
    case deleteSections, insertSections, moveSections
    case deleteItems, insertItems, moveItems, reloadItems

    var name: StaticString {
        switch self {
        case .deleteSections: "deleteSections"
        case .insertSections: "insertSections"
        case .moveSections: "moveSections"
        case .deleteItems: "deleteItems"
        case .insertItems: "insertItems"
        case .moveItems: "moveItems"
        case .reloadItems: "reloadItems"
        }
    }

    func count(in stage: ChangeStage) -> Int {
        switch self {
        case .deleteSections: stage.deleteSections.count
        case .insertSections: stage.insertSections.count
        case .moveSections: stage.moveSections.count
        case .deleteItems: stage.deleteItems.count
        case .insertItems: stage.insertItems.count
        case .moveItems: stage.moveItems.count
        case .reloadItems: stage.reloadItems.count
        }
    }

    /// Returns the first list from this one on that has an entry.
    static func next(after list: StageList?, in stage: ChangeStage) -> StageList? {
        let rest =
            list.map { list in allCases.drop { $0 != list }.dropFirst() } ?? allCases[...]
        return rest.first { $0.count(in: stage) > 0 }
    }
}
