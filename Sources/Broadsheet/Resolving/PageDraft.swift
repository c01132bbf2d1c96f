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

    /// Returns the index of the kind of a Swift type, and adds the kind if it is new.
    mutating func kind(of type: any CellType.Type) -> Int {
        if let index = codeKinds[ObjectIdentifier(type)] { return index }
        kinds.append(CellKind(type))
        codeKinds[ObjectIdentifier(type)] = kinds.count - 1
        needsDocument = true
        return kinds.count - 1
    }

    /// Appends one item with all of `data`.
    mutating func append(_ data: JSONValue, kind index: Int, from origin: DataOrigin) {
        guard hasCapacity(for: 1) else { return }
        append(data.node, document, kinds[index], index, from: origin)
    }

    /// Appends one item for each element of `array`.
    ///
    /// - Complexity: O(elements).
    mutating func append(elementsOf array: JSONValue, kind index: Int, from origin: DataOrigin) {
        let count = array.count
        guard hasCapacity(for: count) else { return }
        if cells.isEmpty { cells.reserveCapacity(count) }
        let (document, kind) = (document, kinds[index])
        var node = array.node &+ 1
        var origin = origin
        for element in 0..<count {
            origin.element = element
            append(node, document, kind, index, from: origin)
            node = document.node(after: node)
        }
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
        let identity: CellInfo.Identity =
            if let found = kind.id?.evaluate(on: data, in: document),
                let text = document.text(of: found)
            {
                .text(range: text.range, hasEscapes: text.hasEscapes)
            } else {
                .position(unit: origin.unit.index, element: origin.element ?? 0)
            }
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
        switch kind.sizing {
        case .byLayout: return 0
        case .byCode: return data
        case .byRules(let rules):
            var areUsable = true
            let start = inputs(of: document.value(at: data), rules.inputs, &areUsable)
            if !areUsable {
                reportUnusableValues(
                    of: document.value(at: data), kind: index, inputs: start, from: origin)
            }
            return UInt32(truncatingIfNeeded: start)
        }
    }

    /// Appends inputs, or shares those of the item before, because consecutive items are often
    /// alike.
    private mutating func inputs(
        of data: JSONValue, _ sources: [SizeInput], _ areUsable: inout Bool
    ) -> Int {
        if sources.isEmpty { return 0 }
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
                let value = UnusableValue(kind: kind, pointer: pointer.description)
                guard unusableValues.insert(value).inserted else { continue }
                report(
                    .unusableValue(
                        isFlat: origin.unit.isFlat,
                        pointer: origin.pointer(to: pointer.description),
                        isChoice: input.isChoice),
                    at: origin.unit.location)
            }
        }
    }

    /// Reports a unit of an unknown type.
    mutating func report(unknownUnitType name: String, at location: UnitLocation) {
        report(.unknownUnitType, at: location)
        guard unknownUnitTypes.count < ResolvedPage.maxUnknownUnitTypes else { return }
        let name = String(name.prefix(ResolvedPage.maxShownNameLength))
        if !unknownUnitTypes.contains(name) { unknownUnitTypes.append(name) }
    }

    /// Counts a diagnostic, and keeps it if it is among the first.
    mutating func report(_ kind: UnitDiagnostic.Kind, at location: UnitLocation) {
        diagnosticTotal += 1
        guard diagnostics.count < maxDiagnostics else { return }
        diagnostics.append(UnitDiagnostic(kind: kind, location: location))
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
