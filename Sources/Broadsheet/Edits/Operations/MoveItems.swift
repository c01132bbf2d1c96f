/// Moves items to a place, where they end up side by side in the order given.
struct MoveItems: UpdateForm {
    static let name = "moveItems", changesPlaces = true
    static let members: [UpdateMember] = [.section, .items, "toSection"] + UpdateMember.place

    let section: UpdateTarget
    let items: [UpdateTarget]
    let toSection: UpdateTarget?
    let place: UpdatePlace

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        let (section, items) = (members.target(), members.targets("items"))
        let toSection = members.optionalTarget("toSection")
        guard let place = members.place(), let section, let items else { return nil }
        return .moveItems(section: section, items: items, toSection: toSection, place)
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        let source = try editor.parts(of: section)
        let destination =
            if let toSection { try editor.parts(of: toSection, at: "/toSection") } else { source }
        let items = try editor.items(items, of: source)
        try editor.require(.move, of: items)
        try editor.move(items, to: place, in: destination)
    }
}

extension ScreenEditor {
    fileprivate func move(
        _ items: [Item], to place: UpdatePlace, in destination: [Part]
    ) throws(EditFailure) {
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
        let edit = unit?.edit
        var unit =
            if let known {
                known
            } else {
                try page.analyze(element.value, ofSection: part.section)
            }
        unit.edit = edit
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
}
