/// An item that was taken from its place.
struct TakenItem {
    /// A unit that makes nothing but items that were taken together.
    struct WholeUnit {
        let location: ScreenEditor.UnitLocation
        let itemCount: Int
        /// The bytes of the unit.
        let element: EditedArray.Element
        let unit: EditedUnit
    }

    let item: ScreenEditor.Item
    let type: JSONKey
    let placement: EditedPlacement
    /// The data of the item.
    let element: EditedArray.Element
    /// The item's unit, if it was taken as a whole.
    var whole: WholeUnit?
}

extension ScreenEditor {
    /// One unit of a page.
    struct UnitLocation: Hashable, Comparable {
        let part: Part
        let unit: Int

        static func < (left: Self, right: Self) -> Bool {
            left.part == right.part ? left.unit < right.unit : left.part < right.part
        }
    }

    /// Takes items from their places, and returns them in the order given.
    ///
    /// A unit goes when all that it makes is taken and none of that is an element of an array.
    ///
    /// - Throws: A failure if an item shares its data with another thing that its unit makes.
    /// - Complexity: O(items of the units that are touched).
    func take(_ items: [Item]) throws(EditFailure) -> [TakenItem] {
        for (index, item) in items.enumerated()
        where try page(item.page).sharesData(item.item) {
            throw EditFailure(
                "The item shares its data with something else that its unit makes.",
                at: "/items/\(index)")
        }
        var taken: [Item: TakenItem] = [:]
        let units = Dictionary(grouping: items) { UnitLocation(part: $0.part, unit: $0.item.unit) }
        // From the end, so that the locations of the others stay valid.
        for (location, items) in units.sorted(by: { $0.key > $1.key }) {
            try record.check(afterSteps: items.count * EditWork.elementSteps)
            for result in try take(items, of: location) { taken[result.item] = result }
        }
        return items.compactMap { taken[$0] }
    }

    private func take(
        _ items: [Item], of location: UnitLocation
    ) throws(EditFailure) -> [TakenItem] {
        let page = try page(location.part.page)
        let unit = page.sections[location.part.section].units[location.unit]
        func taken(_ item: Item, _ element: EditedArray.Element) -> TakenItem {
            TakenItem(
                item: item, type: unit.type,
                placement: unit.placements[item.item.placement].emptied(), element: element)
        }
        let isWhole =
            items.count == unit.itemCount && !unit.makes(.header) && !unit.makes(.footer)
            && items.allSatisfy { unit.placements[$0.item.placement].role == .cell }
            // Without the member that is its data, a unit would be its own data.
            && (!unit.mayDiffer || items.contains { unit.placements[$0.item.placement].path == [] })
        guard isWhole else {
            let values = try page.take(items.map(\.item))
            return items.compactMap { item in values[item.item].map { taken(item, $0) } }
        }
        var results: [TakenItem] = []
        for item in items {
            let value = try page.data(of: item.item)
            results.append(taken(item, EditedArray.Element(value: value)))
        }
        let removed = try page.removeUnit(location.unit, ofSection: location.part.section)
        let whole = TakenItem.WholeUnit(
            location: location, itemCount: items.count, element: removed.element,
            unit: removed.unit)
        for index in results.indices { results[index].whole = whole }
        return results
    }
}

extension EditedPage {
    /// Returns whether an item shares its data with something else that its unit makes.
    fileprivate func sharesData(_ item: PageItem) throws(EditFailure) -> Bool {
        let unit = sections[item.section].units[item.unit]
        let own = unit.placements[item.placement]
        guard let ownPath = own.path else {
            throw EditFailure("The item's data is not in the data of its unit.")
        }
        return unit.placements.enumerated().contains { index, other in
            guard index != item.placement, other.isMade, let otherPath = other.path else {
                return false
            }
            if otherPath.count > ownPath.count {
                guard otherPath.starts(with: ownPath) else { return false }
                return own.role != .cells || otherPath[ownPath.count].index == item.element
            }
            guard ownPath.starts(with: otherPath) else { return false }
            guard other.role == .cells else { return true }
            let step = ownPath[safe: otherPath.count]?.index
            let element = step ?? (own.role == .cells ? item.element : nil)
            guard let element else { return true }
            return other.elements[safe: element]?.isMade ?? false
        }
    }
}
