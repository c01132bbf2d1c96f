import BroadsheetClient
import BroadsheetCollections

/// The items of a screen that the events of a request name, found in one pass over the sections
/// that they name, without indexing any page.
package struct NamedItems: Sendable {
    /// An item, or a header or footer.
    struct Found: Sendable {
        let page: ResolvedPage
        private let kindIndex: Int
        /// The range of the data in the page's bytes.
        let dataRange: Range<Int>

        init(page: ResolvedPage, cell: CellInfo) {
            self.page = page
            kindIndex = cell.kind
            dataRange = cell.dataRange
        }

        init(page: ResolvedPage, view: ReusableViewInfo) {
            self.page = page
            kindIndex = view.kind
            dataRange = view.dataRange
        }

        var kind: CellKind { page.kinds[kindIndex] }
    }

    private var found: [Found?]
    /// The indexes of the events whose section the screen does not have.
    private var withoutSection: Set<Int> = []

    /// Finds items.
    ///
    /// - Parameters:
    ///   - events: The events, of which those with a section and an item name one.
    ///   - model: The screen.
    ///   - parameters: The parameters of the layout whose tree the client has.
    ///   - registry: The registered types.
    ///   - isWanted: Returns whether the item of an event is searched for.
    /// - Complexity: O(events + sections of all pages + items of the named sections); no items are
    ///   passed over that are behind the last one.
    package init(
        _ events: [PostedEvent], in model: PaginatedViewModel, _ parameters: LayoutParameters,
        _ registry: CellRegistry, where isWanted: (PostedEvent) -> Bool = { _ in true }
    ) {
        found = Array(repeating: nil, count: events.count)
        var sections = WantedSections()
        for (index, event) in events.enumerated() where isWanted(event) {
            sections.add(event, at: index)
        }
        guard !sections.all.isEmpty else { return }
        let parts = sections.parts(in: model.pages(upTo: .max, for: parameters, registry))
        // The directory is that of the pages without a client.
        let directory = model.hasConditions ? nil : model.directory
        for (section, parts) in zip(sections.all, parts) {
            if parts.isEmpty { withoutSection.formUnion(section.events) }
            for (view, event) in section.views { found[event] = parts.view(view) }
            guard section.hasItems else { continue }
            var search = WantedItemSearch(section, parts, directory)
            search.run { found[$0] = $1 }
        }
    }

    /// Finds the items of the events that operations can follow from: of actions, and of those that
    /// have a handler.
    init(
        ofHandled events: [PostedEvent], in model: PaginatedViewModel,
        _ parameters: LayoutParameters, _ registry: CellRegistry
    ) {
        let handled = registry.handledEvents
        self.init(events, in: model, parameters, registry) { event in
            event.type == .action || HandledEvent(event.event).map(handled.contains) == true
        }
    }

    subscript(event: Int) -> Found? { found[event] }

    func isWithoutSection(event: Int) -> Bool { withoutSection.contains(event) }

    package func cellType(ofEvent index: Int) -> String? { found[index]?.kind.name }

    package func page(ofEvent index: Int) -> Int? { found[index]?.page.number }
}

/// A posted section that has items of a wanted section.
private struct WantedPart {
    let page: ResolvedPage
    let section: Int

    var cells: ArraySlice<CellInfo> { page.sections[section].cells }
}

extension [WantedPart] {
    /// Returns the header or the footer of the section: that of the highest page that has one.
    fileprivate func view(_ view: SectionView) -> NamedItems.Found? {
        for part in reversed() {
            let section = part.page.sections[part.section]
            let info = view == .header ? section.header : section.footer
            if let info { return NamedItems.Found(page: part.page, view: info) }
        }
        return nil
    }
}

/// The names of items in one section, with the indexes of the events that name them.
private struct WantedItems {
    /// The indexes of the events that name the section.
    var events: [Int] = []
    var ids: [(name: ItemName, event: Int)] = []
    var indexes: [(index: Int, event: Int)] = []
    var views: [(view: SectionView, event: Int)] = []

    var hasItems: Bool { !ids.isEmpty || !indexes.isEmpty }
}

/// The sections that events name, with the items that they name there.
private struct WantedSections {
    /// The names of items by section, in the order in which the sections are named first.
    private(set) var all: [WantedItems] = []
    private var ids: [Identifier: Int] = [:]
    private var indexes: [Int: Int] = [:]

    mutating func add(_ event: PostedEvent, at index: Int) {
        guard let target = event.section else { return }
        let section = place(of: target)
        all[section].events.append(index)
        switch event.item {
        case .id(let id)?: all[section].ids.append((ItemName(id), index))
        case .index(let item)?: all[section].indexes.append((item, index))
        case nil:
            if let view = event.view { all[section].views.append((view, index)) }
        }
    }

    private mutating func place(of target: UpdateTarget) -> Int {
        let section: Int
        switch target {
        case .id(let id):
            section = ids[Identifier(id)] ?? all.count
            ids[Identifier(id)] = section
        case .index(let index):
            section = indexes[index] ?? all.count
            indexes[index] = section
        }
        if section == all.count { all.append(WantedItems()) }
        return section
    }

    func parts(in pages: PageTable) -> [[WantedPart]] {
        var parts = [[WantedPart]](repeating: [], count: all.count)
        // The place of a section among all sections is needed only where one is named by it.
        var (places, count): ([Identifier: Int], Int) = ([:], 0)
        for page in pages.ascending {
            for (index, section) in page.sections.enumerated() where !section.isHidden {
                let identifier = section.identifier.map(Identifier.init)
                let part = WantedPart(page: page, section: index)
                if let wanted = identifier.flatMap({ ids[$0] }) { parts[wanted].append(part) }
                guard !indexes.isEmpty else { continue }
                let place = identifier.flatMap { places[$0] } ?? count
                if place == count { count += 1 }
                if let identifier { places[identifier] = place }
                if let wanted = indexes[place] { parts[wanted].append(part) }
            }
        }
        return parts
    }
}

/// The search for the wanted items of one section.
private struct WantedItemSearch {
    /// The position of an item without an own id.
    private struct Position: Hashable {
        let page: Int
        let unit: Int
        let element: Int
    }

    private let wanted: WantedItems
    private let parts: [WantedPart]
    /// A Boolean value that indicates whether a name can be that of an item with a suffix.
    private let isNumbered: Bool
    /// The numbers of the pages that can have one of the items; `nil` for all.
    private let pages: Set<Int>?
    /// The first name of each hash, and the next name with the hash of each name.
    private var firstByHash: [UInt32: Int] = [:]
    private var nextByHash: [Int] = []
    private var byPosition: [Position: [Int]] = [:]
    /// The bits of the hashes of all names: most items have no such hash.
    private var filter = [UInt64](repeating: 0, count: filterBits / 64)
    private var isFound: [Bool]
    private var missing: Int
    private static let filterBits = 1 << 14

    init(_ wanted: WantedItems, _ parts: [WantedPart], _ directory: ItemDirectory?) {
        self.wanted = wanted
        self.parts = parts
        isFound = Array(repeating: false, count: wanted.ids.count)
        missing = wanted.ids.count
        isNumbered = wanted.ids.contains { $0.name.base != nil }
        let directory = isNumbered ? nil : directory
        pages = directory.map { directory in
            Set(
                wanted.ids.flatMap { id in
                    directory.pages(with: id.name.hash)
                        + (id.name.position.map { [$0.page] } ?? [])
                })
        }
        for (index, id) in wanted.ids.enumerated() { add(id.name, at: index) }
    }

    private mutating func add(_ name: ItemName, at index: Int) {
        nextByHash.append(firstByHash[name.hash] ?? -1)
        firstByHash[name.hash] = index
        let bit = Int(name.hash) % Self.filterBits
        filter[bit / 64] |= 1 << UInt64(bit % 64)
        if let position = name.position {
            let key = Position(
                page: position.page, unit: position.unit, element: position.element)
            byPosition[key, default: []].append(index)
        }
    }

    mutating func run(_ body: (Int, NamedItems.Found) -> Void) {
        findIndexes(body)
        guard missing > 0 else { return }
        var suffixes = suffixes()
        var index = 0
        for part in parts {
            let cells = part.cells
            defer { index += cells.count }
            if let pages, !pages.contains(part.page.number) { continue }
            for (offset, cell) in cells.enumerated() {
                var number = 1
                if let suffix = suffixes.first, suffix.item == index + offset {
                    number = suffix.number
                    suffixes.removeFirst()
                }
                match(cell, number, of: part.page, body)
                if missing == 0 { return }
            }
        }
    }

    private func findIndexes(_ body: (Int, NamedItems.Found) -> Void) {
        guard !wanted.indexes.isEmpty else { return }
        var (starts, count): ([Int], Int) = ([], 0)
        for part in parts {
            starts.append(count)
            count += part.cells.count
        }
        for (index, event) in wanted.indexes where 0..<count ~= index {
            let part = starts.partitioningIndex { $0 > index } - 1
            let cells = parts[part].cells
            body(
                event,
                NamedItems.Found(
                    page: parts[part].page, cell: cells[cells.startIndex + index - starts[part]]))
        }
    }

    /// Returns the suffixes of the items of the section, if a name can have one.
    ///
    /// - Complexity: O(items) in that case.
    private func suffixes() -> Slice<ChunkedList<ItemSuffix>> {
        guard isNumbered else { return ChunkedList()[...] }
        var (all, start) = (ChunkedList<MergedSection.Part>(), 0)
        for part in parts where !part.cells.isEmpty {
            all.append(
                MergedSection.Part(
                    location: .init(page: part.page, section: part.section), start: start,
                    count: part.cells.count))
            start += part.cells.count
        }
        return ItemSuffix.suffixes(in: all)[...]
    }

    private mutating func match(
        _ cell: CellInfo, _ number: Int, of page: ResolvedPage,
        _ body: (Int, NamedItems.Found) -> Void
    ) {
        if number > 1 {
            let text = page.text(of: cell.id) + Array("#\(number)".utf8)
            return text.withUnsafeBytes { match($0, cell, page, body) }
        }
        switch cell.id {
        case .text(let range, hasEscapes: false):
            page.bytes.withUnsafeBytes { bytes in
                match(
                    UnsafeRawBufferPointer(
                        rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)]),
                    cell, page, body)
            }
        case .text:
            page.text(of: cell.id).withUnsafeBytes { match($0, cell, page, body) }
        case .position(let unit, let element):
            guard !byPosition.isEmpty else { return }
            let key = Position(page: page.number, unit: unit, element: element)
            for index in byPosition[key] ?? [] { take(index, cell, page, body) }
        }
    }

    private mutating func match(
        _ text: UnsafeRawBufferPointer, _ cell: CellInfo, _ page: ResolvedPage,
        _ body: (Int, NamedItems.Found) -> Void
    ) {
        let hash = TextHash.ofProcess(text)
        let bit = Int(hash) % Self.filterBits
        guard filter[bit / 64] & 1 << UInt64(bit % 64) != 0 else { return }
        var index = firstByHash[hash] ?? -1
        while index >= 0 {
            if wanted.ids[index].name.key.utf8.elementsEqual(text) { take(index, cell, page, body) }
            index = nextByHash[index]
        }
    }

    private mutating func take(
        _ index: Int, _ cell: CellInfo, _ page: ResolvedPage,
        _ body: (Int, NamedItems.Found) -> Void
    ) {
        guard !isFound[index] else { return }
        isFound[index] = true
        missing -= 1
        body(wanted.ids[index].event, NamedItems.Found(page: page, cell: cell))
    }
}
