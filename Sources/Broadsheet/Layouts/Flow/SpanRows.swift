/// The numbers of columns that consecutive items span in a grid (rules F20 and M3).
struct GridSpans: Sendable {
    let columns: Int
    /// The spans of the items; those behind the last one span one column.
    private let spans: [ItemSpan]

    init(_ spans: [ItemSpan], columns: Int) {
        self.columns = columns
        self.spans = columns > 1 ? spans : []
    }

    /// A Boolean value that indicates whether each item spans one column.
    var isEmpty: Bool { spans.isEmpty }

    /// The number of columns that the item at an index spans, at least 1.
    @inline(__always)
    subscript(index: Int) -> Int { index < spans.count ? spans[index].count(of: columns) : 1 }
}

/// Columns of one length, which items may span (rules F20, M1 and M2).
struct GridColumns: Sendable {
    let count: Int
    /// The cross length of a column, in points.
    private let length: Double
    private let metrics: FlowMetrics
    private let context: LayoutContext

    init(_ count: Int, _ metrics: FlowMetrics, _ context: LayoutContext) {
        self.count = count
        self.metrics = metrics
        self.context = context
        length = metrics.length(ofColumns: count)
    }

    /// Returns the distance from the leading edge to the column at an index, in points.
    @inline(__always)
    func start(ofColumn index: Int) -> Double {
        metrics.crossLeading + Double(index) * (length + metrics.interitemSpacing)
    }

    /// Returns the request to items that span a number of columns: the main length is that of the
    /// cell, or else that of the item size (F5).
    func request(spanning span: Int) -> SizeRequest {
        let cross = Sanitation.size(
            Double(span) * length + Double(span - 1) * metrics.interitemSpacing)
        var absent = metrics.itemSize
        absent[metrics.axis.cross] = cross
        return SizeRequest(
            container: context.container(cross: cross), fixedCross: cross, absent: absent,
            fallback: metrics.itemSize)
    }
}

/// The rows of a grid in which items span several columns (rule F20).
struct SpanRows: Sendable {
    private let columns: GridColumns
    private let metrics: FlowMetrics
    private let earlier: EarlierArrangement?

    init(columns: Int, _ metrics: FlowMetrics, _ context: LayoutContext) {
        self.columns = GridColumns(columns, metrics, context)
        self.metrics = metrics
        // A section becomes one of rows, or is no longer one, as a whole.
        earlier = context.earlier.flatMap { $0.states.hasSpans ? $0 : nil }
    }

    /// Places the items in rows that start at `main`, and returns the length of the rows in points.
    ///
    /// - Parameters:
    ///   - content: The section.
    ///   - main: The start of the first row, in points.
    ///   - state: A state of the earlier arrangement, if there is one.
    ///   - spans: The spans of the items behind the state.
    ///   - section: The frames.
    /// - Complexity: O(items behind the state), or O(items) if the earlier arrangement had no rows.
    func place(
        _ content: any SectionContent, at main: Double, after state: ArrangementState?,
        _ spans: [ItemSpan],
        in section: inout SectionArrangement
    ) -> Double {
        guard let earlier, let state else {
            section.states.start = main
            let spans = state == nil ? spans : content.itemSpans(from: 0)
            return place(
                content, at: main, after: ArrangementState(item: 0, position: PreciseSum(main)),
                GridSpans(spans, columns: columns.count), in: &section)
        }
        section.takeItems(of: earlier, before: state)
        return place(
            content, at: main, after: state, GridSpans(spans, columns: columns.count),
            in: &section)
    }

    private func place(
        _ content: any SectionContent, at main: Double, after state: ArrangementState,
        _ spans: GridSpans,
        in section: inout SectionArrangement
    ) -> Double {
        let first = state.item
        let sizes = ItemSizes(
            of: content, spanning: spans, from: first, columns.request(spanning:))
        section.addLines(of: sizes)
        section.items.reserveCapacity(content.itemCount)
        var row = Row(first: 0)
        var start = state.position
        var hasSpans = state.hasSpans
        var hasSpansBefore = hasSpans
        for index in 0..<sizes.count {
            let span = spans[index]
            if row.columns > 0, span > columns.count - row.columns {
                if row.count > 1 { section.sharedLines = .within }
                place(row, sizes, spans, at: start.value, in: &section.items)
                start += row.thickness + metrics.lineSpacing
                row = Row(first: index)
                hasSpansBefore = hasSpans
                if first + index >= section.states.nextItem {
                    section.states.note(
                        ArrangementState(
                            item: first + index, position: start, hasSpans: hasSpansBefore))
                }
            }
            hasSpans = hasSpans || span > 1
            row.append(span, thickness: sizes[index][metrics.axis])
        }
        section.states.end(
            with: ArrangementState(
                item: first + row.first, position: start, hasSpans: hasSpansBefore))
        section.states.hasSpans = hasSpans
        section.noteLastLine(of: row.count, fitsFirst: spans[0] <= columns.count - row.columns)
        place(row, sizes, spans, at: start.value, in: &section.items)
        return start.value + row.thickness - main
    }

    private func place(
        _ row: Row, _ sizes: ItemSizes, _ spans: GridSpans, at main: Double,
        in items: inout ChunkedList<Frame>
    ) {
        var column = 0
        for index in row.first..<row.first + row.count {
            items.append(
                metrics.frame(
                    sizes[index], at: main, cross: columns.start(ofColumn: column),
                    thickness: row.thickness))
            column += spans[index]
        }
    }

    /// A row while it is being filled.
    private struct Row {
        let first: Int
        private(set) var count = 0
        private(set) var columns = 0
        /// The greatest main length of the items, in points.
        private(set) var thickness = 0.0

        init(first: Int) { self.first = first }

        mutating func append(_ span: Int, thickness: Double) {
            count += 1
            columns += span
            self.thickness = max(self.thickness, thickness)
        }
    }
}
