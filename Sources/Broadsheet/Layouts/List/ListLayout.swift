extension SectionLayout.Kind {
    /// Rows across the viewport (rules L).
    public static var list: Self { Self(ListLayout.self) }
}

/// The list layout: rows below each other, as in UICollectionLayoutListConfiguration (rules L).
///
/// It exists in vertical screens only: the main axis is y.
package enum ListLayout: LayoutKind {
    package static var name: String { "list" }
    package static let memberNames = ListOptions.members.map(\.name)
    package static var needsVerticalScreen: Bool { true }

    /// G4: as in compositional sections, of which UIKit makes lists.
    package static func canLayOut(in context: LayoutContext) -> Bool {
        context.viewport.width > 0 && context.viewport.height > 0
    }

    /// L7: the headers of plain lists are pinned.
    package static func pinsHeaders(_ layout: SectionLayout) -> Bool {
        layout.list.appearance ?? .plain == .plain
    }

    /// Padding or header, rows, footer or padding (L3-L5).
    ///
    /// - Complexity: O(items).
    package static func arrange(
        _ content: any SectionContent, in context: LayoutContext
    ) -> SectionArrangement {
        let metrics = ListMetrics(content.layout.list, in: context)
        let rows = ListRows(metrics, context)
        var section = SectionArrangement()
        var y = placeHeader(of: content, in: &section, rows)
        y = rows.place(content, at: y, in: &section)
        y = placeFooter(of: content, at: y, in: &section, rows)
        Separators(metrics, scale: context.scale).place(in: &section)
        section.length = max(0, y)
        return section
    }

    /// Places the header below its padding, or the padding of a section without a header (L4, L5).
    ///
    /// - Returns: The start of the rows, in points.
    private static func placeHeader(
        of content: any SectionContent, in section: inout SectionArrangement, _ rows: ListRows
    ) -> Double {
        let metrics = rows.metrics
        guard content.hasHeader, metrics.headerMode == .supplementary else {
            if content.hasHeader { section.diagnostics.append(SectionDiagnostic(.headerNotShown)) }
            return metrics.topPadding(sectionIndex: rows.context.sectionIndex)
        }
        let header = rows.supplementary(
            content.headerSize(rows.request), at: metrics.headerTopPadding)
        section.header = header
        return header.maxY
    }

    /// Places the footer, or the padding of a section without a footer (L4, L5).
    ///
    /// - Returns: The end of the section, in points.
    private static func placeFooter(
        of content: any SectionContent, at y: Double, in section: inout SectionArrangement,
        _ rows: ListRows
    ) -> Double {
        let metrics = rows.metrics
        guard content.hasFooter, metrics.footerMode == .supplementary else {
            if content.hasFooter { section.diagnostics.append(SectionDiagnostic(.footerNotShown)) }
            return y + metrics.bottomPadding
        }
        let footer = rows.supplementary(content.footerSize(rows.request), at: y)
        section.footer = footer
        return footer.maxY
    }
}

/// The numbers of a list (rules L1-L5).
///
/// UIKit publishes almost none of them; these are the engine's own and claim no parity.
private struct ListMetrics {
    let appearance: ListOptions.Appearance
    /// The width of the section's area in points (G9).
    let width: Double
    let showsSeparators: Bool
    let headerMode: ListOptions.HeaderMode
    let footerMode: ListOptions.FooterMode
    /// The space above a supplementary header, in points (L5).
    let headerTopPadding: Double

    /// Resolves absent options (L1, L5).
    init(_ options: ListOptions, in context: LayoutContext) {
        let appearance = options.appearance ?? .plain
        self.appearance = appearance
        width = context.area.length
        showsSeparators = options.showsSeparators ?? true
        headerMode = options.headerMode ?? .none
        footerMode = options.footerMode ?? .none
        headerTopPadding =
            options.headerTopPadding.map { Length.sanitised($0) }
            ?? (appearance == .plain ? 22 : 0)
    }

    /// The height of a row, header or footer that specifies none, in points (L3, L5).
    static let estimate = 44.0

    /// The system's layout margin at this width, in points (L2).
    var margin: Double { SectionArea.margin(inWidth: width) }

    /// The distance from either side of the area to a row, in points (L2).
    var rowInset: Double {
        switch appearance {
        case .plain, .grouped, .sidebarPlain: 0
        case .insetGrouped, .sidebar: margin
        }
    }

    /// The width of a row, a header or a footer, in points (L2).
    var rowWidth: Double { max(0, width - 2 * rowInset) }

    /// A Boolean value that indicates whether there is space between sections (L4).
    private var isGrouped: Bool { appearance == .grouped || appearance == .insetGrouped }

    /// Returns the space above a section without a supplementary header, in points (L4).
    func topPadding(sectionIndex: Int) -> Double {
        guard isGrouped else { return 0 }
        return sectionIndex == 0 ? 35 : 17.5
    }

    /// The space below a section without a supplementary footer, in points (L4).
    var bottomPadding: Double { isGrouped ? 17.5 : 0 }
}

/// The rows, headers and footers of a list, all of one width (rules L2, L3 and L5).
private struct ListRows {
    let metrics: ListMetrics
    let context: LayoutContext

    init(_ metrics: ListMetrics, _ context: LayoutContext) {
        self.metrics = metrics
        self.context = context
    }

    /// The request to rows, headers and footers: a height for the width of a row (L3).
    var request: SizeRequest {
        SizeRequest(
            container: context.container(cross: metrics.rowWidth), fixedCross: metrics.rowWidth,
            absent: Size(width: metrics.rowWidth, height: ListMetrics.estimate))
    }

    /// Appends the items below each other from `y`, and returns their end.
    func place(
        _ content: any SectionContent, at y: Double, in section: inout SectionArrangement
    ) -> Double {
        let count = content.itemCount
        var end = PreciseSum(y)
        if let earlier = context.earlier, let state = earlier.state(ofItems: count, startingAt: y) {
            section.takeItems(of: earlier, before: state)
            end = state.position
        }
        section.states.start = y
        let first = section.takenCount
        let sizes = ItemSizes(of: content, request, from: first)
        section.addLines(of: sizes)
        section.items.reserveCapacity(count)
        var item = first
        while item < count {
            let state = ArrangementState(item: item, position: end)
            if item == section.states.nextItem { section.states.note(state) }
            // The last row has a state of its own: its separator changes when another follows it.
            if item == count - 1 { section.states.end(with: state) }
            let next = item < count - 1 ? min(section.states.nextItem, count - 1) : count
            for index in item..<next {
                let height = sizes[index - first].height
                section.items.append(row(height, at: end.value))
                end += height
            }
            item = next
        }
        return end.value
    }

    /// Returns the frame of a header or footer at `y`; a height of 0 counts as unspecified (L5).
    func supplementary(_ size: Size, at y: Double) -> Frame {
        let height = Sanitation.size(size.height)
        return row(height > 0 ? height : ListMetrics.estimate, at: y)
    }

    private func row(_ height: Double, at y: Double) -> Frame {
        Frame(x: metrics.rowInset, y: y, width: metrics.rowWidth, height: height)
    }
}

/// The separators of a list (rule L6).
private struct Separators {
    private let metrics: ListMetrics
    private let thickness: Double

    /// Creates the separators for a number of device pixels per point; if the number is not a
    /// usable scale (R1), a separator is one point thick.
    init(_ metrics: ListMetrics, scale: Double) {
        self.metrics = metrics
        let hairline = Sanitation.size(1 / scale)
        thickness = hairline > 0 ? hairline : 1
    }

    /// Places the separator inside the bottom edge of each row, index by index, if the list shows
    /// any.
    func place(in section: inout SectionArrangement) {
        guard metrics.showsSeparators else { return }
        let rows = section.items
        section.separators.reserveCapacity(rows.count)
        rows.forEachChunk(in: section.takenCount..<rows.count) { chunk, start in
            for (offset, row) in chunk.enumerated() {
                section.separators.append(
                    leadingInset(start + offset, of: rows.count).flatMap {
                        line(in: row, inset: $0)
                    })
            }
        }
    }

    /// Returns the distance from the row's leading edge to its separator, in points, or `nil` for a
    /// row without one.
    private func leadingInset(_ index: Int, of count: Int) -> Double? {
        if index == 0 && metrics.headerMode == .firstItemInSection { return nil }
        guard index == count - 1 else { return metrics.margin }
        return switch metrics.appearance {
        case .insetGrouped, .sidebar: nil
        case .grouped: 0
        case .plain, .sidebarPlain: metrics.margin
        }
    }

    private func line(in row: Frame, inset: Double) -> Frame? {
        guard row.width > inset else { return nil }
        return Frame(
            x: row.x + inset, y: row.maxY - thickness, width: row.width - inset, height: thickness)
    }
}
