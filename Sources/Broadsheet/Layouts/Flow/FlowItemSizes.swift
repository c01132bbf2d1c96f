/// How large a flow section's items are (rules F3 and F5-F7).
enum FlowItemSizes {
    /// Asks the cells, or the screen when the grid says so (F7).
    ///
    /// O(items).
    static func sizes<Content: SectionContent>(
        of content: Content, _ metrics: FlowMetrics, in context: LayoutContext
    ) -> ItemSizes {
        if let columns = metrics.columns, columns < 0 {
            return ItemSizes(metrics.itemSize, count: content.itemCount)
        }
        return ItemSizes(of: content, request(metrics, context))
    }

    /// What is asked of every cell (F3); a grid decides the cross length itself (F5, F6).
    private static func request(_ metrics: FlowMetrics, _ context: LayoutContext) -> SizeRequest {
        let column = column(metrics)
        let container = context.container(cross: column ?? metrics.available)
        var absent = metrics.itemSize
        absent[metrics.axis.cross] = container.available[metrics.axis.cross]
        return SizeRequest(
            container: container, fixedCross: column, absent: absent, fallback: metrics.itemSize)
    }

    /// The cross length that a grid gives its items, in points; nil when there is no grid.
    private static func column(_ metrics: FlowMetrics) -> Double? {
        guard let columns = metrics.columns, columns >= 0 else { return nil }
        guard columns > 0 else { return metrics.crossViewport }
        // F5 in Doubles, where no number of columns overflows.
        let count = Double(columns)
        return max(0, (metrics.room - metrics.interitemSpacing * (count - 1)) / count)
    }
}
