/// Headers and footers at a compositional section's ends (rules C12 and C13).
struct BoundaryItems {
    private let metrics: CompositionalMetrics
    private let context: LayoutContext

    /// The boundary of a section with these metrics.
    init(_ metrics: CompositionalMetrics, _ context: LayoutContext) {
        self.metrics = metrics
        self.context = context
    }

    /// The header at the section's start; there is one exactly when the content has one (C12).
    func header<Content: SectionContent>(of content: Content) -> Frame? {
        content.hasHeader ? frame(content.headerSize(request), at: 0) : nil
    }

    /// The footer at `y`; there is one exactly when the content has one (C12).
    func footer<Content: SectionContent>(of content: Content, at y: Double) -> Frame? {
        content.hasFooter ? frame(content.footerSize(request), at: y) : nil
    }

    /// C13: what a width that nobody says spans, and what any width is centred in.
    private var reference: (x: Double, width: Double) {
        metrics.supplementariesFollowInsets
            ? (metrics.inset.left, metrics.content.width) : (0, metrics.viewport.width)
    }

    private var request: SizeRequest {
        SizeRequest(
            container: context.container(cross: metrics.viewport.width),
            absent: Size(width: reference.width, height: CompositionalLayout.estimate))
    }

    /// C12: a length of 0 is as good as none; unlike flow's (F15) the element stays.
    private func frame(_ given: Size, at y: Double) -> Frame {
        let size = Sanitation.size(given)
        let width = size.width > 0 ? size.width : reference.width
        return Frame(
            x: reference.x + (reference.width - width) / 2, y: y, width: width,
            height: size.height > 0 ? size.height : CompositionalLayout.estimate)
    }
}
