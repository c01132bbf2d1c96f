/// Turning pages without a finger (rule P9).
extension Carousel {
    /// The offset to move to when the carousel at `offset` is to step by `pages`; nil when it
    /// stays where it is.
    ///
    /// - Parameters:
    ///   - pages: How many to turn; negative turns back.
    ///   - offset: Where the carousel stands, in points.
    public func targetOffset(steppingBy pages: Int, from offset: Double) -> Double? {
        let offset = Sanitation.finite(offset)
        guard pages != 0 else { return nil }
        if pages > 0 && isAtEnd(offset) { return options.isLooping ? initialOffset : nil }
        if pages < 0 && isAtStart(offset) { return options.isLooping ? finalOffset : nil }
        return snappedToEnds(
            alignedStart(offset) + Double(pages) * pageLength, movesOn: pages > 0)
    }

    /// Where a step is measured from: a centred carousel between two pages steps from the nearer.
    private func alignedStart(_ offset: Double) -> Double {
        let page = currentPage(at: offset)
        let nearest = page.rounded(.toNearestOrAwayFromZero)
        guard options.isAlignCenter, page != nearest else { return offset }
        return sectionInset.leading + nearest * pageLength - slack
    }

    /// A target that is beyond an end, or less than half a page from it, is the end.
    private func snappedToEnds(_ target: Double, movesOn: Bool) -> Double {
        if target > maxOffset { return finalOffset }
        if target < minOffset { return initialOffset }
        if movesOn && target + pageLength / 2 > maxOffset { return finalOffset }
        if !movesOn && target - pageLength / 2 < minOffset { return initialOffset }
        return target
    }
}
