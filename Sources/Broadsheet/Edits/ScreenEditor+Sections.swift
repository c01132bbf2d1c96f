/// Operations on sections.
extension ScreenEditor {
    /// None of the `moved` parts, which are moved there, may be the place itself.
    func sectionPosition(
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
        case .before(.index(let index)) where index == sectionCount: break
        case .before(let target): return try first(target, "/before")
        case .after(let target):
            return try first(target, "/after").next
        case .end: break
        }
        guard let last = pages.indices.last else {
            throw EditFailure("The screen has no pages; PUT one first.")
        }
        return Part(page: last, section: try page(last).sections.count)
    }

    /// Returns a section of a request as a section of a page.
    func analyze(_ value: JSONValue) throws(EditFailure) -> EditedSection {
        var collector = ViolationCollector(keeping: 1)
        let section = ServerStateSection(value, names: registry.names, &collector)
        guard let section, collector.total == 0 else {
            let violation = collector.violations.first
            throw EditFailure("The value is not a section: \(violation?.detail ?? "").")
        }
        var analyzer = UnitAnalyzer(value.document, for: audience, registry: registry)
        return analyzer.section(section)
    }
}

// MARK: - Members

extension ScreenEditor {
    /// Returns the value of a member in the last part of a section that has it, or `nil`.
    func member(_ path: [String], of parts: [Part]) throws(EditFailure) -> EditedValue? {
        for part in parts.reversed() {
            if let value = try member(path, of: part) { return value }
        }
        return nil
    }

    /// Returns the value of a member of a part of a section, or of an object in it; `nil` if it is
    /// absent or null.
    func member(_ path: [String], of part: Part) throws(EditFailure) -> EditedValue? {
        guard mayHave(path[0], part) else { return nil }
        return try page(part.page).member(path, ofSection: part.section)
    }

    /// Returns whether a part of a section may have a member, so that its page has to be opened.
    func mayHave(_ name: String, _ part: Part) -> Bool {
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
}
