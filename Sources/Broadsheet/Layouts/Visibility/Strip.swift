import BroadsheetClient

/// A part of a screen's content between two positions along the screen, in reading order
/// (docs/api.md, "Windows").
package struct Strip: Sendable, Hashable {
    /// The positions along a screen in reading order: in a horizontal screen that is read from
    /// right to left, x counts backwards.
    package struct Order: Sendable, Hashable {
        let axis: ScreenAxis
        /// A Boolean value that indicates whether reading advances towards smaller coordinates.
        let isReversed: Bool

        init(of screen: ScreenFrames) {
            axis = screen.axis
            isReversed = screen.axis == .horizontal && screen.direction == .rtl
        }

        @inline(__always)
        func span(_ frame: Frame) -> (start: Double, end: Double) {
            isReversed
                ? (-frame.end(axis), -frame.start(axis)) : (frame.start(axis), frame.end(axis))
        }
    }

    let order: Order
    let start: Double
    let end: Double

    /// The length, in points, by which an element has to overlap the strip to be in it; frames are
    /// sums of rounded numbers.
    static let tolerance = 0.001

    /// Returns whether a frame in content coordinates overlaps the strip along the screen.
    @inline(__always)
    func contains(_ frame: Frame) -> Bool {
        let span = order.span(frame)
        return min(end, span.end) - max(start, span.start) > Self.tolerance
    }

    /// Returns whether a frame in content coordinates ends where the strip starts, or before.
    @inline(__always)
    func follows(_ frame: Frame) -> Bool { order.span(frame).end - start <= Self.tolerance }

    /// The strip as a rectangle without ends across the screen.
    fileprivate var rectangle: QueryRectangle? {
        let low = order.isReversed ? -end : start
        let infinity = Double.infinity
        return QueryRectangle(
            order.axis == .horizontal
                ? Frame(x: low, y: -infinity, width: end - start, height: infinity)
                : Frame(x: -infinity, y: low, width: infinity, height: end - start))
    }
}

extension VisibilityIndex {
    /// Returns the sections from the first to the last one whose frame is in a strip, or `nil`.
    ///
    /// - Complexity: O(log sections + found), for sections that follow each other.
    func sections(in strip: Strip) -> Range<Int>? {
        guard let rectangle = strip.rectangle else { return nil }
        let candidates = sections.candidates(rectangle)
        let isFound = { (index: Int) in strip.contains(screen.sections[index].frame) }
        guard let first = candidates.first(where: isFound),
            let last = candidates.last(where: isFound)
        else { return nil }
        return first..<last + 1
    }

    /// Returns the items of a section from the first to the last one that is in a strip, or `nil`.
    ///
    /// - Complexity: O(log items + found), for lines that follow each other.
    func items(ofSection index: Int, in strip: Strip) -> Range<Int>? {
        let section = screen.sections[index]
        let candidates = candidates(ofSection: index, in: strip)
        let isFound = { (item: Int) in
            strip.contains(section.contentFrame(of: section.items[item]))
        }
        guard let first = candidates.first(where: isFound),
            let last = candidates.last(where: isFound)
        else { return nil }
        return first..<last + 1
    }

    /// Returns the number of items of a section that end where a strip starts, or before.
    ///
    /// - Complexity: As ``items(ofSection:in:)``; O(items) for items in another order.
    func itemCount(ofSection index: Int, before strip: Strip) -> Int {
        let section = screen.sections[index]
        let candidates = candidates(ofSection: index, in: strip)
        let isOrdered = items[index].follows(strip.order)
        let tested = isOrdered ? candidates : section.items.indices
        return (isOrdered ? candidates.lowerBound : 0)
            + tested.count { strip.follows(section.contentFrame(of: section.items[$0])) }
    }

    private func candidates(ofSection index: Int, in strip: Strip) -> Range<Int> {
        guard let rectangle = strip.rectangle else { return 0..<0 }
        return items[index].candidates(rectangle.enclosing(in: screen.sections[index].frame))
    }
}
