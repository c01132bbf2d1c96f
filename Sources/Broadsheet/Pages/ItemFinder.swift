import BroadsheetCollections

/// A search for items by their ids in a laid-out screen.
///
/// A directory of the screen's items names the pages that may have an id, so that a search does not
/// depend on the number of pages.
package struct ItemFinder: Sendable {
    private let screen: MergedScreen
    private let frames: ScreenFrames
    private let directory: ItemDirectory?

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - screen: The screen.
    ///   - frames: The layout of its sections; items that it has not placed are not found.
    ///   - directory: The directory of the stored pages; `nil` for a pass over all items.
    package init(_ screen: MergedScreen, _ frames: ScreenFrames, _ directory: ItemDirectory?) {
        self.screen = screen
        self.frames = frames
        self.directory = directory
    }

    /// Returns the number of items of a section that the tree has.
    private func itemCount(ofSection index: Int) -> Int {
        guard index < frames.sections.count else { return 0 }
        return min(screen.sections[index].itemCount, frames.sections[index].items.count)
    }

    /// The number of sections that the tree has.
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

    /// Returns the place of the first item of the section with an id, or `nil`.
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

    /// The place of the first item, or of the last one; `nil` without items.
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
    /// An id that is searched for, and the identities that an item with it can have.
    private struct Wanted {
        let id: [UInt8]
        /// The id, and the id without a number at its end.
        let identities: [[UInt8]]

        init(_ id: [UInt8]) {
            self.id = id
            var identities = [id]
            let digits = id.reversed().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
            let end = id.count - digits - 1
            if digits > 0, end >= 0, id[end] == UInt8(ascii: "#") {
                identities.append(Array(id[..<end]))
            }
            self.identities = identities
        }

        /// Returns whether an item with an identity can have the id.
        func allows(_ identity: CellInfo.Identity, of page: ResolvedPage) -> Bool {
            if case .text(let range, hasEscapes: false) = identity {
                return page.bytes.withUnsafeBufferPointer { bytes in
                    let text = UnsafeBufferPointer(
                        rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
                    return identities.contains { $0.count == text.count && $0.elementsEqual(text) }
                }
            }
            return identities.contains(page.text(of: identity))
        }
    }

    private func place(ofItem id: [UInt8]) -> PlacedItem? {
        let wanted = Wanted(id)
        var first: PlacedItem?
        for page in pages(with: wanted) {
            for (index, section) in page.sections.enumerated() where !section.isHidden {
                guard section.cells.contains(where: { wanted.allows($0.id, of: page) }),
                    let merged = mergedIndex(of: section, at: index, in: page),
                    let place = place(of: wanted, inSection: merged, of: page)
                else { continue }
                first = first.map { min($0, place) } ?? place
            }
        }
        return first
    }

    private func place(ofItem id: [UInt8], inSection index: Int) -> PlacedItem? {
        let wanted = Wanted(id)
        return pages(with: wanted).lazy.compactMap { place(of: wanted, inSection: index, of: $0) }
            .first
    }

    /// Returns the first item with an id among those of a section that a page has.
    private func place(
        of wanted: Wanted, inSection index: Int, of page: ResolvedPage
    ) -> PlacedItem? {
        let section = screen.sections[index]
        let (parts, count) = (section.parts, itemCount(ofSection: index))
        var part = parts.partitioningIndex { $0.page.number >= page.number }
        while part < parts.count, parts[part].page.number == page.number {
            let (cells, start) = (parts[part].cells, parts[part].start)
            for (offset, cell) in cells.enumerated() where wanted.allows(cell.id, of: page) {
                let item = start + offset
                if item < count, section.id(of: cell, in: page, at: item) == wanted.id {
                    return PlacedItem(section: index, item: item)
                }
            }
            part += 1
        }
        return nil
    }

    /// Returns the index of the section that a posted section is a part of.
    private func mergedIndex(
        of section: SectionInfo, at index: Int, in page: ResolvedPage
    ) -> Int? {
        if let identifier = section.identifier { return screen.index(of: Identifier(identifier)) }
        let found = screen.sections.partitioningIndex {
            ($0.location.page.number, $0.location.section) >= (page.number, index)
        }
        return found < screen.sections.count ? found : nil
    }

    /// Returns the pages that may have an item with an id, ascending.
    private func pages(with wanted: Wanted) -> [ResolvedPage] {
        guard let directory else { return screen.allPages }
        var numbers: Set<Int> = []
        for identity in wanted.identities {
            numbers.formUnion(directory.pages(with: TextHash.ofIdentity(identity)))
            if let page = Self.page(ofPosition: identity) { numbers.insert(page) }
        }
        return numbers.sorted().compactMap(screen.storedPage)
    }

    /// Returns the page of an id that is made of an item's place, such as `p3.u0.e7`.
    private static func page(ofPosition id: [UInt8]) -> Int? {
        guard id.first == UInt8(ascii: "p") else { return nil }
        let digits = id.dropFirst().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
