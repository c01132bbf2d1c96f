/// The parts of a catalog that refer to parts of pages, in the order of the catalog: what lint
/// compares with pages.
struct CatalogReferences: Sendable {
    /// The pointers of a cell type into the data of its items.
    struct CellType: Sendable {
        var id: CatalogPointer?
        /// The pointers of the size, of the picture and of the span.
        var others: [CatalogPointer] = []
    }

    /// The pointers of a placement.
    struct Placement: Sendable {
        let data: CatalogPointer?
        /// The pointer into the data of an item by which the cell type is chosen.
        let choice: CatalogPointer?
    }

    var cellTypes: [CellType] = []
    var unitTypes: [(name: String, placements: [Placement])] = []
    /// The ids of the sections that have a layout.
    var sections: [String] = []
    /// The search for the ids of sections that misspelt ones were meant to be.
    var sectionNames = SectionNames([])
    /// The layouts of sections as the catalog has them, by the ids of the sections.
    var sectionLayouts: [Identifier: CatalogValue] = [:]
    var unitLayouts: [Identifier: CatalogValue] = [:]

    var isEmpty: Bool { cellTypes.isEmpty && unitTypes.isEmpty && sections.isEmpty }

    /// Adds a unit type, whose placements have read `pointers` one after the other.
    mutating func addUnitType(
        _ name: String, _ placements: [Broadsheet.Placement], reading pointers: [CatalogPointer]
    ) {
        var rest = pointers.makeIterator()
        unitTypes.append(
            (
                name,
                placements.map { placement in
                    let data = placement.data == nil ? nil : rest.next()
                    guard case .choice = placement.type else {
                        return Placement(data: data, choice: nil)
                    }
                    return Placement(data: data, choice: rest.next())
                }
            ))
    }
}

/// The search for the id of a section of a catalog that another id was probably meant to be.
struct SectionNames: Sendable {
    private let known: Set<Identifier>
    private let ids: [String]
    private let near: NearNames

    init(_ ids: [String]) {
        known = Set(ids.map(Identifier.init))
        self.ids = ids
        near = NearNames(ids)
    }

    /// Returns the id that one was meant to be which the catalog does not have: it differs in case,
    /// or in at most two letters.
    ///
    /// Ids that differ only in digits are those of several sections.
    func nearest(to id: String) -> String? {
        guard !ids.isEmpty, !known.contains(Identifier(id)) else { return nil }
        var text = id
        guard text.withUTF8(near.areNear) else { return nil }
        let found = NearestName.of(
            id, among: Array(ids.prefix(NearestName.maxCandidates)),
            atMost: NearestName.maxTypingErrors)
        let words = { (id: String) in id.lowercased().filter { !$0.isNumber } }
        guard let found, found.lowercased() == id.lowercased() || words(found) != words(id) else {
            return nil
        }
        return found
    }
}

/// A value of a catalog as it was written.
struct CatalogValue: Sendable {
    let pointer: String
    /// The bytes of the document, which the catalog shares.
    private let bytes: [UInt8]
    private let range: Range<Int>

    init(_ value: JSONValue, at pointer: String) {
        self.pointer = pointer
        bytes = value.document.bytes
        range = value.byteRange
    }

    var json: ArraySlice<UInt8> { bytes[range] }
}
