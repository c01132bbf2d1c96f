/// Edits of the sections of a page.
extension EditedPage {
    /// `isKnown` says whether its items were in the page before.
    func insert(
        _ element: EditedArray.Element, _ section: EditedSection, at index: Int, isKnown: Bool
    ) throws(EditFailure) {
        try limits.check(heightOf: element.value, below: sectionsPath.count + 1)
        try edit(at: sectionsPath[...]) { sections throws(EditFailure) in
            try sections.editArray { $0.insert(element, at: index) }
        }
        sections.insert(section, at: index)
        followInsertion(ofSection: index)
        shiftIndex(section: index, by: 1)
        addToIndex(section: index)
        if !isKnown { for unit in section.units { record.add(unit, page: number) } }
        record.addUnitEdit()
        try checkSize()
    }

    /// Replaces a section by another one with its bytes; without effect if they are the same.
    func setSection(
        _ index: Int, to section: EditedSection, of value: EditedValue
    ) throws(EditFailure) {
        guard !isSection(index, equalTo: value) else { return }
        try edit(value, at: [], ofSection: index)
        removeFromIndex(section: index)
        sections[index] = section
        if section.isTouched { touch(section: index) }
        addToIndex(section: index)
        for unit in section.units { record.add(unit, page: number) }
        record.addUnitEdit()
    }

    /// Returns whether a section has the bytes of a value.
    func isSection(_ index: Int, equalTo value: EditedValue) -> Bool {
        let own = self.value(at: path(ofSection: index))
        return own?.byteCount == value.byteCount && own?.bytes == value.bytes
    }

    func removeSection(
        _ index: Int
    ) throws(EditFailure) -> (element: EditedArray.Element, section: EditedSection) {
        record.addUnitEdit()
        removeFromIndex(section: index)
        shiftIndex(section: index, by: -1)
        let element = try edit(at: sectionsPath[...]) { sections throws(EditFailure) in
            try sections.editArray { $0.remove(at: index) }
        }
        followRemoval(ofSection: index)
        return (element, sections.remove(at: index))
    }

    /// Sets or takes away a member of a section, or of an object in it.
    ///
    /// A section that is an array of units becomes an object; an object on the path that does not
    /// exist is created.
    ///
    /// - Parameters:
    ///   - path: The names of the members from the section to the one to set.
    ///   - section: The index of the section.
    ///   - value: The value; `nil` to take the member away.
    func setMember(
        _ path: [String], ofSection section: Int, to value: EditedValue?
    ) throws(EditFailure) {
        guard let name = path.last else { return }
        if sections[section].isBare { try makeObject(ofSection: section) }
        let sectionPath = self.path(ofSection: section)
        if let value { try limits.check(heightOf: value, below: sectionPath.count + path.count) }
        for parent in path.dropLast() where try member([parent], ofSection: section) == nil {
            try setMember([parent], ofSection: section, to: EditedValue(EditedObject()))
        }
        let parents = sectionPath + path.dropLast().map { .init(member: $0) }
        try edit(at: parents[...]) { object throws(EditFailure) in
            try object.editObject { object in
                if let value {
                    object.set(JSONKey(name), to: value)
                } else {
                    object.remove(JSONKey(name))
                }
            }
        }
        try checkSize()
    }

    func edit(
        _ value: EditedValue, at path: [JSONPathStep], ofSection section: Int
    ) throws(EditFailure) {
        let path = self.path(ofSection: section) + path
        try limits.check(heightOf: value, below: path.count)
        try edit(at: path[...]) { $0 = value }
        try checkSize()
    }

    private func makeObject(ofSection section: Int) throws(EditFailure) {
        let name = JSONKey(registry.names.units)
        let path = path(ofSection: section)
        try edit(at: path[...]) { value throws(EditFailure) in
            try limits.check(heightOf: value, below: path.count + 1)
            var object = EditedObject()
            object.set(name, to: value)
            value = EditedValue(object)
        }
        sections[section].isBare = false
    }
}
