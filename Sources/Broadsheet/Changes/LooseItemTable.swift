/// A hash table of items by the ids that a tree has for them.
///
/// Swift's hasher has a random seed, so that posted ids cannot be chosen to collide.
struct LooseItemTable {
    private struct Entry {
        let hash: UInt64
        let item: SectionItems.Loose
        /// The position that the caller knows the item by.
        let position: Int32
        /// The next entry with an equal id; -1 after the last.
        var next: Int32
        /// The last entry with an equal id, in the first of them.
        var last: Int32
    }

    private var entries: [Entry] = []
    /// The first entry of each id, plus 1; 0 marks a free slot, and -1 one whose entries were all
    /// removed.
    private var slots: [Int32]

    init(capacity: Int) {
        entries.reserveCapacity(capacity)
        var count = 16
        while count < capacity * 2 { count *= 2 }
        slots = Array(repeating: 0, count: count)
    }

    /// Inserts an item; several may have the same id.
    mutating func insert(
        _ item: SectionItems.Loose, _ position: Int, of items: SectionItems,
        equalIn others: (Int) -> SectionItems
    ) {
        let index = Int32(truncatingIfNeeded: entries.count)
        let hash = Self.hash(item, of: items)
        entries.append(
            Entry(
                hash: hash, item: item, position: Int32(truncatingIfNeeded: position), next: -1,
                last: index))
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let first = Int(slots[slot]) - 1
            if entries[first].hash == hash, isEqual(first, item, of: items, others) {
                entries[Int(entries[first].last)].next = index
                entries[first].last = index
                return
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = index + 1
    }

    /// Removes the first item with the id of `item`, and returns its position, or `nil`.
    ///
    /// - Parameter others: Returns the section of the item at a position.
    /// - Complexity: O(length of the id), expected.
    mutating func remove(
        _ item: SectionItems.Loose, of items: SectionItems, equalIn others: (Int) -> SectionItems
    ) -> Int? {
        let hash = Self.hash(item, of: items)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] > 0 {
                let first = Int(slots[slot]) - 1
                if entries[first].hash == hash, isEqual(first, item, of: items, others) {
                    let next = entries[first].next
                    if next >= 0 { entries[Int(next)].last = entries[first].last }
                    slots[slot] = next >= 0 ? next + 1 : -1
                    return Int(entries[first].position)
                }
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private func isEqual(
        _ entry: Int, _ item: SectionItems.Loose, of items: SectionItems,
        _ others: (Int) -> SectionItems
    ) -> Bool {
        others(Int(entries[entry].position)).withID(entries[entry].item) { id in
            items.withID(item) { other in
                id.count == other.count && id.elementsEqual(other)
            }
        }
    }

    private static func hash(_ item: SectionItems.Loose, of items: SectionItems) -> UInt64 {
        items.withID(item) { id in
            var hasher = Hasher()
            hasher.combine(bytes: id)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
    }
}
