/// What stands in a list, each as wide as a row (rules L2, L3 and L5).
struct ListRows {
    /// The list's numbers.
    let metrics: ListMetrics
    /// What holds for the screen.
    let context: LayoutContext

    /// The rows of a list with these metrics.
    init(_ metrics: ListMetrics, _ context: LayoutContext) {
        self.metrics = metrics
        self.context = context
    }

    /// What is asked of rows, headers and footers: a height at the width of a row (L3).
    var request: SizeRequest {
        SizeRequest(
            container: context.container(cross: metrics.rowWidth), fixedCross: metrics.rowWidth,
            absent: Size(width: metrics.rowWidth, height: ListMetrics.estimate))
    }

    /// Appends every item below the one before, from `y` on, and returns where they end.
    func place<Content: SectionContent>(
        _ content: Content, at y: Double, in items: inout [Frame]
    ) -> Double {
        let sizes = ItemSizes(of: content, request)
        items.reserveCapacity(sizes.count)
        var end = PreciseSum(y)
        for index in 0..<sizes.count {
            let height = sizes[index].height
            items.append(row(height, at: end.value))
            end += height
        }
        return end.value
    }

    /// A header or footer at `y`; a height of 0 counts as none of its own (L5).
    func supplementary(_ size: Size, at y: Double) -> Frame {
        let height = Sanitation.size(size.height)
        return row(height > 0 ? height : ListMetrics.estimate, at: y)
    }

    private func row(_ height: Double, at y: Double) -> Frame {
        Frame(x: metrics.rowInset, y: y, width: metrics.rowWidth, height: height)
    }
}
