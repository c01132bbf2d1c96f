/// The reason why changes cannot be applied to a tree: they are not changes of this tree.
public enum ChangesError: Error, Sendable, Hashable {
    /// The tree has no section at this index, before or after the stage.
    case noSection(Int)
    /// The tree has no item at this place, before or after the stage.
    case noItem(Changes.ItemPlace)
    /// A stage names this section twice.
    case sectionNamedTwice(Int)
    /// A stage names this item twice.
    case itemNamedTwice(Changes.ItemPlace)
    /// A stage changes items of this section, which it also inserts, deletes or moves.
    case itemInChangedSection(Int)
}

extension Changes {
    /// Changes a tree into the one that these changes lead to.
    ///
    /// - Throws: ``ChangesError`` if the changes do not fit; the tree is then unchanged, and the
    ///   client requests the whole tree.
    /// - Complexity: O(items of the sections that change + sections).
    public func apply(to tree: inout Tree) throws(ChangesError) {
        switch content {
        case .reset(let whole): tree = whole
        case .update(let update):
            var changed = tree
            for stage in update.stages { try stage.apply(to: &changed) }
            for section in update.sections { try section.apply(to: &changed) }
            for run in update.frames { try run.apply(to: &changed) }
            let diagnostics = changed.members["diagnostics"]
            changed.members = update.members
            if changed.members["diagnostics"] == nil {
                changed.members["diagnostics"] = diagnostics
            }
            tree = changed
        }
    }
}

extension Changes.SectionUpdate {
    fileprivate func apply(to tree: inout Tree) throws(ChangesError) {
        guard tree.sections.indices ~= index else { throw .noSection(index) }
        for (name, value) in members {
            // The id is null in a section without one; every other member is taken away by null.
            let isRemoved = value == .null && name != "id"
            tree.sections[index].members[name] = isRemoved ? .none : value
        }
    }
}

extension Changes.FrameRun {
    fileprivate func apply(to tree: inout Tree) throws(ChangesError) {
        guard tree.sections.indices ~= place.section else { throw .noSection(place.section) }
        let count = tree.sections[place.section].items.count
        guard place.item >= 0, place.item <= count, frames.count <= count - place.item else {
            throw .noItem(place)
        }
        for (offset, frame) in frames.enumerated() {
            let item = place.item + offset
            tree.sections[place.section].items[item].frame = frame
            guard let separators, separators.indices ~= offset else { continue }
            tree.sections[place.section].items[item].separator = separators[offset]
        }
    }
}

extension Changes.Stage {
    /// Performs the stage: removes the sections and items that are deleted or moved, by the places
    /// before the stage, and inserts the new and the moved ones at the places after it.
    package func apply(to tree: inout Tree) throws(ChangesError) {
        var takenSections = Set<Int>()
        for index in deleteSections + moveSections.map(\.from) {
            guard tree.sections.indices ~= index else { throw .noSection(index) }
            guard takenSections.insert(index).inserted else { throw .sectionNamedTwice(index) }
        }
        let movedItems = try takeItems(from: &tree, besides: takenSections)
        var placedSections: [Int: TreeSection] = [:]
        for move in moveSections {
            guard placedSections.updateValue(tree.sections[move.from], forKey: move.to) == nil
            else { throw .sectionNamedTwice(move.to) }
        }
        for insertion in insertSections {
            guard placedSections.updateValue(insertion.value, forKey: insertion.place) == nil
            else { throw .sectionNamedTwice(insertion.place) }
        }
        do throws(ListError) {
            tree.sections = try tree.sections.rearranged(
                without: takenSections, placing: placedSections)
        } catch {
            throw .noSection(error.place)
        }
        try putItems(movedItems, into: &tree, besides: placedSections)
    }

    /// Reloads items, and takes away those that are deleted or moved.
    ///
    /// - Returns: The items that are moved, in the order of the moves.
    private func takeItems(
        from tree: inout Tree, besides sections: Set<Int>
    ) throws(ChangesError) -> [TreeItem] {
        var named = Set<Changes.ItemPlace>()
        var taken: [Int: Set<Int>] = [:]
        let removed = deleteItems + moveItems.map(\.from)
        for place in removed + reloadItems.map(\.place) {
            guard tree.sections.indices ~= place.section,
                tree.sections[place.section].items.indices ~= place.item
            else { throw .noItem(place) }
            guard named.insert(place).inserted else { throw .itemNamedTwice(place) }
        }
        for place in removed {
            guard !sections.contains(place.section) else {
                throw .itemInChangedSection(place.section)
            }
            taken[place.section, default: []].insert(place.item)
        }
        for reload in reloadItems {
            tree.sections[reload.place.section].items[reload.place.item] = reload.value
        }
        let moved = moveItems.map { tree.sections[$0.from.section].items[$0.from.item] }
        for (section, items) in taken {
            let all = tree.sections[section].items
            tree.sections[section].items = all.indices.filter { !items.contains($0) }.map {
                all[$0]
            }
        }
        return moved
    }

    private func putItems(
        _ moved: [TreeItem], into tree: inout Tree, besides sections: [Int: TreeSection]
    ) throws(ChangesError) {
        var placed: [Int: [Int: TreeItem]] = [:]
        let all =
            zip(moveItems, moved).map { ($0.to, $1) } + insertItems.map { ($0.place, $0.value) }
        for (place, item) in all {
            guard tree.sections.indices ~= place.section else { throw .noSection(place.section) }
            guard sections[place.section] == nil else {
                throw .itemInChangedSection(place.section)
            }
            let earlier = placed[place.section, default: [:]].updateValue(item, forKey: place.item)
            guard earlier == nil else { throw .itemNamedTwice(place) }
        }
        for (section, items) in placed {
            do throws(ListError) {
                tree.sections[section].items = try tree.sections[section].items.rearranged(
                    without: [], placing: items)
            } catch {
                throw .noItem(Changes.ItemPlace(section: section, item: error.place))
            }
        }
    }
}

/// A place beyond the end of a list.
private struct ListError: Error {
    let place: Int
}

extension Array {
    /// Returns the list without the elements at some indices, with others at their places in the
    /// result.
    fileprivate func rearranged(
        without taken: Set<Int>, placing placed: [Int: Element]
    ) throws(ListError) -> [Element] {
        guard !taken.isEmpty || !placed.isEmpty else { return self }
        let total = count - taken.count + placed.count
        if let place = placed.keys.first(where: { !(0..<total ~= $0) }) {
            throw ListError(place: place)
        }
        var rest = indices.lazy.filter { !taken.contains($0) }.makeIterator()
        // There are as many places without a placed element as elements that stay.
        return (0..<total).compactMap { place in placed[place] ?? rest.next().map { self[$0] } }
    }
}

extension ChangesError: CustomStringConvertible {
    /// The place that the tree does not have, or that is named twice.
    public var description: String {
        switch self {
        case .noSection(let index): "/sections/\(index): there is no such section"
        case .noItem(let place):
            "/sections/\(place.section)/items/\(place.item): there is no such item"
        case .sectionNamedTwice(let index): "/sections/\(index): a stage names it twice"
        case .itemNamedTwice(let place):
            "/sections/\(place.section)/items/\(place.item): a stage names it twice"
        case .itemInChangedSection(let index):
            "/sections/\(index): a stage changes the section and its items"
        }
    }
}
