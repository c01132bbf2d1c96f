/// Edits of the units of a page.
extension EditedPage {
    /// Returns whether a unit still has the placement of an item, and the element if it is one.
    ///
    /// A part of an operation may change what a unit makes, and another part may concern the same
    /// unit.
    ///
    /// - Parameter isPlace: A Boolean value that indicates whether the item is a location for an
    ///   element of an array, which may be behind the last one.
    func has(_ item: PageItem, asPlace isPlace: Bool = false) -> Bool {
        let placements = sections[item.section].units[item.unit].placements
        guard let placement = placements[safe: item.placement] else { return false }
        if isPlace { return placement.role == .cells && item.element <= placement.elements.count }
        return item.element < placement.elements.count
    }

    func require(_ item: PageItem, asPlace isPlace: Bool = false) throws(EditFailure) {
        guard has(item, asPlace: isPlace) else { throw .changedUnit }
    }

    /// Reads what the unit makes from its bytes; throws a failure if it is not a unit.
    func readUnit(_ unit: Int, ofSection section: Int) throws(EditFailure) {
        guard let value = value(at: unitPath(section, unit)) else { throw .noValue }
        record.reread(value.byteCount)
        var read = try analyze(value, ofSection: section, isEdited: true)
        read.edit = sections[section].units[unit].edit
        countMissing(read, ofSection: section, insteadOf: sections[section].units[unit])
        removeFromIndex(unit: unit, ofSection: section)
        sections[section].units[unit] = read
        addToIndex(unit: unit, ofSection: section)
        record.add(sections[section].units[unit], page: number)
        record.addUnitEdit()
    }

    /// Returns a unit of a section with the items, the header and the footer that it makes.
    ///
    /// - Parameters:
    ///   - value: The unit.
    ///   - section: The index of its section.
    ///   - isEdited: A Boolean value that indicates whether an operation has changed the unit.
    ///   - view: The only role that counts, for the section's own header or footer.
    func analyze(
        _ value: EditedValue, ofSection section: Int, isEdited: Bool = false,
        as view: PlacementRole? = nil
    ) throws(EditFailure) -> EditedUnit {
        let posted = try posted(value)
        var collector = ViolationCollector(keeping: 1)
        guard let unit = ServerStateUnit(posted, names: registry.names, &collector) else {
            let violation = collector.violations.first
            let reason = violation.map { "\($0.pointer) \($0.detail)" } ?? "it is not an object"
            throw EditFailure("What comes out would not be a unit: \(reason).")
        }
        var analyzer = UnitAnalyzer(posted.document, for: audience, registry: registry)
        judge?.document = posted.document
        analyzer.judge = judge
        defer { judge = analyzer.judge }
        return analyzer.unit(
            unit, in: sections[section].identifier, isEdited: isEdited, as: view)
    }

    /// Counts a unit that a section has now among those without which it is not in the tree.
    private func countMissing(
        _ unit: EditedUnit, ofSection section: Int, insteadOf old: EditedUnit? = nil
    ) {
        let isMissing = old?.isMissing ?? false
        guard unit.isMissing != isMissing else { return }
        setVisibility(ofSection: section) { $0.missingUnits += isMissing ? -1 : 1 }
    }

    /// Reads whether a section's own header or footer can be made, if the section depends on it.
    ///
    /// - Throws: A failure if it is not a unit.
    func readView(_ role: PlacementRole, ofSection section: Int) throws(EditFailure) {
        let isMissing =
            if let view = try member([role.rawValue], ofSection: section) {
                try analyze(view, ofSection: section, as: role).isMissing
            } else {
                false
            }
        guard isMissing != sections[section].missingViews.contains(role) else { return }
        setVisibility(ofSection: section) { section in
            if isMissing {
                section.missingViews.insert(role)
            } else {
                section.missingViews.remove(role)
            }
        }
    }

    /// Calls `change` with a section that may be in the tree or leave it.
    private func setVisibility(
        ofSection section: Int, _ change: (inout EditedSection) -> Void
    ) {
        change(&sections[section])
        record.addVisibilityEdit(section, page: number)
    }

    /// Returns a value under edit as a value of a document: of its own, or of one of it alone.
    func posted(_ value: EditedValue) throws(EditFailure) -> JSONValue {
        if case .source(let source, let node) = value.content {
            return source.document.value(at: node)
        }
        guard let document = try? JSONDocument(value.bytes, maxDepth: .max) else { throw .noValue }
        return document.root
    }

    func insert(
        _ element: EditedArray.Element, _ unit: EditedUnit, at index: Int, ofSection section: Int
    ) throws(EditFailure) {
        try insertKnown(element, unit, at: index, ofSection: section)
        shiftIndex(unit: index, ofSection: section, by: 1)
        addToIndex(unit: index, ofSection: section)
        record.add(unit, page: number)
    }

    /// Inserts a unit whose items were in the page before; the index has to follow.
    private func insertKnown(
        _ element: EditedArray.Element, _ unit: EditedUnit, at index: Int, ofSection section: Int
    ) throws(EditFailure) {
        let path = unitsPath(section)
        try limits.check(heightOf: element.value, below: path.count + 1)
        try edit(at: path[...]) { units throws(EditFailure) in
            try units.editArray { $0.insert(element, at: index) }
        }
        var unit = unit
        if record.notesUnits, unit.isMissing, unit.edit == nil {
            unit.edit = UnitEdit(.absent, by: record.operation)
        }
        if unit.edit != nil { touch(section: section) }
        sections[section].insert(unit, at: index)
        countMissing(unit, ofSection: section)
        record.addUnitEdit()
        try checkSize()
    }

    func removeUnit(
        _ index: Int, ofSection section: Int
    ) throws(EditFailure) -> (element: EditedArray.Element, unit: EditedUnit) {
        record.addUnitEdit()
        let element = try edit(at: unitsPath(section)[...]) { units throws(EditFailure) in
            try units.editArray { $0.remove(at: index) }
        }
        removeFromIndex(unit: index, ofSection: section)
        shiftIndex(unit: index, ofSection: section, by: -1)
        return (element, sections[section].removeUnit(at: index))
    }

    /// Divides the unit of an item into two, of which the second one begins with the item; both
    /// keep the other members.
    ///
    /// - Throws: A failure unless the unit's data is an array and makes nothing but its elements.
    func split(before item: PageItem) throws(EditFailure) {
        try touch(item.unit, ofSection: item.section)
        let unit = sections[item.section].units[item.unit]
        guard let placement = unit.placements[safe: item.placement] else { throw .changedUnit }
        guard unit.placements.filter(\.isMade).count == 1, placement.role == .cells,
            placement.path == [], unit.dataPath == [steps.unitData]
        else {
            throw EditFailure(
                "The place is within a unit that cannot be divided: "
                    + "its data is not an array, or makes something else too.")
        }
        try require(item, asPlace: true)
        let path = unitPath(item.section, item.unit)
        guard var half = value(at: path) else { throw .noValue }
        let data = [steps.unitData]
        let rest = try edit(at: (path + data)[...]) { array throws(EditFailure) in
            try array.editArray { $0.split(at: item.element) }
        }
        try half.edit(at: data[...]) { $0 = EditedValue(rest) }
        let value = EditedArray.Element(value: half)
        guard placement.pointer != nil else {
            record.reread(half.byteCount)
            try readUnit(item.unit, ofSection: item.section)
            var other = try analyze(half, ofSection: item.section)
            other.edit = unit.edit
            try insertKnown(value, other, at: item.unit + 1, ofSection: item.section)
            shiftIndex(unit: item.unit + 1, ofSection: item.section, by: 1)
            addToIndex(unit: item.unit + 1, ofSection: item.section)
            return
        }
        var other = unit
        other.placements = unit.placements.map { $0.emptied() }
        other.placements[item.placement] = setPlacement(of: item) { $0.split(at: item.element) }
        try insertKnown(value, other, at: item.unit + 1, ofSection: item.section)
        divideIndex(at: item)
        try refresh(item, after: .inserted(at: item.element))
        var second = item
        (second.unit, second.element) = (item.unit + 1, 0)
        try refresh(second, after: .inserted(at: 0))
    }
}

extension EditFailure {
    /// The failure of an operation that needs what an earlier part of it has changed.
    static var changedUnit: EditFailure {
        EditFailure(
            "The unit makes something else after a part of the operation; its data or the "
                + "operation has to be another one.")
    }
}
