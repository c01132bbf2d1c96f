/// The search for items by the names that operations give them.
extension ScreenEditor {
    /// The number of names in one operation above which the ids of a section are indexed.
    private static let minIndexedNames = 16

    /// Returns the item that an operation names.
    ///
    /// - Parameters:
    ///   - target: The name.
    ///   - parts: The parts of its section.
    ///   - pointer: The pointer to the name in the operation.
    /// - Throws: A failure if there is no such item.
    /// - Complexity: O(items) for an id, O(parts and units) for an index.
    func item(
        _ target: UpdateTarget, of parts: [Part], at pointer: String
    ) throws(EditFailure) -> Item {
        switch target {
        case .index(let index):
            var left = index
            for part in parts {
                let count = itemCount(of: part)
                if left < count { return try item(left, of: part) }
                left -= count
            }
            throw EditFailure(
                "The section has \(index - left) items, and none with the index \(index).",
                at: pointer)
        case .id(let id):
            guard let item = try item(ItemName(id), of: parts) else {
                throw .noItem(id, at: pointer)
            }
            return item
        }
    }

    /// Returns the items that an operation names, in the order of the names.
    ///
    /// - Throws: A failure if there is no such item, or if an item is named twice.
    func items(
        _ targets: [UpdateTarget], of parts: [Part]
    ) throws(EditFailure) -> [Item] {
        let known = targets.count > Self.minIndexedNames ? try itemsById(of: parts) : nil
        var named: Set<Item> = []
        var items: [Item] = []
        for (index, target) in targets.enumerated() {
            let pointer = "/items/\(index)"
            let item: Item
            if case .id(let id) = target, let known {
                guard let found = known[JSONKey(id)] else { throw .noItem(id, at: pointer) }
                item = found
            } else {
                item = try self.item(target, of: parts, at: pointer)
            }
            guard named.insert(item).inserted else {
                throw EditFailure("The item is named twice.", at: pointer)
            }
            items.append(item)
        }
        return items
    }

    /// Returns the item of an id, or `nil`.
    func item(_ name: ItemName, of parts: [Part]) throws(EditFailure) -> Item? {
        // An item whose identity an earlier one has is numbered by all items before it.
        if name.mayBeNumbered { return try itemsById(of: parts, like: name)[name.key] }
        guard let candidates = candidates(for: name), parts.count > ItemDirectory.minParts else {
            return try firstItem(name, in: parts)
        }
        for index in candidates {
            let first = parts.partitioningIndex { $0.page >= index }
            let own = parts[first...].prefix { $0.page == index }
            if let found = try firstItem(name, in: own) { return found }
        }
        return nil
    }

    /// Returns the item of an id in a section of an id, if the directory is enough to find it;
    /// otherwise `nil`, although there may be one.
    ///
    /// - Complexity: O(items of the pages that the directory names), expected.
    func knownItem(_ id: String, ofSection section: String) throws(EditFailure) -> Item? {
        let name = ItemName(id)
        guard !name.mayBeNumbered, let candidates = candidates(for: name) else { return nil }
        for page in candidates {
            for index in 0..<sectionCount(ofPage: page) where isSection(index, section, page) {
                let found = try firstItem(
                    name, in: CollectionOfOne(Part(page: page, section: index)))
                if let found { return found }
            }
        }
        return nil
    }

    private func firstItem(
        _ name: ItemName, in parts: some Sequence<Part>
    ) throws(EditFailure) -> Item? {
        for part in parts {
            if let page = openedPage(part.page) {
                if let found = page.firstItem(name, ofSection: part.section) {
                    return Item(page: part.page, item: found)
                }
            } else if let index = pages[part.page].firstItem(name, ofSection: part.section) {
                return try item(index, of: part)
            }
        }
        return nil
    }

    /// Returns the indexes of the pages that can have an item of that identity, ascending; `nil`
    /// without a directory.
    private func candidates(for name: ItemName) -> [Int]? {
        guard let directory else { return nil }
        var numbers = directory.pages(with: name.hash)
        if let position = name.position { numbers.append(position.page) }
        if let new = newIdentities?.pages[name.hash] { numbers += new }
        if numbers.count == 1, let index = pages.index(ofPage: numbers[0]) {
            numbers[0] = index
            return numbers
        }
        return Set(numbers).sorted().compactMap(pages.index(ofPage:))
    }

    /// Returns the items of a section by their ids, which are those of the tree.
    ///
    /// - Parameters:
    ///   - parts: The parts of the section.
    ///   - name: Of which only items that could have this id matter; `nil` for all.
    /// - Complexity: O(items).
    func itemsById(
        of parts: [Part], like name: ItemName? = nil
    ) throws(EditFailure) -> [JSONKey: Item] {
        var items: [JSONKey: Item] = [:]
        var next: [JSONKey: Int] = [:]
        for part in parts {
            let page = try page(part.page)
            for item in try self.items(of: part) {
                let text = page.identity(of: item.item)
                if let name, !name.couldBeNumbered(from: text) { continue }
                var id = JSONKey(utf8: text)
                if items[id] != nil {
                    let base = id
                    var number = next[base] ?? 2
                    repeat {
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

/// The id of an item in the tree, as an operation names it.
struct ItemName {
    /// The id.
    let key: JSONKey
    /// The hash of the id.
    let hash: UInt32
    /// The position that an item without an own id has, if the id is of that form: `p0.u2.e5`.
    let position: (page: Int, unit: Int, element: Int)?
    /// The id without its numbers, such as `a` of `a#2` and `a#2#3`.
    private let root: ArraySlice<UInt8>

    /// Creates the name of an item from its id.
    init(_ id: String) {
        self.init(JSONKey(id))
    }

    /// Creates the name of an item from its id.
    init(_ key: JSONKey) {
        self.key = key
        hash = EditedItem.hash(key.utf8)
        position = Self.position(key.utf8)
        var root = key.utf8[...]
        while let mark = root.lastIndex(of: UInt8(ascii: "#")),
            Self.number(root[(mark + 1)...]) ?? 0 >= 2
        {
            root = root[..<mark]
        }
        self.root = root
    }

    /// A Boolean value that indicates whether the id may be one with a number, such as `a#2`.
    var mayBeNumbered: Bool { root.count < key.utf8.count }

    /// Returns whether the id could be that of an item of this identity, with or without a number.
    func couldBeNumbered(from identity: [UInt8]) -> Bool {
        identity.starts(with: root)
            && (identity.count == root.count || identity[root.count] == UInt8(ascii: "#"))
    }

    private static func position(_ text: [UInt8]) -> (Int, Int, Int)? {
        guard text.first == UInt8(ascii: "p"), text.count < 64 else { return nil }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let numbers = zip(parts, "pue".utf8).compactMap { part, letter in
            part.first == letter ? number(part.dropFirst()) : nil
        }
        return numbers.count == 3 ? (numbers[0], numbers[1], numbers[2]) : nil
    }

    /// Returns the number of digits without a leading zero, or `nil`.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        let zero = UInt8(ascii: "0")
        guard let first = digits.first, digits.count <= 18, first != zero || digits.count == 1,
            digits.allSatisfy({ zero...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - zero) }
    }
}

extension EditFailure {
    /// The failure of an operation that names an item that the section does not have.
    static func noItem(_ id: String, at pointer: String) -> EditFailure {
        EditFailure("The section has no item with the id \"\(id)\".", at: pointer)
    }
}

extension EditedPage {
    /// Returns the first item of a section that the name is the identity of, or `nil`.
    ///
    /// - Complexity: O(items).
    func firstItem(_ name: ItemName, ofSection section: Int) -> PageItem? {
        let position = name.position?.page == number ? name.position : nil
        let units = sections[section].units
        for unit in units.indices {
            let placements = units[unit].placements
            for place in placements.indices where placements[place].isItems {
                let found = placements[place].elements.firstIndex(of: name)
                let placed = placements[place].element(atPosition: position, inUnit: unit)
                if let element = placed.map({ min($0, found ?? $0) }) ?? found {
                    return PageItem(
                        section: section, unit: unit, placement: place, element: element)
                }
            }
        }
        return nil
    }

    /// Returns the identity of an item, before a number distinguishes it from equal ones.
    func identity(of item: PageItem) -> [UInt8] {
        placement(of: item).elements[item.element].text?.utf8
            ?? Array("p\(number).u\(item.unit).e\(item.element)".utf8)
    }
}

extension [EditedItem] {
    /// Returns the index of the first item that the name is the identity of, or `nil`.
    ///
    /// - Complexity: O(items).
    fileprivate func firstIndex(of name: ItemName) -> Int? {
        // The buffer gives access to an element without a copy of it.
        withUnsafeBufferPointer { items in
            for index in items.indices
            where items[index].hash == name.hash && items[index].isMade {
                if let text = items[index].text, text.equals(utf8: name.key.utf8) { return index }
            }
            return nil
        }
    }
}

extension EditedPlacement {
    /// Returns the element of a position if it has no other identity, or `nil`.
    fileprivate func element(
        atPosition position: (page: Int, unit: Int, element: Int)?, inUnit unit: Int
    ) -> Int? {
        guard let position, position.unit == unit, let item = elements[safe: position.element],
            item.isMade, item.text == nil
        else { return nil }
        return position.element
    }
}

extension ResolvedPage {
    /// Returns the index in a section of the first item that the name is the identity of, or `nil`.
    ///
    /// - Complexity: O(items).
    fileprivate func firstItem(_ name: ItemName, ofSection section: Int) -> Int? {
        let cells = sections[section].cells
        let position = name.position?.page == number ? name.position : nil
        let text = name.key.utf8
        return bytes.withUnsafeBufferPointer { bytes -> Int? in
            for index in cells.indices {
                switch cells[index].id {
                case .text(let range, hasEscapes: false):
                    guard range.count == text.count else { continue }
                    let identity = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
                    if identity.elementsEqual(text) { return index - cells.startIndex }
                case .text:
                    if self.text(of: cells[index].id) == text { return index - cells.startIndex }
                case .position(let unit, let element):
                    guard let position, position.unit == unit, position.element == element else {
                        continue
                    }
                    return index - cells.startIndex
                }
            }
            return nil
        }
    }
}
