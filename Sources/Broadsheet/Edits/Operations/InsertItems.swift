/// Inserts units, or elements of the array that the neighbour is an element of.
struct InsertItems: UpdateForm {
    static let name = "insertItems", changesPlaces = true
    static let members: [UpdateMember] = [.section, "units", "data"] + UpdateMember.place

    let section: UpdateTarget
    let content: UpdateOperation.Content
    let place: UpdatePlace

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        let (section, content) = (members.target(), content(&members))
        guard let place = members.place(), let section, let content else { return nil }
        return .insertItems(section: section, content, place)
    }

    private static func content(_ members: inout UpdateMembers) -> UpdateOperation.Content? {
        guard let name = members.either("units", "data") else { return nil }
        if name == "data" { return members.values(name).map { .data($0) } }
        let names = members.names
        return members.required(name) { value, collector in
            value.array(&collector) { value, collector in
                ServerStateUnit(value, names: names, &collector).map { _ in value }
            }
        }.map { .units($0) }
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        let anchor = try editor.anchor(place, in: editor.parts(of: section))
        switch content {
        case .units(let units) where units.isEmpty: return
        case .data(let data) where data.isEmpty: return
        case .units(let units): try editor.insert(units: units, at: anchor)
        case .data(let data): try editor.insert(elements: data, at: anchor)
        }
    }
}

extension ScreenEditor {
    fileprivate func insert(units: [JSONValue], at anchor: EditAnchor) throws(EditFailure) {
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
    }

    fileprivate func insert(elements: [JSONValue], at anchor: EditAnchor) throws(EditFailure) {
        let first = try elementPosition(at: anchor)
        let page = try page(first.page)
        for (offset, element) in elements.enumerated() {
            try record.check(afterSteps: EditWork.elementSteps)
            var item = first.item
            item.element += offset
            try page.insert(EditedArray.Element(value: newItem(element)), at: item)
        }
    }

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
}
