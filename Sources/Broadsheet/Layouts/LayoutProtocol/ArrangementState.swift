import BroadsheetCollections

/// The state of a layout before it places an item, from which it goes on if no item before changes.
struct ArrangementState: Sendable {
    let item: Int
    var groupCount = 0
    /// The distance from the first item, line or group, or from the section's start, in points.
    var position = PreciseSum()
    /// The greatest length of the groups before the item, in points.
    var extent = 0.0
    var isEveryLineSingle = true
    /// A Boolean value that indicates whether an item before spans several columns (F20).
    var hasSpans = false
    var columns: MasonryColumns?
    /// The extent along the main axis of the items before, in points; `nil` if it is not known.
    var span: ClosedRange<Double>?
}

/// The states of an arrangement, from which a later one of the same section can go on.
struct ArrangementStates: Sendable {
    /// The least number of items between two states.
    static let interval = 512

    /// The position of the first item, line or group along the main axis, in points.
    var start = 0.0
    /// The size of the first item, and the number of items at the beginning that have it.
    var sizes: (first: Size, equalCount: Int) = (.zero, 0)
    var hasSpans = false
    /// The height of the row that all items are aligned in, in points (C18).
    var rowHeight = 0.0
    /// States before items that are apart, ascending.
    private(set) var regular: ChunkedList<ArrangementState> = []
    /// The state with which the arrangement of an appended item begins.
    private(set) var last: ArrangementState?

    /// The first item before which a state is to be noted.
    var nextItem: Int {
        regular.isEmpty ? Self.interval : regular[regular.count - 1].item + Self.interval
    }

    /// Notes a state before an item that is ``nextItem`` or later.
    mutating func note(_ state: ArrangementState) { regular.append(state) }

    mutating func end(with state: ArrangementState) { last = state }

    mutating func truncate(after state: ArrangementState) {
        regular.truncate(to: regular.partitioningIndex { $0.item > state.item })
        last = nil
    }

    /// Returns the last state that has at most so many items before it.
    ///
    /// - Complexity: O(log states).
    func state(atMost count: Int) -> ArrangementState? {
        if let last, last.item <= count { return last.item > 0 ? last : nil }
        let end = regular.partitioningIndex { $0.item > count }
        return end > 0 ? regular[end - 1] : nil
    }

    /// Measures the extent of items along an axis, and notes that of the items before each state.
    ///
    /// - Parameter taken: The state after the items that are not measured, which has their extent.
    mutating func measure(
        _ items: ChunkedList<Frame>, after taken: ArrangementState?, along axis: ScreenAxis
    ) -> ClosedRange<Double>? {
        var (span, item) = (taken?.span, taken?.item ?? 0)
        for index in regular.partitioningIndex(where: { $0.item > item })..<regular.count {
            span = items.span(item..<regular[index].item, along: axis, joining: span)
            item = regular[index].item
            regular[index].span = span
        }
        if let last, last.item >= item {
            span = items.span(item..<last.item, along: axis, joining: span)
            item = last.item
            self.last?.span = span
        }
        return items.span(item..<items.count, along: axis, joining: span)
    }
}

extension ChunkedList<Frame> {
    fileprivate func span(
        _ range: Range<Int>, along axis: ScreenAxis, joining earlier: ClosedRange<Double>?
    ) -> ClosedRange<Double>? {
        guard !range.isEmpty else { return earlier }
        let first = self[range.lowerBound]
        var (low, high) = (
            earlier?.lowerBound ?? first.start(axis), earlier?.upperBound ?? first.end(axis)
        )
        forEachChunk(in: range) { frames, _ in
            for frame in frames {
                low = Swift.min(low, frame.start(axis))
                high = Swift.max(high, frame.end(axis))
            }
        }
        return low...high
    }
}

/// An earlier arrangement of a section, of which a layout takes over the items before the first one
/// that has changed.
final class EarlierArrangement: Sendable {
    let frames: SectionFrames
    let states: ArrangementStates
    /// The number of items at the beginning that have not changed.
    private let unchangedCount: Int

    init(_ frames: SectionFrames, _ states: ArrangementStates, unchangedCount: Int) {
        self.frames = frames
        self.states = states
        self.unchangedCount = unchangedCount
    }

    /// Returns the last state before an item of a section that has not changed, or `nil`.
    ///
    /// At least one item follows the state, so that a layout ends as it would without it.
    ///
    /// - Parameters:
    ///   - count: The number of items of the section.
    ///   - start: The position of the first item, line or group, in points.
    func state(ofItems count: Int, startingAt start: Double) -> ArrangementState? {
        guard states.start == start else { return nil }
        return states.state(atMost: min(unchangedCount, count - 1))
    }

    /// Returns the last state before a line that begins with the same item, or `nil`.
    ///
    /// The first item of a line decides that the line begins: another one may fit into the line
    /// before.
    func lineState(ofItems count: Int, startingAt start: Double) -> ArrangementState? {
        let state = state(ofItems: count, startingAt: start)
        guard state?.item == unchangedCount, unchangedCount < frames.items.count else {
            return state
        }
        return states.state(atMost: min(unchangedCount, count) - 1)
    }
}
