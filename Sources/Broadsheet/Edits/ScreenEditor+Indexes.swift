/// The items of sections by their indexes.
extension ScreenEditor {
    func itemCount(of part: Part) -> Int {
        record.spend(EditWork.unitSteps)
        return opened[part.page]?.sections[part.section].itemCount
            ?? pages[part.page].sections[part.section].cells.count
    }

    /// Returns whether an index leads to an item of a part without a pass over units or elements.
    ///
    /// - Complexity: O(1)
    func hasDirectIndexes(_ part: Part) throws(EditFailure) -> Bool {
        let units = try page(part.page).sections[part.section].units
        return units.count <= 16
            && units.allSatisfy { unit in
                unit.placements.allSatisfy { !$0.isItems || $0.areAllMade }
            }
    }

    /// Returns the item at an index of a part, which exists.
    ///
    /// - Complexity: O(√units), and O(elements) of an array of which some make nothing.
    func item(_ index: Int, of part: Part) throws(EditFailure) -> Item {
        let units = try page(part.page).sections[part.section].units
        guard let (unit, offset, passed) = units.index(atMeasure: index),
            let item = units[unit].item(offset)
        else { throw .noValue }
        let placement = units[unit].placements[item.placement]
        record.spend(passed + (placement.areAllMade ? 0 : item.element))
        return Item(
            page: part.page,
            item: PageItem(
                section: part.section, unit: unit, placement: item.placement,
                element: item.element))
    }

    func items(of part: Part) throws(EditFailure) -> [Item] {
        let section = try page(part.page).sections[part.section]
        var items: [Item] = []
        for (number, unit) in section.units.enumerated() {
            for (place, placement) in unit.placements.enumerated() where placement.isItems {
                record.list(placement.elements.count)
                for (element, item) in placement.elements.enumerated() where item.isMade {
                    items.append(
                        Item(
                            page: part.page,
                            item: PageItem(
                                section: part.section, unit: number, placement: place,
                                element: element)))
                }
            }
        }
        return items
    }

    func lastItem(
        of parts: [Part], except excluded: Set<Item> = []
    ) throws(EditFailure) -> Item? {
        for part in parts.reversed() {
            // A page that has no items of the section is not opened for them.
            guard openedPage(part.page) != nil || itemCount(of: part) > 0 else { continue }
            let last = try page(part.page).lastItem(ofSection: part.section) { item in
                !excluded.contains(Item(page: part.page, item: item))
            }
            if let last { return Item(page: part.page, item: last) }
        }
        return nil
    }
}

extension EditedPage {
    /// Returns the last item of a section that meets a condition, or `nil` if there is none.
    ///
    /// - Complexity: O(√units, and units that make items and elements behind the item).
    fileprivate func lastItem(
        ofSection section: Int, where condition: (PageItem) -> Bool
    ) -> PageItem? {
        let units = sections[section].units
        var end = units.count
        while let (unit, passed) = units.lastMeasured(before: end) {
            end = unit
            let last = units[unit].lastItem { placement, element in
                condition(
                    PageItem(
                        section: section, unit: unit, placement: placement, element: element))
            }
            record.spend(
                EditWork.unitSteps + passed + units[unit].elementCount(behind: last))
            if let last {
                return PageItem(
                    section: section, unit: unit, placement: last.placement, element: last.element)
            }
        }
        return nil
    }
}

extension EditedUnit {
    /// Returns the number of elements from an item on, or of all for `nil`.
    fileprivate func elementCount(behind item: (placement: Int, element: Int)?) -> Int {
        placements[(item?.placement ?? 0)...].reduce(-(item?.element ?? 0)) {
            $0 + ($1.isItems ? $1.elements.count : 0)
        }
    }

    fileprivate func item(_ index: Int) -> (placement: Int, element: Int)? {
        var left = index
        for (place, placement) in placements.enumerated() where placement.isItems {
            let count = placement.itemCount
            if left < count { return (place, placement.element(ofItem: left)) }
            left -= count
        }
        return nil
    }
}

extension EditedPlacement {
    /// Returns the index of the element that the item at an index is made of.
    fileprivate func element(ofItem index: Int) -> Int {
        if itemCount == elements.count { return index }
        var left = index
        for (element, item) in elements.enumerated() where item.isMade {
            if left == 0 { return element }
            left -= 1
        }
        return 0
    }
}
