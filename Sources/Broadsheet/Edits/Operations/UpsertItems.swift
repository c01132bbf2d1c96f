/// Replaces the items of the ids of elements, and appends the other elements.
struct UpsertItems: UpdateForm {
    static let name = "upsertItems", changesPlaces = true
    static let members: [UpdateMember] = [.section, "unitType", "data"]

    let section: UpdateTarget
    let unitType: String
    let data: [JSONValue]

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        let section = members.target()
        let type = members.required("unitType") { $0.expecting("a string", $0.string, &$1) }
        guard let data = members.values("data"), let section, let type else { return nil }
        return .upsertItems(section: section, unitType: type, data: data)
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        try editor.upsert(unitType, data, in: editor.parts(of: section))
    }
}

/// The placement of a unit type that elements without an item get.
private struct UpsertPlacement {
    /// The position among the placements of the unit type.
    let ordinal: Int
    /// A Boolean value that indicates whether items are elements of an array.
    let isArray: Bool
    let path: [JSONPathStep]
    let identification: ItemIdentification
    /// The elements of the array that others are appended to which make nothing, because they do
    /// not keep the schema of their cell type; `nil` until they are needed.
    var leftOut: LeftOutElements?
}

/// The elements of an array that make nothing, because they do not keep the schema of their cell
/// type.
private struct LeftOutElements {
    let array: ScreenEditor.Item
    /// The first index of each id.
    var indexes: [JSONKey: Int] = [:]

    /// Notes whether the element at a location, if it is in the array, makes nothing.
    mutating func note(_ item: ScreenEditor.Item, _ id: JSONKey, isLeftOut: Bool) {
        let index = item.item.element
        guard array.at(index) == item else { return }
        if isLeftOut {
            indexes[id] = min(indexes[id] ?? .max, index)
        } else if indexes[id] == index {
            indexes[id] = nil
        }
    }
}

extension ScreenEditor {
    fileprivate func upsert(
        _ unitType: String, _ data: [JSONValue], in parts: [Part]
    ) throws(EditFailure) {
        let registered = try registeredPlacement(of: unitType)
        guard let first = data.first else { return }
        var placement =
            if let registered { registered } else {
                try upsertPlacement(ofCode: unitType, for: first, in: parts[0])
            }
        let ids = try ids(of: data, by: placement)
        // The items before the operation, which may get other ids from it, and then its own.
        var items = try items(of: ids, in: parts)
        for (number, element) in data.enumerated() {
            try record.check(afterSteps: EditWork.elementSteps)
            do throws(EditFailure) {
                let id = ids[number]
                guard let known = items[id] else {
                    items[id] = try add(element, as: id, unitType, &placement, to: parts)
                    continue
                }
                guard try has(known, as: id) else { throw .changedUnit }
                try setData(of: known, to: element)
                items[id] = try made(known, as: id, &placement)
                if try !has(known, as: id) { items[id] = nil }
            } catch {
                var failure = error
                failure.pointer = "/data/\(number)"
                throw failure
            }
        }
    }

    private func ids(
        of data: [JSONValue], by placement: UpsertPlacement
    ) throws(EditFailure) -> [JSONKey] {
        var ids: [JSONKey] = []
        for (number, element) in data.enumerated() {
            guard let id = placement.identification.id(of: element) else {
                throw EditFailure("The element has no id.", at: "/data/\(number)")
            }
            ids.append(JSONKey(id))
        }
        return ids
    }

    /// Returns the items of a section by their ids: at least those of the given ids.
    private func items(
        of ids: [JSONKey], in parts: [Part]
    ) throws(EditFailure) -> [JSONKey: Item] {
        var items: [JSONKey: Item] = [:]
        for id in ids { items[id] = try item(ItemName(id), of: parts) }
        return items
    }

    /// Returns whether an item is still there, with an id of which its number may have changed.
    private func has(_ item: Item, as id: JSONKey) throws(EditFailure) -> Bool {
        let page = try page(item.page)
        return page.has(item.item) && !page.isLeftOut(item.item)
            && ItemName(id).couldBeNumbered(from: page.identity(of: item.item))
    }

    /// Gives an element to the one of its id that makes nothing, or appends it to the last array of
    /// its unit type, or as a new unit; returns its location if it makes an item.
    private func add(
        _ element: JSONValue, as id: JSONKey, _ unitType: String,
        _ placement: inout UpsertPlacement, to parts: [Part]
    ) throws(EditFailure) -> Item? {
        let type = JSONKey(unitType)
        guard placement.isArray,
            let array = try lastArray(of: type, placement.ordinal, in: parts)
        else { return try append(element, type, placement, to: parts) }
        if placement.identification.judges, placement.leftOut == nil {
            placement.leftOut = try leftOutElements(of: array)
        }
        let page = try page(array.page)
        let known = placement.leftOut?.indexes[id].map(array.at)
        if let known, page.has(known.item), page.isLeftOut(known.item),
            page.identity(of: known.item) == id.utf8
        {
            try setData(of: known, to: element)
            return try made(known, as: id, &placement)
        }
        try page.insert(EditedArray.Element(value: newItem(element)), at: array.item)
        return try made(array, as: id, &placement)
    }

    private func leftOutElements(of array: Item) throws(EditFailure) -> LeftOutElements {
        var leftOut = LeftOutElements(array: array)
        let placement = try page(array.page).placement(of: array.item)
        guard placement.itemCount < placement.elements.count else { return leftOut }
        record.list(placement.elements.count)
        for (index, element) in placement.elements.enumerated() where !element.isMade {
            guard let id = element.text else { continue }
            leftOut.note(array.at(index), JSONKey(id), isLeftOut: true)
        }
        return leftOut
    }

    /// Returns the location of an element that was written, unless it makes nothing because of the
    /// schema of its cell type, and notes that.
    private func made(
        _ item: Item, as id: JSONKey, _ placement: inout UpsertPlacement
    ) throws(EditFailure) -> Item? {
        let page = try page(item.page)
        let isLeftOut = page.has(item.item) && page.isLeftOut(item.item)
        placement.leftOut?.note(item, id, isLeftOut: isLeftOut)
        return isLeftOut ? nil : item
    }

    /// Appends an element as a new unit, and returns its location if it makes an item.
    private func append(
        _ element: JSONValue, _ type: JSONKey, _ placement: UpsertPlacement, to parts: [Part]
    ) throws(EditFailure) -> Item? {
        let value = try newItem(element)
        let unit = try newUnit(
            type, path: placement.path, isElement: placement.isArray, of: value)
        let (part, index) = try unitPosition(at: anchor(.end, in: parts))
        let page = try page(part.page)
        let made = try page.analyze(unit, ofSection: part.section)
        try page.insert(
            EditedArray.Element(value: unit), made, at: index, ofSection: part.section)
        let isMade = made.placements[safe: placement.ordinal]?.isMade ?? false
        let item = PageItem(
            section: part.section, unit: index, placement: placement.ordinal, element: 0)
        return isMade ? Item(page: part.page, item: item) : nil
    }

    /// Returns the location after the last element of the last array of a placement in a section.
    ///
    /// - Complexity: O(parts, and units behind the array) once after each change of the units.
    private func lastArray(
        of type: JSONKey, _ ordinal: Int, in parts: [Part]
    ) throws(EditFailure) -> Item? {
        let key = ArrayKey(part: parts[0], type: type, ordinal: ordinal)
        if let known = lastArrays[key], known.unitEdits == record.unitEdits {
            return try end(ofArray: known.item)
        }
        for part in parts.reversed() where mayHave(type, part) {
            let found = try lastArray(of: part) { unit, other in
                unit.type == type && other.ordinal == ordinal
            }
            guard let found else { continue }
            lastArrays[key] = (found, record.unitEdits)
            return found
        }
        return nil
    }

    private func end(ofArray item: Item) throws(EditFailure) -> Item {
        var end = item
        end.item.element = try page(item.page).placement(of: item.item).elements.count
        return end
    }

    /// Returns whether a part of a section may have a unit of a type, so that its page has to be
    /// opened.
    private func mayHave(_ type: JSONKey, _ part: Part) -> Bool {
        openedPage(part.page) != nil || pages[part.page].built != nil
            || pages[part.page].sections[part.section].unitTypes.mayContain(type)
    }

    /// Returns the one `cells` placement of a unit type, or, without any, its one `cell`; `nil` for
    /// a type that is registered in code.
    private func registeredPlacement(
        of unitType: String
    ) throws(EditFailure) -> UpsertPlacement? {
        guard registry.configuration(of: unitType) != nil else {
            throw EditFailure("The unit type \"\(unitType)\" is not registered.", at: "/unitType")
        }
        guard let placements = registry.placements(of: unitType) else { return nil }
        for role in [PlacementRole.cells, .cell] {
            let found = placements.indices.filter {
                placements[$0].role == role
                    && placements[$0].condition?.holds(for: audience) ?? true
            }
            guard let ordinal = found.first else { continue }
            guard found.count == 1 else { break }
            return UpsertPlacement(
                ordinal: ordinal, isArray: role == .cells,
                path: placements[ordinal].data?.steps.map(\.asMember) ?? [],
                identification: ItemIdentification(
                    placements[ordinal].type, kinds: registry.kinds))
        }
        throw .noUpsertPlacement(unitType)
    }

    /// Returns the placement of a unit type that is registered in code, from the items that the
    /// code makes of units with the element.
    private func upsertPlacement(
        ofCode unitType: String, for element: JSONValue, in part: Part
    ) throws(EditFailure) -> UpsertPlacement {
        let value = edited(element)
        for role in [PlacementRole.cells, .cell] {
            let isArray = role == .cells
            let unit = try newUnit(JSONKey(unitType), path: [], isElement: isArray, of: value)
            let made = try page(part.page).analyze(unit, ofSection: part.section)
            let found = made.placements.filter { $0.role == role }
            guard found.count == 1, found[0].path == [], let placement = found.first else {
                continue
            }
            return UpsertPlacement(
                ordinal: placement.ordinal, isArray: isArray, path: [],
                identification: placement.identification)
        }
        throw .noUpsertPlacement(unitType)
    }
}

extension ScreenEditor.Item {
    /// Returns the location of another element of the same array.
    fileprivate func at(_ element: Int) -> Self {
        var other = self
        other.item.element = element
        return other
    }
}

extension JSONPathStep {
    /// The step to a member, although its name may be an index.
    fileprivate var asMember: Self { Self(key: key, index: nil) }
}

extension EditFailure {
    fileprivate static func noUpsertPlacement(_ unitType: String) -> EditFailure {
        EditFailure(
            "The unit type \"\(unitType)\" has neither one \"cells\" placement nor, without any, "
                + "one \"cell\".", at: "/unitType")
    }
}
