/// What a page has become so far while it is resolved.
struct PageDraft: Sendable {
    let document: JSONDocument
    /// The page's items, section by section.
    private(set) var cells: [CellInfo] = []
    /// The numbers that the items' size rules need, items of equal numbers sharing them.
    private(set) var inputs: [Double] = []
    /// The cell types in use, which items refer to by index.
    private(set) var kinds: [CellKind]
    /// Whether a Swift cell type is in use, which will ask for its data.
    private(set) var needsDocument = false
    /// The first findings.
    private(set) var findings: [UnitDiagnostic] = []
    /// How many findings there are.
    private(set) var findingTotal = 0
    /// Whether an item was left out because there would have been too many.
    private(set) var isOverfull = false

    private var codeKinds: [ObjectIdentifier: Int] = [:]
    private let maxItems: Int
    private let maxFindings: Int

    init(_ document: JSONDocument, kinds: [CellKind], limits: ScreenLimits) {
        self.document = document
        self.kinds = kinds
        maxItems = limits.maxItems
        maxFindings = limits.maxDiagnostics
    }

    /// The index of the kind that a Swift type is.
    mutating func kind(of type: any CellType.Type) -> Int {
        if let index = codeKinds[ObjectIdentifier(type)] { return index }
        kinds.append(CellKind(type))
        codeKinds[ObjectIdentifier(type)] = kinds.count - 1
        needsDocument = true
        return kinds.count - 1
    }

    /// Appends the item that is all of `data`.
    mutating func append(_ data: JSONValue, kind index: Int, unit: Int) {
        guard hasRoom(for: 1) else { return }
        append(data.node, document, kinds[index], index, unit: unit, element: 0)
    }

    /// Appends an item for each element of `array`.
    ///
    /// O(elements).
    mutating func append(elementsOf array: JSONValue, kind index: Int, unit: Int) {
        let count = array.count
        guard hasRoom(for: count) else { return }
        if cells.isEmpty { cells.reserveCapacity(count) }
        let (document, kind) = (document, kinds[index])
        var node = array.node &+ 1
        for element in 0..<count {
            append(node, document, kind, index, unit: unit, element: element)
            node = document.node(after: node)
        }
    }

    private mutating func hasRoom(for count: Int) -> Bool {
        if maxItems - cells.count < count { isOverfull = true }
        return !isOverfull
    }

    /// By node, since a value of each would be retained and released.
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

    /// Reads what the size rules of the kind at `index` need of `data`; answers where it stands.
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

    /// Neighbours are often alike, and data without any of the numbers takes no room beside them.
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

    /// Keeps a finding, if it is among the first, and counts it.
    mutating func note(_ kind: UnitDiagnostic.Kind, at place: UnitLocation) {
        findingTotal += 1
        guard findings.count < maxFindings else { return }
        findings.append(UnitDiagnostic(kind: kind, place: place))
    }
}
