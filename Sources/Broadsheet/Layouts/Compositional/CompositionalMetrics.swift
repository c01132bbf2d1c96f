/// A compositional section's numbers, resolved and sanitised (rules C1, C3, C4, C13 and G2).
struct CompositionalMetrics: Sendable {
    /// The viewport in points.
    let viewport: Size
    /// Room around the groups, in points; left is leading, until a mirror makes it trailing (R4).
    let inset: Insets
    /// Between the items of a group, in points.
    let itemSpacing: Double
    /// Between groups, in points.
    let lineSpacing: Double
    /// The axis along which a group's items follow each other.
    let direction: Axis
    /// What scrolling sideways snaps to.
    let scrolling: CompositionalOptions.Scrolling
    /// Whether headers and footers keep to the content box (C13).
    let supplementariesFollowInsets: Bool

    /// Resolves what the section leaves out: its flow members first (C3), then C1.
    init(_ layout: SectionLayout, in context: LayoutContext) {
        let options = layout.compositional
        viewport = context.viewport
        inset = Sanitation.insets(options.sectionInset ?? layout.flow.inset ?? .zero)
        itemSpacing = Length.sanitised(
            options.itemSpacing ?? layout.flow.minimumInteritemSpacing ?? 0)
        lineSpacing = Length.sanitised(
            options.lineSpacing ?? layout.flow.minimumLineSpacing ?? 0)
        direction = options.direction ?? .horizontal
        scrolling = options.scrolling ?? .none
        let reference = options.contentInsetsReference ?? .automatic
        supplementariesFollowInsets = reference != .none
    }

    /// What the insets leave of the viewport, in points; never negative (C4).
    var content: Size {
        Size(
            width: max(0, viewport.width - inset.left - inset.right),
            height: max(0, viewport.height - inset.top - inset.bottom))
    }

    /// Whether the section has a scroller of its own (C9).
    var isOrthogonal: Bool { scrolling != .none }
}
