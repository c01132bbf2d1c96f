import BroadsheetClient

extension SectionLayout.Kind {
    /// Groups of items, optionally in a horizontal scroller (rules C).
    public static var compositional: Self { Self(CompositionalLayout.self) }
}

/// The compositional layout: groups of items, stacked or in a horizontal scroller, as in
/// UICollectionViewCompositionalLayout (rules C).
///
/// It exists in vertical screens only: the main axis is y.
package enum CompositionalLayout: LayoutKind {
    package static var name: String { "compositional" }
    package static let memberNames =
        CompositionalOptions.members.map(\.name) + ["itemAlignment"]
        + CompositionalOptions.fallbackNames
    package static var needsVerticalScreen: Bool { true }
    /// D1: a decoration spans the section.
    package static var decorationMode: DecorationOptions.Mode { .section }
    /// G8: items are in front of it by their own z-index.
    package static var decorationZIndex: Int { ZIndex.compositionalDecoration }

    /// G4: fractions of an empty viewport are empty.
    package static func canLayOut(in context: LayoutContext) -> Bool {
        context.viewport.width > 0 && context.viewport.height > 0
    }

    package static func sectionSpacing(in screen: ScreenLayout) -> Double {
        Length.sanitised(screen.interSectionSpacing ?? 0)
    }

    /// P13: cards turn pages in their section's own scroller.
    package static func pageGeometry(
        of layout: SectionLayout, in context: LayoutContext
    ) -> PageGeometry? {
        let metrics = CompositionalMetrics(layout, in: context)
        guard metrics.cardWidth != nil else { return nil }
        return PageGeometry(
            scroller: .section,
            sectionInset: metrics.scrollerInset,
            lineSpacing: metrics.lineSpacing)
    }

    package static func membersWithoutEffect(
        in layout: SectionLayout, over registered: SectionLayout
    ) -> [MemberWithoutEffect] {
        layout.compositional.membersWithoutEffect(
            among: registered.overridden(by: layout).compositional,
            interitemSpacing: layout.flow.minimumInteritemSpacing)
    }

    package static func lintGeometry(
        of layout: SectionLayout, in context: LayoutContext
    ) -> LintGeometry {
        let metrics = CompositionalMetrics(layout, in: context)
        var geometry = LintGeometry(scrollsSideways: metrics.isOrthogonal)
        let isRow = layout.compositional.itemSize == .dynamic && metrics.direction == .horizontal
        if isRow, metrics.alignment == nil { geometry.rowHeight = metrics.content.height }
        guard !metrics.isOrthogonal else { return geometry }
        geometry.lineLength = metrics.content.width
        if case .uniform(let columns?, _, _) = layout.compositional.itemSize,
            metrics.direction == .horizontal
        {
            geometry.columns = metrics.count(of: columns)
        }
        return geometry
    }

    /// Header, top inset, groups, bottom inset, footer (C14, C15).
    ///
    /// - Complexity: O(items).
    package static func arrange(
        _ content: any SectionContent, in context: LayoutContext
    ) -> SectionArrangement {
        let layout = content.layout
        let metrics = CompositionalMetrics(layout, in: context)
        let boundary = BoundaryItems(metrics, context)
        let header = boundary.header(of: content)
        let top = (header?.height ?? 0) + metrics.inset.top
        var stack = GroupStack(metrics, top: top)
        placeItems(of: content, by: layout.compositional, in: &stack, metrics, context)
        if let alignment = metrics.alignment {
            if stack.hasTakenFromRow(otherThan: context.earlier, alignment) {
                var context = context
                context.earlier = nil
                stack = GroupStack(metrics, top: top)
                placeItems(of: content, by: layout.compositional, in: &stack, metrics, context)
            }
            stack.align(alignment)
        }
        var section = SectionArrangement()
        swap(&section, &stack.section)
        section.header = header
        let bottom = top + stack.contentHeight + metrics.inset.bottom
        section.footer = boundary.footer(of: content, at: bottom)
        section.length = max(0, bottom + (section.footer?.height ?? 0))
        addScroller(to: &section, stack, metrics, layout.compositional)
        return section
    }

    /// C5-C7: divides the items into groups, and stacks the groups.
    private static func placeItems(
        of content: any SectionContent, by options: CompositionalOptions,
        in stack: inout GroupStack, _ metrics: CompositionalMetrics, _ context: LayoutContext
    ) {
        guard content.itemCount > 0 else { return }
        switch options.itemSize ?? defaultItemSize {
        case .dynamic:
            DynamicGroup(metrics, context).place(content, in: &stack)
        case .uniform(let columns, let width, let height):
            let slots = UniformSlots(columns: columns, width: width, height: height, metrics)
            if let earlier = context.earlier,
                let state = earlier.state(ofItems: content.itemCount, startingAt: stack.top)
            {
                stack.take(state, of: earlier)
            }
            if options.isUniformAcrossSiblings == true {
                let estimate = options.uniformEstimatedHeight
                SiblingGroups(slots, estimate: estimate, metrics, context)
                    .place(content, in: &stack)
            } else {
                slots.place(content.itemCount, in: &stack)
            }
        }
    }

    /// C10: adds the scroller of a section that scrolls horizontally.
    private static func addScroller(
        to section: inout SectionArrangement, _ stack: GroupStack, _ metrics: CompositionalMetrics,
        _ options: CompositionalOptions
    ) {
        guard metrics.isOrthogonal else { return }
        let scroller = Scroller(stack, metrics)
        section.scroll = scroller.scroll(properties: options.orthogonalScrollingProperties)
        if scroller.isTruncated {
            section.diagnostics.append(SectionDiagnostic(.snapOffsetsTruncated))
        }
    }

    /// C1: the item size of a section that specifies none.
    private static let defaultItemSize = CompositionalOptions.ItemSize.uniform(
        columns: nil, width: nil, height: nil)
    /// C6, C7, C12: an unspecified height, or width in a horizontal group, in points.
    static let estimate = 50.0
}

/// The numbers of a compositional section, resolved and sanitised (rules C1, C3, C4, C13 and G2).
struct CompositionalMetrics: Sendable {
    let viewport: Size
    /// The section's area (G9).
    let area: SectionArea
    /// The area less the insets, in points; never negative (C4).
    let content: Size
    /// The space around the groups, in points; left is leading until frames are mirrored (R4).
    let inset: Insets
    /// The space between the items of a group, in points.
    let itemSpacing: Double
    /// The space between groups, in points.
    let lineSpacing: Double
    let direction: ScreenAxis
    /// The behaviour of the horizontal scroller at rest.
    let scrolling: CompositionalOptions.Scrolling
    /// The alignment of the items in a row of its own height, or `nil` without such a row (C18).
    let alignment: ItemAlignment?
    /// The width of each card in points, or `nil` if the items are not cards (C17).
    let cardWidth: Double?
    /// A Boolean value that indicates whether headers and footers stay in the content box (C13).
    let supplementariesFollowInsets: Bool

    /// Resolves absent options from the section's flow options (C3), then from C1.
    init(_ layout: SectionLayout, in context: LayoutContext) {
        let options = layout.compositional
        viewport = context.viewport
        area = context.area
        inset = Sanitation.insets(options.sectionInset ?? layout.flow.inset ?? .zero)
        itemSpacing = Length.sanitised(
            options.itemSpacing ?? layout.flow.minimumInteritemSpacing ?? 0)
        lineSpacing = Length.sanitised(
            options.lineSpacing ?? layout.flow.minimumLineSpacing ?? 0)
        direction = options.direction ?? .horizontal
        scrolling = options.scrolling ?? .none
        alignment = options.rowAlignment
        supplementariesFollowInsets = (layout.contentInsetsReference ?? .automatic) != .none
        content = Size(
            width: max(0, area.length - inset.left - inset.right),
            height: max(0, viewport.height - inset.top - inset.bottom))
        cardWidth = options.cardWidth?.length(in: content.width)
    }

    /// Returns the number of columns in the content box, at least 1 (C5, C19).
    func count(of columns: GridColumnCount) -> Int {
        let count =
            columns.count(forViewportWidth: viewport.width)
            ?? columns.count(forLineLength: content.width, spacing: itemSpacing)
        return max(1, count ?? 1)
    }

    /// The lengths before and behind the groups in a scroller, which spans the viewport (G9).
    var scrollerInset: AxisEnds {
        AxisEnds(
            leading: area.start + inset.left,
            trailing: viewport.width - area.start - area.length + inset.right)
    }

    /// A Boolean value that indicates whether the section has a horizontal scroller (C9).
    var isOrthogonal: Bool { scrolling != .none }
}

/// The header and the footer of a compositional section (rules C12 and C13).
private struct BoundaryItems {
    private let metrics: CompositionalMetrics
    private let context: LayoutContext

    init(_ metrics: CompositionalMetrics, _ context: LayoutContext) {
        self.metrics = metrics
        self.context = context
    }

    /// Returns the header at the section's start, or `nil` if the content has none (C12).
    func header(of content: any SectionContent) -> Frame? {
        content.hasHeader ? frame(size { content.headerSize($0) }, at: 0) : nil
    }

    /// Returns the footer at `y`, or `nil` if the content has none (C12).
    func footer(of content: any SectionContent, at y: Double) -> Frame? {
        content.hasFooter ? frame(size { content.footerSize($0) }, at: y) : nil
    }

    /// Returns the size that an element specifies; a content is measured in the width that takes
    /// the place of one of 0 (C12).
    private func size(_ measure: (SizeRequest) -> Size) -> Size {
        let given = measure(request)
        guard given.width <= 0 else { return given }
        var request = request
        request.contentCross = reference.width
        return measure(request)
    }

    /// C13: the extent of an unspecified width, in which any width is centred.
    private var reference: (x: Double, width: Double) {
        metrics.supplementariesFollowInsets
            ? (metrics.inset.left, metrics.content.width) : (0, metrics.area.length)
    }

    private var request: SizeRequest {
        SizeRequest(
            container: context.container(cross: metrics.area.length),
            absent: Size(width: reference.width, height: CompositionalLayout.estimate))
    }

    /// C12: a length of 0 counts as unspecified; unlike in flow (F15), the element remains.
    private func frame(_ given: Size, at y: Double) -> Frame {
        let size = Sanitation.size(given)
        let width = size.width > 0 ? size.width : reference.width
        return Frame(
            x: reference.x + (reference.width - width) / 2, y: y, width: width,
            height: size.height > 0 ? size.height : CompositionalLayout.estimate)
    }
}
