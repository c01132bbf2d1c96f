/// Operations on sections.
extension ScreenEditor {
    /// Returns the location for sections at a place.
    ///
    /// - Parameter moved: The parts that are moved there, of which none may be the place itself.
    private func sectionPosition(
        _ place: UpdatePlace, moving moved: [Part] = []
    ) throws(EditFailure) -> Part {
        func first(_ target: UpdateTarget, _ pointer: String) throws(EditFailure) -> Part {
            let parts = try parts(of: target, at: pointer)
            guard !moved.contains(parts[0]) else {
                throw EditFailure("The place is the section that is moved.", at: pointer)
            }
            return parts[0]
        }
        switch place {
        case .before(.index(let index)) where index == sections.count: break
        case .before(let target): return try first(target, "/before")
        case .after(let target):
            let part = try first(target, "/after")
            return Part(page: part.page, section: part.section + 1)
        case .end: break
        }
        guard let last = pages.indices.last else {
            throw EditFailure("The screen has no pages; PUT one first.")
        }
        return Part(page: last, section: try page(last).sections.count)
    }

    /// Inserts new sections.
    func insertSections(_ values: [JSONValue], _ place: UpdatePlace) throws(EditFailure) {
        let position = try sectionPosition(place)
        var names: Set<Identifier> = []
        for (index, value) in values.enumerated() {
            let section = try analyze(value)
            if let name = section.identifier {
                guard parts(of: name).isEmpty, names.insert(name).inserted else {
                    throw EditFailure(
                        "The screen has a section with the id \"\(name.text)\" already.",
                        at: "/sections/\(index)/\(registry.names.sectionId)")
                }
            }
            try page(position.page).insert(
                EditedArray.Element(value: edited(value)), section, at: position.section + index)
        }
        sectionsChanged()
    }

    /// Replaces the parts of the section of the same id by one section, in the place of the first
    /// that the audience gets or at another one; inserts the section if there are none, by default
    /// at the end.
    func replaceSection(_ value: JSONValue, _ place: UpdatePlace?) throws(EditFailure) {
        var section = try analyze(value)
        guard let identifier = section.identifier else {
            throw EditFailure(
                "The section has no id.",
                at: JSONPointer.appending("/section", registry.names.sectionId))
        }
        let parts = try parts(of: identifier, replacedBy: section)
        let element = EditedArray.Element(value: edited(value))
        guard var own = self.parts(of: identifier).first ?? parts.first else {
            let position = try sectionPosition(place ?? .end)
            try page(position.page).insert(element, section, at: position.section)
            return sectionsChanged()
        }
        var position = try position(of: section, at: place, replacing: parts, own)
        if record.isActing {
            try requireReplacement(of: parts, own, by: element.value)
            section.expectSound()
            try page(position.page).isTouched = true
        }
        for part in parts.filter({ $0 != own }).reversed() {
            _ = try page(part.page).removeSection(part.section)
            (own, position) = (own.without(part), position.without(part))
        }
        if position == own || position == Part(page: own.page, section: own.section + 1) {
            try page(own.page).replaceSection(own.section, by: element.value, section)
        } else {
            var moved = try page(own.page).removeSection(own.section).element
            moved.value = element.value
            position = position.without(own)
            try page(position.page).insert(moved, section, at: position.section)
        }
        sectionsChanged()
    }

    /// Returns the parts of an identifier that a section replaces: those whose conditions hold for
    /// the audience, or are that of the section.
    ///
    /// So a section finds itself again whether the audience gets it or not.
    private func parts(
        of identifier: Identifier, replacedBy section: EditedSection
    ) throws(EditFailure) -> [Part] {
        var parts: [Part] = []
        for page in pages.indices {
            for index in 0..<sectionCount(ofPage: page) where has(identifier.text, index, page) {
                let part = try self.page(page).sections[index]
                guard part.isThere || part.condition == section.condition else { continue }
                parts.append(Part(page: page, section: index))
            }
        }
        return parts
    }

    /// Returns the location that a place means for a section that replaces parts; its own without a
    /// place, and if an index means the section itself.
    private func position(
        of section: EditedSection, at place: UpdatePlace?, replacing parts: [Part], _ own: Part
    ) throws(EditFailure) -> Part {
        guard let place else { return own }
        switch place {
        case .before(.index(let index)), .after(.index(let index)):
            guard let current = sections.firstIndex(where: { $0[0] == own }) else { break }
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

    /// Appends sections to the last page.
    func extendSections(_ values: [JSONValue]) throws(EditFailure) {
        let position = try sectionPosition(.end)
        for (index, value) in values.enumerated() {
            try page(position.page).insert(
                EditedArray.Element(value: edited(value)), try analyze(value),
                at: position.section + index)
        }
        sectionsChanged()
    }

    private func analyze(_ value: JSONValue) throws(EditFailure) -> EditedSection {
        var collector = ViolationCollector(keeping: 1)
        let section = ServerStateSection(value, names: registry.names, &collector)
        guard let section, collector.total == 0 else {
            let violation = collector.violations.first
            throw EditFailure("The value is not a section: \(violation?.detail ?? "").")
        }
        var analyzer = UnitAnalyzer(value.document, for: audience, registry: registry)
        return analyzer.section(section)
    }

    /// Removes sections from all pages.
    func deleteSections(_ targets: [UpdateTarget]) throws(EditFailure) {
        var parts: Set<Part> = []
        for (index, target) in targets.enumerated() {
            let pointer = "/sections/\(index)"
            for part in try self.parts(of: target, at: pointer) {
                guard parts.insert(part).inserted else {
                    throw EditFailure("The section is named twice.", at: pointer)
                }
            }
        }
        for part in parts.sorted().reversed() {
            if record.isActing { try require(.delete, of: items(of: part), at: "/sections") }
            _ = try page(part.page).removeSection(part.section)
        }
        sectionsChanged()
    }

    /// Moves the first part of a section, and all its parts before the new place, there.
    func moveSection(_ parts: [Part], to place: UpdatePlace) throws(EditFailure) {
        var position = try sectionPosition(place, moving: parts)
        let moved = [parts[0]] + parts.dropFirst().filter { $0 < position }
        var removed: [(element: EditedArray.Element, section: EditedSection)] = []
        for part in moved.reversed() {
            removed.append(try page(part.page).removeSection(part.section))
            position = position.without(part)
        }
        for (index, part) in removed.reversed().enumerated() {
            try page(position.page).insert(
                part.element, part.section, at: position.section + index)
        }
        sectionsChanged()
    }
}

// MARK: - Members

extension ScreenEditor {
    /// Applies a merge patch to the members of a section other than its units.
    func patchSection(_ parts: [Part], _ patch: JSONValue) throws(EditFailure) {
        let source = source(of: patch)
        for (name, value) in patch.members
        where source.member(JSONKey(name), of: patch.node) == value.node {
            do throws(EditFailure) {
                try patchMember(name.string, of: parts, value)
            } catch {
                var failure = error
                failure.pointer = JSONPointer.appending("/patch", name.string)
                throw failure
            }
        }
    }

    private func patchMember(
        _ name: String, of parts: [Part], _ value: JSONValue
    ) throws(EditFailure) {
        switch name {
        case "collapsed", "data":
            if name == "data", registry.names.sectionData == nil {
                throw EditFailure("The catalog's contract gives sections no data.")
            }
            try setMember([name], of: parts, merging: value)
        case "layout" where value.isNull: try setMember([name], of: parts, merging: value)
        case "layout":
            guard value.kind == .object else { throw EditFailure("A layout is an object.") }
            for member in value.members {
                try setMember([name, member.name.string], of: parts, merging: member.value)
            }
        case "header", "footer":
            let role: PlacementRole = name == "header" ? .header : .footer
            if value.isNull, try unitMakes(role, in: parts) {
                throw EditFailure("A unit of the section makes the \(name).")
            }
            if !value.isNull { try touchView(role, of: parts) }
            try setMember([name], of: parts, merging: value)
            for part in parts where openedPage(part.page) != nil {
                try page(part.page).readView(role, ofSection: part.section)
            }
        default:
            guard MemberDiagnostics.isForOthers(name) else {
                throw EditFailure("A patch of a section has no such member.")
            }
        }
    }

    /// Notes that an action changes the header or the footer of a section: that of its last part,
    /// which becomes what the parts say together.
    private func touchView(_ role: PlacementRole, of parts: [Part]) throws(EditFailure) {
        guard record.isActing, let last = parts.last else { return }
        let view = try member([role.rawValue], of: parts)
        try page(last.page).touchView(role, ofSection: last.section, before: view)
    }

    /// Merges a patch into the value that a member of a section has, and writes the outcome into
    /// the last part; null takes the member away from all parts.
    private func setMember(
        _ path: [String], of parts: [Part], merging patch: JSONValue
    ) throws(EditFailure) {
        guard let last = parts.last else { return }
        if patch.isNull {
            for part in parts where try member(path, of: part) != nil {
                try page(part.page).setMember(path, ofSection: part.section, to: nil)
            }
            return
        }
        var value = try member(path, of: parts) ?? .none
        value.merge(source(of: patch), patch.node)
        try page(last.page).setMember(path, ofSection: last.section, to: value)
    }

    /// Replaces the data of the header or the footer of a section: of the last part that has one,
    /// in which a view of its own takes precedence over those of units.
    func replaceView(
        _ view: UpdateOperation.View, of parts: [Part], with data: JSONValue
    ) throws(EditFailure) {
        let role: PlacementRole = view == .header ? .header : .footer
        for part in parts.reversed() where mayHave(view.rawValue, part) {
            let page = try page(part.page)
            if let own = try member([view.rawValue], of: part),
                let path = try page.analyze(own, ofSection: part.section).dataPath(of: role)
            {
                try page.touchView(role, ofSection: part.section, before: own)
                try page.edit(
                    edited(data), at: [EditStep(member: view.rawValue)] + path,
                    ofSection: part.section)
                return try page.readView(role, ofSection: part.section)
            }
            let units = page.sections[part.section].units
            if let unit = units.indices.last(where: { units[$0].makes(role) }) {
                let placement = units[unit].placements.lastIndex { $0.role == role && $0.isMade }
                let item = PageItem(
                    section: part.section, unit: unit, placement: placement ?? 0, element: 0)
                return try replaceItem(Item(page: part.page, item: item), with: data)
            }
        }
        throw EditFailure("The section has no \(view.rawValue).", at: "/section")
    }

    /// Collapses a section, or expands it.
    func toggleSection(_ parts: [Part]) throws(EditFailure) {
        let isCollapsed = try member(["collapsed"], of: parts)?.bytes == Array("true".utf8)
        guard let last = parts.last,
            let document = try? JSONDocument(Array((isCollapsed ? "false" : "true").utf8))
        else { return }
        try page(last.page).setMember(
            ["collapsed"], ofSection: last.section, to: edited(document.root))
    }

    /// Returns the value of a member in the last part of a section that has it, or `nil`.
    private func member(_ path: [String], of parts: [Part]) throws(EditFailure) -> EditedValue? {
        for part in parts.reversed() {
            if let value = try member(path, of: part) { return value }
        }
        return nil
    }

    /// Returns the value of a member of a part of a section, or of an object in it; `nil` if it is
    /// absent or null.
    private func member(_ path: [String], of part: Part) throws(EditFailure) -> EditedValue? {
        guard mayHave(path[0], part) else { return nil }
        return try page(part.page).member(path, ofSection: part.section)
    }

    /// Returns whether a part of a section may have a member, so that its page has to be opened.
    private func mayHave(_ name: String, _ part: Part) -> Bool {
        guard openedPage(part.page) == nil, !mayDiffer else { return true }
        let section = pages[part.page].sections[part.section]
        return switch name {
        case "collapsed": section.collapsed != nil
        case "layout": section.layout != nil || section.hasOwnLayout
        case "data": section.dataRange != nil
        // A view of the section's own may be there although it makes nothing.
        case "header": section.header != nil || section.hasOwnViews
        default: section.footer != nil || section.hasOwnViews
        }
    }

    /// Returns whether a unit of the section makes a header or a footer.
    private func unitMakes(_ role: PlacementRole, in parts: [Part]) throws(EditFailure) -> Bool {
        for part in parts where mayHave(role.rawValue, part) {
            let section = try page(part.page).sections[part.section]
            if section.units.contains(where: { $0.makes(role) }) { return true }
        }
        return false
    }
}

extension EditedUnit {
    /// Returns the path from the posted unit to the data of the last header or footer that it
    /// makes; `nil` if it makes none of its data.
    fileprivate func dataPath(of role: PlacementRole) -> [EditStep]? {
        placements.last { $0.role == role && $0.isMade }?.path.map { dataPath + $0 }
    }
}
