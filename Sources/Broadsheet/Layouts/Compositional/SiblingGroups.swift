/// Groups whose items all grow, or shrink, to the tallest among them (rule C11).
struct SiblingGroups {
    private let slots: UniformSlots
    private let metrics: CompositionalMetrics
    private let context: LayoutContext
    private let estimate: Double

    /// Groups as `slots` has them but for their heights; an item without a height of its own is
    /// taken to be `estimate` points tall, a whole group's height when nobody says.
    init(
        _ slots: UniformSlots, estimate: Double?, _ metrics: CompositionalMetrics,
        _ context: LayoutContext
    ) {
        self.slots = slots
        self.metrics = metrics
        self.context = context
        self.estimate = estimate.map { Sanitation.size($0) } ?? slots.groupSize.height
    }

    /// Places every item of `content`, of which there is at least one.
    ///
    /// O(items).
    func place<Content: SectionContent>(_ content: Content, in stack: inout GroupStack) {
        let sizes = ItemSizes(of: content, request)
        stack.items.reserveCapacity(sizes.count)
        var first = 0
        while first < sizes.count {
            let present = min(slots.count, sizes.count - first)
            placeGroup(first..<(first + present), sizes, in: &stack)
            first += present
        }
    }

    /// What is asked of every cell: its height at the width of a slot.
    private var request: SizeRequest {
        SizeRequest(
            container: context.container(cross: metrics.content.width),
            fixedCross: slots.itemSize.width,
            absent: Size(width: slots.itemSize.width, height: estimate))
    }

    private func placeGroup(_ items: Range<Int>, _ sizes: ItemSizes, in stack: inout GroupStack) {
        let height = items.reduce(0.0) { max($0, sizes[$1].height) }
        let isHorizontal = slots.direction == .horizontal
        let pitch = isHorizontal ? slots.pitch : height + metrics.itemSpacing
        let groupHeight =
            isHorizontal ? height : height + Double(items.count - 1) * pitch
        let origin = stack.append(width: slots.groupSize.width, height: groupHeight)
        for slot in 0..<items.count {
            let distance = Double(slot) * pitch
            stack.items.append(
                Frame(
                    x: origin.x + (isHorizontal ? distance : 0),
                    y: origin.y + (isHorizontal ? 0 : distance), width: slots.itemSize.width,
                    height: height))
        }
    }
}
