/// Where a drag ends (rule P8).
extension Carousel {
    /// The offset to come to rest at when a drag is let go.
    ///
    /// - Parameters:
    ///   - offset: Where the finger leaves it, in points.
    ///   - velocity: In points a millisecond, as UIScrollView says it; positive moves on.
    public func targetOffset(releasedAt offset: Double, velocity: Double) -> Double {
        let velocity = Sanitation.finite(velocity)
        let projected = Sanitation.finite(offset) + 60 * velocity
        guard pageLength > 0 else { return min(max(projected, minOffset), maxOffset) }
        let page = settledPage(restingPosition(projected) / pageLength, velocity: velocity)
        if page >= lastPage { return maxOffset }
        if page <= 0 { return minOffset }
        return firstRestingOffset + pageLength * page
    }

    /// How far into the pages an offset is, in points.
    private func restingPosition(_ offset: Double) -> Double {
        contentInset.leading - sectionInset.leading + alignedSlack + offset
    }

    /// The whole page that a fling is on its way to, or that a standstill is nearest to.
    private func settledPage(_ page: Double, velocity: Double) -> Double {
        if velocity > 0 { return page.rounded(.up) }
        if velocity < 0 { return page.rounded(.down) }
        let whole = lastPage.rounded(.down)
        guard page > whole else { return page.rounded(.toNearestOrAwayFromZero) }
        return page >= whole + (lastPage - whole) / 2 ? lastPage : whole
    }
}
