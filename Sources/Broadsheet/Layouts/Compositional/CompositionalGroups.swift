/// The groups of a section: below each other, or side by side in a scroller (rules C8 and C9).
struct GroupStack {
    /// The frame of every item placed, and the states before groups.
    var section = SectionArrangement()
    private(set) var count = 0
    /// The width of each group in points; all groups of a section have one width.
    private(set) var groupWidth = 0.0
    /// The height of all groups with the spaces between them, or of the tallest one in a scroller,
    /// in points.
    private(set) var contentHeight = 0.0
    /// The distance from the section's start to the first group, in points.
    let top: Double

    private let metrics: CompositionalMetrics
    private var height = PreciseSum()
    private var nextState = ArrangementStates.interval

    /// Creates a stack without groups; the first one is placed in the content box's corner.
    init(_ metrics: CompositionalMetrics, top: Double) {
        self.metrics = metrics
        self.top = top
        section.states.start = top
    }

    var origin: (x: Double, y: Double) { (metrics.inset.left, top) }

    /// The state before the next group, with the index of its first item.
    func state(before item: Int) -> ArrangementState {
        ArrangementState(item: item, groupCount: count, position: height, extent: contentHeight)
    }

    mutating func take(_ state: ArrangementState, of earlier: EarlierArrangement) {
        section.takeItems(of: earlier, before: state)
        count = state.groupCount
        height = state.position
        contentHeight = state.extent
        nextState = section.states.nextItem
    }

    /// Notes the state before the next group if it is due, or if the group is the last one.
    mutating func noteState(before item: Int, isLast: Bool) {
        if item >= nextState {
            section.states.note(state(before: item))
            nextState = section.states.nextItem
        }
        if isLast { section.states.end(with: state(before: item)) }
    }

    /// Adds a group, and returns the origin of its items.
    mutating func append(width: Double, height: Double) -> (x: Double, y: Double) {
        defer { count += 1 }
        groupWidth = width
        return metrics.isOrthogonal ? beside(height) : below(height)
    }

    /// Returns whether items were taken over that are aligned in a row of another height (C18).
    func hasTakenFromRow(
        otherThan earlier: EarlierArrangement?, _ alignment: ItemAlignment
    ) -> Bool {
        guard section.takenCount > 0, alignment != .start, let earlier else { return false }
        return earlier.states.rowHeight != contentHeight
    }

    /// Aligns the items of all groups, which are at the top of the row (C18).
    mutating func align(_ alignment: ItemAlignment) {
        // Not -0, of which the sign would depend on the last of items without height.
        let row = contentHeight > 0 ? contentHeight : 0
        let fraction = alignment.leadingFraction
        section.states.rowHeight = row
        section.items.modify(from: section.takenCount) { items in
            for index in items.indices {
                items[index].y += (row - items[index].height) * fraction
                if alignment == .stretch { items[index].height = row }
            }
        }
    }

    /// Returns the distance from the section's leading edge to the group at `index` in the
    /// scroller, in points (C9).
    func start(ofGroup index: Int) -> Double {
        metrics.inset.left + Double(index) * groupPitch
    }

    /// The distance from one group to the next in the scroller, in points (C9).
    var groupPitch: Double { groupWidth + metrics.lineSpacing }

    /// C9: all groups start at the same height; the tallest determines the content's height.
    private mutating func beside(_ height: Double) -> (x: Double, y: Double) {
        contentHeight = max(contentHeight, height)
        return (start(ofGroup: count), top)
    }

    /// C8: each group is below the previous one.
    private mutating func below(_ height: Double) -> (x: Double, y: Double) {
        if count > 0 { self.height += metrics.lineSpacing }
        let y = top + self.height.value
        self.height += height
        contentHeight = self.height.value
        return (metrics.inset.left, y)
    }
}

/// Groups of equal slots, which items fill in order (rules C5 and C6), or cards, of which each is a
/// group (C17).
struct UniformSlots: Sendable {
    /// The number of slots in a group: at least 1, possibly more than any number of items.
    let count: Int
    /// The size of the item in each slot, in points.
    let itemSize: Size
    /// The size of a full group in points; a partial one has the same size (C6).
    let groupSize: Size
    /// The distance from one slot to the next, in points: along x in a horizontal group, along y in
    /// a vertical one.
    let pitch: Double
    /// The axis along which the items of a group follow each other.
    let direction: ScreenAxis

    /// Divides a group of the content box's width and `height` into slots.
    ///
    /// A horizontal group divides its width and ignores `width` (C5), unless it is a card, which
    /// ignores `columns` (C17); a vertical one divides its height (C6). The arithmetic is in
    /// Doubles, which no number of columns overflows.
    init(
        columns: GridColumnCount?, width: CompositionalOptions.ItemWidth?, height: Double?,
        _ metrics: CompositionalMetrics
    ) {
        count = metrics.cardWidth == nil ? metrics.count(of: columns ?? 1) : 1
        direction = metrics.direction
        groupSize = Size(
            width: metrics.cardWidth ?? metrics.content.width,
            height: height.map { Sanitation.size($0) } ?? CompositionalLayout.estimate)
        let slots = Double(count)
        let spacing = metrics.itemSpacing
        let length = max(0, (groupSize[direction] - spacing * (slots - 1)) / slots)
        pitch = length + spacing
        itemSize =
            direction == .horizontal
            ? Size(width: length, height: groupSize.height)
            : Size(
                width: width?.length(in: metrics.content.width) ?? groupSize.width / slots,
                height: length)
    }

    /// Places `total` items, at least one, in groups of `count`.
    func place(_ total: Int, in stack: inout GroupStack) {
        stack.section.items.reserveCapacity(total)
        var first = stack.section.takenCount
        while first < total {
            let present = min(count, total - first)
            stack.noteState(before: first, isLast: first + present == total)
            let origin = stack.append(width: groupSize.width, height: groupSize.height)
            for slot in 0..<present {
                let distance = Double(slot) * pitch
                stack.section.items.append(
                    Frame(
                        x: origin.x + (direction == .horizontal ? distance : 0),
                        y: origin.y + (direction == .vertical ? distance : 0),
                        width: itemSize.width, height: itemSize.height))
            }
            first += present
        }
    }
}

/// Groups whose items all take the height of the tallest among them (rule C11).
struct SiblingGroups {
    private let slots: UniformSlots
    private let metrics: CompositionalMetrics
    private let context: LayoutContext
    private let estimate: Double

    /// `estimate` is the height in points of an item without one; that of the group if `nil`.
    init(
        _ slots: UniformSlots, estimate: Double?, _ metrics: CompositionalMetrics,
        _ context: LayoutContext
    ) {
        self.slots = slots
        self.metrics = metrics
        self.context = context
        self.estimate = estimate.map { Sanitation.size($0) } ?? slots.groupSize.height
    }

    /// Places the items of `content`, of which there is at least one.
    func place(_ content: any SectionContent, in stack: inout GroupStack) {
        let taken = stack.section.takenCount
        let sizes = ItemSizes(of: content, request, from: taken)
        stack.section.addLines(of: sizes)
        stack.section.items.reserveCapacity(content.itemCount)
        var first = 0
        while first < sizes.count {
            let present = min(slots.count, sizes.count - first)
            stack.noteState(before: taken + first, isLast: first + present == sizes.count)
            placeGroup(first..<(first + present), sizes, in: &stack)
            first += present
        }
    }

    /// The request to each cell: its height for the width of a slot.
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
            stack.section.items.append(
                Frame(
                    x: origin.x + (isHorizontal ? distance : 0),
                    y: origin.y + (isHorizontal ? 0 : distance), width: slots.itemSize.width,
                    height: height))
        }
    }
}

/// A single group of all items, each of its own size (rule C7).
struct DynamicGroup {
    private let metrics: CompositionalMetrics
    private let context: LayoutContext

    init(_ metrics: CompositionalMetrics, _ context: LayoutContext) {
        self.metrics = metrics
        self.context = context
    }

    /// Places the items of `content`, of which there is at least one.
    ///
    /// A horizontal group never wraps, and is as tall as the content box, whatever its items, or
    /// as its tallest item if they are aligned (C18).
    ///
    /// - Complexity: O(items).
    func place(_ content: any SectionContent, in stack: inout GroupStack) {
        let (axis, origin, count) = (metrics.direction, stack.origin, content.itemCount)
        var running = PreciseSum()
        var (item, tallest) = (0, 0.0)
        if let state = context.earlier?.state(ofItems: count, startingAt: stack.top),
            let earlier = context.earlier
        {
            stack.section.takeItems(of: earlier, before: state)
            (running, item, tallest) = (state.position, state.item, state.extent)
        }
        let first = item
        let sizes = ItemSizes(of: content, request, from: first)
        stack.section.addLines(of: sizes)
        stack.section.items.reserveCapacity(count)
        while item < count {
            let next = min(count, stack.section.states.nextItem)
            for index in item..<next {
                if index > 0 { running += metrics.itemSpacing }
                let size = sizes[index - first]
                let start = running.value
                stack.section.items.append(
                    Frame(
                        x: origin.x + (axis == .horizontal ? start : 0),
                        y: origin.y + (axis == .vertical ? start : 0), width: size.width,
                        height: size.height))
                running += size[axis]
                tallest = max(tallest, size.height)
            }
            item = next
            if item == stack.section.states.nextItem {
                stack.section.states.note(
                    ArrangementState(item: item, position: running, extent: tallest))
            }
        }
        stack.section.states.end(
            with: ArrangementState(item: count, position: running, extent: tallest))
        var group = metrics.content
        if metrics.alignment != nil { group.height = tallest }
        group[axis] = running.value
        _ = stack.append(width: group.width, height: group.height)
    }

    /// The request to each cell: an absent size is (content width, 50) in a vertical group,
    /// (50, content height) in a horizontal one (C7), and (50, 50) if its items are aligned (C18).
    private var request: SizeRequest {
        var absent = metrics.content
        var fallback = metrics.content
        fallback[metrics.direction] = CompositionalLayout.estimate
        if metrics.direction == .vertical || metrics.alignment != nil {
            absent.height = CompositionalLayout.estimate
            if metrics.alignment != nil { fallback.height = CompositionalLayout.estimate }
        }
        var request = SizeRequest(
            container: context.container(cross: metrics.content.width), absent: absent,
            fallback: fallback)
        request.isForNaturalWidths = metrics.direction == .horizontal
        return request
    }
}
