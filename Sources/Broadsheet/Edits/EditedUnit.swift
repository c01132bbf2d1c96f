/// A unit of a page under edit, with the items, headers and footers that its data makes.
struct EditedUnit: SingleElement {
    let type: JSONKey
    /// The path from the posted unit to the data: the fallbacks that stand in, and the data member
    /// unless the unit is its own data.
    let dataPath: [JSONPathStep]
    /// A Boolean value that indicates whether the section goes with the unit, which cannot be made.
    var isMissing = false
    /// A Boolean value that indicates whether it may make something else for other clients.
    var mayDiffer = false
    /// A Boolean value that indicates whether it goes with its section or has a fallback, so that
    /// its data decides about what is made.
    var hasChain = false
    /// The uses of its data, also of data that is missing, in their order.
    var placements: [EditedPlacement]
    /// Its edit by actions; `nil` if none has changed it.
    var edit: UnitEdit?

    static var isMeasured: Bool { true }

    var measure: Int { itemCount }

    var itemCount: Int {
        // The buffer gives access to a placement without a copy of it.
        placements.withUnsafeBufferPointer { placements in
            var count = 0
            for index in placements.indices { count += placements[index].itemCount }
            return count
        }
    }

    /// Returns whether the data of an item is before that of another one, by the path of each; in
    /// an array that is the order of its elements.
    func isData(of item: PageItem, before other: PageItem) -> Bool {
        guard item.placement != other.placement else { return item.element < other.element }
        return steps(to: item).lexicographicallyPrecedes(steps(to: other)) { $0.isBefore($1) }
    }

    private func steps(to item: PageItem) -> [JSONPathStep] {
        let placement = placements[item.placement]
        let element = placement.role == .cells ? [JSONPathStep(index: item.element)] : []
        return (placement.path ?? []) + element
    }

    func makes(_ role: PlacementRole) -> Bool {
        placements.contains { $0.role == role && $0.isMade }
    }
}

/// A use of a unit's data: a placement of a catalog, or a call on a section builder.
struct EditedPlacement {
    /// The position of the placement among those of its unit type.
    let ordinal: Int
    let role: PlacementRole
    /// The steps from the unit's data to the placement's, if there is any; `nil` for a unit type
    /// that code registers.
    let pointer: [JSONPathStep]?
    /// The path from the unit's data to the placement's; `nil` if that is missing, or is not in the
    /// unit's data.
    var path: [JSONPathStep]?
    /// A Boolean value that indicates whether nothing else that the unit could make depends on the
    /// placement's data.
    let isIndependent: Bool
    let identification: ItemIdentification
    /// The elements of the array of `cells`; otherwise the data itself.
    private(set) var elements = WeightedList<EditedItem>()
    /// The number of elements that make something.
    private var madeCount = 0

    var isMade: Bool { madeCount > 0 }

    var areAllMade: Bool { madeCount == elements.count }

    var itemCount: Int { isItems ? madeCount : 0 }

    var isItems: Bool {
        // Inlined, so that the placement under the role is not copied as a whole.
        @inline(__always) get { role == .cell || role == .cells }
    }

    init(
        ordinal: Int, role: PlacementRole, pointer: [JSONPathStep]?, isIndependent: Bool,
        identification: ItemIdentification
    ) {
        self.ordinal = ordinal
        self.role = role
        self.pointer = pointer
        self.isIndependent = isIndependent
        self.identification = identification
    }

    mutating func setElements(_ elements: [EditedItem]) {
        self.elements = WeightedList(elements)
        madeCount = elements.count(where: \.isMade)
    }

    /// Removes the elements from `index` on, and returns them.
    ///
    /// - Complexity: O(√elements), and O(elements) of the shorter part unless all make something.
    mutating func split(at index: Int) -> EditedPlacement {
        var rest = self
        rest.elements = elements.split(at: index)
        guard madeCount < elements.count + rest.elements.count else {
            (madeCount, rest.madeCount) = (elements.count, rest.elements.count)
            return rest
        }
        if elements.count < rest.elements.count {
            let own = elements.count(where: \.isMade)
            (madeCount, rest.madeCount) = (own, madeCount - own)
        } else {
            rest.madeCount = rest.elements.count(where: \.isMade)
            madeCount -= rest.madeCount
        }
        return rest
    }

    func emptied() -> EditedPlacement {
        var placement = self
        placement.setElements([])
        return placement
    }

    /// Replaces the element at `index`, which exists, and returns whether it was a different one.
    mutating func replace(_ index: Int, with element: EditedItem) -> Bool {
        guard !elements[index].isSame(as: element) else { return false }
        madeCount += (element.isMade ? 1 : 0) - (elements[index].isMade ? 1 : 0)
        elements[index] = element
        return true
    }

    mutating func insert(_ element: EditedItem, at index: Int) {
        elements.insert(element, at: index)
        if element.isMade { madeCount += 1 }
    }

    /// Removes the elements at the indexes.
    ///
    /// - Complexity: O(indexes √elements) for a few of them, otherwise O(elements).
    mutating func remove(_ indexes: Set<Int>) {
        guard indexes.count > elements.count / 32 + 1 else {
            // From the end, so that the others keep their indexes.
            for index in indexes.sorted().reversed() where elements.remove(at: index).isMade {
                madeCount -= 1
            }
            return
        }
        setElements(
            elements.enumerated().filter { !indexes.contains($0.offset) }.map(\.element))
    }

    /// Returns whether the elements of one array are the data of both.
    func isSameArray(as other: EditedPlacement) -> Bool {
        role == .cells && other.role == .cells && path == other.path
    }

    func isSame(as other: EditedPlacement) -> Bool {
        ordinal == other.ordinal && role == other.role && path == other.path
    }
}

/// The outcome of a use of one value: an item, a header or footer, or nothing.
struct EditedItem: SingleElement {
    /// A Boolean value that indicates whether the value makes something.
    let isMade: Bool
    /// The text that identifies an item; `nil` for an item that its position identifies.
    ///
    /// Data that makes nothing because of the schema of its cell type has one, too.
    let text: JSONText?
    let hash: UInt32

    init(isMade: Bool, text: JSONText?) {
        self.isMade = isMade
        self.text = text
        hash = text.map(TextHash.ofIdentity) ?? 0
    }

    func isSame(as other: EditedItem) -> Bool {
        isMade == other.isMade && hash == other.hash && text == other.text
    }
}

/// The rule by which items of a placement get their types and their ids.
final class ItemIdentification {
    private let type: PlacementType
    private let kinds: [CellKind]
    /// A Boolean value that indicates whether data that does not keep the schema of its cell type
    /// makes nothing.
    let judges: Bool
    /// The first step to the id in an item's data, if all items are of one type that has an id.
    private let idStep: JSONPathStep?
    /// A Boolean value that indicates whether all items are of one type without an id.
    private let hasNoId: Bool

    /// With `ignoresSchemas`, data makes something although it does not keep its schema.
    init(_ type: PlacementType, kinds: [CellKind], ignoresSchemas: Bool = false) {
        self.type = type
        self.kinds = kinds
        judges = !ignoresSchemas && type.contains { kinds[$0].schema != nil }
        guard case .kind(let index) = type else {
            (idStep, hasNoId) = (nil, false)
            return
        }
        idStep = kinds[index].idSteps?.first
        hasNoId = kinds[index].id == nil
    }

    func kind(of value: EditedValue) -> CellKind? {
        switch type {
        case .kind(let index): kinds[index]
        case .choice(let choice):
            choice.kind(for: value.posted(at: choice.pointer.steps)).map { kinds[$0] }
        }
    }

    /// Returns the text that identifies the item of a value, whether its schema is kept or not.
    func id(of value: JSONValue) -> JSONText? {
        type.kind(of: value).flatMap { kinds[$0].id?.evaluate(on: value)?.text }
    }

    /// `judge` is that of the schemas of cell types; `nil` if the value keeps them.
    func item(of value: JSONValue, by judge: inout SchemaJudge?) -> EditedItem {
        guard let index = type.kind(of: value) else { return EditedItem(isMade: false, text: nil) }
        return EditedItem(
            isMade: keeps(value, ofKind: index, by: &judge),
            text: kinds[index].id?.evaluate(on: value)?.text)
    }

    private func keeps(
        _ value: JSONValue, ofKind kind: Int, by judge: inout SchemaJudge?
    ) -> Bool {
        guard judges, let schema = kinds[kind].schema else { return true }
        judge?.document = value.document
        return judge?.keeps(value.node, schema) ?? true
    }

    /// Returns whether the type or the id of an item, or its being there, may differ after a merge
    /// patch of an object.
    func reads(_ patch: JSONValue) -> Bool {
        guard !judges, let idStep else { return judges || !hasNoId }
        return patch[idStep.key] != nil
    }

    /// Takes O(bytes) for a changed value whose cell type may have a schema.
    func item(of value: EditedValue, by judge: inout SchemaJudge?) -> EditedItem {
        if case .source(let source, let node) = value.content {
            return item(of: source.document.value(at: node), by: &judge)
        }
        if judges, let document = try? JSONDocument(value.bytes, maxDepth: .max) {
            return item(of: document.root, by: &judge)
        }
        let index: Int? =
            switch type {
            case .kind(let index): index
            case .choice(let choice): choice.kind(for: value.posted(at: choice.pointer.steps))
            }
        guard let index else { return EditedItem(isMade: false, text: nil) }
        return EditedItem(
            isMade: true, text: kinds[index].idSteps.flatMap { value.posted(at: $0)?.text })
    }
}

extension EditedValue {
    /// Returns the value of a document at a path; `nil` if there is none, or for a container whose
    /// contents have changed, which is neither an id nor selects a type.
    fileprivate func posted(at path: [JSONPathStep]) -> JSONValue? {
        guard let value = value(at: path),
            case .source(let source, let node) = value.content
        else { return nil }
        return source.document.value(at: node)
    }
}

extension RandomAccessCollection where Index == Int {
    subscript(safe index: Int) -> Element? {
        index >= startIndex && index < endIndex ? self[index] : nil
    }
}
