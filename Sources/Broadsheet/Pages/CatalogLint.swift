/// The lint of a catalog: its pointers that find a value in no item and no unit of some pages, and
/// its sections that none of these pages has.
///
/// A unit counts with its fallbacks, and whatever the conditions of the page say.
package struct CatalogLint {
    private let registry: CellRegistry
    private var cellTypes: [[Probe]]
    /// The cell types that are drawn for each one: the type itself, and its fallbacks.
    private let drawn: [[Int]]
    private var unitTypes: [Identifier: [PlacementProbes]] = [:]
    private var sections: Set<Identifier>
    /// The first different ids of the sections of the pages.
    private var ids: [String] = []
    private var work: LintWork

    /// The largest number of diagnostics; fixed.
    ///
    /// One more has the number of the others.
    static let maxDiagnostics = 100
    /// The largest number of ids among which one that was meant is searched for.
    private static let maxIDs = 100
    /// The largest number of times that pointers are looked for in data; fixed.
    static let maxLooks = 5_000_000

    package init(_ registry: CellRegistry) {
        self.init(registry, maxLooks: Self.maxLooks)
    }

    init(_ registry: CellRegistry, maxLooks: Int) {
        self.registry = registry
        work = LintWork(looks: maxLooks)
        let references = registry.references
        cellTypes = references.cellTypes.map { type in
            (type.id.map { [Probe($0, isIdentity: true)] } ?? []) + type.others.map { Probe($0) }
        }
        drawn = references.cellTypes.indices.map(registry.cellFallbacks.sent)
        sections = Set(references.sections.map(Identifier.init))
        for (name, placements) in references.unitTypes {
            unitTypes[Identifier(name)] = placements.map(PlacementProbes.init)
        }
    }

    /// Returns the diagnostics of a catalog by pages; none if one of the pages cannot be read, or
    /// was not posted.
    ///
    /// - Complexity: O(bytes of the pages), once for each pointer of a unit type's placements and
    ///   cell types, up to ``maxLooks`` values.
    static func diagnostics(of registry: CellRegistry, for pages: PageTable) -> [Diagnostic] {
        guard !registry.references.isEmpty, pages.count > 0 else { return [] }
        var lint = CatalogLint(registry)
        var areComplete = true
        // The pages of one request are parts of one document.
        var document: JSONDocument?
        pages.forEach(from: 0) { page in
            guard areComplete,
                let posted = page.posted(by: registry.names, reusing: document)
            else {
                areComplete = false
                return
            }
            document = posted.document
            lint.add(posted)
        }
        return areComplete ? lint.diagnostics : []
    }

    package mutating func add(_ page: ServerStatePage) {
        for section in page.sections {
            if let id = section.identifier {
                sections.remove(Identifier(id))
                if ids.count < Self.maxIDs, !ids.contains(id) { ids.append(id) }
            }
            for unit in section.units { add(unit, only: nil) }
            if let header = section.header { add(header, only: .header) }
            if let footer = section.footer { add(footer, only: .footer) }
        }
    }

    private mutating func add(_ posted: ServerStateUnit, only role: PlacementRole?) {
        var next: ServerStateUnit? = posted
        while let unit = next {
            let type = Identifier(unit.unitType)
            let placements = registry.placements(of: type.text) ?? []
            let count = unitTypes[type]?.count ?? 0
            for (index, placement) in placements.prefix(count).enumerated()
            where role == nil || placement.role == role {
                look(at: unit.data, unitType: type, placement: index, placement)
            }
            next = unit.fallback
        }
    }

    private mutating func look(
        at unit: JSONValue, unitType type: Identifier, placement index: Int, _ placement: Placement
    ) {
        unitTypes[type]?[index].data?.look(at: unit, &work)
        let data = placement.data.map { $0.evaluate(on: unit) } ?? unit
        guard let data, !data.isNull else { return }
        guard placement.role == .cells else {
            return look(at: data, unitType: type, placement: index, placement.type)
        }
        for element in data.elements {
            look(at: element, unitType: type, placement: index, placement.type)
        }
    }

    private mutating func look(
        at item: JSONValue, unitType: Identifier, placement index: Int, _ type: PlacementType
    ) {
        switch type {
        case .kind(let kind): look(at: item, as: kind)
        case .choice(let choice):
            unitTypes[unitType]?[index].choice?.look(at: item, &work)
            if let kind = choice.kind(for: choice.pointer.evaluate(on: item)) {
                look(at: item, as: kind)
            }
        }
    }

    /// Looks at the data of an item of a cell type; its identity is always that of this type.
    private mutating func look(at item: JSONValue, as kind: Int) {
        guard kind < drawn.count else { return }
        for shown in drawn[kind] {
            for index in cellTypes[shown].indices
            where shown == kind || !cellTypes[shown][index].isIdentity {
                cellTypes[shown][index].look(at: item, &work)
            }
        }
    }

    /// The diagnostics, in the order of the catalog: pointers of cell types and of unit types, then
    /// sections.
    package var diagnostics: [Diagnostic] {
        let found = work.isDone ? pointers : []
        let missing = registry.references.sections.filter {
            $0 != CellRegistry.anySection && sections.contains(Identifier($0))
        }
        let total = found.count + missing.count
        let listed = found + missing.prefix(Self.maxDiagnostics).map(unknownSection)
        var others: [String] = []
        if !work.isDone {
            others.append(
                "the pages have too many items to look for the pointers of the catalog in all of "
                    + "them")
        }
        if total > Self.maxDiagnostics {
            others.append(
                "\(total - Self.maxDiagnostics) more diagnostics of the catalog are not shown")
        }
        return listed.prefix(Self.maxDiagnostics)
            + others.map {
                Diagnostic(code: .diagnosticsTruncated, page: nil, pointer: "", detail: $0)
            }
    }

    private var pointers: [Diagnostic] {
        var found = zip(registry.kinds, cellTypes).flatMap { kind, probes in
            Self.diagnostics(of: probes, "item of the cell type \"\(kind.name)\"")
        }
        for (name, _) in registry.references.unitTypes {
            let probes = unitTypes[Identifier(name)] ?? []
            found += Self.diagnostics(
                of: probes.compactMap(\.data), "unit of the type \"\(name)\"")
            found += Self.diagnostics(
                of: probes.compactMap(\.choice), "item of a unit of the type \"\(name)\"")
        }
        return found
    }

    private func unknownSection(_ id: String) -> Diagnostic {
        let hint = NearestName.of(id, among: ids).map { "; did you mean \"\($0)\"?" } ?? ""
        return Diagnostic(
            code: .unknownSection, page: nil, pointer: JSONPointer.appending("/sections", id),
            detail: "no section of these pages has this id\(hint)")
    }

    /// Returns a diagnostic for each pointer that was looked for in `things`, and has found
    /// nothing; of pointers that are alike, for the first.
    private static func diagnostics(of probes: [Probe], _ things: String) -> [Diagnostic] {
        var reported: Set<JSONPointer> = []
        return probes.filter { $0.findsNothing && reported.insert($0.reference.pointer).inserted }
            .map { probe in
                let hint = probe.suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
                return Diagnostic(
                    code: .pointerFindsNothing, page: nil, pointer: probe.reference.location,
                    detail: "finds a value in no \(things)\(hint)")
            }
    }
}

/// The work that the lint of a catalog may still do.
private struct LintWork {
    private var looks: Int
    /// The number of pointers for which one that was meant may be searched for.
    private var suggestions = maxSuggestions
    /// A Boolean value that indicates whether all that was looked for could be.
    private(set) var isDone = true

    private static let maxSuggestions = 200

    init(looks: Int) { self.looks = looks }

    mutating func takeLook() -> Bool {
        isDone = isDone && looks > 0
        looks -= isDone ? 1 : 0
        return isDone
    }

    mutating func takeSuggestion() -> Bool {
        guard suggestions > 0 else { return false }
        suggestions -= 1
        return true
    }
}

/// A pointer of a catalog that is looked for in data.
private struct Probe {
    let reference: CatalogPointer
    /// A Boolean value that indicates whether the pointer leads to the identity of an item.
    let isIdentity: Bool
    /// A pointer that finds a value in the first data, and that this one resembles.
    private(set) var suggestion: String?
    private var hasLooked = false
    private var isFound = false

    init(_ reference: CatalogPointer, isIdentity: Bool = false) {
        self.reference = reference
        self.isIdentity = isIdentity
    }

    var findsNothing: Bool { hasLooked && !isFound }

    mutating func look(at data: JSONValue, _ work: inout LintWork) {
        guard !isFound, work.takeLook() else { return }
        isFound = reference.pointer.evaluate(on: data) != nil
        if !isFound, !hasLooked, work.takeSuggestion() {
            suggestion = reference.pointer.nearest(in: data)
        }
        hasLooked = true
    }
}

/// The pointers of a placement that are looked for.
private struct PlacementProbes {
    var data: Probe?
    var choice: Probe?

    init(_ references: CatalogReferences.Placement) {
        data = references.data.map { Probe($0) }
        choice = references.choice.map { Probe($0) }
    }
}

extension JSONPointer {
    /// The largest number of members among which one that was meant is searched for.
    private static let maxSearched = 64

    /// Returns a pointer that finds something in `value`: this one, with the nearest name in place
    /// of its first step that finds nothing; or `nil`.
    fileprivate func nearest(in value: JSONValue) -> String? {
        var (current, found) = (value, "")
        var names = description.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        while let name = names.popFirst() {
            let step = "/" + name
            if let next = (try? JSONPointer(step))?.evaluate(on: current) {
                (current, found) = (next, found + step)
                continue
            }
            let siblings = current.members.prefix(Self.maxSearched).map(\.name.string)
            guard let nearest = NearestName.of(String(name), among: siblings) else { return nil }
            let rest = names.map { "/" + $0 }.joined()
            let text = JSONPointer.appending(found, nearest) + rest
            return (try? JSONPointer(text))?.evaluate(on: value) == nil ? nil : text
        }
        return nil
    }
}
