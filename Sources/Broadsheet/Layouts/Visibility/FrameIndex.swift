import BroadsheetClient

/// An index of many frames that follow each other: it finds those that can overlap a rectangle.
///
/// An entry represents a block of frames, so that a million items take a few hundred kilobytes.
struct FrameIndex: Sendable {
    private let order: FrameOrder
    private let bounds: RunningBounds
    private let count: Int

    /// The number of frames per entry.
    private let blockLength = 32

    /// Creates an index of `frames`.
    ///
    /// - Complexity: O(count).
    init(_ frames: ChunkedList<Frame>) {
        count = frames.count
        order = FrameOrder(first: frames.first ?? .zero, last: frames.last ?? .zero)
        var (starts, ends): ([Double], [Double]) = ([], [])
        let blocks = (frames.count + blockLength - 1) / blockLength
        starts.reserveCapacity(blocks)
        ends.reserveCapacity(blocks)
        for first in stride(from: 0, to: frames.count, by: blockLength) {
            var (low, high) = order.span(frames[first])
            for index in first..<min(first + blockLength, frames.count) {
                let span = order.span(frames[index])
                low = min(low, span.start)
                high = max(high, span.end)
            }
            starts.append(low)
            ends.append(high)
        }
        bounds = RunningBounds(starts: starts, ends: ends)
    }

    /// Returns the indexes of all frames that can touch or overlap `rectangle`.
    ///
    /// - Complexity: O(log count).
    func candidates(_ rectangle: QueryRectangle) -> Range<Int> {
        let span = order.span(rectangle)
        let blocks = bounds.candidates(span.low, span.high)
        // The last block may be short, so that either bound may lie beyond the last frame.
        return min(
            blocks.lowerBound * blockLength, count)..<min(blocks.upperBound * blockLength, count)
    }
}

extension FrameIndex {
    /// Returns whether the frames advance as a screen is read.
    func follows(_ order: Strip.Order) -> Bool {
        self.order.axis == order.axis && self.order.isBackwards == order.isReversed
    }
}

/// An index of a screen's sections: it finds those that can have an element in a rectangle.
struct SectionIndex: Sendable {
    private let order: FrameOrder
    private let bounds: RunningBounds

    /// Creates an index of the sections of `screen`.
    ///
    /// - Complexity: O(items + sections).
    init(_ screen: ScreenFrames) {
        let order = FrameOrder(
            first: screen.sections.first?.frame ?? .zero,
            last: screen.sections.last?.frame ?? .zero, axis: screen.axis)
        let spans = screen.sections.map { $0.span(in: order) }
        self.order = order
        bounds = RunningBounds(starts: spans.map(\.start), ends: spans.map(\.end))
    }

    /// Returns the indexes of all sections that can touch or overlap `rectangle`.
    ///
    /// - Complexity: O(log sections).
    func candidates(_ rectangle: QueryRectangle) -> Range<Int> {
        let span = order.span(rectangle)
        return bounds.candidates(span.low, span.high)
    }
}

extension SectionFrames {
    /// Returns the extent in the content of the section with all its elements, pinned ones at any
    /// position.
    fileprivate func span(in order: FrameOrder) -> (start: Double, end: Double) {
        var (start, end) = order.span(frame)
        func include(_ frame: Frame, slack: Double = 0) {
            let span = order.span(contentFrame(of: frame))
            start = min(start, span.start - slack)
            end = max(end, span.end + slack)
        }
        for decoration in decorations { include(decoration.frame) }
        for item in items { include(item) }
        // A pinned element stays in its section, but for the rounding error of a recomputed
        // position, which is less than its own length.
        if let header { include(header, slack: isHeaderPinned ? header.length(order.axis) : 0) }
        if let footer { include(footer, slack: isFooterPinned ? footer.length(order.axis) : 0) }
        return (start, end)
    }
}

/// The axis along which many frames follow each other, and the direction.
///
/// The items of a horizontal scroller advance along x whatever the screen's axis, and right-to-left
/// items advance backwards (R4). The order is therefore derived from the frames themselves.
private struct FrameOrder: Sendable {
    /// The axis along which the frames advance most from first to last.
    let axis: ScreenAxis
    /// A Boolean value that indicates whether they advance towards smaller coordinates.
    fileprivate let isBackwards: Bool

    /// `known` is the axis that the frames are known to follow, or `nil` to derive it.
    init(first: Frame, last: Frame, axis known: ScreenAxis? = nil) {
        let (x, y) = (last.x - first.x, last.y - first.y)
        axis = known ?? (x.magnitude > y.magnitude ? .horizontal : .vertical)
        isBackwards = axis == .horizontal ? x < 0 : y < 0
    }

    @inline(__always)
    func span(_ frame: Frame) -> (start: Double, end: Double) {
        isBackwards
            ? (-frame.end(axis), -frame.start(axis)) : (frame.start(axis), frame.end(axis))
    }

    func span(_ rectangle: QueryRectangle) -> (low: Double, high: Double) {
        let span = rectangle[axis]
        return isBackwards ? (-span.high, -span.low) : (span.low, span.high)
    }
}
