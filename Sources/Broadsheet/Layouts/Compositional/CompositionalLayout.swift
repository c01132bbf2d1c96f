/// Groups of items, stacked or scrolling sideways, as UICollectionViewCompositionalLayout has them
/// (rules C).
///
/// It lives in vertical screens only: main is y.
package struct CompositionalLayout: LayoutKind {
    /// The layout; all that varies is in the section and the screen.
    package init() {}

    /// R3: lengths are rounded too.
    package var roundedParts: RoundedParts { .originsAndSizes }
    /// D1: a background spans the section.
    package var decorationMode: DecorationOptions.Mode { .section }
    /// G8: the items are lifted above it instead.
    package var decorationZIndex: Int { ZIndex.compositionalDecoration }

    /// G4: fractions of nothing are nothing.
    package func hasRoom(in context: LayoutContext) -> Bool {
        context.viewport.width > 0 && context.viewport.height > 0
    }

    /// Header, top inset, groups, bottom inset, footer (C14, C15).
    ///
    /// O(items).
    package func arrange<Content: SectionContent>(
        _ content: Content, in context: LayoutContext
    ) -> SectionArrangement {
        let metrics = CompositionalMetrics(content.layout, in: context)
        let boundary = BoundaryItems(metrics, context)
        var section = SectionArrangement()
        section.header = boundary.header(of: content)
        let top = (section.header?.height ?? 0) + metrics.inset.top
        var stack = GroupStack(metrics, top: top)
        placeItems(of: content, in: &stack, metrics, context)
        let bottom = top + stack.contentHeight + metrics.inset.bottom
        section.footer = boundary.footer(of: content, at: bottom)
        section.length = max(0, bottom + (section.footer?.height ?? 0))
        addScroller(to: &section, stack, metrics, content.layout.compositional)
        swap(&section.items, &stack.items)
        return section
    }

    /// C5-C7: the items make groups, and the groups are stacked.
    private func placeItems<Content: SectionContent>(
        of content: Content, in stack: inout GroupStack, _ metrics: CompositionalMetrics,
        _ context: LayoutContext
    ) {
        guard content.itemCount > 0 else { return }
        switch content.layout.compositional.itemSize ?? Self.defaultItemSize {
        case .dynamic:
            DynamicGroup(metrics, context).place(content, in: &stack)
        case .uniform(let columns, let width, let height):
            let slots = UniformSlots(columns: columns, width: width, height: height, metrics)
            if content.layout.compositional.isUniformAcrossSiblings == true {
                let estimate = content.layout.compositional.uniformEstimatedHeight
                SiblingGroups(slots, estimate: estimate, metrics, context)
                    .place(content, in: &stack)
            } else {
                slots.place(content.itemCount, in: &stack)
            }
        }
    }

    /// C10: a section that scrolls sideways says how.
    private func addScroller(
        to section: inout SectionArrangement, _ stack: GroupStack, _ metrics: CompositionalMetrics,
        _ options: CompositionalOptions
    ) {
        guard metrics.isOrthogonal else { return }
        let scroller = Scroller(stack, metrics)
        section.scroll = scroller.scroll(properties: options.orthogonalScrollingProperties)
        if scroller.isTruncated { section.diagnostics.append(.snapOffsetsTruncated) }
    }

    /// C1: what a section that says nothing of its items has.
    static let defaultItemSize = CompositionalOptions.ItemSize.uniform(
        columns: nil, width: nil, height: nil)
    /// C6, C7, C12: a height, or a sideways length, that nobody says, in points.
    static let estimate = 50.0
}
