/// The search for items by ids with numbers, which items get whose ids earlier items have.
extension ScreenEditor {
    /// A section and the beginning of ids.
    struct NumberedRoot: Hashable {
        /// The first part of the section.
        let part: Part
        /// The ids without their numbers.
        let root: JSONKey
    }

    /// The items of a section by their ids, for ids with one root.
    struct NumberedItems {
        /// The number of edits of items before they were listed.
        let edits: Int
        let items: [JSONKey: Item]
    }

    /// The number of numbers of an id above which all items with its root are listed at once.
    private static let maxSearchedNumbers = 32

    /// Returns whether an item of a section may have got its number to have this id.
    ///
    /// An item gets the id `a#2` only because an earlier one has the id `a`: one with the identity
    /// `a`, or one that has got it as its number in turn.
    func isNumbered(_ name: ItemName, in parts: [Part]) -> Bool {
        var name = name
        for _ in 0..<Self.maxSearchedNumbers {
            guard let base = name.base else { return false }
            let count = itemCount(base, in: candidates(for: base, among: parts))
            guard count == 1 else { return count > 1 }
            name = base
        }
        return true
    }

    /// Returns the item of an id that an item may have got by its number, or `nil`.
    ///
    /// - Complexity: O(parts and log items) if no identity has a number; otherwise O(items) after
    ///   each change of items.
    func numberedItem(_ name: ItemName, of parts: [Part]) throws(EditFailure) -> Item? {
        let repeated = try repeatedItem(name, of: parts)
        if repeated.isKnown { return repeated.item }
        let edits = record.unitEdits + record.placeEdits
        let key = NumberedRoot(part: parts[0], root: name.root.key)
        if let known = numberedItems[key], known.edits == edits { return known.items[name.key] }
        let items = try itemsById(of: parts, like: name)
        numberedItems = numberedItems.filter { $0.value.edits == edits }
        numberedItems[key] = NumberedItems(edits: edits, items: items)
        return items[name.key]
    }

    /// Returns the item of an id by counting the items with the identity before its number, and
    /// whether that is enough: if no other identity has the same root, and a number.
    private func repeatedItem(
        _ name: ItemName, of parts: [Part]
    ) throws(EditFailure) -> (isKnown: Bool, item: Item?) {
        guard let number = name.onlyNumber, let base = name.base, base.position == nil else {
            return (false, nil)
        }
        var (left, item) = (number - 1, Item?.none)
        for part in parts {
            let page = try page(part.page)
            guard !page.hasNumberedItems(base) else { return (false, nil) }
            guard item == nil else { continue }
            let (found, count) = page.item(left, named: base, ofSection: part.section)
            item = found.map { Item(page: part.page, item: $0) }
            left -= count
        }
        return (true, item)
    }

    /// Returns the items of a section that could have an id by their ids, which are those of the
    /// tree.
    ///
    /// - Complexity: O(items).
    private func itemsById(
        of parts: [Part], like name: ItemName
    ) throws(EditFailure) -> [JSONKey: Item] {
        // However many items there are, one list of them is permitted.
        let isRepeated = hasListedNumbers
        hasListedNumbers = true
        var items: [JSONKey: Item] = [:]
        var next: [JSONKey: Int] = [:]
        for part in parts {
            let page = try page(part.page)
            for item in try self.items(of: part) {
                let text = page.identity(of: item.item)
                guard name.couldBeNumbered(from: text) else { continue }
                try record.number(text.count, isRepeated: isRepeated)
                var id = JSONKey(utf8: text)
                if items[id] != nil {
                    let base = id
                    var number = next[base] ?? 2
                    repeat {
                        try record.number(text.count, isRepeated: isRepeated)
                        id = JSONKey(utf8: text + Array("#\(number)".utf8))
                        number += 1
                    } while items[id] != nil
                    next[base] = number
                }
                items[id] = item
            }
        }
        return items
    }
}
