/// A location for new items: beside an item, or in a section without items.
enum EditAnchor {
    case beside(ScreenEditor.Item, isAfter: Bool)
    case end(of: ScreenEditor.Part)

    var neighbour: ScreenEditor.Item? {
        if case .beside(let item, _) = self { item } else { nil }
    }
}

/// Operations on the items of a section.
extension ScreenEditor {
    /// Returns the location that a place means; none of the `moved` items may be the place.
    func anchor(
        _ place: UpdatePlace, in parts: [Part], moving moved: Set<Item> = []
    ) throws(EditFailure) -> EditAnchor {
        switch place {
        case .before(.index(let index)) where index == itemCount(of: parts): break
        case .before(let target):
            let item = try item(target, of: parts, at: "/before")
            guard !moved.contains(item) else { throw .ownPlace(at: "/before") }
            return .beside(item, isAfter: false)
        case .after(let target):
            let item = try item(target, of: parts, at: "/after")
            guard !moved.contains(item) else { throw .ownPlace(at: "/after") }
            return .beside(item, isAfter: true)
        case .end: break
        }
        if let last = try lastItem(of: parts, except: moved) {
            return .beside(last, isAfter: true)
        }
        return .end(of: parts[0])
    }

    private func itemCount(of parts: [Part]) -> Int {
        parts.reduce(0) { $0 + itemCount(of: $1) }
    }

    /// Returns the part and the index in its list of units for units at a location; divides the
    /// unit that the location is within.
    func unitPosition(at anchor: EditAnchor) throws(EditFailure) -> (part: Part, index: Int) {
        switch anchor {
        case .end(let part):
            return (part, try page(part.page).sections[part.section].units.count)
        case .beside(let item, let isAfter):
            let page = try page(item.page)
            let unit = page.sections[item.part.section].units[item.item.unit]
            let edge = isAfter ? unit.lastItem : unit.firstItem
            let next = item.item.unit + 1
            if let edge, edge == (item.item.placement, item.item.element) {
                return (item.part, isAfter ? next : item.item.unit)
            }
            var split = item.item
            if isAfter { split.element += 1 }
            try page.split(before: split)
            return (item.part, next)
        }
    }

    /// Returns the location after the last element of the last array of a part that makes items.
    ///
    /// - Parameter condition: Returns whether an array counts, by its unit and its placement.
    func lastArray(
        of part: Part, where condition: (EditedUnit, EditedPlacement) -> Bool
    ) throws(EditFailure) -> Item? {
        let units = try page(part.page).sections[part.section].units
        for number in units.indices.reversed() {
            let unit = units[number]
            record.passUnit()
            let found = unit.placements.lastIndex { placement in
                placement.role == .cells && placement.path != nil && condition(unit, placement)
            }
            guard let found else { continue }
            return Item(
                page: part.page,
                item: PageItem(
                    section: part.section, unit: number, placement: found,
                    element: unit.placements[found].elements.count))
        }
        return nil
    }

    func setData(of item: Item, to data: JSONValue) throws(EditFailure) {
        let value = edited(data)
        try page(item.page).edit(item.item) { item throws(EditFailure) in
            try change(&item) { $0 = value }
        }
    }

    /// Changes the data of an item, which an action can make grow up to a limit only.
    func change(
        _ item: inout EditedValue, _ change: (inout EditedValue) -> Void
    ) throws(EditFailure) {
        guard record.isActing else { return change(&item) }
        let before = item.byteCount
        change(&item)
        try limits.check(itemBytes: item.byteCount, before: before)
    }

    func newItem(_ value: JSONValue) throws(EditFailure) -> EditedValue {
        let item = edited(value)
        if record.isActing { try limits.check(itemBytes: item.byteCount, before: 0) }
        return item
    }

    /// `isElement` says whether the value is in an array at the path.
    func newUnit(
        _ type: JSONKey, path: [JSONPathStep], isElement: Bool, of value: EditedValue
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
        return EditedValue(JSONMemberIndex(document), document.root.node)
    }
}

extension EditedUnit {
    var firstItem: (placement: Int, element: Int)? {
        for (index, placement) in placements.enumerated() where placement.isItems {
            if let element = placement.elements.firstIndex(where: \.isMade) {
                return (index, element)
            }
        }
        return nil
    }

    var lastItem: (placement: Int, element: Int)? { lastItem { _, _ in true } }

    func lastItem(where condition: (Int, Int) -> Bool) -> (placement: Int, element: Int)? {
        for (index, placement) in placements.enumerated().reversed() where placement.isItems {
            let elements = placement.elements
            let element = elements.indices.last { elements[$0].isMade && condition(index, $0) }
            if let element { return (index, element) }
        }
        return nil
    }
}

extension EditFailure {
    /// The failure of an operation that moves items to the place of one of them.
    static func ownPlace(at pointer: String) -> EditFailure {
        EditFailure("The place is one of those that are moved.", at: pointer)
    }
}
