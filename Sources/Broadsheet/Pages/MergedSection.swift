import BroadsheetCollections

/// One section of a screen, merged from the posted sections of its identifier.
///
/// It is immutable; screens of successive versions share the sections that have not changed.
public final class MergedSection: Sendable {
    /// The items of one posted section, in order.
    public struct Part: Sendable {
        /// The posted section, whose page has the items' bytes and types.
        public let location: Location
        /// The index in the section of the first item; negative if the section has only later
        /// ones of these items (``MergedSection/init(_:of:)``).
        let start: Int
        let count: Int

        /// The page that the items belong to.
        public var page: ResolvedPage { location.page }
        /// The items.
        public var cells: ArraySlice<CellInfo> { page.sections[location.section].cells }
        var items: Range<Int> { start..<start + count }

        /// A Boolean value that indicates whether all items are identified by different positions.
        var hasDistinctPositions: Bool { page.sections[location.section].hasDistinctPositions }

        /// Returns whether two parts have the same items at the same indices.
        func isSame(as other: Part) -> Bool {
            location.isSame(as: other.location) && start == other.start
        }

        /// Returns whether two parts have items with the same identities at the same indices.
        ///
        /// - Complexity: O(items), and O(1) for the same part.
        func hasSameIdentities(as other: Part) -> Bool {
            if isSame(as: other) { return true }
            guard start == other.start, cells.indices == other.cells.indices else { return false }
            return page.bytes.withUnsafeBufferPointer { bytes in
                other.page.bytes.withUnsafeBufferPointer { otherBytes in
                    cells.indices.allSatisfy { index in
                        let (one, two) = (cells[index].id, other.cells[index].id)
                        guard case .text(let range, false) = one,
                            case .text(let otherRange, false) = two
                        else { return page.text(of: one) == other.page.text(of: two) }
                        return bytes[Int(range.lowerBound)..<Int(range.upperBound)].elementsEqual(
                            otherBytes[Int(otherRange.lowerBound)..<Int(otherRange.upperBound)])
                    }
                }
            }
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

        func isSame(as other: Location) -> Bool {
            page === other.page && section == other.section
        }
    }

    /// The section as the pages specify it.
    let draft: MergedSectionDraft
    /// A Boolean value that indicates whether its items are hidden; its header, footer and insets
    /// are not (rule F17).
    public let collapsed: Bool
    /// The section's layout: the registry's for its id or its unit types, with the members that
    /// pages override.
    public let layout: SectionLayout
    /// The suffixes of the items whose identity an earlier item has, ascending by item.
    package let suffixes: ChunkedList<ItemSuffix>
    /// The ids of the items, once a later version of a section was made from an earlier one.
    let ids: SharedItemIds?

    /// The suffixes of `earlier`, an earlier version of the section, are reused.
    init(
        _ draft: MergedSectionDraft, collapsed: Bool, layout: SectionLayout,
        reusing earlier: MergedSection? = nil
    ) {
        self.draft = draft
        self.collapsed = collapsed
        self.layout = layout
        guard !collapsed, !draft.hasDistinctPositions else {
            suffixes = []
            ids = nil
            return
        }
        guard let earlier, !earlier.collapsed else {
            suffixes = ItemSuffix.suffixes(in: draft.parts)
            ids = nil
            return
        }
        let ids = earlier.ids ?? SharedItemIds()
        let first = earlier.parts.commonPrefixCount(with: draft.parts) {
            $0.hasSameIdentities(as: $1)
        }
        var suffixes = earlier.suffixes
        let start = first < draft.parts.count ? draft.parts[first].start : draft.itemCount
        suffixes.truncate(to: suffixes.partitioningIndex { $0.item >= start })
        for suffix in ids.suffixes(in: draft.parts, from: first) { suffixes.append(suffix) }
        self.suffixes = suffixes
        self.ids = ids
    }

    /// Creates a section with some of the items of another one, whose ids they keep.
    ///
    /// - Complexity: O(parts of these items, and their suffixes).
    init(_ items: Range<Int>, of whole: MergedSection) {
        draft = whole.draft.part(with: items)
        collapsed = whole.collapsed
        layout = whole.layout
        var suffixes = ChunkedList<ItemSuffix>()
        for suffix in whole.suffixes(fromItem: items.lowerBound) {
            guard suffix.item < items.upperBound else { break }
            suffixes.append(
                ItemSuffix(item: suffix.item - items.lowerBound, number: suffix.number))
        }
        self.suffixes = suffixes
        ids = nil
    }
}

extension MergedSection {
    /// The section's identifier, or `nil`.
    public var id: String? { draft.identifier?.text }
    /// The location of its first appearance.
    public var location: Location { draft.location }
    /// The header of the highest page that has one.
    public var header: MergedView? { draft.header }
    /// The footer of the highest page that has one.
    public var footer: MergedView? { draft.footer }
    /// The data for the client of the highest page that has some.
    public var data: MergedData? { draft.data }
    /// The items, page by page; none when collapsed.
    public var parts: ChunkedList<Part> { collapsed ? [] : draft.parts }
    /// The number of items; 0 when collapsed.
    public var itemCount: Int { collapsed ? 0 : draft.itemCount }

    /// Returns the estimated size in memory that the section needs beside an earlier version, in
    /// bytes, without the pages: the references to the items, the suffixes, the states of the
    /// layout, and the table of ids, which versions of the section share.
    package func byteCount(beside earlier: MergedSection?) -> Int {
        if earlier === self { return 0 }
        let states = draft.itemCount / ArrangementStates.interval
        let earlierStates = (earlier?.draft.itemCount ?? 0) / ArrangementStates.interval
        var table = ids == nil ? 0 : SharedItemIds.byteCount(draft.itemCount, suffixes.count)
        if let earlier, ids === earlier.ids {
            table -= SharedItemIds.byteCount(earlier.draft.itemCount, earlier.suffixes.count)
        }
        return Self.ownByteCount + max(0, table) + suffixes.byteCount(beside: earlier?.suffixes)
            + draft.parts.byteCount(beside: earlier?.draft.parts)
            + max(0, states - earlierStates)
            * (layout.kind ?? .standard).layout.stateByteCount
    }

    private static let ownByteCount = 1536
}

extension MergedSection {
    /// Returns the index of the part with the item at `index`, or `nil` without such an item.
    ///
    /// - Complexity: O(log parts).
    func partIndex(ofItem index: Int) -> Int? {
        guard 0..<itemCount ~= index else { return nil }
        // Each part has at least one item, so that the starts are strictly ascending.
        return parts.partitioningIndex { $0.start > index } - 1
    }

    /// Returns the item at `index` and its page, or `nil` without such an item.
    ///
    /// - Complexity: O(log parts).
    func item(at index: Int) -> (page: ResolvedPage, cell: CellInfo)? {
        guard let place = partIndex(ofItem: index) else { return nil }
        let part = draft.parts[place]
        let cells = part.cells
        return (part.page, cells[cells.startIndex + index - part.start])
    }

    /// Returns the suffixes of the item at `index` and of the items after it.
    ///
    /// - Complexity: O(log suffixes).
    func suffixes(fromItem index: Int) -> Slice<ChunkedList<ItemSuffix>> {
        suffixes[suffixes.partitioningIndex { $0.item >= index }...]
    }

    /// The number of bytes of the items' data.
    ///
    /// - Complexity: O(items).
    var itemByteCount: Int {
        var count = 0
        forEachPage(of: 0..<itemCount) { _, cells in
            for cell in cells { count += cell.dataRange.count }
        }
        return count
    }

    /// Calls `body` with the items at the indices in `run`, page by page.
    ///
    /// - Complexity: O(log parts + parts in the run).
    func forEachPage(
        of run: Range<Int>, _ body: (ResolvedPage, ArraySlice<CellInfo>) -> Void
    ) {
        let run = run.clamped(to: 0..<itemCount)
        guard !run.isEmpty, let first = partIndex(ofItem: run.lowerBound) else { return }
        let parts = draft.parts
        for index in first..<parts.count {
            let part = parts[index]
            guard part.start < run.upperBound else { return }
            let shown = run.clamped(to: part.items)
            let cells = part.cells
            let offset = cells.startIndex - part.start
            body(part.page, cells[shown.lowerBound + offset..<shown.upperBound + offset])
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
        for part in parts {
            guard let found = part.firstWithoutID else { continue }
            first = first ?? part.start + found
            count += part.countWithoutID
        }
        return (first ?? 0, count)
    }

    package var hasContents: Bool { draft.hasContents }

    package var hasHeader: Bool { header != nil }

    package var hasFooter: Bool { footer != nil }

    package func headerSize(_ request: SizeRequest) -> Size {
        header?.size(request) ?? .zero
    }

    package func footerSize(_ request: SizeRequest) -> Size {
        footer?.size(request) ?? .zero
    }

    package func measure(
        _ range: Range<Int>, _ request: SizeRequest, into items: inout MeasuredItems
    ) {
        guard !range.isEmpty, let first = partIndex(ofItem: range.lowerBound) else { return }
        let parts = draft.parts
        for index in first..<parts.count {
            let shown = range.clamped(to: parts[index].items)
            guard !shown.isEmpty else { return }
            parts[index].appendSizes(
                request, from: shown.lowerBound - parts[index].start, count: shown.count,
                to: &items)
        }
    }

    package func itemSpans(from first: Int) -> [ItemSpan] {
        guard let part = partIndex(ofItem: first) else { return [] }
        var spans: [ItemSpan] = []
        let parts = draft.parts
        for index in part..<parts.count where parts[index].page.hasSpans {
            parts[index].appendSpans(fromItem: first, to: &spans)
        }
        return spans
    }

    package func measuredItem(
        _ request: SizeRequest, at index: Int
    ) -> (size: Size, lines: ItemLines) {
        guard let (page, cell) = item(at: index) else { return (.zero, .none) }
        return page.kinds[cell.kind].measured(request, inputs: cell.inputs, in: page)
    }

    /// Returns the size of every item when all have one type whose rules need no data, or `nil`.
    package func uniformItemSize(_ request: SizeRequest) -> Size? {
        guard !collapsed, let kind = draft.uniformKind, !kind.dependsOnData,
            let first = draft.parts.first, let cell = first.cells.first
        else { return nil }
        return first.size(of: cell, request)
    }
}

extension MergedView {
    var contents: ContentTree? { page.kinds[info.kind].contents }

    func size(_ request: SizeRequest) -> Size {
        page.kinds[info.kind].size(request, inputs: info.inputs, in: page)
    }
}

extension MergedSection.Part {
    fileprivate var firstWithoutID: Int? {
        if hasDistinctPositions { return cells.isEmpty ? nil : 0 }
        return cells.firstIndex { $0.id.isPosition }.map { $0 - cells.startIndex }
    }

    fileprivate var countWithoutID: Int {
        hasDistinctPositions ? cells.count : cells.count { $0.id.isPosition }
    }
}

extension CellInfo.Identity {
    fileprivate var isPosition: Bool {
        if case .position = self { true } else { false }
    }
}

/// The sizes and the spans of the items of a part.
extension MergedSection.Part {
    func size(of cell: CellInfo, _ request: SizeRequest) -> Size {
        page.kinds[cell.kind].size(request, inputs: cell.inputs, in: page)
    }

    /// Adds the spans of the items to those of the section's items from an index on, of which
    /// items behind the last one that spans several columns have none.
    ///
    /// - Complexity: O(items).
    func appendSpans(fromItem first: Int, to spans: inout [ItemSpan]) {
        let (page, cells) = (page, cells)
        for index in cells.indices.dropFirst(max(0, first - start)) {
            let span = page.span(of: cells[index], at: index)
            guard span != .one else { continue }
            let item = start + index - cells.startIndex - first
            spans.append(contentsOf: repeatElement(.one, count: item - spans.count))
            spans.append(span)
        }
    }

    /// Appends the size of each item from an index on, at most `count`; a size that needs no data
    /// is computed once for its type.
    ///
    /// - Complexity: O(items).
    func appendSizes(
        _ request: SizeRequest, from first: Int = 0, count: Int = .max,
        to items: inout MeasuredItems
    ) {
        var sizes: [Int: Size] = [:]
        var rest = cells.dropFirst(first).prefix(count)
        while let first = rest.first {
            let run = rest.prefix { $0.kind == first.kind }
            rest = rest.dropFirst(run.count)
            let kind = page.kinds[first.kind]
            if kind.dependsOnData {
                kind.appendSizes(of: run, request, in: page, to: &items)
            } else {
                let size = sizes[first.kind] ?? size(of: first, request)
                if !rest.isEmpty { sizes[first.kind] = size }
                items.sizes.append(contentsOf: repeatElement(size, count: run.count))
            }
        }
    }
}
