/// Edits of the units of a page.
extension EditedPage {
    /// Returns whether a unit still has the placement of an item, and the element if it is one.
    ///
    /// A part of an operation may change what a unit makes, and another part may concern the same
    /// unit.
    ///
    /// - Parameter isPlace: A Boolean value that indicates whether the item is a location for an
    ///   element, which may be behind the last one.
    func has(_ item: PageItem, asPlace isPlace: Bool = false) -> Bool {
        let placements = sections[item.section].units[item.unit].placements
        guard let placement = placements[safe: item.placement] else { return false }
        let end = placement.elements.count + (isPlace ? 1 : 0)
        return item.element < end || placement.role != .cells
    }

    /// Checks that a unit still has the placement of an item, and the element if it is one.
    func require(_ item: PageItem, asPlace isPlace: Bool = false) throws(EditFailure) {
        guard has(item, asPlace: isPlace) else {
            throw EditFailure(
                "The unit makes something else after a part of the operation; its data or the "
                    + "operation has to be another one.")
        }
    }

    /// Reads the items, the header and the footer of a unit from its bytes.
    ///
    /// - Throws: A failure if it is not a unit.
    func readUnit(_ unit: Int, ofSection section: Int) throws(EditFailure) {
        guard let value = value(at: unitPath(section, unit)) else { throw .noValue }
        record.work.rereadBytes += value.byteCount
        sections[section].units[unit] = try analyze(value, ofSection: section, isEdited: true)
        record.add(sections[section].units[unit], page: number)
        record.addUnitChange()
    }

    /// Returns a unit of a section with the items, the header and the footer that it makes.
    ///
    /// - Parameters:
    ///   - value: The unit.
    ///   - section: The index of its section.
    ///   - isEdited: A Boolean value that indicates whether an operation has changed the unit.
    func analyze(
        _ value: EditedValue, ofSection section: Int, isEdited: Bool = false
    ) throws(EditFailure) -> EditedUnit {
        let posted: JSONValue
        if case .source(let source, let node) = value.content {
            posted = source.document.value(at: node)
        } else {
            posted = try document(of: value).root
        }
        var collector = ViolationCollector(keeping: 1)
        guard let unit = ServerStateUnit(posted, names: registry.names, &collector) else {
            let violation = collector.violations.first
            let reason = violation.map { "\($0.pointer) \($0.detail)" } ?? "it is not an object"
            throw EditFailure("What comes out would not be a unit: \(reason).")
        }
        var analyzer = UnitAnalyzer(posted.document, for: audience, registry: registry)
        return analyzer.unit(unit, in: sections[section].identifier, isEdited: isEdited)
    }

    /// Returns a document of a value alone.
    private func document(of value: EditedValue) throws(EditFailure) -> JSONDocument {
        guard let document = try? JSONDocument(value.bytes, maxDepth: .max) else { throw .noValue }
        return document
    }

    /// Inserts a unit into the list of a section's units.
    func insert(
        _ element: EditedArray.Element, _ unit: EditedUnit, at index: Int, ofSection section: Int
    ) throws(EditFailure) {
        try insertKnown(element, unit, at: index, ofSection: section)
        record.add(unit, page: number)
    }

    /// Inserts a unit whose items were in the page before.
    private func insertKnown(
        _ element: EditedArray.Element, _ unit: EditedUnit, at index: Int, ofSection section: Int
    ) throws(EditFailure) {
        let path = unitsPath(section)
        try limits.check(heightOf: element.value, below: path.count + 1)
        try edit(at: path[...]) { units throws(EditFailure) in
            try units.editArray { $0.insert(element, at: index) }
        }
        sections[section].units.insert(unit, at: index)
        record.addUnitChange()
        try checkSize()
    }

    /// Removes a unit from the list of a section's units.
    func removeUnit(
        _ index: Int, ofSection section: Int
    ) throws(EditFailure) -> (element: EditedArray.Element, unit: EditedUnit) {
        record.addUnitChange()
        let element = try edit(at: unitsPath(section)[...]) { units throws(EditFailure) in
            try units.editArray { $0.remove(at: index) }
        }
        return (element, sections[section].units.remove(at: index))
    }

    /// Divides the unit of an item into two, of which the second one begins with the item; both
    /// keep the other members.
    ///
    /// - Throws: A failure unless the unit's data is an array and makes nothing but its elements.
    func split(before item: PageItem) throws(EditFailure) {
        try require(item, asPlace: true)
        let unit = sections[item.section].units[item.unit]
        let placement = unit.placements[item.placement]
        guard unit.placements.filter(\.isMade).count == 1, placement.role == .cells,
            placement.path == [], unit.dataPath == [steps.unitData]
        else {
            throw EditFailure(
                "The place is within a unit that cannot be divided: "
                    + "its data is not an array, or makes something else too.")
        }
        let path = unitPath(item.section, item.unit)
        guard var half = value(at: path) else { throw .noValue }
        let data = [steps.unitData]
        let rest = try edit(at: (path + data)[...]) { array throws(EditFailure) in
            try array.editArray { $0.split(at: item.element) }
        }
        try half.edit(at: data[...]) { $0 = EditedValue(rest) }
        let value = EditedArray.Element(value: half)
        guard placement.pointer != nil else {
            record.work.rereadBytes += half.byteCount
            try readUnit(item.unit, ofSection: item.section)
            return try insertKnown(
                value, try analyze(half, ofSection: item.section), at: item.unit + 1,
                ofSection: item.section)
        }
        var other = unit
        other.placements = unit.placements.map { $0.emptied() }
        other.placements[item.placement] = setPlacement(of: item) { $0.split(at: item.element) }
        try insertKnown(value, other, at: item.unit + 1, ofSection: item.section)
        try refresh(item, after: .inserted(at: item.element))
        var second = item
        (second.unit, second.element) = (item.unit + 1, 0)
        try refresh(second, after: .inserted(at: 0))
    }
}
