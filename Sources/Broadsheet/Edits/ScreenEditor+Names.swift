import BroadsheetCollections

/// The search for items by the names that operations give them.
extension ScreenEditor {
    /// Takes O(items) for an id until the items are indexed, O(parts and units) for an index.
    func item(
        _ target: UpdateTarget, of parts: [Part], at pointer: String
    ) throws(EditFailure) -> Item {
        switch target {
        case .index(let index):
            var start = 0
            for part in parts {
                try record.check()
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

    /// Throws a failure if there is no such item, or if an item is named twice.
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

    private func item(
        _ target: UpdateTarget, of parts: [Part], at pointer: String, _ search: inout ItemSearch
    ) throws(EditFailure) -> Item {
        guard case .id(let id) = target else {
            if case .index(let index) = target, let item = try search.item(at: index, in: self) {
                return item
            }
            return try item(target, of: parts, at: pointer)
        }
        guard let item = try item(ItemName(id), of: parts) else { throw .noItem(id, at: pointer) }
        return item
    }

    func item(_ name: ItemName, of parts: [Part]) throws(EditFailure) -> Item? {
        try record.check()
        // An item whose identity an earlier one has is numbered by all items before it.
        if isNumbered(name, in: parts) { return try numberedItem(name, of: parts) }
        return try firstItem(name, in: candidates(for: name, among: parts))
    }

    /// Returns the number of items of an identity, at most 2.
    func itemCount(_ name: ItemName, in parts: some Sequence<Part>) -> Int {
        var count = 0
        for part in parts where count < 2 {
            count +=
                openedPage(part.page)?.itemCount(name, ofSection: part.section)
                ?? pages[part.page].itemCount(name, ofSection: part.section, record)
        }
        return min(count, 2)
    }

    func candidates(for name: ItemName, among parts: [Part]) -> [Part] {
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

    /// The number of sections of a page above which one is found by the parts of its identifier.
    private static let maxPassedSections = 16

    private func knownItem(
        _ name: ItemName, ofSection section: String, in page: Int
    ) throws(EditFailure) -> Item? {
        guard sectionCount(ofPage: page) <= Self.maxPassedSections else {
            let parts = parts(of: Identifier(section))
            let first = parts.partitioningIndex { $0.page >= page }
            return try firstItem(name, in: parts[first...].prefix { $0.page == page })
        }
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
        let found = pages[part.page].firstItem(name, ofSection: part.section, record)
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
}

extension EditFailure {
    static func noItem(_ id: String, at pointer: String) -> EditFailure {
        EditFailure("The section has no item with the id \"\(id)\".", at: pointer)
    }
}

extension EditedPage {
    /// Returns the identity of an item, before a number distinguishes it from equal ones.
    func identity(of item: PageItem) -> [UInt8] {
        placement(of: item).elements[item.element].text?.utf8
            ?? Array("p\(number).u\(item.unit).e\(item.element)".utf8)
    }
}

extension ResolvedPage {
    fileprivate func firstItem(
        _ name: ItemName, ofSection section: Int, from start: Int = 0, _ record: EditRecord
    ) -> Int? {
        let cells = sections[section].cells
        let position = name.position?.page == number ? name.position : nil
        let text = name.key.utf8
        var passed = start
        defer { record.search(passed - start) }
        return bytes.withUnsafeBufferPointer { bytes -> Int? in
            for index in cells.indices.dropFirst(start) {
                passed += 1
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

    /// Returns the number of items of a section that the name is the identity of, at most 2.
    fileprivate func itemCount(
        _ name: ItemName, ofSection section: Int, _ record: EditRecord
    ) -> Int {
        var (count, start) = (0, 0)
        while count < 2, let index = firstItem(name, ofSection: section, from: start, record) {
            (count, start) = (count + 1, index + 1)
        }
        return count
    }
}
