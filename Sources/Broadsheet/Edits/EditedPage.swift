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
    /// The array of a placement.
    private struct ArrayLocation {
        let section: Int
        let unit: Int
        let placement: Int
        /// The path of the array in the page.
        let path: [EditStep]

        func isArray(of item: PageItem) -> Bool {
            section == item.section && unit == item.unit && placement == item.placement
        }
    }

    /// The number of the page.
    let number: Int
    /// The value of the page, without the array that is apart.
    private var root: EditedValue
    /// The array that was edited last, which is kept apart from the value of the page, so that
    /// edits of its elements do not descend to it each time; `nil` for none.
    private var apart: ArrayLocation?
    /// The elements of the array that is apart.
    private var elementsApart = EditedArray()
    /// The sections in their order.
    var sections: [EditedSection]
    /// A Boolean value that indicates whether anything was edited.
    var isChanged = false

    /// The steps that paths in the page consist of, by the names of the contract.
    let steps:
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
    var byteCount: Int { valueByteCount + document.bytes.count - originalByteCount }

    private var valueByteCount: Int {
        root.byteCount + (apart == nil ? 0 : elementsApart.byteCount)
    }

    /// Returns the bytes of the page, with the white space around its value.
    func bytes() throws(EditFailure) -> [UInt8] {
        try putBack()
        return root.bytes(asRootOf: document)
    }

    /// The bytes of the page before any edit.
    var originalBytes: [UInt8] { document.bytes }

    /// Checks the size of the page.
    func checkSize() throws(EditFailure) {
        try limits.check(byteCount: valueByteCount, before: originalByteCount)
    }
}

// MARK: - Values

extension EditedPage {
    /// Calls `change` with the value at a path, which must exist.
    func edit<Value>(
        at path: ArraySlice<EditStep>,
        _ change: (inout EditedValue) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        try putBack()
        isChanged = true
        return try root.edit(at: path, change)
    }

    /// Returns the value at a path, or `nil`.
    func value(at path: some Sequence<EditStep>) throws(EditFailure) -> EditedValue? {
        try putBack()
        return root.value(at: path)
    }

    /// Calls `change` with the elements of the array that an item is an element of.
    private func editArray<Value>(
        of item: PageItem, _ change: (inout EditedArray) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        isChanged = true
        if apart?.isArray(of: item) != true {
            try putBack()
            let path = try path(of: item)
            elementsApart = try root.edit(at: path[...]) { value throws(EditFailure) in
                try value.takeArray()
            }
            apart = ArrayLocation(
                section: item.section, unit: item.unit, placement: item.placement, path: path)
        }
        return try change(&elementsApart)
    }

    /// Puts the array that is apart back into the value of the page.
    private func putBack() throws(EditFailure) {
        guard let location = apart else { return }
        let array = EditedValue(elementsApart)
        (apart, elementsApart) = (nil, EditedArray())
        try root.edit(at: location.path[...]) { $0 = array }
    }
}

extension UnitAnalyzer {
    /// Returns a posted section with the items, headers and footers that its units make.
    mutating func section(_ section: ServerStateSection) -> EditedSection {
        EditedSection(
            identifier: section.identifier.map(Identifier.init), isBare: section.isBare,
            units: WeightedList(section.units.map { unit($0) }))
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
    func unitsPath(_ section: Int) -> [EditStep] {
        let path = path(ofSection: section)
        return sections[section].isBare ? path : path + [steps.units]
    }

    /// Returns the path of a unit.
    func unitPath(_ section: Int, _ unit: Int) -> [EditStep] {
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

    /// Returns the number of containers around an element of the array of a placement.
    private func depth(ofElement item: PageItem) throws(EditFailure) -> Int {
        if let apart, apart.isArray(of: item) { return apart.path.count + 1 }
        return try path(of: item).count + 1
    }

    private func role(of item: PageItem) -> PlacementRole {
        sections[item.section].units[item.unit].placements[item.placement].role
    }

    /// Returns the rule that identifies the elements of an array of which nothing else that its
    /// unit makes depends; `nil` for any other item.
    private func ownRule(of item: PageItem) -> ItemIdentification? {
        sections[item.section].units[item.unit].placements[item.placement].ownRule
    }

    /// Returns the placement of an item.
    func placement(of item: PageItem) -> EditedPlacement {
        sections[item.section].units[item.unit].placements[item.placement]
    }

    /// Returns the value of an item's data.
    func data(of item: PageItem) throws(EditFailure) -> EditedValue {
        guard let value = try value(at: dataPath(of: item)) else { throw .noValue }
        return value
    }

    /// Returns the value of a section's member, or of one of an object in it, or `nil`; null counts
    /// as absent.
    func member(
        _ path: [String], ofSection section: Int
    ) throws(EditFailure) -> EditedValue? {
        let steps = path.map { EditStep(member: $0) }
        let value = try value(at: self.path(ofSection: section) + steps)
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
        guard role(of: item) == .cells else {
            let path = try dataPath(of: item)
            try edit(at: path[...]) { value throws(EditFailure) in
                try change(&value)
                try limits.check(heightOf: value, below: path.count)
            }
            try checkSize()
            return try readUnit(item.unit, ofSection: item.section)
        }
        let depth = try depth(ofElement: item)
        let rule = ownRule(of: item)
        let made = try editArray(of: item) { array throws(EditFailure) in
            try array.edit(item.element) { value throws(EditFailure) -> EditedItem? in
                let isSame = value.kind == .object && patch.map { rule?.reads($0) } == false
                try change(&value)
                try limits.check(heightOf: value, below: depth)
                return isSame ? nil : rule?.item(of: value)
            }
        }
        try checkSize()
        if rule == nil { return try readUnit(item.unit, ofSection: item.section) }
        if let made { setElement(item, to: made) }
    }

    /// Inserts an element into the array of a placement.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - item: The location that the element gets.
    func insert(
        _ element: EditedArray.Element, at item: PageItem
    ) throws(EditFailure) {
        try limits.check(heightOf: element.value, below: depth(ofElement: item))
        try editArray(of: item) { array throws(EditFailure) in
            array.insert(element, at: item.element)
        }
        try checkSize()
        guard let rule = ownRule(of: item) else {
            return try readUnit(item.unit, ofSection: item.section)
        }
        let made = rule.item(of: element.value)
        newIdentities?.add(made, page: number)
        setPlacement(of: item) { $0.insert(made, at: item.element) }
    }

    /// Gives an element of an array another value.
    private func setElement(_ item: PageItem, to made: EditedItem) {
        let isNew = setPlacement(of: item) { $0.replace(item.element, with: made) }
        if isNew { newIdentities?.add(made, page: number) }
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
        // The elements of an array go from its end, so that the other indexes stay valid.
        for item in items.sorted().reversed() {
            taken[item] =
                role(of: item) == .cells
                ? try takeElement(item) : EditedArray.Element(value: try takeMember(of: item))
        }
        let arrays = Dictionary(grouping: items, by: \.placement)
        guard items.allSatisfy({ ownRule(of: $0) != nil }) else {
            try readUnit(first.unit, ofSection: first.section)
            return taken
        }
        for (_, items) in arrays {
            setPlacement(of: items[0]) { $0.remove(Set(items.map(\.element))) }
        }
        return taken
    }

    private func takeElement(_ item: PageItem) throws(EditFailure) -> EditedArray.Element {
        try editArray(of: item) { array throws(EditFailure) in array.remove(at: item.element) }
    }

    private func takeMember(of item: PageItem) throws(EditFailure) -> EditedValue {
        let path = try dataPath(of: item)
        guard let last = path.last, let value = try value(at: path) else { throw .noValue }
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
        return EditedValue(EditSource(document), document.root.node)
    }

    private func setPlacement<Value>(
        of item: PageItem, _ change: (inout EditedPlacement) -> Value
    ) -> Value {
        change(&sections[item.section].units[item.unit].placements[item.placement])
    }
}
