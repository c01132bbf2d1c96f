/// The search for items of a page by their identities, and the index of the items.
///
/// A few searches pass over the items, which takes less than to index them. Once they have passed
/// over as many as an index takes, the items are indexed, and edits keep the index up to date.
extension EditedPage {
    func firstItem(_ name: ItemName, ofSection section: Int) -> PageItem? {
        guard prepareIndex() else { return searchedItem(name, ofSection: section) }
        let found = indexedItems(name, ofSection: section)
        let item = index?.item(0, of: found, record)
        guard let placed = placedItems(name, ofSection: section).first else { return item }
        return item.map { min($0, placed) } ?? placed
    }

    /// Returns the number of items of a section that the name is the identity of, at most 2.
    func itemCount(_ name: ItemName, ofSection section: Int) -> Int {
        let placed = placedItems(name, ofSection: section).count
        let others =
            prepareIndex()
            ? indexedItems(name, ofSection: section).count
            : searchedCount(name, ofSection: section, upTo: 2 - placed)
        return min(placed + others, 2)
    }

    /// Returns the item at an index among those of a section that the name is the identity of, or
    /// `nil`, and their number.
    func item(
        _ number: Int, named name: ItemName, ofSection section: Int
    ) -> (item: PageItem?, count: Int) {
        indexItems()
        let found = indexedItems(name, ofSection: section)
        return (index?.item(number, of: found, record), found.count)
    }

    /// Returns whether the identities of items of the page may be the id with a number.
    func hasNumberedItems(_ name: ItemName) -> Bool {
        indexItems()
        return index?.hasNumbered(name.hash) ?? true
    }

    private func indexedItems(_ name: ItemName, ofSection section: Int) -> ItemIndex.Found {
        record.work.lookups += 1
        guard var current = index else { return .items([]) }
        // Taken out, so that it is not copied.
        index = nil
        defer { index = current }
        return current.find(name, ofSection: section, record, text: text)
    }

    /// Returns the items at the position that the name is, which have no other identity.
    private func placedItems(_ name: ItemName, ofSection section: Int) -> [PageItem] {
        guard let position = name.position, position.page == number,
            position.unit < sections[section].units.count
        else { return [] }
        let placements = sections[section].units[position.unit].placements
        return placements.indices.compactMap { index in
            guard placements[index].isItems,
                let item = placements[index].elements[safe: position.element],
                item.isMade, item.text == nil
            else { return nil }
            return PageItem(
                section: section, unit: position.unit, placement: index, element: position.element)
        }
    }

    private func text(of item: PageItem) -> JSONText? {
        guard let unit = sections[safe: item.section]?.units[safe: item.unit],
            let placement = unit.placements[safe: item.placement]
        else { return nil }
        return placement.elements[safe: item.element]?.text
    }
}

// MARK: - The index

extension EditedPage {
    /// Returns whether the items are indexed, and indexes them if searches have taken long enough,
    /// or edits have made the index slow.
    private func prepareIndex() -> Bool {
        guard index != nil || searchedItems >= limits.searchesBeforeIndex * listedItems else {
            return false
        }
        indexItems()
        return true
    }

    private func indexItems() {
        if let index, !index.isOutdated { return }
        // Dropped first, so that there are no two of them.
        dropIndex()
        index = ItemIndex(itemCount: listedItems)
        var count = 0
        for section in sections.indices {
            for unit in 0..<sections[section].units.count {
                count += addToIndex(unit: unit, ofSection: section, steps: EditWork.listedSteps)
            }
        }
        listedItems = max(count, 1)
        record.work.indexedItems += count
    }

    /// Adds the items of a section; forgets the index if another one takes less.
    func addToIndex(section: Int) {
        guard keepsIndex(section) else { return }
        for unit in 0..<sections[section].units.count {
            addToIndex(unit: unit, ofSection: section, steps: EditWork.listedSteps)
        }
    }

    /// Removes the items of a section; forgets the index if another one takes less.
    func removeFromIndex(section: Int) {
        guard keepsIndex(section) else { return }
        record.spend(sections[section].itemCount * EditWork.listedSteps)
        for unit in 0..<sections[section].units.count {
            removeFromIndex(unit: unit, ofSection: section)
        }
    }

    /// Returns whether there is an index that a section which comes or goes leaves of use.
    private func keepsIndex(_ section: Int) -> Bool {
        guard index != nil, sections[section].itemCount > listedItems / 8 else {
            return index != nil
        }
        dropIndex()
        return false
    }

    /// Moves the sections behind one that has come (1) or goes (-1) by a place.
    func shiftIndex(section: Int, by count: Int) {
        editIndex { $0.shiftSections(from: count < 0 ? section + 1 : section, by: count) }
    }

    private func dropIndex() {
        index = nil
        searchedItems = 0
    }

    private func editIndex(_ change: (inout ItemIndex) -> Void) {
        guard var current = index else { return }
        // Taken out, so that it is not copied.
        index = nil
        change(&current)
        index = current
    }

    /// Adds the items of a unit, and returns the number of elements.
    @discardableResult
    func addToIndex(unit: Int, ofSection section: Int, steps: Int = 0) -> Int {
        guard index != nil else { return 0 }
        var (sum, first) = (0, PageItem(section: section, unit: unit, placement: 0, element: 0))
        for placement in 0..<sections[section].units[unit].placements.count {
            first.placement = placement
            sum += addToIndex(first, steps: steps)
        }
        return sum
    }

    func removeFromIndex(unit: Int, ofSection section: Int) {
        guard index != nil else { return }
        for placement in sections[section].units[unit].placements.indices {
            removeFromIndex(
                PageItem(section: section, unit: unit, placement: placement, element: 0))
        }
    }

    /// Adds the items of a placement from one on, and returns the number of elements.
    @discardableResult
    private func addToIndex(_ first: PageItem, steps: Int = 0) -> Int {
        let placement = placement(of: first)
        guard placement.isItems else { return 0 }
        editIndex { index in
            var location = first
            placement.elements.forEachElement { item in
                index.add(item, at: location, record, text: text)
                location.element += 1
                record.spend(steps)
            }
        }
        return placement.elements.count
    }

    /// Removes the items of a placement from one on.
    private func removeFromIndex(_ first: PageItem) {
        let placement = placement(of: first)
        guard placement.isItems else { return }
        editIndex { index in
            var location = first
            placement.elements.forEachElement { item in
                index.remove(item, at: location, record)
                location.element += 1
            }
        }
    }

    func shiftIndex(unit: Int, ofSection section: Int, by count: Int) {
        editIndex { $0.shiftUnits(from: unit, ofSection: section, by: count) }
    }

    /// Moves the elements from one on into a new unit.
    func divideIndex(at item: PageItem) { editIndex { $0.divide(at: item) } }
}

// MARK: - Changes of placements

extension EditedPage {
    private func element(at item: PageItem) -> EditedItem {
        // By index, because a copy of the list would make the next change of it copy it, too.
        sections[item.section].units[item.unit].placements[item.placement].elements[item.element]
    }

    func insertElement(_ made: EditedItem, at item: PageItem) {
        setPlacement(of: item) { $0.insert(made, at: item.element) }
        record.add(made, page: number)
        record.addPlaceEdit()
        guard index != nil, placement(of: item).isItems else { return }
        editIndex { index in
            index.shiftElements(from: item, by: 1)
            index.add(made, at: item, record, text: text)
        }
    }

    func setElement(_ item: PageItem, to made: EditedItem) {
        let old = element(at: item)
        guard setPlacement(of: item, { $0.replace(item.element, with: made) }) else { return }
        record.add(made, page: number)
        record.addPlaceEdit()
        guard index != nil, placement(of: item).isItems else { return }
        editIndex { index in
            index.remove(old, at: item, record)
            index.add(made, at: item, record, text: text)
        }
    }

    /// Removes elements of one placement.
    func removeElements(_ items: [PageItem]) {
        guard let first = items.first else { return }
        record.addPlaceEdit()
        editIndex { index in
            // From the end, so that the locations of the others are still theirs.
            for item in items.sorted().reversed() {
                index.remove(element(at: item), at: item, record)
                index.shiftElements(from: item, by: -1)
            }
        }
        setPlacement(of: first) { $0.remove(Set(items.map(\.element))) }
    }

    func setElements(_ elements: [EditedItem]?, of item: PageItem) {
        var first = item
        first.element = 0
        if index != nil { removeFromIndex(first) }
        setPlacement(of: item) { placement in
            placement.path = elements == nil ? nil : placement.pointer
            placement.setElements(elements ?? [])
        }
        if index != nil { addToIndex(first) }
        record.add(placement(of: item), page: number)
        record.addUnitEdit()
    }
}

// MARK: - Searches without an index

extension EditedPage {
    /// - Complexity: O(items).
    private func searchedItem(_ name: ItemName, ofSection section: Int) -> PageItem? {
        let position = name.position?.page == number ? name.position : nil
        var passed = 0
        defer { pass(passed) }
        for unit in 0..<sections[section].units.count {
            let found = sections[section].units[unit].firstItem(
                name, at: position, inUnit: unit, &passed)
            if let (placement, element) = found {
                return PageItem(
                    section: section, unit: unit, placement: placement, element: element)
            }
        }
        return nil
    }

    private func searchedCount(_ name: ItemName, ofSection section: Int, upTo limit: Int) -> Int {
        let units = sections[section].units
        var count = 0
        for unit in 0..<units.count {
            for placement in units[unit].placements where placement.isItems {
                guard count < limit else { return count }
                count += placement.elements.count(of: name, upTo: limit - count, passing: pass)
            }
        }
        return count
    }

    private func pass(_ items: Int) {
        searchedItems += items
        record.search(items)
    }
}

extension EditedUnit {
    /// Returns the placement and the element of the first item that the name is the identity of, or
    /// `nil`, and adds the number of items that were passed.
    ///
    /// - Complexity: O(items).
    fileprivate func firstItem(
        _ name: ItemName, at position: (page: Int, unit: Int, element: Int)?, inUnit unit: Int,
        _ passed: inout Int
    ) -> (placement: Int, element: Int)? {
        // The buffer gives access to a placement without a copy of it.
        placements.withUnsafeBufferPointer { placements in
            for place in placements.indices where placements[place].isItems {
                var found = placements[place].elements.firstIndex { $0.isNamed(name) }
                passed += found.map { $0 + 1 } ?? placements[place].elements.count
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

extension EditedItem {
    @inline(__always)
    fileprivate func isNamed(_ name: ItemName) -> Bool {
        hash == name.hash && isMade && text?.equals(utf8: name.key.utf8) == true
    }
}

extension WeightedList<EditedItem> {
    /// `pass` takes the numbers of items that are passed, once in a while.
    fileprivate func count(
        of name: ItemName, upTo limit: Int, passing pass: (Int) -> Void
    ) -> Int {
        var (count, passed) = (0, 0)
        _ = firstIndex { item in
            passed += 1
            if passed == EditWork.stepsOfCheckpoint {
                pass(passed)
                passed = 0
            }
            if item.isNamed(name) { count += 1 }
            return count >= limit
        }
        pass(passed)
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
