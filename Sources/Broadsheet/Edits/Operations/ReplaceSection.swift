/// Replaces the parts of the section of the same id by one section, in the place of the first that
/// the audience gets or at another one; inserts the section if there are none, by default at the
/// end.
struct ReplaceSection: UpdateForm {
    static let name = "replaceSection", changesPlaces = true
    // The section is a new one, and not the name of one.
    static let members: [UpdateMember] = ["section"] + UpdateMember.place

    let section: JSONValue
    let place: UpdatePlace?

    static func read(_ members: inout UpdateMembers) -> UpdateOperation? {
        let names = members.names
        let section = members.required("section") { value, collector in
            Self.section(value, names, &collector)
        }
        guard let place = members.place(), let section else { return nil }
        // Without a place, a section that is there stays where it is.
        return .replaceSection(section, place == .end ? nil : place)
    }

    /// Reads an object with an id.
    private static func section(
        _ value: JSONValue, _ names: ContractNames, _ collector: inout ViolationCollector
    ) -> JSONValue? {
        guard let section = Members(value, &collector) else { return nil }
        if section.value(names.sectionId, &collector) == nil {
            collector.report(
                "is missing; a section is replaced by its id", at: value,
                below: JSONPointer.appending("", names.sectionId))
        }
        return ServerStateSection(value, names: names, &collector).map { _ in value }
    }

    func apply(to editor: ScreenEditor) throws(EditFailure) {
        try editor.replace(by: section, place)
    }
}

extension ScreenEditor {
    fileprivate func replace(by value: JSONValue, _ place: UpdatePlace?) throws(EditFailure) {
        var section = try analyze(value)
        guard let identifier = section.identifier else {
            throw EditFailure(
                "The section has no id.",
                at: JSONPointer.appending("/section", registry.names.sectionId))
        }
        let parts = try parts(of: identifier, replacedBy: section)
        let element = EditedArray.Element(value: edited(value))
        guard var own = self.parts(of: identifier).first ?? parts.first else {
            return try insertSection(element, section, at: sectionPosition(place ?? .end))
        }
        var position = try position(of: section, at: place, replacing: parts, own)
        if record.isActing { try requireReplacement(of: parts, own, by: element.value) }
        if record.notesUnits { section.touchAll(try edit(replacing: parts)) }
        for part in parts.filter({ $0 != own }).reversed() {
            try removeSection(part)
            (own, position) = (own.without(part), position.without(part))
        }
        if position == own || position == own.next {
            try setSection(own, to: section, of: element.value)
        } else {
            var moved = try removeSection(own).element
            moved.value = element.value
            try insertSection(moved, section, at: position.without(own))
        }
    }

    /// Returns the parts of an identifier that a section replaces: those whose conditions hold for
    /// the audience, or are that of the section.
    ///
    /// So a section finds itself again whether the audience gets it or not.
    private func parts(
        of identifier: Identifier, replacedBy section: EditedSection
    ) throws(EditFailure) -> [Part] {
        var found: [Part] = []
        for part in parts(of: identifier, all: true) {
            let known = try page(part.page).sections[part.section]
            if known.isThere || known.condition == section.condition { found.append(part) }
        }
        return found
    }

    /// Returns the location that a place means for a section that replaces parts; its own without a
    /// place, and if an index means the section itself.
    private func position(
        of section: EditedSection, at place: UpdatePlace?, replacing parts: [Part], _ own: Part
    ) throws(EditFailure) -> Part {
        guard let place else { return own }
        switch place {
        case .before(.index(let index)), .after(.index(let index)):
            guard let current = self.index(ofSection: own) else { break }
            guard !section.isHidden else {
                throw EditFailure(
                    "This client will not get the section any more, so that the index will mean "
                        + "another one; name the place by an id.",
                    at: place == .before(.index(index)) ? "/before" : "/after")
            }
            if index == current { return own }
        case .before, .after, .end: break
        }
        return try sectionPosition(place, moving: parts)
    }

    /// Returns the edit of the units of a section that replaces parts: of an action none of them
    /// may have a violation, of an update none that the parts did not have.
    private func edit(replacing parts: [Part]) throws(EditFailure) -> UnitEdit {
        guard !record.isActing else { return UnitEdit(.sound) }
        var sections: [JSONValue] = []
        for part in parts {
            let page = try page(part.page)
            guard let value = page.value(at: page.path(ofSection: part.section)) else { continue }
            sections.append(try page.posted(value))
        }
        return UnitEdit(.replaced(ReplacedSections(sections)), by: record.operation)
    }

    /// Checks that an action may delete the items of the parts that a section replaces.
    private func requireReplacement(
        of parts: [Part], _ own: Part, by value: EditedValue
    ) throws(EditFailure) {
        for part in parts {
            let page = try page(part.page)
            if part != own || !page.isSection(part.section, equalTo: value) {
                try require(.delete, of: items(of: part), at: "/section")
            }
        }
    }
}
