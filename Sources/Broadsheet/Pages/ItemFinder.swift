/// A search for items by their ids in a laid-out screen, by the index of its items.
package struct ItemFinder: Sendable {
    private let screen: MergedScreen
    private let frames: ScreenFrames
    private let index: PlacedItemIndex

    /// Items that the layout `frames` has not placed are not found.
    package init(_ screen: MergedScreen, frames: ScreenFrames, index: PlacedItemIndex) {
        self.screen = screen
        self.frames = frames
        self.index = index
    }

    private func itemCount(ofSection index: Int) -> Int {
        guard index < frames.sections.count else { return 0 }
        return min(screen.sections[index].itemCount, frames.sections[index].items.count)
    }

    private var sectionCount: Int { min(screen.sections.count, frames.sections.count) }

    /// Returns the place of the item with an identity: in its section, or for an id of its own data
    /// in any section.
    package func place(of identity: ItemIdentity) -> PlacedItem? {
        if let section = screen.index(of: identity.section),
            let place = place(ofItem: identity.item, inSection: section)
        {
            return place
        }
        return identity.hasOwnID ? place(ofItem: identity.item) : nil
    }

    /// Returns the place of the item with an id, the first in the order of the tree: in the section
    /// of an id, if that is given, and else in any.
    ///
    /// - Returns: `nil` if there is no such item, or no such section.
    package func place(ofItem id: [UInt8], inSectionFirst section: String?) -> PlacedItem? {
        guard let section else { return place(ofItem: id) }
        guard let index = screen.index(of: Identifier(section)) else { return nil }
        return place(ofItem: id, inSection: index) ?? place(ofItem: id)
    }

    package func firstPlace(inSection id: String) -> PlacedItem? {
        guard let index = screen.index(of: Identifier(id)), itemCount(ofSection: index) > 0 else {
            return nil
        }
        return PlacedItem(section: index, item: 0)
    }

    /// Returns the identities of the items from a place on, in the order of the tree or backwards;
    /// without those whose ids are too long.
    package func identities(
        from place: PlacedItem, backwards: Bool
    ) -> some Sequence<(place: PlacedItem, identity: ItemIdentity)> {
        sequence(first: place) { backwards ? self.place(before: $0) : self.place(after: $0) }
            .lazy.compactMap { place in screen.identity(of: place).map { (place, $0) } }
    }

    package func edge(isLast: Bool) -> PlacedItem? {
        isLast
            ? place(before: PlacedItem(section: sectionCount, item: 0))
            : place(after: PlacedItem(section: -1, item: 0))
    }

    private func place(after place: PlacedItem) -> PlacedItem? {
        var (section, item) = (place.section, place.item + 1)
        while section < 0 || item >= itemCount(ofSection: section) {
            section += 1
            item = 0
            guard section < sectionCount else { return nil }
        }
        return PlacedItem(section: section, item: item)
    }

    private func place(before place: PlacedItem) -> PlacedItem? {
        var (section, item) = (place.section, place.item - 1)
        while item < 0 {
            section -= 1
            guard section >= 0 else { return nil }
            item = itemCount(ofSection: section) - 1
        }
        return PlacedItem(section: section, item: item)
    }
}

/// The search by an id.
extension ItemFinder {
    private func place(ofItem id: [UInt8]) -> PlacedItem? {
        index.places(of: id).first { has($0, id) }
    }

    private func place(ofItem id: [UInt8], inSection section: Int) -> PlacedItem? {
        index.places(of: id, inSection: section).first { has($0, id) }
    }

    private func has(_ place: PlacedItem, _ id: [UInt8]) -> Bool {
        guard place.item < itemCount(ofSection: place.section),
            let (page, cell) = screen.sections[place.section].item(at: place.item)
        else { return false }
        return screen.sections[place.section].id(of: cell, in: page, at: place.item) == id
    }
}
