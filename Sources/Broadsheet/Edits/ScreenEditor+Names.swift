import BroadsheetCollections

/// The search for items by the names that operations give them.
extension ScreenEditor {
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
            var start = 0
            for part in parts {
                let items = start..<start + itemCount(of: part)
                if items ~= index { return try item(index - start, of: part) }
                start = items.upperBound
            }
            throw EditFailure(
                "The section has \(start) items, and none with the index \(index).", at: pointer)
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
        var search = ItemSearch(parts, count: targets.count)
        var named: Set<Item> = []
        var items: [Item] = []
        for (index, target) in targets.enumerated() {
            let pointer = "/items/\(index)"
            let item = try self.item(target, of: parts, at: pointer, &search)
            guard named.insert(item).inserted else {
                throw EditFailure("The item is named twice.", at: pointer)
            }
            items.append(item)
        }
        return items
    }

    /// Returns the item that one of many names of an operation means.
    private func item(
        _ target: UpdateTarget, of parts: [Part], at pointer: String, _ search: inout ItemSearch
    ) throws(EditFailure) -> Item {
        guard case .id(let id) = target else {
            if case .index(let index) = target, let item = try search.item(at: index, in: self) {
                return item
            }
            return try item(target, of: parts, at: pointer)
        }
        let name = ItemName(id)
        if search.itemsById == nil,
            directory == nil && search.isLong || isNumbered(name, in: parts)
        {
            search.itemsById = try itemsById(of: parts)
        }
        let item =
            if let known = search.itemsById { known[name.key] } else {
                try firstItem(name, in: candidates(for: name, among: parts))
            }
        guard let item else { throw .noItem(id, at: pointer) }
        return item
    }

    /// Returns the item of an id, or `nil`.
    func item(_ name: ItemName, of parts: [Part]) throws(EditFailure) -> Item? {
        // An item whose identity an earlier one has is numbered by all items before it.
        if isNumbered(name, in: parts) { return try itemsById(of: parts, like: name)[name.key] }
        return try firstItem(name, in: candidates(for: name, among: parts))
    }

    /// Returns whether an item of a section may have got its number to have this id.
    ///
    /// An item gets the id `a#2` only because an earlier one has the id `a`: one with the identity
    /// `a`, or one that has got it as its number in turn.
    private func isNumbered(_ name: ItemName, in parts: [Part]) -> Bool {
        var name = name
        while let base = name.base {
            let count = itemCount(base, in: candidates(for: base, among: parts))
            guard count == 1 else { return count > 1 }
            name = base
        }
        return false
    }

    /// Returns the number of items of an identity, at most 2.
    private func itemCount(_ name: ItemName, in parts: some Sequence<Part>) -> Int {
        var count = 0
        for part in parts where count < 2 {
            count +=
                openedPage(part.page)?.itemCount(name, ofSection: part.section)
                ?? pages[part.page].itemCount(name, ofSection: part.section)
        }
        return min(count, 2)
    }

    /// Returns the parts that can have an item of that identity, in their order.
    private func candidates(for name: ItemName, among parts: [Part]) -> [Part] {
        guard let pages = candidates(for: name) else { return parts }
        return pages.flatMap { page in
            parts[parts.partitioningIndex { $0.page >= page }...].prefix { $0.page == page }
        }
    }

    /// Returns the item of an id in a section of an id, if the directory is enough to find it;
    /// otherwise `nil`, although there may be one, such as one with a number.
    ///
    /// - Complexity: O(items of the pages that the directory names), expected.
    func knownItem(_ id: String, ofSection section: String) throws(EditFailure) -> Item? {
        guard directory != nil else { return nil }
        let name = ItemName(id)
        guard !name.hasNumber else { return nil }
        if let page = onlyCandidate(for: name) {
            return try knownItem(name, ofSection: section, in: page)
        }
        for page in candidates(for: name) ?? [] {
            let found = try knownItem(name, ofSection: section, in: page)
            if let found { return found }
        }
        return nil
    }

    private func knownItem(
        _ name: ItemName, ofSection section: String, in page: Int
    ) throws(EditFailure) -> Item? {
        guard let opened = openedPage(page) else {
            for index in 0..<sectionCount(ofPage: page) where isSection(index, section, page) {
                let found = try firstItem(name, in: Part(page: page, section: index))
                if let found { return found }
            }
            return nil
        }
        for index in opened.sections.indices where opened.isSection(index, section) {
            if let found = opened.firstItem(name, ofSection: index) {
                return Item(page: page, item: found)
            }
        }
        return nil
    }

    /// Returns the index of the page that can have an item of that identity, if the directory shows
    /// that there is one such page.
    private func onlyCandidate(for name: ItemName) -> Int? {
        guard let directory, name.position == nil, record.newIdentities[name.hash] == nil else {
            return nil
        }
        return directory.onlyPage(with: name.hash).flatMap(pages.index(ofPage:))
    }

    private func firstItem(
        _ name: ItemName, in parts: some Sequence<Part>
    ) throws(EditFailure) -> Item? {
        for part in parts {
            let found = try firstItem(name, in: part)
            if let found { return found }
        }
        return nil
    }

    private func firstItem(_ name: ItemName, in part: Part) throws(EditFailure) -> Item? {
        if let page = openedPage(part.page) {
            let found = page.firstItem(name, ofSection: part.section)
            return found.map { Item(page: part.page, item: $0) }
        }
        let found = pages[part.page].firstItem(name, ofSection: part.section)
        guard let found else { return nil }
        return try item(found, of: part)
    }

    /// Returns the indexes of the pages that can have an item of that identity, ascending; `nil`
    /// without a directory.
    private func candidates(for name: ItemName) -> [Int]? {
        guard let directory else { return nil }
        var numbers = directory.pages(with: name.hash)
        if let position = name.position { numbers.append(position.page) }
        if let new = record.newIdentities[name.hash] { numbers += new }
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
        for unit in 0..<sections[section].units.count {
            let found = sections[section].units[unit].firstItem(name, at: position, inUnit: unit)
            if let (placement, element) = found {
                return PageItem(
                    section: section, unit: unit, placement: placement, element: element)
            }
        }
        return nil
    }

    /// Returns the number of items of a section that the name is the identity of.
    ///
    /// - Complexity: O(items).
    func itemCount(_ name: ItemName, ofSection section: Int) -> Int {
        let position = name.position?.page == number ? name.position : nil
        return sections[section].units.enumerated().reduce(0) { count, unit in
            unit.element.placements.reduce(count) { count, placement in
                guard placement.isItems else { return count }
                let placed = placement.element(atPosition: position, inUnit: unit.offset)
                return count + placement.elements.count(of: name) + (placed == nil ? 0 : 1)
            }
        }
    }

    /// Returns the identity of an item, before a number distinguishes it from equal ones.
    func identity(of item: PageItem) -> [UInt8] {
        placement(of: item).elements[item.element].text?.utf8
            ?? Array("p\(number).u\(item.unit).e\(item.element)".utf8)
    }
}

extension EditedUnit {
    /// Returns the placement and the element of the first item that the name is the identity of, or
    /// `nil`.
    ///
    /// - Complexity: O(items).
    fileprivate func firstItem(
        _ name: ItemName, at position: (page: Int, unit: Int, element: Int)?, inUnit unit: Int
    ) -> (placement: Int, element: Int)? {
        // The buffer gives access to a placement without a copy of it.
        placements.withUnsafeBufferPointer { placements in
            for place in placements.indices where placements[place].isItems {
                var found = placements[place].elements.firstIndex(of: name)
                if position != nil,
                    let placed = placements[place].element(atPosition: position, inUnit: unit)
                {
                    found = min(placed, found ?? placed)
                }
                if let found { return (place, found) }
            }
            return nil
        }
    }
}

extension WeightedList<EditedItem> {
    /// Returns the index of the first item that the name is the identity of, or `nil`.
    ///
    /// - Complexity: O(items).
    fileprivate func firstIndex(of name: ItemName, from start: Int = 0) -> Int? {
        firstIndex(from: start) { item in
            item.hash == name.hash && item.isMade
                && item.text?.equals(utf8: name.key.utf8) == true
        }
    }

    /// Returns the number of items that the name is the identity of.
    ///
    /// - Complexity: O(items).
    fileprivate func count(of name: ItemName) -> Int {
        var (count, start) = (0, 0)
        while let index = firstIndex(of: name, from: start) {
            (count, start) = (count + 1, index + 1)
        }
        return count
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
    fileprivate func firstItem(
        _ name: ItemName, ofSection section: Int, from start: Int = 0
    ) -> Int? {
        let cells = sections[section].cells
        let position = name.position?.page == number ? name.position : nil
        let text = name.key.utf8
        return bytes.withUnsafeBufferPointer { bytes -> Int? in
            for index in cells.indices.dropFirst(start) {
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

    /// Returns the number of items of a section that the name is the identity of.
    ///
    /// - Complexity: O(items).
    fileprivate func itemCount(_ name: ItemName, ofSection section: Int) -> Int {
        var (count, start) = (0, 0)
        while let index = firstItem(name, ofSection: section, from: start) {
            (count, start) = (count + 1, index + 1)
        }
        return count
    }
}
