/// What tells an item apart from an earlier one of its section that has the same identity.
package struct ItemSuffix: Sendable, Hashable {
    /// The item's index in its section.
    package let item: Int
    /// The number to put behind its identity and a `#`; 2 or more.
    package let number: Int
}

extension ItemSuffix {
    /// The suffixes of a section's items, ascending by item, so that all ids are different.
    ///
    /// What an item is called depends on those before it only: a page that comes later renames
    /// nothing. Linear even when all identities are equal, since an identity's numbers only rise,
    /// and each id that is taken stands in the way of one identity and one number.
    static func suffixes(in parts: [MergedSection.Part]) -> [ItemSuffix] {
        if parts.areDistinct { return [] }
        var ids = ItemIds(parts)
        var suffixes: [ItemSuffix] = []
        var next: [Int: Int] = [:]
        var item = 0
        for part in parts.indices {
            for cell in parts[part].cells.indices {
                let id = ItemIds.Id(part: part, cell: cell, number: 1)
                if let taken = ids.insert(id) {
                    var number = next[taken] ?? 2
                    while ids.insert(id.numbered(number)) != nil { number += 1 }
                    next[taken] = number + 1
                    suffixes.append(ItemSuffix(item: item, number: number))
                }
                item += 1
            }
        }
        return suffixes
    }
}

extension [MergedSection.Part] {
    /// Whether no two items can have the same identity, which places of ascending pages never have.
    fileprivate var areDistinct: Bool {
        guard count > 1 else { return first.map { $0.hasDistinctPlaces } ?? true }
        return allSatisfy(\.hasDistinctPlaces)
            && zip(self, dropFirst()).allSatisfy { $0.page.number < $1.page.number }
    }
}
