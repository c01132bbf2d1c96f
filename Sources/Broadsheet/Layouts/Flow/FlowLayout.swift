import BroadsheetClient

extension SectionLayout.Kind {
    /// Lines that wrap (rules F).
    public static var flow: Self { Self(FlowLayout.self) }
}

/// The flow layout: lines that wrap, as in UICollectionViewFlowLayout (rules F).
package enum FlowLayout: LayoutKind {
    package static var name: String { "flow" }
    package static let memberNames = FlowOptions.members.map(\.name)
    package static var needsVerticalScreen: Bool { false }
    /// R2: lengths are not rounded.
    package static var roundedParts: RoundedParts { .origins }

    package static func pageGeometry(
        of layout: SectionLayout, in context: LayoutContext
    ) -> PageGeometry? {
        let metrics = FlowMetrics(layout.flow, in: context)
        return PageGeometry(
            scroller: .screen,
            sectionInset: AxisEnds(leading: metrics.main.leading, trailing: metrics.main.trailing),
            lineSpacing: metrics.lineSpacing)
    }

    package static func lintGeometry(
        of layout: SectionLayout, in context: LayoutContext
    ) -> LintGeometry {
        let metrics = FlowMetrics(layout.flow, in: context)
        return LintGeometry(
            lineLength: metrics.available, columns: metrics.columns, hasSpans: true)
    }

    /// Header, leading inset, lines, trailing inset, footer (F15, F17).
    ///
    /// - Complexity: O(items).
    package static func arrange(
        _ content: any SectionContent, in context: LayoutContext
    ) -> SectionArrangement {
        let metrics = FlowMetrics(content.layout.flow, in: context)
        return arrange(content, metrics, context) { section, main in
            let length = placeLines(of: content, at: main, in: &section, metrics, context)
            guard let paging = context.paging, section.sharedLines != .within else { return length }
            section.copies = CarouselCopies(
                of: content.itemCount, length: length + metrics.lineSpacing, paging,
                in: context.mainViewport, sharing: section.sharedLines)
            return length + section.copies.addedLength
        }
    }

    /// Returns the frames of a section whose items a function places (F15, X1).
    ///
    /// - Parameters:
    ///   - content: The section.
    ///   - metrics: The section's numbers.
    ///   - context: The values of the screen.
    ///   - placeItems: Places the items from a position on, and returns their length.
    @inline(__always)
    static func arrange(
        _ content: any SectionContent, _ metrics: FlowMetrics, _ context: LayoutContext,
        placeItems: (inout SectionArrangement, Double) -> Double
    ) -> SectionArrangement {
        var section = SectionArrangement()
        var main = placeHeader(of: content, in: &section, context)
        main += metrics.main.leading
        main += placeItems(&section, main)
        main += metrics.main.trailing
        main += placeFooter(of: content, at: main, in: &section, context)
        section.length = max(0, main)
        return section
    }

    /// Places items in rows of columns, if one of them spans several columns (F20); items of one
    /// size in a grid, and all others in lines as they fit (F10).
    ///
    /// - Returns: The length of the lines along the main axis, in points.
    private static func placeLines(
        of content: any SectionContent, at main: Double, in section: inout SectionArrangement,
        _ metrics: FlowMetrics, _ context: LayoutContext
    ) -> Double {
        let count = content.itemCount
        let state = context.earlier?.lineState(ofItems: count, startingAt: main)
        if let columns = metrics.columns, columns > 1 {
            let spans = content.itemSpans(from: state?.item ?? 0)
            if !spans.isEmpty || state?.hasSpans == true {
                return SpanRows(columns: columns, metrics, context)
                    .place(content, at: main, after: state, spans, in: &section)
            }
        }
        if let earlier = context.earlier, let state, !earlier.states.hasSpans {
            let sizes = itemSizes(of: content, from: state.item, metrics, in: context)
            let equalCount = sizes.equalCount(after: state.item, earlier.states.sizes)
            // A section becomes a grid, or is no longer one, as a whole (F10).
            if (equalCount == count) == earlier.isUniform {
                section.takeItems(of: earlier, before: state)
                section.addLines(of: sizes)
                section.states.sizes.equalCount = equalCount
                return equalCount == count
                    ? UniformLines(size: earlier.states.sizes.first, metrics)
                        .place(count, at: main, in: &section)
                    : FittedLines(sizes, metrics).place(at: main, from: state, in: &section)
            }
        }
        let sizes = itemSizes(of: content, from: 0, metrics, in: context)
        section.addLines(of: sizes)
        section.states.start = main
        section.states.sizes = (sizes.common, sizes.equalCount)
        return sizes.isUniform
            ? UniformLines(size: sizes.common, metrics).place(count, at: main, in: &section)
            : FittedLines(sizes, metrics)
                .place(
                    at: main, from: ArrangementState(item: 0, position: PreciseSum(main)),
                    in: &section)
    }
}

extension EarlierArrangement {
    fileprivate var isUniform: Bool { states.sizes.equalCount == frames.items.count }
}

extension ItemSizes {
    /// Returns the number of items at the beginning that have the size of the first one.
    ///
    /// - Parameters:
    ///   - count: The number of items before these, at least 1.
    ///   - earlier: The size of the first of them, and the number of items that have it.
    fileprivate func equalCount(
        after count: Int, _ earlier: (first: Size, equalCount: Int)
    ) -> Int {
        guard earlier.equalCount >= count else { return earlier.equalCount }
        return count + (common == earlier.first ? equalCount : 0)
    }
}

/// Item sizes (rules F3 and F5-F7).
extension FlowLayout {
    /// Returns the sizes of the items from an index on: those of the cells, or the screen's if the
    /// grid has a negative number of columns (F7).
    ///
    /// - Complexity: O(items from the index on).
    private static func itemSizes(
        of content: any SectionContent, from first: Int, _ metrics: FlowMetrics,
        in context: LayoutContext
    ) -> ItemSizes {
        if let columns = metrics.columns, columns < 0 {
            return ItemSizes(metrics.itemSize, count: content.itemCount - first)
        }
        return ItemSizes(of: content, itemRequest(metrics, context), from: first)
    }

    /// The request to each cell (F3); a grid determines the cross length itself (F5, F6).
    private static func itemRequest(
        _ metrics: FlowMetrics, _ context: LayoutContext
    ) -> SizeRequest {
        let column = metrics.columnLength
        let container = context.container(cross: column ?? metrics.available)
        var absent = metrics.itemSize
        absent[metrics.axis.cross] = container.available[metrics.axis.cross]
        return SizeRequest(
            container: container, fixedCross: column, absent: absent, fallback: metrics.itemSize)
    }
}

/// Headers and footers: across the area (G9), as long as they specify (rule F15).
extension FlowLayout {
    /// Places the header at the section's start, and returns its main length in points.
    private static func placeHeader(
        of content: any SectionContent, in section: inout SectionArrangement,
        _ context: LayoutContext
    ) -> Double {
        guard content.hasHeader else { return 0 }
        let size = content.headerSize(supplementaryRequest(context))
        section.header = supplementary(size, at: 0, context)
        guard let header = section.header else {
            section.diagnostics.append(SectionDiagnostic(.headerHasNoSize))
            return 0
        }
        return header.length(context.axis)
    }

    /// Places the footer at `main`, and returns its main length in points.
    private static func placeFooter(
        of content: any SectionContent, at main: Double, in section: inout SectionArrangement,
        _ context: LayoutContext
    ) -> Double {
        guard content.hasFooter else { return 0 }
        let size = content.footerSize(supplementaryRequest(context))
        section.footer = supplementary(size, at: main, context)
        guard let footer = section.footer else {
            section.diagnostics.append(SectionDiagnostic(.footerHasNoSize))
            return 0
        }
        return footer.length(context.axis)
    }

    /// The request to headers and footers: an unspecified main length is 0 (F1).
    private static func supplementaryRequest(_ context: LayoutContext) -> SizeRequest {
        var absent = Size.zero
        absent[context.axis.cross] = context.area.length
        var request = SizeRequest(
            container: context.container(cross: context.area.length), absent: absent)
        request.contentCross = context.area.length
        return request
    }

    /// Returns the frame at `main` outside of the insets, or `nil` for a main length of 0.
    private static func supplementary(
        _ size: Size, at main: Double, _ context: LayoutContext
    ) -> Frame? {
        let length = Sanitation.size(size[context.axis])
        guard length > 0 else { return nil }
        return Frame(
            axis: context.axis, main: main, cross: 0, mainLength: length,
            crossLength: context.area.length)
    }
}

/// The numbers of a flow section, resolved and sanitised (rules F1, F2, F6, F8 and G2).
struct FlowMetrics: Sendable {
    /// The axis along which the screen scrolls.
    let axis: ScreenAxis
    /// The cross length of the section's area, in points (G9).
    let crossViewport: Double
    /// The insets before the first line and after the last, in points.
    let main: (leading: Double, trailing: Double)
    /// The inset before the first column, in points.
    let crossLeading: Double
    /// The space between successive lines, in points (F4).
    let lineSpacing: Double
    /// The least space between items of one line, in points (F4).
    let interitemSpacing: Double
    /// The size of items that specify none, in points (F1).
    let itemSize: Size
    /// The place of items in their lines along the main axis (F14, F21).
    let alignment: ItemAlignment
    /// The number of columns of the grid, or `nil` if the section is not a grid.
    let columns: Int?
    /// The cross length of the area less the cross insets, in points; negative if these overlap
    /// (F5).
    let crossLength: Double
    /// The cross length that lines may fill, in points (F8).
    var available: Double { max(0, crossLength) }

    /// The cross length that a grid gives its items, in points, or `nil` without a grid.
    var columnLength: Double? {
        guard let columns, columns >= 0 else { return nil }
        return columns > 0 ? length(ofColumns: columns) : crossViewport
    }

    /// Returns the cross length of one of `count` columns, in points (F5, M1).
    func length(ofColumns count: Int) -> Double {
        // In Doubles, which no number of columns overflows.
        let count = Double(count)
        return max(0, (crossLength - interitemSpacing * (count - 1)) / count)
    }

    /// Resolves absent options from the screen's values, then from UIKit's defaults (F2, F1).
    init(_ options: FlowOptions, in context: LayoutContext) {
        let screen = context.screen
        let inset = Sanitation.insets(options.inset ?? screen.inset ?? .zero)
        let cross = context.axis.cross
        let grid = options.gridColumnCount
        let columns = grid?.count(forViewportWidth: context.viewport.width)
        // F6: a grid of 0 columns spans the viewport, and keeps only its main insets.
        let spansViewport = columns == 0
        let crossTrailing = spansViewport ? 0 : inset.trailing(cross)
        axis = context.axis
        crossViewport = context.area.length
        main = (inset.leading(context.axis), inset.trailing(context.axis))
        crossLeading = spansViewport ? 0 : inset.leading(cross)
        lineSpacing = Length.sanitised(
            options.minimumLineSpacing ?? screen.minimumLineSpacing ?? Self.defaultSpacing)
        interitemSpacing = Length.sanitised(
            options.minimumInteritemSpacing ?? screen.minimumInteritemSpacing
                ?? Self.defaultSpacing)
        itemSize = Sanitation.size(screen.itemSize ?? Self.defaultItemSize)
        alignment = options.itemAlignment ?? .center
        crossLength = crossViewport - crossLeading - crossTrailing
        self.columns =
            columns ?? grid?.count(forLineLength: crossLength, spacing: interitemSpacing)
    }

    /// F1: UIKit's line and interitem spacing, in points.
    private static let defaultSpacing = 10.0
    /// F1: UIKit's item size, in points.
    private static let defaultItemSize = Size(width: 50, height: 50)
}
