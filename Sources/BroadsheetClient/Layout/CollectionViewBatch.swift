/// A batch update of a collection view whose data source follows ``TreeLayout/itemCount(in:)``.
///
/// Such a data source counts one scroller in a section that scrolls by itself, and each copy of an
/// item in a carousel. The items of a stage have other index paths there, so a section of either
/// kind is reloaded as a whole where its items change. Indexes of deletions and reloads, and
/// `from`, are those before the batch, and all others those after it.
package struct CollectionViewBatch: Sendable, Hashable {
    /// The tree that the data source has after the batch.
    package let tree: Tree
    package private(set) var deleteSections: [Int] = []
    package private(set) var insertSections: [Int] = []
    package private(set) var moveSections: [Changes.Move<Int>] = []
    /// The sections to reload, in order; none is named by another operation.
    package private(set) var reloadSections: [Int] = []
    package private(set) var deleteItems: [Changes.ItemPlace] = []
    package private(set) var insertItems: [Changes.ItemPlace] = []
    package private(set) var moveItems: [Changes.Move<Changes.ItemPlace>] = []
    package private(set) var reloadItems: [Changes.ItemPlace] = []

    /// Returns the batches that lead a collection view from one tree to another: one for each
    /// stage, and one more if a section then has another number of items, other data, another
    /// header or footer, or another scroller.
    ///
    /// - Parameters:
    ///   - changes: The changes from one tree to the other.
    ///   - old: The tree that the data source has.
    ///   - new: The tree that it shows after the batches.
    /// - Returns: `nil` without such changes: the collection view then reloads everything.
    /// - Complexity: O(items + sections).
    package static func batches(
        of changes: Changes?, from old: Tree, to new: Tree
    ) -> [CollectionViewBatch]? {
        guard case .update(let update)? = changes?.content else { return nil }
        var batches: [CollectionViewBatch] = []
        var tree = old
        for stage in update.stages {
            guard let batch = try? CollectionViewBatch(stage, of: tree) else { return nil }
            batches.append(batch)
            tree = batch.tree
        }
        // Changes of another tree than the collection view has would leave other counts.
        guard tree.sections.map(\.items.count) == new.sections.map(\.items.count) else {
            return nil
        }
        let reloads = tree.sections.indices.filter {
            tree.sections[$0].isReloaded(as: new.sections[$0])
        }
        if !reloads.isEmpty { batches.append(CollectionViewBatch(reloading: reloads, of: new)) }
        return batches
    }

    private init(reloading sections: [Int], of tree: Tree) {
        self.tree = tree
        reloadSections = sections
    }

    /// Throws the reason why the stage does not fit the tree.
    private init(_ stage: Changes.Stage, of before: Tree) throws(ChangesError) {
        var after = before
        try stage.apply(to: &after)
        tree = after
        deleteSections = stage.deleteSections
        insertSections = stage.insertSections.map(\.place)
        moveSections = stage.moveSections

        let origins = stage.origins(ofSections: before.sections.count)
        var reloads = Set<Int>()
        /// Returns whether the section of a place shows each item once; else it is reloaded.
        func isShown(_ place: Changes.ItemPlace, in tree: Tree, at section: Int?) -> Bool {
            if tree.sections[place.section].showsEachItemOnce { return true }
            if let section { reloads.insert(section) }
            return false
        }
        deleteItems = stage.deleteItems.filter { isShown($0, in: before, at: $0.section) }
        reloadItems = stage.reloadItems.map(\.place).filter {
            isShown($0, in: before, at: $0.section)
        }
        insertItems = stage.insertItems.map(\.place).filter {
            isShown($0, in: after, at: origins[$0.section])
        }
        for move in stage.moveItems {
            let isFrom = isShown(move.from, in: before, at: move.from.section)
            let isTo = isShown(move.to, in: after, at: origins[move.to.section])
            if isFrom, isTo { moveItems.append(move) }
            if isFrom, !isTo { deleteItems.append(move.from) }
            if !isFrom, isTo { insertItems.append(move.to) }
        }
        reloadSections = reloads.sorted()
    }
}

extension Changes.Stage {
    /// Returns the index before the stage of each section after it; `nil` for an inserted one.
    fileprivate func origins(ofSections count: Int) -> [Int?] {
        let gone = Set(deleteSections + moveSections.map(\.from))
        var placed: [Int: Int?] = [:]
        for move in moveSections { placed.updateValue(move.from, forKey: move.to) }
        for insertion in insertSections { placed.updateValue(nil, forKey: insertion.place) }
        var rest = (0..<count).filter { !gone.contains($0) }.makeIterator()
        return (0..<count - gone.count + placed.count).map { placed[$0] ?? rest.next() }
    }
}

extension TreeSection {
    /// A Boolean value that indicates whether a collection view has one cell for each item.
    private var showsItems: Bool { members["scroll"] == nil }

    fileprivate var showsEachItemOnce: Bool { showsItems && repetition == nil }

    /// Returns whether a collection view has to reload the section to show another state of it with
    /// as many items; frames are the layout's.
    fileprivate func isReloaded(as other: TreeSection) -> Bool {
        guard showsItems == other.showsItems, repetition?.copies == other.repetition?.copies,
            members["data"] == other.members["data"], isCollapsed == other.isCollapsed,
            header?.members == other.header?.members, footer?.members == other.footer?.members
        else { return true }
        // The cell of a scroller shows the frames of the items.
        return !showsItems && (items != other.items || members["scroll"] != other.members["scroll"])
    }
}
