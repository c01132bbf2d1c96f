/// One section of a screen, merged from the posted sections of its identifier.
public struct MergedSection: Sendable {
    /// The items of one posted section, in order.
    public struct Part: Sendable {
        /// The posted section, whose page has the items' bytes and types.
        public let location: Location
        /// The items.
        public let cells: ArraySlice<CellInfo>
        /// The kind of all items; `nil` when they have different kinds.
        let uniformKind: CellKind?
        /// A Boolean value that indicates whether all items are identified by different positions.
        let hasDistinctPositions: Bool

        /// The page that the items belong to.
        public var page: ResolvedPage { location.page }

        init(location: Location, section: SectionInfo) {
            self.location = location
            cells = section.cells
            uniformKind = section.uniformKind.map { location.page.kinds[$0] }
            hasDistinctPositions = section.hasDistinctPositions
        }
    }

    /// The location of a posted section.
    public struct Location: Sendable {
        /// The page of the section.
        public let page: ResolvedPage
        /// The section's index in the page.
        public let section: Int

        /// The JSON Pointer to the section in the page.
        public var pointer: String { page.pointer(ofSection: section) }
    }

    /// The section's identifier, or `nil`.
    public let id: String?
    /// The location of its first appearance.
    public let location: Location
    /// A Boolean value that indicates whether its items are hidden; its header, footer and insets
    /// are not (rule F17).
    public let collapsed: Bool
    /// The section's layout: the registry's for its id or its unit types, with the members that
    /// pages override.
    public let layout: SectionLayout
    /// The header of the highest page that has one.
    public let header: MergedView?
    /// The footer of the highest page that has one.
    public let footer: MergedView?
    /// The data for the client of the highest page that has some.
    public let data: MergedData?
    /// The items, page by page; none when collapsed.
    public let parts: [Part]
    /// The number of items; 0 when collapsed.
    public let itemCount: Int
    /// The suffixes of the items whose identity an earlier item has, ascending by item.
    package let suffixes: [ItemSuffix]
    /// The index in the section of each part's first item.
    private let partStarts: [Int]

    /// Creates a section from a complete draft.
    init(_ draft: MergedSectionDraft, collapsed: Bool, layout: SectionLayout) {
        id = draft.identifier?.text
        location = draft.location
        self.collapsed = collapsed
        self.layout = layout
        header = draft.header
        footer = draft.footer
        data = draft.data
        parts = collapsed ? [] : draft.parts
        var count = 0
        partStarts = parts.map { part in
            defer { count += part.cells.count }
            return count
        }
        itemCount = count
        suffixes = ItemSuffix.suffixes(in: parts)
    }
}

extension MergedSection {
    /// Returns the index of the part with the item at `index`, or `nil` without such an item.
    ///
    /// - Complexity: O(log parts).
    func partIndex(ofItem index: Int) -> Int? {
        guard 0..<itemCount ~= index else { return nil }
        // Each part has at least one item, so that the starts are strictly ascending.
        return partStarts.partitioningIndex { $0 > index } - 1
    }

    /// Returns the item at `index` and its page, or `nil` without such an item.
    ///
    /// - Complexity: O(log parts).
    func item(at index: Int) -> (page: ResolvedPage, cell: CellInfo)? {
        guard let part = partIndex(ofItem: index) else { return nil }
        let cells = parts[part].cells
        return (parts[part].page, cells[cells.startIndex + index - partStarts[part]])
    }

    /// Returns the suffixes of the item at `index` and of the items after it.
    ///
    /// - Complexity: O(log suffixes).
    func suffixes(fromItem index: Int) -> ArraySlice<ItemSuffix> {
        suffixes[suffixes.partitioningIndex { $0.item >= index }...]
    }

    /// Calls `body` with the items at the indices in `run`, page by page.
    ///
    /// - Complexity: O(log parts + parts in the run).
    func forEachPage(
        of run: Range<Int>, _ body: (ResolvedPage, ArraySlice<CellInfo>) -> Void
    ) {
        let run = run.clamped(to: 0..<itemCount)
        guard !run.isEmpty, let first = partIndex(ofItem: run.lowerBound) else { return }
        for index in first..<parts.count {
            guard partStarts[index] < run.upperBound else { return }
            let part = parts[index]
            let items = partStarts[index]..<partStarts[index] + part.cells.count
            let shown = run.clamped(to: items)
            let offset = part.cells.startIndex - items.lowerBound
            body(
                part.page, part.cells[shown.lowerBound + offset..<shown.upperBound + offset])
        }
    }
}

/// A section's header or footer with its page.
public struct MergedView: Sendable {
    /// The page, which has its bytes and its type.
    public let page: ResolvedPage
    /// The type and the data.
    public let info: ReusableViewInfo

    /// The JSON Pointer to its unit in the page.
    public var pointer: String { page.pointer(of: info) }
}

/// A section's data for the client, with its page.
public struct MergedData: Sendable {
    /// The page, which has the bytes.
    public let page: ResolvedPage
    /// The range of the data in the page's bytes.
    public let range: Range<Int>
}

extension MergedSection: SectionContent {
    package var isCollapsed: Bool { collapsed }

    /// The number of items that are identified by their places, and the first of them.
    ///
    /// - Complexity: O(parts), and O(items) in parts with ids.
    package var itemsWithoutIDs: (first: Int, count: Int) {
        var (first, count): (Int?, Int) = (nil, 0)
        for (part, start) in zip(parts, partStarts) {
            guard let found = part.firstWithoutID else { continue }
            first = first ?? start + found
            count += part.countWithoutID
        }
        return (first ?? 0, count)
    }

    package var hasHeader: Bool { header != nil }

    package var hasFooter: Bool { footer != nil }

    package func headerSize(_ request: SizeRequest) -> Size {
        header?.size(request) ?? .zero
    }

    package func footerSize(_ request: SizeRequest) -> Size {
        footer?.size(request) ?? .zero
    }

    package func itemSizes(_ request: SizeRequest) -> [Size] { measuredItems(request).sizes }

    package func measuredItems(_ request: SizeRequest) -> MeasuredItems {
        var items = MeasuredItems()
        items.sizes.reserveCapacity(itemCount)
        for part in parts { part.appendSizes(request, to: &items) }
        if !items.lines.isEmpty { items.padLines() }
        return items
    }

    /// Returns the size of every item when all have one type whose rules need no data, or `nil`.
    ///
    /// - Complexity: O(parts).
    package func uniformItemSize(_ request: SizeRequest) -> Size? {
        guard let first = parts.first, let cell = first.cells.first,
            let kind = first.uniformKind, !kind.dependsOnData,
            parts.allSatisfy({ $0.uniformKind === kind })
        else { return nil }
        return first.size(of: cell, request)
    }
}

extension MergedView {
    func size(_ request: SizeRequest) -> Size {
        page.kinds[info.kind].size(request, inputs: info.inputs, in: page)
    }
}

extension MergedSection.Part {
    /// The index of the first item that is identified by its place, or `nil`.
    fileprivate var firstWithoutID: Int? {
        if hasDistinctPositions { return cells.isEmpty ? nil : 0 }
        return cells.firstIndex { $0.id.isPosition }.map { $0 - cells.startIndex }
    }

    /// The number of items that are identified by their places.
    fileprivate var countWithoutID: Int {
        hasDistinctPositions ? cells.count : cells.count { $0.id.isPosition }
    }

    func size(of cell: CellInfo, _ request: SizeRequest) -> Size {
        page.kinds[cell.kind].size(request, inputs: cell.inputs, in: page)
    }

    /// Appends the size of each item; a size that needs no data is computed once for its type.
    ///
    /// - Complexity: O(items).
    func appendSizes(_ request: SizeRequest, to items: inout MeasuredItems) {
        var known: [Int: Size] = [:]
        var rest = cells
        while let first = rest.first {
            let run = rest.prefix { $0.kind == first.kind }
            rest = rest.dropFirst(run.count)
            let kind = page.kinds[first.kind]
            if kind.dependsOnData {
                kind.appendSizes(of: run, request, in: page, to: &items)
            } else {
                let size = known[first.kind] ?? size(of: first, request)
                known[first.kind] = size
                items.sizes.append(contentsOf: repeatElement(size, count: run.count))
            }
        }
    }
}

extension CellInfo.Identity {
    /// A Boolean value that indicates whether the item has no id of its own.
    fileprivate var isPosition: Bool {
        if case .position = self { true } else { false }
    }
}
