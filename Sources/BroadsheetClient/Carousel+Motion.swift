#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The end of a drag (rule P8).
extension Carousel {
    /// Returns the offset at which the carousel comes to rest after a drag ends.
    ///
    /// - Parameters:
    ///   - offset: The offset at which the drag ends, in points.
    ///   - velocity: The velocity in points per millisecond, as UIScrollView reports it; positive
    ///     towards the end.
    public func targetOffset(releasedAt offset: Double, velocity: Double) -> Double {
        let velocity = velocity.finiteLength
        let projected = offset.finiteLength + 60 * velocity
        guard pageLength > 0 else { return withinEnds(projected) }
        let page = settledPage(restingPosition(projected) / pageLength, velocity: velocity)
        return withinEnds(page < lastPage ? firstRestingOffset + pageLength * page : maxOffset)
    }

    /// Returns the nearest offset within the ends (P7); the initial one where the final one is
    /// before it.
    private func withinEnds(_ offset: Double) -> Double {
        max(initialOffset, min(offset, finalOffset))
    }

    /// The offset at which the first page rests, whatever the content inset allows.
    private var firstRestingOffset: Double {
        options.isAlignCenter ? centerInitialOffset : minOffset
    }

    /// Returns the distance from the start of the pages to an offset, in points.
    private func restingPosition(_ offset: Double) -> Double {
        contentInset.leading - sectionInset.leading + alignedSlack + offset
    }

    /// Returns the whole page in the direction of the velocity, or the nearest one without
    /// velocity.
    private func settledPage(_ page: Double, velocity: Double) -> Double {
        if velocity > 0 { return page.rounded(.up) }
        if velocity < 0 { return page.rounded(.down) }
        let whole = lastPage.rounded(.down)
        guard page > whole else { return page.rounded(.toNearestOrAwayFromZero) }
        return page >= whole + (lastPage - whole) / 2 ? lastPage : whole
    }
}

/// Steps without a drag (rule P9).
extension Carousel {
    /// Returns the offset that a step of `pages` pages leads to, or `nil` if the carousel stays
    /// where it is.
    ///
    /// - Parameters:
    ///   - pages: The number of pages to step; negative towards the start.
    ///   - offset: The current offset, in points.
    public func targetOffset(steppingBy pages: Int, from offset: Double) -> Double? {
        let offset = offset.finiteLength
        guard pages != 0 else { return nil }
        if pages > 0 && isAtEnd(offset) { return options.isLooping ? initialOffset : nil }
        if pages < 0 && isAtStart(offset) { return options.isLooping ? finalOffset : nil }
        return snappedToEnds(
            alignedStart(offset) + Double(pages) * pageLength, movesOn: pages > 0)
    }

    /// Returns the offset from which a step is measured: a centred carousel between two pages steps
    /// from the nearer one.
    private func alignedStart(_ offset: Double) -> Double {
        let page = currentPage(at: offset)
        let nearest = page.rounded(.toNearestOrAwayFromZero)
        guard options.isAlignCenter, page != nearest else { return offset }
        return sectionInset.leading + nearest * pageLength - slack
    }

    /// Returns the end instead of a target beyond it or, without copies, less than half a page
    /// before it.
    private func snappedToEnds(_ target: Double, movesOn: Bool) -> Double {
        let half = copies > 1 ? 0 : pageLength / 2
        if target > maxOffset { return finalOffset }
        if target < minOffset { return initialOffset }
        if movesOn && target + half > maxOffset { return finalOffset }
        if !movesOn && target - half < minOffset { return initialOffset }
        return target
    }
}

/// Infinite scrolling (rule P10).
extension Carousel {
    /// The distance from an item in one copy to the same item in the next, in points.
    public var copyLength: Double {
        let count = Double(copies)
        return (sectionLength - lineSpacing * (count - 1)) / count + lineSpacing
    }

    /// Returns the offset in the middle copy that shows the same as `offset`, or `nil` if the
    /// carousel at rest stays where it is.
    ///
    /// The result is always `nil` if the items are not repeated.
    public func remappedOffset(_ offset: Double) -> Double? {
        guard copies > 1, copyLength > 0 else { return nil }
        let offset = offset.finiteLength
        let middle = Double(copies / 2)
        if isAtStart(offset) {
            return (options.isAlignCenter ? centerInitialOffset : offset) + middle * copyLength
        }
        let turns = ((offset - middleEnd) / copyLength).rounded(.down) + 1
        let distance = min(max(turns, -middle), middle) * copyLength
        return distance == 0 ? nil : offset - distance
    }

    /// The offset at which the middle copy ends, at least a page before the content does.
    private var middleEnd: Double {
        let end =
            sectionInset.leading - contentInset.leading - remapSlack
            + Double(copies / 2 + 1) * copyLength
        return min(end, maxOffset - pageLength + Self.tolerance)
    }

    /// The difference of lengths that counts as none (F9), in points.
    private static var tolerance: Double { 0.001 }

    /// The equivalent of `slack` inside the content insets, never negative.
    private var remapSlack: Double {
        guard options.isAlignCenter else { return 0 }
        let space = viewportLength - contentInset.leading - contentInset.trailing
        return max(0, (space - itemLength) / 2)
    }
}

/// Steps that are requested while another one is animated: they add up, and run as one step after
/// it (rule P9).
public struct PendingSteps: Sendable, Hashable {
    /// A Boolean value that indicates whether a step is being animated.
    public private(set) var isAnimating = false
    /// The steps requested since the animation began, in pages.
    public private(set) var pages = 0

    /// Creates a value without an animation and without pending steps.
    public init() {}

    /// Requests a step.
    ///
    /// - Parameter pages: The number of pages to step; negative towards the start.
    /// - Returns: The number of pages to animate now; 0 if the step has to wait.
    public mutating func request(_ pages: Int) -> Int {
        if isAnimating {
            self.pages &+= pages
            return 0
        }
        isAnimating = pages != 0
        return pages
    }

    /// Records the end of the current animation.
    ///
    /// - Returns: The number of pages to animate next; 0 if none are pending.
    public mutating func animationEnded() -> Int {
        isAnimating = false
        defer { pages = 0 }
        return request(pages)
    }
}
