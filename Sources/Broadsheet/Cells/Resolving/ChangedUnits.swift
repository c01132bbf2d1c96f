/// The units of a page that another state of the page did not have as they are, each with the one
/// that it was (docs/edits.md, "Units that an edit breaks").
struct ChangedUnits {
    private let before: [PlacedUnit]
    private let after: [PlacedUnit]
    /// The places of the units without a unit that they were, so far.
    private var open: [Int]
    /// The places of the units before that became none, so far.
    private var left: [Int]
    /// The places of changed units, and of what they were.
    private var pairs: [(after: Int, before: Int)] = []

    /// Finds what the units of a page were: units of the same content first, which are unchanged,
    /// then those of the same type, and last of any type, in the same section.
    ///
    /// - Complexity: O(bytes).
    init(of page: ServerStatePage, since earlier: ServerStatePage) {
        before = PlacedUnit.all(of: earlier)
        after = PlacedUnit.all(of: page)
        (open, left) = (Array(after.indices), Array(before.indices))
        pair(by: \.content)
        pairs = []
        pair(by: \.place)
        pair(by: \.place.section)
    }

    private mutating func pair(by key: (PlacedUnit) -> some Hashable) {
        // The last of each list is the first in the page.
        var places = Dictionary(grouping: left.reversed()) { AnyHashable(key(before[$0])) }
        var found: Set<Int> = []
        open.removeAll { place in
            let key = AnyHashable(key(after[place]))
            guard let other = places[key]?.popLast() else { return false }
            pairs.append((place, other))
            return found.insert(other).inserted
        }
        left.removeAll(where: found.contains)
    }

    /// Returns the violations that the changes have caused, and their number.
    ///
    /// - Complexity: O(bytes) of the changed units, and the judgements of schemas.
    func violations(
        for audience: Audience, by registry: CellRegistry
    ) -> (first: [StrictViolations.Entry], total: Int) {
        var cost = SchemaCost(limits: SchemaLimits(), registry.judgementBudget)
        var caused = StrictViolations()
        for pair in pairs {
            let found = after[pair.after].violations(for: audience, registry, &cost)
            guard found.total > 0 else { continue }
            let known = before[pair.before].violations(for: audience, registry, &cost)
            // What could not be judged has no known violations; resolving the page reports it.
            guard cost.excess == nil else { break }
            found.entries(notIn: known).forEach { caused.add($0) }
        }
        return (caused.first, caused.total)
    }
}

/// A unit, a header or a footer of a posted page.
private struct PlacedUnit {
    /// The place of a unit among those of its page.
    struct Place: Hashable {
        /// A section, and a part of it.
        struct Section: Hashable {
            let identifier: String?
            let role: PlacementRole?
        }

        let section: Section
        let type: String
    }

    let unit: ServerStateUnit
    let location: UnitLocation
    let place: Place
    /// The bytes that the violations of the unit depend on: types and data, of its fallbacks too.
    let content: [ArraySlice<UInt8>]

    private init(
        _ unit: ServerStateUnit, of section: ServerStateSection, _ role: PlacementRole?,
        at location: UnitLocation
    ) {
        (self.unit, self.location) = (unit, location)
        place = Place(
            section: Place.Section(identifier: section.identifier, role: role), type: unit.unitType)
        var content: [ArraySlice<UInt8>] = []
        var next: ServerStateUnit? = unit
        while let unit = next {
            content.append(unit.document.bytes[unit.typeValue.byteRange])
            content.append(unit.document.bytes[unit.data.byteRange])
            next = unit.fallback
        }
        self.content = content
    }

    static func all(of page: ServerStatePage) -> [PlacedUnit] {
        page.sections.enumerated().flatMap { index, section in
            let location = { (part: UnitLocation.Part) in
                UnitLocation(
                    section: Int32(truncatingIfNeeded: index), isBare: section.isBare, part: part)
            }
            let units = section.units.enumerated().map { number, unit in
                PlacedUnit(
                    unit, of: section, nil,
                    at: location(.unit(Int32(truncatingIfNeeded: number))))
            }
            let header = section.header.map {
                PlacedUnit($0, of: section, .header, at: location(.header))
            }
            let footer = section.footer.map {
                PlacedUnit($0, of: section, .footer, at: location(.footer))
            }
            return units + [header, footer].compactMap(\.self)
        }
    }

    func violations(
        for audience: Audience, _ registry: CellRegistry, _ cost: inout SchemaCost
    ) -> StrictViolations {
        var judge = StrictJudge(
            ofEditsIn: unit.document, section: place.section.identifier.map(Identifier.init),
            for: audience, registry, cost)
        judge.check(unit, at: location, place.section.role)
        cost = judge.cost
        return judge.found
    }
}

extension StrictViolations {
    /// Returns the violations that a unit did not have before, of as many items as had none.
    ///
    /// An item that has changed has another identity, so that one which was broken before and still
    /// is counts as one that came for one that went.
    fileprivate func entries(notIn earlier: StrictViolations) -> [Entry] {
        let (now, known) = (identities, earlier.identities)
        var gone: [Identity: Int] = [:]
        for identity in known.subtracting(now) where !identity.item.isEmpty {
            gone[identity.ofAnyItem, default: 0] += 1
        }
        var forgiven: Set<Identity> = known
        return first.filter { entry in
            let identity = entry.identity
            guard !forgiven.contains(identity) else { return false }
            guard !identity.item.isEmpty, let count = gone[identity.ofAnyItem], count > 0 else {
                return true
            }
            gone[identity.ofAnyItem] = count - 1
            forgiven.insert(identity)
            return false
        }
    }
}

extension StrictViolations.Identity {
    fileprivate var ofAnyItem: Self { Self(fallback: fallback, code: code, placement: placement) }
}

extension ServerStatePage {
    /// Throws the violations of units that did not have them in an earlier state of the page.
    package func checkChanges(
        since earlier: ServerStatePage, _ parameters: LayoutParameters, by registry: CellRegistry
    ) throws(ContractError) {
        let found = ChangedUnits(of: self, since: earlier)
            .violations(for: Audience(parameters), by: registry)
        guard found.total > 0 else { return }
        let violations = found.first.map { entry in
            let diagnostic = entry.diagnostic.diagnostic(page: number ?? 0, names: names)
            return ContractViolation(
                pointer: diagnostic.pointer,
                detail: diagnostic.detail + " (the patch causes it; strict=false stores it)",
                offset: entry.offset)
        }
        throw ContractError(violations: violations, total: found.total)
    }
}
