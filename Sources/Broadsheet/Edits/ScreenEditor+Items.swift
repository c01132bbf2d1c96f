/// A location for new items: beside an item, or in a section without items.
enum EditAnchor {
    /// Directly before or after an item.
    case beside(ScreenEditor.Item, isAfter: Bool)
    /// At the end of a part of a section.
    case end(of: ScreenEditor.Part)

    /// The item that the location is beside, if it is beside one.
    var neighbour: ScreenEditor.Item? {
        if case .beside(let item, _) = self { item } else { nil }
    }
}

/// Operations on the items of a section.
extension ScreenEditor {
    /// Returns the location that a place means.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - parts: The parts of its section.
    ///   - moved: Items that are moved there, of which none may be the place itself.
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

    /// Inserts units or elements.
    func insertItems(
        _ content: UpdateOperation.Content, _ place: UpdatePlace, in parts: [Part]
    ) throws(EditFailure) {
        let anchor = try anchor(place, in: parts)
        switch content {
        case .units(let units) where units.isEmpty: return
        case .data(let data) where data.isEmpty: return
        case .units(let units):
            let (part, index) = try unitPosition(at: anchor)
            let page = try page(part.page)
            for (offset, unit) in units.enumerated() {
                try record.check(afterSteps: EditWork.elementSteps)
                let value = edited(unit)
                try page.insert(
                    EditedArray.Element(value: value),
                    try page.analyze(value, ofSection: part.section), at: index + offset,
                    ofSection: part.section)
            }
        case .data(let data):
            let first = try elementPosition(at: anchor)
            let page = try page(first.page)
            for (offset, element) in data.enumerated() {
                try record.check(afterSteps: EditWork.elementSteps)
                var item = first.item
                item.element += offset
                try page.insert(EditedArray.Element(value: newItem(element)), at: item)
            }
        }
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

    /// Returns the location in an array for elements at a location.
    private func elementPosition(at anchor: EditAnchor) throws(EditFailure) -> Item {
        switch anchor {
        case .beside(var item, let isAfter):
            guard try page(item.page).placement(of: item.item).role == .cells else {
                throw EditFailure(
                    "The neighbour is not an element of an array; insert units.", at: "/data")
            }
            if isAfter { item.item.element += 1 }
            return item
        case .end(let part):
            guard let item = try lastArray(of: part, where: { _, _ in true }) else {
                throw EditFailure(
                    "The section has no array for the elements; insert units.", at: "/data")
            }
            return item
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

    /// Replaces the data of an item.
    func replaceItem(_ item: Item, with data: JSONValue) throws(EditFailure) {
        let value = edited(data)
        try page(item.page).edit(item.item) { item throws(EditFailure) in
            try change(&item) { $0 = value }
        }
    }

    /// Applies a merge patch to the data of an item.
    func patchItem(_ item: Item, with patch: JSONValue) throws(EditFailure) {
        let source = source(of: patch)
        try page(item.page).edit(item.item, by: patch) { item throws(EditFailure) in
            try change(&item) { $0.merge(source, patch.node) }
        }
    }

    /// Changes the data of an item, which an action can make grow up to a limit only.
    private func change(
        _ item: inout EditedValue, _ change: (inout EditedValue) -> Void
    ) throws(EditFailure) {
        guard record.isActing else { return change(&item) }
        let before = item.byteCount
        change(&item)
        try limits.check(itemBytes: item.byteCount, before: before)
    }

    /// Returns a value of a request as the data of a new item.
    func newItem(_ value: JSONValue) throws(EditFailure) -> EditedValue {
        let item = edited(value)
        if record.isActing { try limits.check(itemBytes: item.byteCount, before: 0) }
        return item
    }

    /// Removes items.
    func deleteItems(
        _ items: UpdateOperation.Items, of parts: [Part]
    ) throws(EditFailure) {
        var all: [Item] = []
        switch items {
        case .some(let targets): all = try self.items(targets, of: parts)
        case .all:
            for part in parts where itemCount(of: part) > 0 { all += try self.items(of: part) }
        }
        try require(.delete, of: all)
        _ = try take(all)
    }
}

extension EditedUnit {
    /// The placement and the element of the unit's first item, or `nil`.
    var firstItem: (placement: Int, element: Int)? {
        for (index, placement) in placements.enumerated() where placement.isItems {
            if let element = placement.elements.firstIndex(where: \.isMade) {
                return (index, element)
            }
        }
        return nil
    }

    /// The placement and the element of the unit's last item, or `nil`.
    var lastItem: (placement: Int, element: Int)? { lastItem { _, _ in true } }

    /// Returns the placement and the element of the unit's last item that meets a condition, or
    /// `nil`.
    ///
    /// - Complexity: O(elements behind the item).
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
