/// An edit of the data of a placement, after which other placements may make something else.
enum PlacementEdit {
    /// The data is another value.
    case whole
    /// An element of the array is another value.
    case changed(Int)
    case inserted(at: Int)
    case removed(Set<Int>)

    fileprivate func changes(element index: Int) -> Bool {
        switch self {
        case .whole: true
        case .changed(let changed): index == changed
        case .inserted(let first): index >= first
        case .removed(let removed): removed.contains { index >= $0 }
        }
    }
}

/// The placements of a unit that use parts of the same data.
extension EditedPage {
    /// Reads what a unit makes again after the data of one of its placements has changed: the
    /// placements whose data is inside of that, is around it, or is the same.
    ///
    /// The elements of the placement's own array are up to date. A unit type that code registers
    /// may make something else of any data, so the whole unit is read.
    ///
    /// - Throws: A failure if the unit is no longer a unit.
    func refresh(_ item: PageItem, after edit: PlacementEdit) throws(EditFailure) {
        let unit = sections[item.section].units[item.unit]
        let own = unit.placements[item.placement]
        // The members of a flat unit, its type among them, are its data; that of a unit with a
        // fallback may decide about what stands in.
        guard let pointer = own.pointer, !unit.mayDiffer, !unit.hasChain,
            own.role == .cells || !unit.dataPath.isEmpty && !pointer.isEmpty
        else { return try readUnit(item.unit, ofSection: item.section) }
        for (index, other) in unit.placements.enumerated() {
            guard index != item.placement else {
                if own.role != .cells { readPlacement(item) }
                continue
            }
            var location = item
            location.placement = index
            try refresh(location, after: edit, ofDataAt: pointer, other.pointer ?? [])
        }
    }

    /// Reads a placement again after the data at another pointer has changed.
    private func refresh(
        _ item: PageItem, after edit: PlacementEdit, ofDataAt changed: [JSONPathStep],
        _ pointer: [JSONPathStep]
    ) throws(EditFailure) {
        if pointer.count > changed.count {
            guard pointer.starts(with: changed) else { return }
            let element = pointer[changed.count].index
            if element.map(edit.changes(element:)) ?? true { readPlacement(item) }
        } else if changed.starts(with: pointer) {
            let isArray = placement(of: item).role == .cells
            if isArray, let element = changed[safe: pointer.count]?.index {
                readElement(element, of: item)
            } else if isArray, changed.count == pointer.count, case .changed(let element) = edit {
                readElement(element, of: item)
            } else if isArray, changed.count == pointer.count, case .inserted(let element) = edit {
                insertElement(element, of: item)
            } else {
                readPlacement(item)
            }
        }
    }

    private func readPlacement(_ item: PageItem) {
        let placement = placement(of: item)
        let value = placement.pointer.flatMap { self.value(at: dataPath(ofUnit: item) + $0) }
        var elements: [EditedItem]?
        if let value, value.kind != .null {
            if placement.role != .cells {
                elements = [placement.identification.item(of: value, by: &judge)]
            } else if value.kind == .array {
                elements = value.elements.map { placement.identification.item(of: $0, by: &judge) }
            }
        }
        record.list(elements?.count ?? 0)
        setElements(elements, of: item)
    }

    private func readElement(_ element: Int, of item: PageItem) {
        let placement = placement(of: item)
        guard let pointer = placement.pointer, element < placement.elements.count,
            let value = self.value(
                at: dataPath(ofUnit: item) + pointer + [JSONPathStep(index: element)])
        else { return readPlacement(item) }
        let made = placement.identification.item(of: value, by: &judge)
        var location = item
        location.element = element
        setElement(location, to: made)
    }

    /// Reads an element that the array of a placement has got; the whole array if it was divided.
    private func insertElement(_ element: Int, of item: PageItem) {
        let placement = placement(of: item)
        guard let pointer = placement.pointer,
            let array = value(at: dataPath(ofUnit: item) + pointer),
            array.elementCount == placement.elements.count + 1,
            let value = array.child(JSONPathStep(index: element))
        else { return readPlacement(item) }
        let made = placement.identification.item(of: value, by: &judge)
        var location = item
        location.element = element
        insertElement(made, at: location)
    }

    /// Returns whether the data of an item that was there makes nothing any more.
    func isLeftOut(_ item: PageItem) -> Bool { !placement(of: item).elements[item.element].isMade }

    private func dataPath(ofUnit item: PageItem) -> [JSONPathStep] {
        unitPath(item.section, item.unit) + sections[item.section].units[item.unit].dataPath
    }
}

extension EditedValue {
    /// The elements of an array; none for other values.
    fileprivate var elements: [EditedValue] {
        switch content {
        case .source(let source, let node):
            source.document.value(at: node).elements.map { EditedValue(source, $0.node) }
        case .array(let array): array.value.values
        default: []
        }
    }
}
