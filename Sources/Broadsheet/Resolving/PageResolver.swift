/// A resolver of a posted page's units to cells, headers and footers, section by section.
struct PageResolver {
    private let page: ServerStatePage
    private let registry: CellRegistry
    private let limits: ScreenLimits
    private var builder: SectionBuilder
    /// The members of layouts without effect that were reported; each name is reported once.
    private var withoutEffect: Set<String> = []

    /// Creates a resolver of `page` by the types of `registry`.
    init(_ page: ServerStatePage, registry: CellRegistry, limits: ScreenLimits) {
        self.page = page
        self.registry = registry
        self.limits = limits
        builder = SectionBuilder(
            draft: PageDraft(page.document, kinds: registry.kinds, limits: limits),
            unit: UnitContext(call: 0, in: 0))
    }

    /// The page with the sections resolved so far.
    var draft: PageDraft { builder.draft }

    /// Resolves the page's sections.
    ///
    /// - Throws: A violation if the units make too many items.
    /// - Complexity: O(bytes).
    mutating func sections() throws(ContractError) -> [SectionDraft] {
        var drafts: [SectionDraft] = []
        drafts.reserveCapacity(page.sections.count)
        for (index, section) in page.sections.enumerated() {
            drafts.append(try resolve(section, at: index))
        }
        return drafts
    }

    private mutating func resolve(
        _ section: ServerStateSection, at index: Int
    ) throws(ContractError) -> SectionDraft {
        let start = builder.draft.cells.count
        builder.begin()
        let location = { (part: UnitLocation.Part) in
            UnitLocation(
                section: Int32(truncatingIfNeeded: index), isBare: section.isBare, part: part)
        }
        builder.unitLayout = registry.unitLayout(in: section)
        reportMembersWithoutEffect(of: section, at: location(.section))
        var number: Int32 = 0
        for unit in section.units {
            let location = location(.unit(number))
            configure(unit, at: location, only: nil)
            guard !builder.draft.isOverfull else { throw tooManyItems(at: location, unit) }
            number &+= 1
        }
        // Last, because they override the views that units made.
        if let header = section.header { configureOwn(header, .header, at: location(.header)) }
        if let footer = section.footer { configureOwn(footer, .footer, at: location(.footer)) }
        if let layout = section.layout { builder.layout = builder.layout.overridden(by: layout) }
        builder.data = section.data ?? builder.data
        return SectionDraft(
            identifier: section.identifier, collapsed: section.collapsed, builder,
            cells: start..<builder.draft.cells.count)
    }

    /// Reports the members of a section's layout that have no effect, given the section's layout in
    /// the registry.
    private mutating func reportMembersWithoutEffect(
        of section: ServerStateSection, at location: UnitLocation
    ) {
        guard let layout = section.layout, let value = section.layoutValue else { return }
        let registered = registry.layout(
            forSection: section.identifier, unitLayout: builder.unitLayout?.layout)
        for member in layout.membersWithoutEffect(in: value, over: registered)
        where withoutEffect.insert(member.name).inserted {
            builder.draft.report(.memberWithoutEffect(member), at: location)
        }
    }

    /// Configures a section's own header or footer: only the placement of that role counts, and the
    /// section's layout and data do not change.
    private mutating func configureOwn(
        _ unit: ServerStateUnit, _ role: PlacementRole, at location: UnitLocation
    ) {
        let (layout, data) = (builder.layout, builder.data)
        configure(unit, at: location, only: role)
        (builder.layout, builder.data) = (layout, data)
    }

    private mutating func configure(
        _ unit: ServerStateUnit, at location: UnitLocation, only role: PlacementRole?
    ) {
        guard let type = unit.typeValue.text else { return }
        let name = type.string
        guard let configuration = registry.configuration(of: name) else {
            return builder.draft.report(unknownUnitType: name, at: location)
        }
        builder.unit = UnitContext(location: location, isFlat: unit.nodes.isFlat, only: role)
        builder.hasPlaced = false
        configuration(unit, &builder)
        if !builder.hasPlaced {
            builder.draft.report(.noPlacement(role), at: location)
        }
    }

    private func tooManyItems(
        at location: UnitLocation, _ unit: ServerStateUnit
    ) -> ContractError {
        ContractError(violations: [
            ContractViolation(
                pointer: page.pointer + location.pointer(page.names),
                detail: "makes more than the \(limits.maxItems) items that a page may have "
                    + "(--max-items)",
                offset: unit.typeValue.byteRange.lowerBound)
        ])
    }
}

/// A page under construction: the cells, size inputs, kinds and diagnostics of the units so far.
struct PageDraft: Sendable {
    /// The document of the page.
    let document: JSONDocument
    /// The page's items, section by section.
    private(set) var cells: [CellInfo] = []
    /// The numbers that the items' size rules read; items with equal numbers share them.
    private(set) var inputs: [Double] = []
    /// The cell types in use, which items refer to by index.
    private(set) var kinds: [CellKind]
    /// A Boolean value that indicates whether a Swift cell type is in use, which reads its data
    /// later.
    private(set) var needsDocument = false
    /// The first diagnostics.
    private(set) var diagnostics: [UnitDiagnostic] = []
    /// The number of diagnostics.
    private(set) var diagnosticTotal = 0
    /// The first different unknown unit types.
    private(set) var unknownUnitTypes: [String] = []
    /// A Boolean value that indicates whether an item was left out because of the limit.
    private(set) var isOverfull = false

    /// The uses of the current unit's data, for edits of the unit; `nil` while a page is resolved.
    private(set) var placements: [RecordedPlacement]?

    private var codeKinds: [ObjectIdentifier: Int] = [:]
    /// The values of unusable types that have been reported, once a cell type and pointer.
    private var unusableValues: Set<UnusableValue> = []
    private let maxItems: Int
    private let maxDiagnostics: Int

    /// Creates a draft without items.
    init(_ document: JSONDocument, kinds: [CellKind], limits: ScreenLimits) {
        self.document = document
        self.kinds = kinds
        maxItems = limits.maxItems
        maxDiagnostics = limits.maxDiagnostics
    }

    /// Begins to record the uses of the data of a unit.
    mutating func beginRecording() { placements = [] }
    /// Records a use of the current unit's data.
    mutating func record(_ placement: RecordedPlacement) { placements?.append(placement) }

    /// Returns the index of the kind of a Swift type, and adds the kind if it is new.
    mutating func kind(of type: any CellType.Type) -> Int {
        if let index = codeKinds[ObjectIdentifier(type)] { return index }
        kinds.append(CellKind(type))
        codeKinds[ObjectIdentifier(type)] = kinds.count - 1
        needsDocument = true
        return kinds.count - 1
    }

    /// Appends one item with all of `data`, unless `type` has no cell type for it.
    mutating func append(_ data: JSONValue, _ type: PlacementType, from origin: DataOrigin) {
        guard let index = kind(of: type, for: data.node, from: origin), hasCapacity(for: 1) else {
            return
        }
        append(data.node, document, kinds[index], index, from: origin)
    }

    /// Appends one item for each element of `array` that `type` has a cell type for.
    ///
    /// - Complexity: O(elements).
    mutating func append(
        elementsOf array: JSONValue, _ type: PlacementType, from origin: DataOrigin
    ) {
        switch type {
        case .kind(let index): append(elementsOf: array, kind: index, from: origin)
        case .choice(let choice): append(elementsOf: array, by: choice, from: origin)
        }
    }

    private mutating func append(
        elementsOf array: JSONValue, by choice: CellTypeChoice, from origin: DataOrigin
    ) {
        let document = document
        var node = array.node &+ 1
        var origin = origin
        for element in 0..<array.count {
            origin.element = element
            if let index = kind(by: choice, for: node, from: origin) {
                guard hasCapacity(for: 1) else { return }
                append(node, document, kinds[index], index, from: origin)
            }
            node = document.node(after: node)
        }
    }

    private mutating func append(
        elementsOf array: JSONValue, kind index: Int, from origin: DataOrigin
    ) {
        let count = array.count
        guard hasCapacity(for: count) else { return }
        if cells.isEmpty { cells.reserveCapacity(count) }
        let (document, kind) = (document, kinds[index])
        var node = array.node &+ 1
        guard kind.dependsOnData else {
            let (id, unit) = (kind.id, origin.unit.index)
            for element in 0..<count {
                let identity = Self.identity(of: node, document, id, unit: unit, element: element)
                cells.append(
                    CellInfo(
                        kind: index, data: document.byteRange(of: node), identity: identity,
                        inputs: 0))
                node = document.node(after: node)
            }
            return
        }
        var origin = origin
        for element in 0..<count {
            origin.element = element
            append(node, document, kind, index, from: origin)
            node = document.node(after: node)
        }
    }

    /// Returns the identity of an item: the text of its id, or its position.
    ///
    /// - Parameter id: The pointer from the data to the id, if the kind has one.
    @inline(__always)
    private static func identity(
        of data: UInt32, _ document: JSONDocument, _ id: JSONPointer?, unit: Int, element: Int
    ) -> CellInfo.Identity {
        if let found = id?.evaluate(on: data, in: document), let text = document.text(of: found) {
            return .text(range: text.range, hasEscapes: text.hasEscapes)
        }
        return .position(unit: unit, element: element)
    }

    /// Returns the index of the cell type for `data`; reports data that `type` has none for.
    mutating func kind(
        of type: PlacementType, for data: UInt32, from origin: DataOrigin
    ) -> Int? {
        switch type {
        case .kind(let index): index
        case .choice(let choice): kind(by: choice, for: data, from: origin)
        }
    }

    private mutating func kind(
        by choice: CellTypeChoice, for data: UInt32, from origin: DataOrigin
    ) -> Int? {
        let value = choice.pointer.evaluate(on: data, in: document).map(document.value(at:))
        guard let kind = choice.kind(for: value) else {
            report(
                .noCellType(
                    isFlat: origin.unit.isFlat,
                    pointer: origin.pointer(to: choice.pointer.description)),
                at: origin.unit.location)
            return nil
        }
        if let value, !CaseKeys.canSelect(by: value) {
            reportUnusable(choice.pointer, kind: kind, by: .typeChoice, from: origin)
        }
        return kind
    }

    private mutating func hasCapacity(for count: Int) -> Bool {
        if maxItems - cells.count < count { isOverfull = true }
        return !isOverfull
    }

    /// Appends one item by its node, because a `JSONValue` for each would be retained and released.
    private mutating func append(
        _ data: UInt32, _ document: JSONDocument, _ kind: CellKind, _ index: Int,
        from origin: DataOrigin
    ) {
        let identity = Self.identity(
            of: data, document, kind.id, unit: origin.unit.index, element: origin.element ?? 0)
        cells.append(
            CellInfo(
                kind: index, data: document.byteRange(of: data), identity: identity,
                inputs: inputs(of: data, document, kind, index, from: origin)))
    }

    /// Appends the inputs that the kind at `index` reads from `data`, and returns their first
    /// index.
    mutating func inputs(of data: JSONValue, kind index: Int, from origin: DataOrigin) -> UInt32 {
        inputs(of: data.node, document, kinds[index], index, from: origin)
    }

    private mutating func inputs(
        of data: UInt32, _ document: JSONDocument, _ kind: CellKind, _ index: Int,
        from origin: DataOrigin
    ) -> UInt32 {
        if kind.isSizedByCode { return data }
        if kind.sizeInputs.isEmpty { return 0 }
        var areUsable = true
        let start = inputs(of: document.value(at: data), kind.sizeInputs, &areUsable)
        if !areUsable {
            reportUnusableValues(
                of: document.value(at: data), kind: index, inputs: start, from: origin)
        }
        return UInt32(truncatingIfNeeded: start)
    }

    /// Appends inputs, or shares those of the item before, because consecutive items are often
    /// alike.
    private mutating func inputs(
        of data: JSONValue, _ sources: [SizeInput], _ areUsable: inout Bool
    ) -> Int {
        let start = inputs.count
        for source in sources { inputs.append(source.value(in: data, &areUsable)) }
        let earlier = start - sources.count
        guard earlier >= 0, inputs[earlier..<start].elementsEqual(inputs[start...]) else {
            return start
        }
        inputs.removeLast(sources.count)
        return earlier
    }

    /// Reports the values of unusable types that the size of `data` depends on, except those of the
    /// same cell type and pointer as an earlier one.
    private mutating func reportUnusableValues(
        of data: JSONValue, kind: Int, inputs start: Int, from origin: DataOrigin
    ) {
        guard case .byRules(let rules) = kinds[kind].sizing else { return }
        let isReported = { [unusableValues] (pointer: JSONPointer) in
            unusableValues.contains(UnusableValue(kind: kind, pointer: pointer.description))
        }
        // Most often all items are alike, so that only the first needs the search for used inputs.
        guard
            !rules.inputs.allSatisfy({ $0.unusablePointers(in: data).allSatisfy(isReported) })
        else { return }
        let scope = SizeScope(length: 0, width: 0, inputs: inputs, start: start)
        for input in rules.inputs(in: scope).map({ rules.inputs[$0] }) {
            for pointer in input.unusablePointers(in: data) {
                reportUnusable(pointer, kind: kind, by: input.reader, from: origin)
            }
        }
    }

    /// Reports a value of an unusable type, unless one of the same cell type and pointer has been
    /// reported.
    private mutating func reportUnusable(
        _ pointer: JSONPointer, kind: Int, by reader: ValueReader, from origin: DataOrigin
    ) {
        let value = UnusableValue(kind: kind, pointer: pointer.description)
        guard unusableValues.insert(value).inserted else { return }
        report(
            .unusableValue(
                isFlat: origin.unit.isFlat, pointer: origin.pointer(to: value.pointer), by: reader),
            at: origin.unit.location)
    }

    /// Reports a unit of an unknown type.
    mutating func report(unknownUnitType name: String, at location: UnitLocation) {
        report(.unknownUnitType, at: location)
        guard unknownUnitTypes.count < ResolvedPage.maxUnknownUnitTypes else { return }
        let name = String(name.prefix(ResolvedPage.maxShownNameLength))
        if !unknownUnitTypes.contains(name) { unknownUnitTypes.append(name) }
    }

    /// Counts a diagnostic, and keeps it if it is among the first.
    mutating func report(
        _ kind: @autoclosure () -> UnitDiagnostic.Kind, at location: UnitLocation
    ) {
        diagnosticTotal += 1
        guard diagnostics.count < maxDiagnostics else { return }
        diagnostics.append(UnitDiagnostic(kind: kind(), location: location))
    }
}

/// The origin of a cell's data in its page.
struct DataOrigin {
    /// The unit.
    let unit: UnitContext
    /// The pointer from the unit's data to the placement's.
    let pointer: String
    /// The index in the placement's data, if that is an array of cells.
    var element: Int?

    /// Returns the pointer from the unit's data to a value of the cell's data.
    func pointer(to value: String) -> String {
        (element.map { JSONPointer.appending(pointer, $0) } ?? pointer) + value
    }
}

/// A value of an unusable type: a cell type, by its index among the page's kinds, and a pointer.
private struct UnusableValue: Hashable {
    let kind: Int
    let pointer: String
}
