extension SectionLayout.Kind {
    /// Columns that are filled each by itself (rules M).
    public static var masonry: Self { Self(MasonryLayout.self) }
}

/// The masonry layout: columns of one width, each filled by itself (rules M).
///
/// It exists in vertical screens only: the main axis is y.
package enum MasonryLayout: LayoutKind {
    package static var name: String { "masonry" }
    package static let memberNames =
        CompositionalOptions.fallbackNames + ["gridColumnCount"]
        + RareOptions.masonryMembers.map(\.name)
    package static var needsVerticalScreen: Bool { true }
    package static var horizontalScreenDetail: String {
        "masonry needs a vertical screen; this section is laid out as flow"
    }
    package static var stateByteCount: Int {
        MemoryLayout<ArrangementState>.stride + MasonryColumns.maxByteCount
    }

    /// Header, leading inset, columns, trailing inset, footer (M1).
    ///
    /// - Complexity: O(items · columns).
    package static func arrange(
        _ content: any SectionContent, in context: LayoutContext
    ) -> SectionArrangement {
        let metrics = FlowMetrics(content.layout.flow, in: context)
        return FlowLayout.arrange(content, metrics, context) { section, main in
            placeItems(of: content, at: main, in: &section, metrics, context)
        }
    }

    /// Places each item below the columns that it spans (M2).
    ///
    /// - Returns: The length of the columns along the main axis, in points (M5).
    private static func placeItems(
        of content: any SectionContent, at main: Double, in section: inout SectionArrangement,
        _ metrics: FlowMetrics, _ context: LayoutContext
    ) -> Double {
        let columns = GridColumns(
            min(MasonryColumns.maxCount, max(1, metrics.columns ?? defaultColumns)), metrics,
            context)
        let placement = content.layout.rareOptions.placement ?? .shortest
        let state = context.earlier?.state(ofItems: content.itemCount, startingAt: main)
        if let state, let earlier = context.earlier {
            section.takeItems(of: earlier, before: state)
        }
        section.states.start = main
        var filled = state?.columns ?? MasonryColumns(count: columns.count, placement)
        var extent = state?.extent ?? 0
        let first = section.takenCount
        let spans = GridSpans(content.itemSpans(from: first), columns: columns.count)
        let sizes = ItemSizes(
            of: content, spanning: spans, from: first, columns.request(spanning:))
        section.addLines(of: sizes)
        section.items.reserveCapacity(content.itemCount)
        for index in 0..<sizes.count {
            if first + index == section.states.nextItem {
                section.states.note(
                    ArrangementState(item: first + index, extent: extent, columns: filled))
            }
            let size = sizes[index]
            let placed = filled.add(
                spanning: spans[index], length: size.height, spacing: metrics.lineSpacing)
            extent = max(extent, placed.end)
            section.items.append(
                Frame(
                    x: columns.start(ofColumn: placed.column), y: main + placed.start,
                    width: size.width, height: size.height))
        }
        section.states.end(
            with: ArrangementState(item: content.itemCount, extent: extent, columns: filled))
        return extent
    }

    /// M1: the number of columns of a section that specifies none.
    private static let defaultColumns = 2
}
