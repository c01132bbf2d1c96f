/// The edit of a unit by the actions of a request, or by the operations of an update.
///
/// The unit is judged after the action, or the update (docs/catalog.md, "Actions"); a violation
/// that it had before does not count.
struct UnitEdit {
    /// The unit before the edit.
    enum Before {
        /// It was the value, which may have violations.
        case value(JSONValue)
        /// It had no violations.
        case sound
        case absent
        /// It is one of a section that took the place of others.
        case replaced(ReplacedSections)
    }

    let before: Before
    /// The placements, by their positions, whose data was taken away with the items that they made.
    var taken: Set<Int> = []
    /// The index of the last operation that changed the unit.
    var operation = 0

    init(_ before: Before, by operation: Int = 0) {
        self.before = before
        self.operation = operation
    }
}

/// The units that the current action, or the update, changes.
extension EditedPage {
    /// Notes that the current operation changes a unit, before it does.
    func touch(_ unit: Int, ofSection section: Int) throws(EditFailure) {
        guard record.notesUnits else { return }
        if sections[section].units[unit].edit == nil {
            guard let value = value(at: unitPath(section, unit)) else { throw .noValue }
            sections[section].units[unit].edit = UnitEdit(.value(try posted(value)))
        }
        sections[section].units[unit].edit?.operation = record.operation
        sections[section].touch(unit)
        touch(section: section)
    }

    /// Notes that the current operation takes items of one unit away.
    ///
    /// The data of an item that is not an element goes with it, so that its placement is not made
    /// any more. A unit with a fallback, or on which its section depends, is not made without it.
    func touch(taking items: [PageItem]) throws(EditFailure) {
        guard record.notesUnits, let first = items.first else { return }
        try touch(first.unit, ofSection: first.section)
        let unit = sections[first.section].units[first.unit]
        let placements = items.map { unit.placements[$0.placement] }
        guard !unit.hasChain else { return }
        let taken = Set(placements.filter { $0.role != .cells }.map(\.ordinal))
        sections[first.section].units[first.unit].edit?.taken.formUnion(taken)
    }

    /// `value` is the view before the current operation changes it; `nil` for none.
    func touchView(
        _ role: PlacementRole, ofSection section: Int, before value: EditedValue?
    ) throws(EditFailure) {
        guard record.notesUnits else { return }
        if sections[section].views[role] == nil {
            let before = try value.map { value throws(EditFailure) in try posted(value) }
            sections[section].views[role] = UnitEdit(
                before.map { UnitEdit.Before.value($0) } ?? .absent)
        }
        sections[section].views[role]?.operation = record.operation
        sections[section].touchedViews.insert(role)
        touch(section: section)
    }

    func touch(section: Int) { touchedSections.insert(section) }

    /// Brings the indexes of the changed sections up to date after a section has come.
    func followInsertion(ofSection section: Int) {
        touchedSections = Set(touchedSections.map { $0 >= section ? $0 + 1 : $0 })
        if sections[section].isTouched { touch(section: section) }
    }

    /// Brings the indexes of the changed sections up to date after a section has gone.
    func followRemoval(ofSection section: Int) {
        touchedSections.remove(section)
        touchedSections = Set(touchedSections.map { $0 > section ? $0 - 1 : $0 })
    }
}

// MARK: - Judgements

extension EditedPage {
    /// Judges the units that an action, or an update, has changed.
    ///
    /// - Parameter cost: The work of all judgements of the request, which has a limit.
    /// - Throws: A failure for the first violation that it has caused.
    /// - Complexity: O(bytes) of the changed units that may have violations.
    func judgeTouched(_ cost: inout SchemaCost) throws(EditFailure) {
        defer { touchedSections = [] }
        for index in touchedSections.sorted() {
            for unit in sections[index].takeTouchedUnits() {
                try judge(unit: unit, ofSection: index, &cost)
            }
            for role in sections[index].touchedViews.sorted(by: { $0.rawValue < $1.rawValue }) {
                try judge(role, ofSection: index, &cost)
            }
            sections[index].touchedViews = []
        }
    }

    private func judge(
        unit index: Int, ofSection section: Int, _ cost: inout SchemaCost
    ) throws(EditFailure) {
        let unit = sections[section].units[index]
        guard let edit = unit.edit else { return }
        guard unit.mayHaveViolations(by: registry) else {
            return sections[section].units[index].edit = UnitEdit(.sound)
        }
        guard let value = value(at: unitPath(section, index)) else { throw .noValue }
        record.reread(value.byteCount)
        let location = UnitLocation(
            section: Int32(truncatingIfNeeded: section), isBare: sections[section].isBare,
            part: .unit(Int32(truncatingIfNeeded: index)))
        let judge = UnitJudge(self, location, role: nil, isMissing: unit.isMissing)
        sections[section].units[index].edit = try judge.judged(value, after: edit, &cost)
    }

    private func judge(
        _ role: PlacementRole, ofSection section: Int, _ cost: inout SchemaCost
    ) throws(EditFailure) {
        guard let edit = sections[section].views[role],
            let value = try member([role.rawValue], ofSection: section)
        else { return }
        let location = UnitLocation(
            section: Int32(truncatingIfNeeded: section), isBare: sections[section].isBare,
            part: role == .header ? .header : .footer)
        let isMissing = sections[section].missingViews.contains(role)
        let judge = UnitJudge(self, location, role: role, isMissing: isMissing)
        sections[section].views[role] = try judge.judged(value, after: edit, &cost)
    }
}

/// The judge of one unit that an action, or an update, has changed.
private struct UnitJudge {
    private let page: EditedPage
    private let location: UnitLocation
    private let role: PlacementRole?
    private let isMissing: Bool

    /// Creates the judge of a unit.
    ///
    /// - Parameters:
    ///   - page: Its page.
    ///   - location: Its location there.
    ///   - role: The only role that counts, for a section's own header or footer.
    ///   - isMissing: A Boolean value that indicates whether the section goes with the unit.
    init(_ page: EditedPage, _ location: UnitLocation, role: PlacementRole?, isMissing: Bool) {
        (self.page, self.location) = (page, location)
        (self.role, self.isMissing) = (role, isMissing)
    }

    /// Judges a unit after an edit of it, and returns the edit from which a later one begins.
    ///
    /// - Throws: A failure for the first violation that was not there before.
    func judged(
        _ value: EditedValue, after edit: UnitEdit, _ cost: inout SchemaCost
    ) throws(EditFailure) -> UnitEdit? {
        cost.steps += value.byteCount
        let posted = try page.posted(value)
        let found = violations(of: posted, &cost)
        guard found.total > 0 else { return UnitEdit(.sound) }
        var known: Set<StrictViolations.Identity>
        switch edit.before {
        case .sound: known = []
        case .value(let value): known = violations(of: value, &cost).identities
        case .replaced(let sections):
            known = sections.identities { sections in
                sections.reduce(into: []) { $0.formUnion(identities(of: $1, &cost)) }
            }
        case .absent where isMissing: known = []
        case .absent: return nil
        }
        // A unit that could not be judged has no known violations; to a backend, which may write
        // any page, it is not refused for that.
        if cost.excess != nil {
            guard !page.record.judgesOperations else { return edit }
            known = []
        }
        let isNew = { (violation: StrictViolations.Entry) in
            !known.contains(violation.identity) && !edit.has(taken: violation)
        }
        if let violation = found.first.first(where: isNew) {
            throw failure(violation, by: edit.operation)
        }
        return edit
    }

    private func violations(of value: JSONValue, _ cost: inout SchemaCost) -> StrictViolations {
        var collector = ViolationCollector(keeping: 1)
        let unit = ServerStateUnit(value, names: page.registry.names, &collector)
        return unit.map { violations(of: $0, role, &cost) } ?? StrictViolations()
    }

    private func violations(
        of unit: ServerStateUnit, _ role: PlacementRole?, _ cost: inout SchemaCost
    ) -> StrictViolations {
        var judge = StrictJudge(
            ofEditsIn: unit.document, section: page.sections[Int(location.section)].identifier,
            for: page.audience, page.registry, cost)
        judge.check(unit, at: location, role)
        cost = judge.cost
        return judge.found
    }

    /// Returns the violations that the units of a section have.
    private func identities(
        of value: JSONValue, _ cost: inout SchemaCost
    ) -> Set<StrictViolations.Identity> {
        var collector = ViolationCollector(keeping: 1)
        guard let section = ServerStateSection(value, names: page.registry.names, &collector)
        else { return [] }
        var known: Set<StrictViolations.Identity> = []
        for unit in section.units {
            known.formUnion(violations(of: unit, nil, &cost).identities)
        }
        for (view, role) in [(section.header, PlacementRole.header), (section.footer, .footer)] {
            guard let view else { continue }
            known.formUnion(violations(of: view, role, &cost).identities)
        }
        return known
    }

    private func failure(
        _ violation: StrictViolations.Entry, by operation: Int
    ) -> EditFailure {
        let diagnostic = violation.diagnostic.diagnostic(
            page: page.number, names: page.registry.names)
        let isOfAction = !page.record.judgesOperations
        return EditFailure(
            "The \(isOfAction ? "action" : "update") would leave a violation in page "
                + "\(page.number), at \(diagnostic.pointer): \(diagnostic.detail)"
                + (isOfAction ? "." : " (strict=false stores it)."),
            at: isOfAction ? "" : "/operations/\(operation)")
    }
}

/// The sections that an update replaces by one, with the violations of their units once they are
/// needed.
final class ReplacedSections {
    private let sections: [JSONValue]
    private var known: Set<StrictViolations.Identity>?

    init(_ sections: [JSONValue]) { self.sections = sections }

    /// Returns what a function finds in the sections, which is called once.
    func identities(
        _ find: ([JSONValue]) -> Set<StrictViolations.Identity>
    ) -> Set<StrictViolations.Identity> {
        if let known { return known }
        let found = find(sections)
        known = found
        return found
    }
}

extension UnitEdit {
    /// Returns whether a violation is that the data of a placement is missing, which was taken away
    /// with the item that it made.
    fileprivate func has(taken violation: StrictViolations.Entry) -> Bool {
        guard case .placement(let index) = violation.subject,
            case .missingData = violation.diagnostic.kind
        else { return false }
        return violation.diagnostic.location.fallback == 0 && taken.contains(index)
    }
}

extension EditedUnit {
    /// Returns whether the unit has to be judged: its data has schemas, a fallback may hide that it
    /// is not made, or it makes less than it could.
    ///
    /// - Complexity: O(placements).
    fileprivate func mayHaveViolations(by registry: CellRegistry) -> Bool {
        let name = String(decoding: type.utf8, as: UTF8.self)
        guard !hasChain, !registry.hasSchemas(forUnit: name),
            let rules = registry.placements(of: name),
            rules.count == placements.count
        else { return true }
        return zip(placements, rules).contains { placement, rule in
            guard placement.path != nil else {
                return placement.role == .cells || placement.role == .cell && !rule.isOptional
            }
            return !placement.areAllMade
        }
    }
}

extension CellRegistry {
    /// Returns whether the data of units of a type, or of what they make, is judged by schemas.
    fileprivate func hasSchemas(forUnit type: String) -> Bool {
        guard hasSchemas else { return false }
        return schema(of: type) != nil
            || (placements(of: type) ?? []).contains { placement in
                placement.type.contains { kinds[$0].schema != nil }
            }
    }
}
