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
    /// The array of a placement whose elements are items.
    private struct ItemArray: Equatable {
        let (section, unit, placement): (Int, Int, Int)

        init(_ item: PageItem) {
            (section, unit, placement) = (item.section, item.unit, item.placement)
        }
    }

    /// An array that is open in the value of the page.
    private struct OpenedArray {
        let array: ItemArray
        /// The number of containers around its elements.
        let depth: Int
        /// The rule that identifies its elements; `nil` for a unit type that code registers.
        let rule: ItemIdentification?
        /// A Boolean value that indicates whether nothing else that its unit makes depends on it.
        let isIndependent: Bool
    }

    let number: Int
    private var root: EditedRoot
    /// The array that was opened last.
    private var opened: OpenedArray?
    var sections: WeightedList<EditedSection>
    var isChanged = false
    /// The indexes of the sections that the current action, or update, has changed.
    var touchedSections: Set<Int> = []

    /// The steps that paths in the page consist of, by the names of the contract.
    let steps:
        (
            sections: JSONPathStep, units: JSONPathStep, unitData: JSONPathStep
        )
    private let document: JSONDocument
    let registry: CellRegistry
    let audience: Audience
    let limits: EditLimits
    /// The record of what was done to all pages.
    let record: EditRecord
    /// The judge of what edits change; `nil` without schemas.
    ///
    /// Beyond its limits data counts as right, because the edited page is judged as a whole.
    var judge: SchemaJudge?
    private let originalByteCount: Int
    /// The index of the items, once searches need it.
    var index: ItemIndex?
    /// About the number of items that an index has, at least 1.
    var listedItems: Int
    /// The number of items that searches have passed over since there was no index.
    var searchedItems = 0

    /// Throws a failure if the page does not fit the contract, or there is no memory.
    init(
        _ page: ResolvedPage, for audience: Audience, registry: CellRegistry, limits: EditLimits,
        record: EditRecord, reserving reserve: EditReservation
    ) throws(EditFailure) {
        func reserved(_ stage: EditStage) throws(EditFailure) {
            guard reserve(stage) else { throw .outOfMemory }
        }
        try reserved(.opening(byteCount: page.bytes.count))
        let bytes = try page.editedBytes(by: registry)
        let indexed = try? JSONDocument(bytes, maxDepth: .max)
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
        listedItems = max(page.itemCount, 1)
        self.document = document
        let names = registry.names
        steps = (
            .init(member: names.sections), .init(member: names.units),
            .init(member: names.unitData)
        )
        self.registry = registry
        self.audience = audience
        self.limits = limits
        self.record = record
        judge = registry.judge(of: document, isLenient: true)
        root = EditedRoot(EditedValue(JSONMemberIndex(document), document.root.node))
        originalByteCount = root.byteCount
        var analyzer = UnitAnalyzer(document, for: audience, registry: registry)
        sections = WeightedList(posted.sections.map { analyzer.section($0) })
    }

    var byteCount: Int { root.byteCount + document.bytes.count - originalByteCount }

    /// The bytes of the page, with the white space around its value.
    var bytes: [UInt8] { root.closed().bytes(asRootOf: document) }

    var originalBytes: [UInt8] { document.bytes }

    func checkSize() throws(EditFailure) {
        try limits.check(byteCount: root.byteCount, before: originalByteCount)
    }
}

// MARK: - Values

extension EditedPage {
    func edit<Value>(
        at path: ArraySlice<JSONPathStep>,
        _ change: (inout EditedValue) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        isChanged = true
        return try root.edit(at: path, change)
    }

    func value(at path: [JSONPathStep]) -> EditedValue? { root.value(at: path) }

    private func openArray(of item: PageItem) throws(EditFailure) -> OpenedArray {
        if isOpened(item), let opened { return opened }
        let path = try path(of: item)
        root.open(at: path[...])
        let placement = placement(of: item)
        let array = OpenedArray(
            array: ItemArray(item), depth: path.count + 1,
            rule: placement.pointer == nil ? nil : placement.identification,
            isIndependent: placement.isIndependent)
        opened = array
        return array
    }

    private func isOpened(_ item: PageItem) -> Bool {
        root.isOpen && opened?.array == ItemArray(item)
    }

    private func editOpened<Value>(
        _ change: (inout EditedArray) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        isChanged = true
        return try root.editOpen { value throws(EditFailure) in try value.editArray(change) }
    }
}

// MARK: - Paths

extension EditedPage {
    var sectionsPath: [JSONPathStep] { [steps.sections] }

    func path(ofSection section: Int) -> [JSONPathStep] {
        [steps.sections, .init(index: section)]
    }

    func unitsPath(_ section: Int) -> [JSONPathStep] {
        let path = path(ofSection: section)
        return sections[section].isBare ? path : path + [steps.units]
    }

    func unitPath(_ section: Int, _ unit: Int) -> [JSONPathStep] {
        unitsPath(section) + [.init(index: unit)]
    }

    private func path(
        of item: PageItem, isElement: Bool = false
    ) throws(EditFailure) -> [JSONPathStep] {
        guard
            let data = sections[item.section].units[item.unit].placements[item.placement].path
        else { throw EditFailure("The item's data is not in the data of its unit.") }
        var path: [JSONPathStep] = []
        path.reserveCapacity(6 + data.count)
        path.append(steps.sections)
        path.append(.init(index: item.section))
        if !sections[item.section].isBare { path.append(steps.units) }
        path.append(.init(index: item.unit))
        path += sections[item.section].units[item.unit].dataPath
        path += data
        if isElement { path.append(.init(index: item.element)) }
        return path
    }

    func dataPath(of item: PageItem) throws(EditFailure) -> [JSONPathStep] {
        try path(of: item, isElement: role(of: item) == .cells)
    }

    private func role(of item: PageItem) -> PlacementRole {
        sections[item.section].units[item.unit].placements[item.placement].role
    }

    func placement(of item: PageItem) -> EditedPlacement {
        sections[item.section].units[item.unit].placements[item.placement]
    }

    func data(of item: PageItem) throws(EditFailure) -> EditedValue {
        guard let value = value(at: try dataPath(of: item)) else { throw .noValue }
        return value
    }

    /// Returns the value of a section's member, or of one of an object in it, or `nil`; null counts
    /// as absent.
    func member(
        _ path: [String], ofSection section: Int
    ) throws(EditFailure) -> EditedValue? {
        let steps = path.map { JSONPathStep(member: $0) }
        let value = value(at: self.path(ofSection: section) + steps)
        return value?.kind == .null ? nil : value
    }
}

// MARK: - Items

extension EditedPage {
    /// Calls `change` with the data of an item, and reads the items that it makes again.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - patch: The merge patch that the change is; `nil` for any other change.
    /// - Throws: A failure if the unit is no longer a unit, or the page exceeds a limit.
    func edit(
        _ item: PageItem, by patch: JSONValue? = nil,
        _ change: (inout EditedValue) throws(EditFailure) -> Void
    ) throws(EditFailure) {
        try require(item)
        try touch(item.unit, ofSection: item.section)
        guard isOpened(item) || role(of: item) == .cells else {
            let path = try dataPath(of: item)
            try edit(at: path[...]) { value throws(EditFailure) in
                try change(&value)
                try limits.check(heightOf: value, below: path.count)
            }
            try checkSize()
            return try refresh(item, after: .whole)
        }
        let array = try openArray(of: item)
        let made = try editOpened { elements throws(EditFailure) in
            try elements.edit(item.element) { value throws(EditFailure) -> EditedItem? in
                let isSame = value.kind == .object && patch.map { array.rule?.reads($0) } == false
                try change(&value)
                try limits.check(heightOf: value, below: array.depth)
                return isSame ? nil : array.rule?.item(of: value, by: &judge)
            }
        }
        try checkSize()
        if let made { setElement(item, to: made) }
        if !array.isIndependent { try refresh(item, after: .changed(item.element)) }
    }

    func insert(
        _ element: EditedArray.Element, at item: PageItem
    ) throws(EditFailure) {
        try require(item, asPlace: true)
        try touch(item.unit, ofSection: item.section)
        let array = try openArray(of: item)
        try limits.check(heightOf: element.value, below: array.depth)
        try editOpened { elements in elements.insert(element, at: item.element) }
        try checkSize()
        if let made = array.rule?.item(of: element.value, by: &judge) {
            insertElement(made, at: item)
        }
        if !array.isIndependent { try refresh(item, after: .inserted(at: item.element)) }
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
        try touch(taking: items)
        let unit = sections[first.section].units[first.unit]
        var taken: [PageItem: EditedArray.Element] = [:]
        // Each array loses its elements from the end, also those of several placements, so that the
        // paths of what is still to be taken stay valid.
        for item in items.sorted(by: { unit.isData(of: $1, before: $0) }) {
            taken[item] =
                role(of: item) == .cells
                ? try takeElement(item) : EditedArray.Element(value: try takeMember(of: item))
        }
        try refresh(first, without: items)
        return taken
    }

    /// Reads what the unit of an item makes without some of its items, whose data is gone.
    private func refresh(_ first: PageItem, without items: [PageItem]) throws(EditFailure) {
        let unit = sections[first.section].units[first.unit]
        let elements = Dictionary(grouping: items, by: \.placement)
        let areApart =
            elements.count == 1
            || elements.keys.allSatisfy { index in
                unit.placements[index].role == .cells && unit.placements[index].isIndependent
            }
        guard areApart, placement(of: first).pointer != nil else {
            return try readUnit(first.unit, ofSection: first.section)
        }
        guard role(of: first) == .cells else { return try refresh(first, after: .whole) }
        for items in elements.values {
            removeElements(items)
        }
        guard !placement(of: first).isIndependent else { return }
        try refresh(first, after: .removed(Set(items.map(\.element))))
    }

    private func takeElement(_ item: PageItem) throws(EditFailure) -> EditedArray.Element {
        _ = try openArray(of: item)
        return try editOpened { elements in elements.remove(at: item.element) }
    }

    private func takeMember(of item: PageItem) throws(EditFailure) -> EditedValue {
        let path = try dataPath(of: item)
        guard let last = path.last, let value = value(at: path) else { throw .noValue }
        let null = try Self.null()
        try edit(at: path.dropLast()) { parent throws(EditFailure) in
            guard parent.kind == .array else {
                return try parent.editObject { _ = $0.remove(last.key) }
            }
            try parent.edit(at: [last]) { $0 = null }
        }
        return value
    }

    private static func null() throws(EditFailure) -> EditedValue {
        guard let document = try? JSONDocument(Array("null".utf8)) else { throw .noValue }
        return EditedValue(JSONMemberIndex(document), document.root.node)
    }

    @discardableResult
    func setPlacement<Value>(
        of item: PageItem, _ change: (inout EditedPlacement) -> Value
    ) -> Value {
        change(&sections[item.section].units[item.unit].placements[item.placement])
    }
}
