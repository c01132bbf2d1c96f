import BroadsheetClient

/// A directory of the pages with items of each identity, for searches in screens of many pages.
///
/// It may name pages that no longer have such an item, but never misses one that has, because
/// pages are only added. Copies of a view model share it.
package final class ItemDirectory: Sendable {
    fileprivate struct Table {
        /// Hashes of identities and page numbers plus 1; 0 marks a free slot.
        ///
        /// The count is a power of two, and at least twice the number of entries.
        var slots: [UInt64]
        var count = 0
    }

    private let table: LockedValue<Table>
    private let companion = LockedValue<(any AnyObject & Sendable)?>(nil)

    /// Returns whether a search in a screen without a directory would take long.
    static func isNeeded(pages: Int, items: Int) -> Bool {
        pages > 8 || pages > 1 && items > 4096
    }

    /// Creates a directory of pages.
    ///
    /// - Complexity: O(items), expected.
    init(_ pages: some Sequence<ResolvedPage>, itemCount: Int) {
        var capacity = 64
        while capacity < itemCount * 2 { capacity *= 2 }
        table = LockedValue(Table(slots: Array(repeating: 0, count: capacity)))
        for page in pages { add(page) }
    }

    /// The number of entries, those of earlier pages included.
    var count: Int { table.withLock(\.count) }

    package var byteCount: Int {
        table.withLock { $0.slots.count * MemoryLayout<UInt64>.stride }
    }

    /// Keeps an object as long as the directory, such as the reservation of its memory.
    package func keep(_ object: any AnyObject & Sendable) { companion.withLock { $0 = object } }

    /// Adds the items of a page.
    ///
    /// - Complexity: O(items), expected.
    func add(_ page: ResolvedPage) {
        table.withLock { table in
            for section in page.sections {
                for cell in section.cells {
                    guard case .text(let range, let hasEscapes) = cell.id else { continue }
                    let text = JSONText(bytes: page.bytes, range: range, hasEscapes: hasEscapes)
                    table.insert(TextHash.ofIdentity(text), page: page.number)
                }
            }
        }
    }

    /// Returns the number of the page that may have items of a hash, if there is only one.
    func onlyPage(with hash: UInt32) -> Int? {
        table.withLock { table in
            var only: UInt64 = 0
            var slot = Int(hash) & (table.slots.count - 1)
            while table.slots[slot] != 0 {
                let entry = table.slots[slot]
                if UInt32(truncatingIfNeeded: entry >> 32) == hash {
                    if only != 0 { return nil }
                    only = entry
                }
                slot = (slot + 1) & (table.slots.count - 1)
            }
            return only == 0 ? nil : Int(UInt32(truncatingIfNeeded: only)) - 1
        }
    }

    /// Returns the numbers of the pages that may have items of a hash, each once, in any order.
    func pages(with hash: UInt32) -> [Int] {
        table.withLock { table in
            var pages: [Int] = []
            var slot = Int(hash) & (table.slots.count - 1)
            while table.slots[slot] != 0 {
                let entry = table.slots[slot]
                if UInt32(truncatingIfNeeded: entry >> 32) == hash {
                    pages.append(Int(UInt32(truncatingIfNeeded: entry)) - 1)
                }
                slot = (slot + 1) & (table.slots.count - 1)
            }
            return pages
        }
    }
}

extension ItemDirectory.Table {
    fileprivate mutating func insert(_ hash: UInt32, page: Int) {
        if count * 2 >= slots.count { grow() }
        insert(UInt64(hash) << 32 | UInt64(UInt32(truncatingIfNeeded: page + 1)))
    }

    private mutating func insert(_ entry: UInt64) {
        var slot = Int(entry >> 32) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] == entry { return }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = entry
        count += 1
    }

    private mutating func grow() {
        let entries = slots.filter { $0 != 0 }
        slots = Array(repeating: 0, count: slots.count * 2)
        count = 0
        for entry in entries { insert(entry) }
    }
}
