/// Groups of equal slots, which items fill in order (rules C5 and C6).
struct UniformSlots: Sendable {
    /// The slots of a group, at least 1 and possibly more than there are items in the world.
    let count: Int
    /// The size of the item in each slot, in points.
    let itemSize: Size
    /// The size of a full group in points; a partial one is no smaller (C6).
    let groupSize: Size
    /// From one slot to the next, in points: along x in a horizontal group, else along y.
    let pitch: Double
    /// The axis along which a group's items follow each other.
    let direction: Axis

    /// Divides a group of the content box's width and `height` among its slots.
    ///
    /// A horizontal group divides its width and ignores `width` (C5); a vertical one divides its
    /// height (C6). In Doubles, where no number of columns overflows.
    init(columns: Int?, width: Double?, height: Double?, _ metrics: CompositionalMetrics) {
        count = max(1, columns ?? 1)
        direction = metrics.direction
        groupSize = Size(
            width: metrics.content.width,
            height: height.map { Sanitation.size($0) } ?? CompositionalLayout.estimate)
        let slots = Double(count)
        let spacing = metrics.itemSpacing
        let length = max(0, (groupSize[direction] - spacing * (slots - 1)) / slots)
        pitch = length + spacing
        itemSize =
            direction == .horizontal
            ? Size(width: length, height: groupSize.height)
            : Size(
                width: width.map { Sanitation.size($0) } ?? groupSize.width / slots,
                height: length)
    }

    /// Places `total` items, at least one, in groups of `count`.
    ///
    /// O(items).
    func place(_ total: Int, in stack: inout GroupStack) {
        stack.items.reserveCapacity(total)
        var first = 0
        while first < total {
            let origin = stack.append(width: groupSize.width, height: groupSize.height)
            let present = min(count, total - first)
            for slot in 0..<present {
                let distance = Double(slot) * pitch
                stack.items.append(
                    Frame(
                        x: origin.x + (direction == .horizontal ? distance : 0),
                        y: origin.y + (direction == .vertical ? distance : 0),
                        width: itemSize.width, height: itemSize.height))
            }
            first += present
        }
    }
}
