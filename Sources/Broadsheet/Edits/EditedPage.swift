/// The location of an item in a page: its section, its unit, its placement and its element.
struct PageItem: Hashable, Comparable {
    var section: Int
    var unit: Int
    /// The index among the placements of the unit.
    var placement: Int
    /// The index in the array of `cells`; 0 for `cell`.
    var element: Int

    static func < (left: Self, right: Self) -> Bool {
        (left.section, left.unit, left.placement, left.element)
            < (right.section, right.unit, right.placement, right.element)
    }
}

/// A page whose bytes are edited by the items and sections that they make.
///
/// The items of its units are kept beside the bytes and updated by each operation, so that an
/// operation costs in proportion to what it changes, and not to the page. One edit uses it, on one
/// thread.
final class EditedPage {
    /// The number of the page.
    let number: Int
    /// The value of the page.
    var root: EditedValue
    /// The sections in their order.
    var sections: [EditedSection]
    /// A Boolean value that indicates whether anything was edited.
    var isChanged = false

    /// The steps that paths in the page consist of, by the names of the contract.
    private let steps:
        (
            sections: EditStep, units: EditStep, unitData: EditStep
        )
    private let document: JSONDocument
    /// The registered types.
    let registry: CellRegistry
    /// The limits of the page.
    let limits: EditLimits
    /// The identities that edits have given to items of all pages, if they are recorded.
    let newIdentities: NewIdentities?
    private let originalByteCount: Int

    /// Reads a page for edits.
    ///
    /// - Parameter reserve: Reserves the memory for it.
    /// - Throws: A failure if the page was built in code, does not fit the contract, or has no
    ///   memory.
    /// - Complexity: O(bytes).
    init(
        _ page: ResolvedPage, registry: CellRegistry, limits: EditLimits,
        newIdentities: NewIdentities?, reserving reserve: EditReservation
    ) throws(EditFailure) {
        func reserved(_ stage: EditStage) throws(EditFailure) {
            guard reserve(stage) else { throw .outOfMemory }
        }
        try reserved(.opening(byteCount: page.bytes.count))
        let indexed = try? JSONDocument(page.bytes, maxDepth: .max)
        if let indexed { try reserved(.reading(indexed, itemCount: page.itemCount)) }
        guard let document = indexed,
            let posted = try? ServerStatePage(
                document, names: registry.names,
                limits: ScreenLimits(maxDepth: .max, maxSections: .max, maxItems: .max)),
            posted.sections.count == page.sections.count
        else {
            throw EditFailure(
                "Page \(page.number) is not a page of the contract and cannot be edited.")
        }
        let units = posted.sections.reduce(0) { $0 + $1.units.count }
        try reserved(.listing(unitCount: units))
        number = page.number
        self.document = document
        let names = registry.names
        steps = (
            .init(member: names.sections), .init(member: names.units),
            .init(member: names.unitData)
        )
        self.registry = registry
        self.limits = limits
        self.newIdentities = newIdentities
        root = EditedValue(EditSource(document), document.root.node)
        originalByteCount = root.byteCount
        var analyzer = UnitAnalyzer(document, registry: registry)
        sections = posted.sections.map { analyzer.section($0) }
    }

    /// The number of bytes of the page.
    var byteCount: Int { root.byteCount + document.bytes.count - originalByteCount }

    /// The bytes of the page, with the white space around its value.
    var bytes: [UInt8] { root.bytes(asRootOf: document) }

    /// The bytes of the page before any edit.
    var originalBytes: [UInt8] { document.bytes }

    /// Checks the size of the page.
    func checkSize() throws(EditFailure) {
        try limits.check(root, before: originalByteCount)
    }
}

extension UnitAnalyzer {
    /// Returns a posted section with the items, headers and footers that its units make.
    mutating func section(_ section: ServerStateSection) -> EditedSection {
        EditedSection(
            identifier: section.identifier.map(Identifier.init), isBare: section.isBare,
            units: section.units.map { unit($0) })
    }
}

// MARK: - Paths

extension EditedPage {
    /// The path of the array of sections.
    var sectionsPath: [EditStep] { [steps.sections] }

    /// Returns the path of a section.
    func path(ofSection section: Int) -> [EditStep] {
        [steps.sections, .init(index: section)]
    }

    /// Returns the path of the array of a section's units.
    private func unitsPath(_ section: Int) -> [EditStep] {
        let path = path(ofSection: section)
        return sections[section].isBare ? path : path + [steps.units]
    }

    private func unitPath(_ section: Int, _ unit: Int) -> [EditStep] {
        unitsPath(section) + [.init(index: unit)]
    }

    /// Returns the path of a placement's data, with the step to an element if `isElement`.
    private func path(
        of item: PageItem, isElement: Bool = false
    ) throws(EditFailure) -> [EditStep] {
        guard
            let data = sections[item.section].units[item.unit].placements[item.placement].path
        else { throw EditFailure("The item's data is not in the data of its unit.") }
        var path: [EditStep] = []
        path.reserveCapacity(6 + data.count)
        path.append(steps.sections)
        path.append(.init(index: item.section))
        if !sections[item.section].isBare { path.append(steps.units) }
        path.append(.init(index: item.unit))
        if !sections[item.section].units[item.unit].isFlat { path.append(steps.unitData) }
        path += data
        if isElement { path.append(.init(index: item.element)) }
        return path
    }

    /// Returns the path of an item's data.
    func dataPath(of item: PageItem) throws(EditFailure) -> [EditStep] {
        try path(of: item, isElement: role(of: item) == .cells)
    }

    private func role(of item: PageItem) -> PlacementRole {
        sections[item.section].units[item.unit].placements[item.placement].role
    }

    private func isIndependent(_ item: PageItem) -> Bool {
        sections[item.section].units[item.unit].placements[item.placement].isIndependent
    }

    private func identification(of item: PageItem) -> ItemIdentification {
        sections[item.section].units[item.unit].placements[item.placement].identification
    }

    /// Returns the placement of an item.
    func placement(of item: PageItem) -> EditedPlacement {
        sections[item.section].units[item.unit].placements[item.placement]
    }

    /// Returns the value of an item's data.
    func data(of item: PageItem) throws(EditFailure) -> EditedValue {
        guard let value = root.value(at: try dataPath(of: item)) else { throw .noValue }
        return value
    }

    /// Returns the value of a section's member, or of one of an object in it, or `nil`; null counts
    /// as absent.
    func member(_ path: [String], ofSection section: Int) -> EditedValue? {
        let steps = path.map { EditStep(member: $0) }
        let value = root.value(at: self.path(ofSection: section) + steps)
        return value?.kind == .null ? nil : value
    }
}

// MARK: - Items

extension EditedPage {
    /// Calls `change` with the data of an item, and reads the items that it makes again.
    ///
    /// - Throws: A failure if the unit is no longer a unit, or the page exceeds a limit.
    func edit(
        _ item: PageItem, _ change: (inout EditedValue) throws(EditFailure) -> Void
    ) throws(EditFailure) {
        let path = try dataPath(of: item)
        let limits = limits
        isChanged = true
        let value = try root.edit(at: path[...]) { value throws(EditFailure) in
            try change(&value)
            try limits.check(heightOf: value, below: path.count)
            return value
        }
        try checkSize()
        guard isIndependent(item), role(of: item) == .cells else {
            return try readUnit(item.unit, ofSection: item.section)
        }
        let made = identification(of: item).item(of: try document(of: value).root)
        newIdentities?.add(made, page: number)
        setPlacement(of: item) { $0.elements[item.element] = made }
    }

    /// Inserts an element into the array of a placement.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - item: The location that the element gets.
    func insert(
        _ element: EditedArray.Element, at item: PageItem
    ) throws(EditFailure) {
        let path = try path(of: item)
        try limits.check(heightOf: element.value, below: path.count + 1)
        isChanged = true
        try root.edit(at: path[...]) { array throws(EditFailure) in
            try array.editArray { $0.insert(element, at: item.element) }
        }
        try checkSize()
        guard isIndependent(item) else {
            return try readUnit(item.unit, ofSection: item.section)
        }
        let made = identification(of: item).item(of: try document(of: element.value).root)
        newIdentities?.add(made, page: number)
        setPlacement(of: item) { $0.elements.insert(made, at: item.element) }
    }

    /// Takes items of one unit away: elements leave their array; any other item takes the member
    /// that it was made of with it, or leaves null in an array.
    ///
    /// - Parameter items: Items of one unit, of which none shares its data with another thing that
    ///   the unit makes.
    /// - Returns: The values of the items.
    /// - Throws: A failure if the unit is no longer a unit.
    func take(_ items: [PageItem]) throws(EditFailure) -> [PageItem: EditedArray.Element] {
        guard let first = items.first else { return [:] }
        var taken: [PageItem: EditedArray.Element] = [:]
        isChanged = true
        // The elements of an array go from its end, so that the other indexes stay valid.
        for item in items.sorted().reversed() {
            taken[item] =
                placement(of: item).role == .cells
                ? try takeElement(item) : EditedArray.Element(value: try takeMember(of: item))
        }
        let arrays = Dictionary(grouping: items, by: \.placement)
        let areIndependent = items.allSatisfy {
            placement(of: $0).role == .cells && placement(of: $0).isIndependent
        }
        guard areIndependent else {
            try readUnit(first.unit, ofSection: first.section)
            return taken
        }
        for (_, items) in arrays {
            let gone = Set(items.map(\.element))
            setPlacement(of: items[0]) { placement in
                placement.elements = placement.elements.enumerated().filter {
                    !gone.contains($0.offset)
                }.map(\.element)
            }
        }
        return taken
    }

    private func takeElement(_ item: PageItem) throws(EditFailure) -> EditedArray.Element {
        try root.edit(at: path(of: item)[...]) { array throws(EditFailure) in
            try array.editArray { $0.remove(at: item.element) }
        }
    }

    private func takeMember(of item: PageItem) throws(EditFailure) -> EditedValue {
        let path = try dataPath(of: item)
        guard let last = path.last, let value = root.value(at: path) else { throw .noValue }
        let null = try Self.null()
        try root.edit(at: path.dropLast()) { parent throws(EditFailure) in
            guard parent.kind == .array else {
                return try parent.editObject { _ = $0.remove(last.key) }
            }
            try parent.edit(at: [last]) { $0 = null }
        }
        return value
    }

    private static func null() throws(EditFailure) -> EditedValue {
        guard let document = try? JSONDocument(Array("null".utf8)) else { throw .noValue }
        return EditedValue(EditSource(document), document.root.node)
    }

    private func setPlacement(of item: PageItem, _ change: (inout EditedPlacement) -> Void) {
        change(&sections[item.section].units[item.unit].placements[item.placement])
    }

    /// Reads the items, the header and the footer of a unit from its bytes.
    ///
    /// - Throws: A failure if it is not a unit.
    func readUnit(_ unit: Int, ofSection section: Int) throws(EditFailure) {
        guard let value = root.value(at: unitPath(section, unit)) else { throw .noValue }
        sections[section].units[unit] = try analyze(value)
        newIdentities?.add(sections[section].units[unit], page: number)
    }

    /// Returns a unit with the items, the header and the footer that it makes.
    func analyze(_ value: EditedValue) throws(EditFailure) -> EditedUnit {
        let root: JSONValue
        if case .source(let source, let node) = value.content {
            root = source.document.value(at: node)
        } else {
            root = try document(of: value).root
        }
        var collector = ViolationCollector(keeping: 1)
        guard let unit = ServerStateUnit(root, names: registry.names, &collector) else {
            let violation = collector.violations.first
            let reason = violation.map { "\($0.pointer) \($0.detail)" } ?? "it is not an object"
            throw EditFailure("What comes out would not be a unit: \(reason).")
        }
        var analyzer = UnitAnalyzer(root.document, registry: registry)
        return analyzer.unit(unit)
    }

    /// Returns a document of a value alone.
    private func document(of value: EditedValue) throws(EditFailure) -> JSONDocument {
        guard let document = try? JSONDocument(value.bytes, maxDepth: .max) else { throw .noValue }
        return document
    }
}

// MARK: - Units

extension EditedPage {
    /// Inserts a unit into the list of a section's units.
    func insert(
        _ element: EditedArray.Element, _ unit: EditedUnit, at index: Int, ofSection section: Int
    ) throws(EditFailure) {
        let path = unitsPath(section)
        try limits.check(heightOf: element.value, below: path.count + 1)
        isChanged = true
        try root.edit(at: path[...]) { units throws(EditFailure) in
            try units.editArray { $0.insert(element, at: index) }
        }
        sections[section].units.insert(unit, at: index)
        newIdentities?.add(unit, page: number)
        try checkSize()
    }

    /// Removes a unit from the list of a section's units.
    func removeUnit(
        _ index: Int, ofSection section: Int
    ) throws(EditFailure) -> (element: EditedArray.Element, unit: EditedUnit) {
        isChanged = true
        let element = try root.edit(at: unitsPath(section)[...]) { units throws(EditFailure) in
            try units.editArray { $0.remove(at: index) }
        }
        return (element, sections[section].units.remove(at: index))
    }

    /// Divides the unit of an item into two, of which the second one begins with the item; both
    /// keep the other members.
    ///
    /// - Throws: A failure unless the unit's data is an array and makes nothing but its elements.
    func split(before item: PageItem) throws(EditFailure) {
        let unit = sections[item.section].units[item.unit]
        let placement = unit.placements[item.placement]
        guard unit.placements.filter(\.isMade).count == 1, placement.role == .cells,
            placement.path == [], !unit.isFlat
        else {
            throw EditFailure(
                "The place is within a unit that cannot be divided: "
                    + "its data is not an array, or makes something else too.")
        }
        let path = unitPath(item.section, item.unit)
        guard var second = root.value(at: path) else { throw .noValue }
        let data = [steps.unitData]
        isChanged = true
        let rest = try root.edit(at: (path + data)[...]) { array throws(EditFailure) in
            try array.editArray { $0.split(at: item.element) }
        }
        try second.edit(at: data[...]) { $0 = EditedValue(rest) }
        try readUnit(item.unit, ofSection: item.section)
        try insert(
            EditedArray.Element(value: second), try analyze(second), at: item.unit + 1,
            ofSection: item.section)
    }
}
