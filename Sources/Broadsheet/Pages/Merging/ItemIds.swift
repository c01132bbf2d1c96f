/// The ids that a section's items have taken: a hash table of references to where their text stands.
///
/// Swift's hasher is seeded at random, so nobody can post ids that all fall into one place.
struct ItemIds {
    /// An item's identity, and the number behind it; 1 stands for none.
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
    private var entries: [Entry] = []
    /// Indices of entries plus 1; 0 is free.
    ///
    /// A power of two, at least twice the entries.
    private var slots: [UInt32]

    init(_ parts: [MergedSection.Part]) {
        self.parts = parts
        let count = parts.reduce(0) { $0 + $1.cells.count }
        entries.reserveCapacity(count)
        var capacity = 16
        while capacity < count * 2 { capacity *= 2 }
        slots = Array(repeating: 0, count: capacity)
    }

    /// Takes `id`; when an equal one is taken already, answers that one's place in the order of
    /// taking instead.
    ///
    /// O(length), expected.
    mutating func insert(_ id: Id) -> Int? {
        // Not a method's closure: one that borrows `self` while it changes it works on a copy, and
        // the tables would be copied at every insertion.
        Self.withText(of: id, in: parts) { text in
            var hasher = Hasher()
            hasher.combine(bytes: text)
            let hash = UInt32(truncatingIfNeeded: hasher.finalize())
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
    }

    private func isEqual(_ entry: Entry, _ text: UnsafeRawBufferPointer) -> Bool {
        let id = Id(part: Int(entry.part), cell: Int(entry.cell), number: Int(entry.number))
        return Self.withText(of: id, in: parts) { $0.elementsEqual(text) }
    }

    /// Calls `body` with the id's UTF-8, which is valid during the call only.
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
    /// What an identity says, in UTF-8: its text, or the item's place as `p0.u2.e5`.
    package func text(of identity: CellInfo.Identity) -> [UInt8] {
        switch identity {
        case .text(let range, let hasEscapes):
            JSONText(bytes: bytes, range: range, hasEscapes: hasEscapes).utf8
        case .position(let unit, let element):
            Array("p\(number).u\(unit).e\(element)".utf8)
        }
    }
}
