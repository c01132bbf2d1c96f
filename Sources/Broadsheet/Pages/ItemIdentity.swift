import BroadsheetCollections

/// The identity of a section from one tree of a screen to another (docs/changes.md, "Identity").
package enum SectionIdentity: Sendable, Hashable {
    case named(Identifier)
    /// A section without id: its page, and its place among those without id that begin there.
    case unnamed(page: Int, place: Int)

    package var id: String? {
        if case .named(let identifier) = self { identifier.text } else { nil }
    }
}

/// The identity of an item from one tree of a screen to another (docs/changes.md, "Identity").
package struct ItemIdentity: Sendable, Hashable {
    package let section: SectionIdentity
    /// The id in a tree, in UTF-8.
    package let item: [UInt8]
    /// A Boolean value that indicates whether the id is one of the item's own data.
    package let hasOwnID: Bool

    /// The maximum number of bytes of the id of a window's anchor, and of that of its section.
    package static let maxByteCount = 256

    /// Creates an identity; `nil` if an id is too long.
    package init?(section: SectionIdentity, item: [UInt8], hasOwnID: Bool) {
        guard item.count <= Self.maxByteCount,
            section.id?.utf8.count ?? 0 <= Self.maxByteCount
        else { return nil }
        self.section = section
        self.item = item
        self.hasOwnID = hasOwnID
    }
}

package struct PlacedItem: Sendable, Hashable, Comparable {
    package var section: Int
    package var item: Int

    package init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    package static func < (one: PlacedItem, other: PlacedItem) -> Bool {
        (one.section, one.item) < (other.section, other.item)
    }
}

/// The identities of sections.
extension MergedScreen {
    /// Returns the identities of the sections from an index on, or of some of them.
    ///
    /// - Complexity: O(these sections, and those before them in the same page).
    func identities(from start: Int, count: Int = .max) -> [SectionIdentity] {
        let rest = sections.dropFirst(start).prefix(count)
        var places: [Int: Int] = [:]
        // The sections of the page that the first of them is in may begin before it.
        if let page = rest.first?.location.page {
            places[page.number] =
                sections.prefix(start).reversed().prefix { $0.location.page === page }
                .reduce(0) { $0 + ($1.id == nil ? 1 : 0) }
        }
        return rest.map { section in
            if let identifier = section.draft.identifier { return .named(identifier) }
            let page = section.location.page.number
            defer { places[page, default: 0] += 1 }
            return .unnamed(page: page, place: places[page, default: 0])
        }
    }

    /// Returns the identity of the section at an index.
    ///
    /// - Complexity: O(1) for one with an id, otherwise O(sections that begin in its page).
    func identity(ofSection index: Int) -> SectionIdentity {
        let section = sections[index]
        if let identifier = section.draft.identifier { return .named(identifier) }
        let page = section.location.page
        let place = sections.prefix(index).reversed().prefix { $0.location.page === page }
            .reduce(0) { $0 + ($1.id == nil ? 1 : 0) }
        return .unnamed(page: page.number, place: place)
    }

    /// Returns the index of the section with an identity, or `nil`.
    ///
    /// - Complexity: O(1) on average for one with an id, otherwise O(log sections + sections that
    ///   begin in its page).
    func index(of identity: SectionIdentity) -> Int? {
        switch identity {
        case .named(let identifier): return index(of: identifier)
        case .unnamed(let page, let place):
            var rest = place
            var index = sections.partitioningIndex { $0.location.page.number >= page }
            while index < sections.count, sections[index].location.page.number == page {
                if sections[index].id == nil {
                    if rest == 0 { return index }
                    rest -= 1
                }
                index += 1
            }
            return nil
        }
    }

    /// Returns the identity of an item; `nil` if its id, or that of its section, is too long.
    ///
    /// - Complexity: O(log parts + length), and that of ``identity(ofSection:)``.
    package func identity(of place: PlacedItem) -> ItemIdentity? {
        guard sections.indices ~= place.section,
            let (page, cell) = sections[place.section].item(at: place.item)
        else { return nil }
        let hasOwnID = if case .text = cell.id { true } else { false }
        return ItemIdentity(
            section: identity(ofSection: place.section),
            item: sections[place.section].id(of: cell, in: page, at: place.item),
            hasOwnID: hasOwnID)
    }
}

extension MergedSection {
    /// Returns the id of an item in the tree, in UTF-8.
    ///
    /// - Complexity: O(log suffixes + length).
    func id(of cell: CellInfo, in page: ResolvedPage, at index: Int) -> [UInt8] {
        let text = page.text(of: cell.id)
        guard let suffix = suffixes(fromItem: index).first, suffix.item == index else {
            return text
        }
        return text + Array("#\(suffix.number)".utf8)
    }
}
