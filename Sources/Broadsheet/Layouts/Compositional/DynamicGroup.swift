/// A single group of all items, each as large as it says (rule C7).
struct DynamicGroup {
    private let metrics: CompositionalMetrics
    private let context: LayoutContext

    /// The group of a section with these metrics.
    init(_ metrics: CompositionalMetrics, _ context: LayoutContext) {
        self.metrics = metrics
        self.context = context
    }

    /// Places every item of `content`, of which there is at least one.
    ///
    /// O(items).
    ///
    /// A horizontal group is as tall as the content box whatever its items are, and never wraps.
    func place<Content: SectionContent>(_ content: Content, in stack: inout GroupStack) {
        let sizes = ItemSizes(of: content, request)
        let axis = metrics.direction
        stack.items.reserveCapacity(sizes.count)
        var running = PreciseSum()
        for index in 0..<sizes.count {
            if index > 0 { running += metrics.itemSpacing }
            let size = sizes[index]
            let start = running.value
            stack.items.append(
                Frame(
                    x: axis == .horizontal ? start : 0, y: axis == .vertical ? start : 0,
                    width: size.width, height: size.height))
            running += size[axis]
        }
        var group = metrics.content
        group[axis] = running.value
        shift(&stack.items, to: stack.append(width: group.width, height: group.height))
    }

    /// What is asked of every cell: a type without a size is (content width, 50) in a vertical
    /// group, (50, content height) in a horizontal one (C7).
    private var request: SizeRequest {
        var absent = metrics.content
        var fallback = metrics.content
        fallback[metrics.direction] = CompositionalLayout.estimate
        if metrics.direction == .vertical { absent.height = CompositionalLayout.estimate }
        return SizeRequest(
            container: context.container(cross: metrics.content.width), absent: absent,
            fallback: fallback)
    }

    /// The group's size is known only when its items are placed; now they go where it stands.
    private func shift(_ items: inout [Frame], to origin: (x: Double, y: Double)) {
        for index in items.indices {
            items[index].x += origin.x
            items[index].y += origin.y
        }
    }
}
