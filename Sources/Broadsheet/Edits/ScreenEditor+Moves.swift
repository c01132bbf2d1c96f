/// An item that was taken from its place.
struct TakenItem {
    /// A unit that makes nothing but items that were taken together.
    struct WholeUnit {
        /// The location that the unit had.
        let location: ScreenEditor.UnitLocation
        /// The number of its items.
        let itemCount: Int
        /// The bytes of the unit.
        let element: EditedArray.Element
        /// The unit with the items that it makes.
        let unit: EditedUnit
    }

    /// The location that the item had.
    let item: ScreenEditor.Item
    /// The unit type.
    let type: JSONKey
    /// The placement that made the item.
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

// MARK: - Moves

extension ScreenEditor {
    /// Moves items to a place, where they end up side by side in the order given.
    func moveItems(
        _ targets: [UpdateTarget], of parts: [Part], to place: UpdatePlace, in destination: [Part]
    ) throws(EditFailure) {
        let items = try items(targets, of: parts)
        try require(.move, of: items)
        var anchor = try anchor(place, in: destination, moving: Set(items))
        guard !items.isEmpty else { return }
        let neighbour = try anchor.neighbour.map { item throws(EditFailure) in
            try page(item.page).placement(of: item.item)
        }
        let taken = try take(items)
        if case .beside(let item, let isAfter) = anchor, let neighbour {
            anchor = .beside(
                Self.location(of: item, in: neighbour, without: taken), isAfter: isAfter)
        }
        var index = 0
        while index < taken.count {
            try record.check(afterSteps: EditWork.elementSteps)
            if let whole = taken[index].whole,
                Self.isInOrder(taken[index...].prefix(whole.itemCount))
            {
                anchor = try put(whole.element, whole.unit, at: anchor)
                index += whole.itemCount
            } else {
                anchor = try put(taken[index], at: anchor)
                index += 1
            }
        }
    }

    /// Returns the location of an item of a placement after others were taken from their places.
    private static func location(
        of item: Item, in placement: EditedPlacement, without taken: [TakenItem]
    ) -> Item {
        let own = UnitLocation(part: item.part, unit: item.item.unit)
        let units = Set(taken.compactMap(\.whole?.location))
        var moved = item
        moved.item.unit -= units.filter { $0.part == own.part && $0 < own }.count
        moved.item.element -=
            taken.filter { other in
                other.item.part == item.part && other.item.item.unit == item.item.unit
                    && other.placement.isSameArray(as: placement)
                    && other.item.item.element < item.item.element
            }.count
        return moved
    }

    /// Returns whether these are all items of one whole unit, in their order.
    private static func isInOrder(_ items: ArraySlice<TakenItem>) -> Bool {
        guard let whole = items.first?.whole, items.count == whole.itemCount,
            items.allSatisfy({ $0.whole?.location == whole.location })
        else { return false }
        return zip(items, items.dropFirst()).allSatisfy { $0.item < $1.item }
    }

    /// Puts an item at a location, and returns the location after it.
    ///
    /// An element joins the array of a neighbour that the same placement made; anything else gets a
    /// unit of its type.
    private func put(_ taken: TakenItem, at anchor: EditAnchor) throws(EditFailure) -> EditAnchor {
        if taken.placement.role == .cells, let place = try arrayPosition(for: taken, at: anchor) {
            try page(place.page).insert(taken.element, at: place.item)
            return .beside(place, isAfter: true)
        }
        let value = try newUnit(
            taken.type, path: taken.placement.path ?? [],
            isElement: taken.placement.role == .cells, of: taken.element.value)
        return try put(EditedArray.Element(value: value), nil, at: anchor)
    }

    /// Puts a unit at a location, and returns the location after its last item.
    private func put(
        _ element: EditedArray.Element, _ unit: EditedUnit?, at anchor: EditAnchor
    ) throws(EditFailure) -> EditAnchor {
        let (part, index) = try unitPosition(at: anchor)
        let page = try page(part.page)
        // The items that code makes of a unit may depend on the section that it is moved to.
        let known = registry.hasTypesInCode ? nil : unit
        let change = unit?.change
        var unit =
            if let known {
                known
            } else {
                try page.analyze(element.value, ofSection: part.section)
            }
        unit.change = change
        try page.insert(element, unit, at: index, ofSection: part.section)
        guard let last = unit.lastItem else {
            throw EditFailure("The unit of the moved item would not make an item.")
        }
        return .beside(
            Item(
                page: part.page,
                item: PageItem(
                    section: part.section, unit: index, placement: last.placement,
                    element: last.element)),
            isAfter: true)
    }

    /// Returns the location in the array of a neighbour that the same placement made, or `nil`.
    private func arrayPosition(
        for taken: TakenItem, at anchor: EditAnchor
    ) throws(EditFailure) -> Item? {
        switch anchor {
        case .beside(var item, let isAfter):
            let page = try page(item.page)
            let unit = page.sections[item.part.section].units[item.item.unit]
            guard page.has(item.item, asPlace: isAfter), unit.type == taken.type,
                page.placement(of: item.item).isSame(as: taken.placement)
            else { return nil }
            if isAfter { item.item.element += 1 }
            return item
        case .end(let part):
            return try lastArray(of: part) { unit, placement in
                unit.type == taken.type && placement.isSame(as: taken.placement)
            }
        }
    }

    /// Returns a new unit of a type, whose data has a value at a path.
    ///
    /// - Parameters:
    ///   - isElement: A Boolean value that indicates whether the value is in an array at the path.
    func newUnit(
        _ type: JSONKey, path: [EditStep], isElement: Bool, of value: EditedValue
    ) throws(EditFailure) -> EditedValue {
        var writer = JSONWriter(reservingCapacity: value.byteCount + 64)
        writer.raw("{")
        writer.string(registry.names.unitType)
        writer.raw(":")
        writer.string(String(decoding: type.utf8, as: UTF8.self))
        writer.raw(",")
        writer.string(registry.names.unitData)
        writer.raw(":")
        for step in path {
            writer.raw("{")
            // A pointer finds a member whose name is an index as it finds an element.
            writer.string(
                step.index.map(String.init) ?? String(decoding: step.key.utf8, as: UTF8.self))
            writer.raw(":")
        }
        if isElement { writer.raw("[") }
        writer.raw(value.bytes)
        if isElement { writer.raw("]") }
        for _ in path { writer.raw("}") }
        writer.raw("}")
        guard let document = try? JSONDocument(writer.bytes, maxDepth: .max) else {
            throw .noValue
        }
        return EditedValue(EditSource(document), document.root.node)
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
