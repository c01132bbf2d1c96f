/// What a section's layout promises its items, as far as lint holds it to that.
struct LintedGeometry {
    /// The longest that an item may be across, in points; nil where lines do not limit it.
    var lineRoom: Double?
    /// The slots of a row; nil when the section is no grid of at least two columns.
    var columns: Int?
    /// Whether the section's items may lie beyond the viewport's side.
    var scrollsSideways = false

    /// What the section's kind makes of its members in this screen.
    init(_ layout: SectionLayout, in context: LayoutContext) {
        switch layout.kind(along: context.axis) {
        case .flow: self.init(FlowMetrics(layout.flow, in: context))
        case .compositional:
            self.init(
                CompositionalMetrics(layout, in: context), layout.compositional.itemSize)
        // A list decides the width of its rows itself.
        case .list: self.init()
        }
    }

    private init() {}

    private init(_ metrics: FlowMetrics) {
        lineRoom = metrics.available
        columns = metrics.columns.flatMap { $0 > 1 ? $0 : nil }
    }

    private init(_ metrics: CompositionalMetrics, _ itemSize: CompositionalOptions.ItemSize?) {
        scrollsSideways = metrics.isOrthogonal
        guard !scrollsSideways else { return }
        lineRoom = metrics.content.width
        if case .uniform(let columns, _, _) = itemSize, metrics.direction == .horizontal {
            self.columns = columns.flatMap { $0 > 1 ? $0 : nil }
        }
    }
}
