/// The number that distinguishes an item from earlier items of its section with the same identity.
package struct ItemSuffix: Sendable, Hashable {
    /// The item's index in its section.
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
    static func suffixes(in parts: [MergedSection.Part]) -> [ItemSuffix] {
        if parts.areDistinct { return [] }
        var ids = ItemIds(parts)
        var suffixes: [ItemSuffix] = []
        var next: [Int: Int] = [:]
        var item = 0
        for (index, part) in parts.enumerated() {
            part.page.bytes.withUnsafeBytes { bytes in
                for cell in part.cells.indices {
                    let id = ItemIds.Id(part: index, cell: cell, number: 1)
                    if let taken = ids.insert(id, part.cells[cell].id, bytes) {
                        var number = next[taken] ?? 2
                        while ids.insert(id.numbered(number)) != nil { number += 1 }
                        next[taken] = number + 1
                        suffixes.append(ItemSuffix(item: item, number: number))
                    }
                    item += 1
                }
            }
        }
        return suffixes
    }
}

extension [MergedSection.Part] {
    /// A Boolean value that indicates whether no two items can have the same identity: the
    /// positions of ascending pages are different.
    fileprivate var areDistinct: Bool {
        guard count > 1 else { return first.map { $0.hasDistinctPositions } ?? true }
        return allSatisfy(\.hasDistinctPositions)
            && zip(self, dropFirst()).allSatisfy { $0.page.number < $1.page.number }
    }
}

/// The ids of a section's items: a hash table of references to their texts.
///
/// The hash has secrets, so that posted ids cannot be chosen to collide.
private struct ItemIds {
    /// An item's identity and its number; 1 is written without a number.
    struct Id {
        let part: Int
        let cell: Int
        var number: Int

        func numbered(_ number: Int) -> Id {
            Id(part: part, cell: cell, number: number)
        }
    }

    private struct Entry {
        let hash: UInt32
        let part: UInt32
        let cell: UInt32
        let number: UInt32
    }

    private let parts: [MergedSection.Part]
    private let hash = TextHash.ofProcess
    private var entries: [Entry] = []
    /// The indices of entries plus 1; 0 marks a free slot.
    ///
    /// The count is a power of two, and at least twice the number of entries.
    private var slots: [UInt32]

    init(_ parts: [MergedSection.Part]) {
        self.parts = parts
        let count = parts.reduce(0) { $0 + $1.cells.count }
        entries.reserveCapacity(count)
        var capacity = 16
        while capacity < count * 2 { capacity *= 2 }
        slots = Array(repeating: 0, count: capacity)
    }

    /// Inserts an id unless an equal one exists.
    ///
    /// - Returns: The position of the existing id in the order of insertion, or `nil`.
    /// - Complexity: O(length), expected.
    mutating func insert(_ id: Id) -> Int? {
        // A static method: a closure in a method of `self` would borrow `self` while it changes the
        // tables, and they would be copied at every insertion.
        Self.withText(of: id, in: parts) { insert(id, text: $0) }
    }

    /// Inserts the id of an item without a number, as ``insert(_:)`` does.
    ///
    /// An identity without escapes, the usual one, is read from `bytes`, which are its page's: the
    /// page is not retained for each item.
    @inline(__always)
    mutating func insert(
        _ id: Id, _ identity: CellInfo.Identity, _ bytes: UnsafeRawBufferPointer
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
                hash: hash, part: UInt32(truncatingIfNeeded: id.part),
                cell: UInt32(truncatingIfNeeded: id.cell),
                number: UInt32(truncatingIfNeeded: id.number)))
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
