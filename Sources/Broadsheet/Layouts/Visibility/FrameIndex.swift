/// An index over many frames that follow each other: which of them can overlap a rectangle.
///
/// One entry stands for a block of frames, so that a million items take a few hundred kilobytes.
struct FrameIndex: Sendable {
    private let order: FrameOrder
    private let bounds: RunningBounds
    private let count: Int

    /// How many frames share an entry.
    private let blockLength = 32

    /// Indexes `frames`.
    ///
    /// O(count).
    init(_ frames: [Frame]) {
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

    /// The indexes of all frames that can touch or overlap `rectangle`.
    ///
    /// O(log count).
    func candidates(_ rectangle: QueryRectangle) -> Range<Int> {
        let span = order.span(rectangle)
        let blocks = bounds.candidates(span.low, span.high)
        // The last block may be short, so either end may lie beyond the last frame.
        return min(
            blocks.lowerBound * blockLength, count)..<min(blocks.upperBound * blockLength, count)
    }
}
