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
    mutating func append(_ data: JSONValue, kind index: Int, unit: Int) {
        guard hasCapacity(for: 1) else { return }
        append(data.node, document, kinds[index], index, unit: unit, element: 0)
    }

    /// Appends one item for each element of `array`.
    ///
    /// - Complexity: O(elements).
    mutating func append(elementsOf array: JSONValue, kind index: Int, unit: Int) {
        let count = array.count
        guard hasCapacity(for: count) else { return }
        if cells.isEmpty { cells.reserveCapacity(count) }
        let (document, kind) = (document, kinds[index])
        var node = array.node &+ 1
        for element in 0..<count {
            append(node, document, kind, index, unit: unit, element: element)
            node = document.node(after: node)
        }
    }

    private mutating func hasCapacity(for count: Int) -> Bool {
        if maxItems - cells.count < count { isOverfull = true }
        return !isOverfull
    }

    /// Appends one item by its node, because a `JSONValue` for each would be retained and released.
    private mutating func append(
        _ data: UInt32, _ document: JSONDocument, _ kind: CellKind, _ index: Int, unit: Int,
        element: Int
    ) {
        let identity: CellInfo.Identity =
            if let found = kind.id?.evaluate(on: data, in: document),
                let text = document.text(of: found)
            {
                .text(range: text.range, hasEscapes: text.hasEscapes)
            } else {
                .position(unit: unit, element: element)
            }
        cells.append(
            CellInfo(
                kind: index, data: document.byteRange(of: data), identity: identity,
                inputs: inputs(of: data, document, kind)))
    }

    /// Appends the inputs that the kind at `index` reads from `data`, and returns their first
    /// index.
    mutating func inputs(of data: JSONValue, kind index: Int) -> UInt32 {
        inputs(of: data.node, document, kinds[index])
    }

    private mutating func inputs(
        of data: UInt32, _ document: JSONDocument, _ kind: CellKind
    ) -> UInt32 {
        switch kind.sizing {
        case .byLayout: return 0
        case .byCode: return data
        case .byRules(let rules): return inputs(of: document.value(at: data), rules.inputs)
        }
    }

    /// Appends inputs, or shares those of the item before, because consecutive items are often
    /// alike.
    private mutating func inputs(of data: JSONValue, _ sources: [SizeInput]) -> UInt32 {
        if sources.isEmpty { return 0 }
        let start = inputs.count
        for source in sources { inputs.append(source.value(in: data)) }
        let earlier = start - sources.count
        guard earlier >= 0, inputs[earlier..<start].elementsEqual(inputs[start...]) else {
            return UInt32(truncatingIfNeeded: start)
        }
        inputs.removeLast(sources.count)
        return UInt32(truncatingIfNeeded: earlier)
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
