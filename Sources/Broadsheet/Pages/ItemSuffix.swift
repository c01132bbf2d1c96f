import BroadsheetCollections
import BroadsheetClient

/// The number that distinguishes an item from earlier items of its section with the same identity.
package struct ItemSuffix: Sendable, Hashable {
    package let item: Int
    /// The number after its identity and a `#`; at least 2.
    package let number: Int
}

extension ItemSuffix {
    /// Returns the suffixes that make all ids of a section different, ascending by item.
    ///
    /// The id of an item depends only on the items before it: a later page renames nothing.
    ///
    /// - Complexity: O(items), even when all identities are equal, since the numbers of an identity
    ///   only increase and each existing id can collide with one identity and one number.
    static func suffixes(in parts: ChunkedList<MergedSection.Part>) -> ChunkedList<ItemSuffix> {
        var ids = ItemIds(itemCount: parts.last.map { $0.items.upperBound } ?? 0)
        var suffixes = ChunkedList<ItemSuffix>()
        for part in parts { ids.add(part) { suffixes.append($0) } }
        return suffixes
    }
}

/// The ids of a section's items, as far as successive versions of the section have them in common.
///
/// All versions share one table. It is changed to the items of the version that is made from it, so
/// that a version with more items costs only these.
final class SharedItemIds: Sendable {
    private struct State {
        var ids = ItemIds(itemCount: 0)
        /// The parts whose items are in the table.
        var parts: ChunkedList<MergedSection.Part> = []
    }

    private let state = LockedValue(State())

    /// The number of items that were added to the table for all versions.
    var addedItemCount: Int { state.withLock { $0.ids.addedItemCount } }

    /// Returns the suffixes of the items of a section from a part on.
    ///
    /// - Complexity: O(items of these parts), and O(items of the parts before) that the table does
    ///   not have yet, or has besides, or has of another version of their page.
    func suffixes(
        in parts: ChunkedList<MergedSection.Part>, from first: Int
    ) -> [ItemSuffix] {
        state.withLock { state in
            var renewed: [MergedSection.Part] = []
            let common = state.parts.commonPrefixCount(with: parts) { kept, part in
                if kept.isSame(as: part) { return true }
                guard kept.hasSameIdentities(as: part) else { return false }
                renewed.append(part)
                return true
            }
            let unchanged = min(first, common)
            // The table refers to the texts in the pages, of which the earlier ones are not kept.
            for part in renewed {
                state.ids.replace(parts.partitioningIndex { $0.start > part.start } - 1, by: part)
            }
            if unchanged < state.parts.count {
                state.ids.truncate(to: state.parts[unchanged].start)
            }
            for index in unchanged..<first { state.ids.add(parts[index]) { _ in } }
            var suffixes: [ItemSuffix] = []
            for index in first..<parts.count { state.ids.add(parts[index]) { suffixes.append($0) } }
            state.parts = parts
            return suffixes
        }
    }

    static func byteCount(_ itemCount: Int, _ suffixCount: Int) -> Int {
        // An item has an entry, and up to four slots after the table has grown.
        itemCount * (MemoryLayout<ItemIds.Entry>.stride + 16)
            + suffixCount * (MemoryLayout<ItemIds.Given>.stride + 64)
    }
}

/// The ids of a section's items: a hash table of references to their texts.
///
/// The hash has secrets, so that posted ids cannot be chosen to collide.
private struct ItemIds: Sendable {
    struct Entry: Sendable {
        let hash: UInt32
        let cell: UInt32
        let number: UInt32
        let part: UInt32
    }

    /// A suffix, with the values to restore when it is taken back.
    struct Given: Sendable {
        let item: Int
        /// The entry of the item with the same identity.
        let taken: Int
        /// The next number of the identity before.
        let previous: Int?
    }

    private let hash = TextHash.ofProcess
    private var parts: [MergedSection.Part] = []
    private var entries: [Entry] = []
    /// The indices of entries plus 1; 0 marks a free slot.
    ///
    /// The count is a power of two, and at least twice the number of entries.
    private var slots: [UInt32]
    /// The next number of each identity that several items have, by its entry.
    private var next: [Int: Int] = [:]
    private var given: [Given] = []
    /// The number of items that were added, those included that were removed.
    private(set) var addedItemCount = 0

    init(itemCount: Int) {
        entries.reserveCapacity(itemCount)
        var capacity = 16
        while capacity < itemCount * 2 { capacity *= 2 }
        slots = Array(repeating: 0, count: capacity)
    }

    /// Adds the items of the next part, and calls `body` with the suffixes that they get.
    mutating func add(_ part: MergedSection.Part, _ body: (ItemSuffix) -> Void) {
        let index = parts.count
        parts.append(part)
        addedItemCount += part.count
        grow(to: entries.count + part.count)
        let cells = part.cells
        part.page.bytes.withUnsafeBytes { bytes in
            for cell in cells.indices {
                let id = Id(part: index, cell: cell, number: 1)
                guard let taken = insert(id, for: cells[cell].id, text: bytes) else { continue }
                let previous = next[taken]
                var number = previous ?? 2
                while insert(id.numbered(number)) != nil { number += 1 }
                next[taken] = number + 1
                let item = part.start + cell - cells.startIndex
                given.append(Given(item: item, taken: taken, previous: previous))
                body(ItemSuffix(item: item, number: number))
            }
        }
    }

    /// Replaces a part by one whose items have the same identities at the same indices.
    mutating func replace(_ index: Int, by part: MergedSection.Part) { parts[index] = part }

    /// Removes the items from an index on, which is the first one of a part.
    ///
    /// - Complexity: O(removed items).
    mutating func truncate(to itemCount: Int) {
        // Entries are in the order in which they took their slots: when the last one leaves, the
        // table is as it was before.
        while entries.count > itemCount, let entry = entries.popLast() {
            slots[slot(of: entries.count, entry)] = 0
        }
        while let last = given.last, last.item >= itemCount {
            next[last.taken] = last.previous
            given.removeLast()
        }
        while let last = parts.last, last.start >= itemCount { parts.removeLast() }
    }

    private func slot(of index: Int, _ entry: Entry) -> Int {
        var slot = Int(entry.hash) & (slots.count - 1)
        while slots[slot] != UInt32(truncatingIfNeeded: index + 1) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func grow(to count: Int) {
        guard count * 2 > slots.count else { return }
        var capacity = slots.count
        while capacity < count * 2 { capacity *= 2 }
        slots = Array(repeating: 0, count: capacity)
        for (index, entry) in entries.enumerated() {
            var slot = Int(entry.hash) & (capacity - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = UInt32(truncatingIfNeeded: index + 1)
        }
    }
}

extension ItemIds {
    /// An item's identity and its number; 1 is written without a number.
    private struct Id {
        let part: Int
        let cell: Int
        var number: Int

        func numbered(_ number: Int) -> Id {
            Id(part: part, cell: cell, number: number)
        }
    }

    /// Inserts an id unless an equal one exists.
    ///
    /// - Returns: The position of the existing id in the order of insertion, or `nil`.
    /// - Complexity: O(length), expected.
    private mutating func insert(_ id: Id) -> Int? {
        // A static method: a closure in a method of `self` would borrow `self` while it changes the
        // tables, and they would be copied at every insertion.
        Self.withText(of: id, in: parts) { insert(id, text: $0) }
    }

    /// Inserts the id of an item without a number, as ``insert(_:)`` does.
    ///
    /// An identity without escapes, the usual one, is read from `bytes`, which are its page's: the
    /// page is not retained for each item.
    @inline(__always)
    private mutating func insert(
        _ id: Id, for identity: CellInfo.Identity, text bytes: UnsafeRawBufferPointer
    ) -> Int? {
        guard case .text(let range, hasEscapes: false) = identity else { return insert(id) }
        let text = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        return insert(id, text: UnsafeRawBufferPointer(rebasing: text))
    }

    private mutating func insert(_ id: Id, text: UnsafeRawBufferPointer) -> Int? {
        let hash = hash(text)
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot] - 1)
            if entries[index].hash == hash, isEqual(entries[index], text) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        entries.append(
            Entry(
                hash: hash, cell: UInt32(truncatingIfNeeded: id.cell),
                number: UInt32(truncatingIfNeeded: id.number),
                part: UInt32(truncatingIfNeeded: id.part)))
        slots[slot] = UInt32(truncatingIfNeeded: entries.count)
        return nil
    }

    private func isEqual(_ entry: Entry, _ text: UnsafeRawBufferPointer) -> Bool {
        let id = Id(part: Int(entry.part), cell: Int(entry.cell), number: Int(entry.number))
        return Self.withText(of: id, in: parts) { $0.elementsEqual(text) }
    }

    /// Calls `body` with the id in UTF-8; the buffer is valid only during the call.
    private static func withText<Result>(
        of id: Id, in parts: [MergedSection.Part], _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let page = parts[id.part].page
        let identity = parts[id.part].cells[id.cell].id
        if id.number == 1, case .text(let range, hasEscapes: false) = identity {
            return page.bytes.withUnsafeBytes { bytes in
                body(
                    UnsafeRawBufferPointer(
                        rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
            }
        }
        var text = page.text(of: identity)
        if id.number > 1 { text += Array("#\(id.number)".utf8) }
        return text.withUnsafeBytes(body)
    }
}

extension ResolvedPage {
    /// Returns an identity in UTF-8: its text, or the item's position as `p0.u2.e5`.
    package func text(of identity: CellInfo.Identity) -> [UInt8] {
        switch identity {
        case .text(let range, let hasEscapes):
            JSONText(bytes: bytes, range: range, hasEscapes: hasEscapes).utf8
        case .position(let unit, let element):
            Array("p\(number).u\(unit).e\(element)".utf8)
        }
    }
}
