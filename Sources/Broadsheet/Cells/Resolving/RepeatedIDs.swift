/// The search for items of a page whose ids earlier items of their section have.
struct RepeatedIDs {
    /// The largest number of items of a page with a diagnostic of their own; fixed.
    static let maxListed = 100

    private let document: JSONDocument
    private let cells: [CellInfo]
    private let hash = TextHash.ofProcess
    /// The items of a section by the hashes of their ids; the place plus 1, or 0 in a free slot.
    ///
    /// The count is a power of two, and at least twice the number of items.
    private var slots: [(hash: UInt32, place: UInt32)] = []
    private(set) var found: [Int] = []

    init(_ cells: [CellInfo], in document: JSONDocument) {
        (self.cells, self.document) = (cells, document)
    }

    /// Searches a section, which has all items at some places of the page.
    ///
    /// - Complexity: O(bytes of the ids), expected.
    mutating func search(_ parts: [Range<Int>]) {
        let count = parts.reduce(0) { $0 + $1.count }
        guard count > 1 else { return }
        var capacity = 4
        while capacity < count * 2 { capacity *= 2 }
        slots = Array(repeating: (0, 0), count: capacity)
        for place in parts.joined() where !insert(place) { found.append(place) }
    }

    /// Adds an item unless one of its id was added.
    private mutating func insert(_ place: Int) -> Bool {
        guard case .text = cells[place].id else { return true }
        let hash = withText(of: place) { self.hash($0) }
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot].place != 0 {
            let other = Int(slots[slot].place) - 1
            if slots[slot].hash == hash, areEqual(place, other) { return false }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = (hash, UInt32(truncatingIfNeeded: place + 1))
        return true
    }

    private func areEqual(_ place: Int, _ other: Int) -> Bool {
        withText(of: place) { text in withText(of: other) { $0.elementsEqual(text) } }
    }

    private func withText<Result>(
        of place: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        guard case .text(let range, let hasEscapes) = cells[place].id else {
            return body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        let text = JSONText(bytes: document.bytes, range: range, hasEscapes: hasEscapes)
        if hasEscapes { return text.utf8.withUnsafeBytes(body) }
        return text.withContent { body(UnsafeRawBufferPointer($0)) }
    }
}

extension JSONDocument {
    fileprivate func node(at offset: Int) -> UInt32? {
        var (low, high) = (0, nodeCount)
        while low < high {
            let middle = (low + high) / 2
            // The nodes, those that close a container included, are in the order of the text.
            let start = Int(tape[UInt32(truncatingIfNeeded: middle)].offset)
            if start < offset { low = middle + 1 } else { high = middle }
        }
        let node = UInt32(truncatingIfNeeded: low)
        return low < nodeCount && Int(tape[node].offset) == offset ? node : nil
    }
}

extension PageResolver {
    mutating func reportRepeatedIDs(of sections: [(identifier: String?, cells: Range<Int>)]) {
        var parts: [[Range<Int>]] = []
        var named: [Identifier: Int] = [:]
        for section in sections where !section.cells.isEmpty {
            let identifier = section.identifier.map(Identifier.init)
            if let identifier, let index = named[identifier] {
                parts[index].append(section.cells)
                continue
            }
            if let identifier { named[identifier] = parts.count }
            parts.append([section.cells])
        }
        var ids = RepeatedIDs(draft.cells, in: page.document)
        for section in parts { ids.search(section) }
        for place in ids.found.prefix(RepeatedIDs.maxListed) {
            guard let cell = draft.cells[place].duplicate(in: page) else { continue }
            draft.report(cell, at: UnitLocation(section: 0, isBare: false, part: .section))
        }
        draft.diagnosticTotal += max(0, ids.found.count - RepeatedIDs.maxListed)
    }
}

extension CellInfo {
    fileprivate func duplicate(in page: ServerStatePage) -> UnitDiagnostic.Kind? {
        guard case .text(let range, let hasEscapes) = id,
            let node = page.document.node(at: dataRange.lowerBound)
        else { return nil }
        let text = JSONText(bytes: page.document.bytes, range: range, hasEscapes: hasEscapes)
        return .duplicateID(
            pointer: page.document.pointer(to: node, inside: page.node),
            id: String(text.string.prefix(ResolvedPage.maxShownNameLength)))
    }
}
