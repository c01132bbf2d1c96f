/// Scrolling without an end: back into the middle copy, unseen (rule P10).
extension Carousel {
    /// From one copy of the items to the same item of the next, in points.
    public var copyLength: Double {
        let count = Double(copies)
        return (sectionLength - lineSpacing * (count - 1)) / count + lineSpacing
    }

    /// Where a carousel that came to rest at `offset` is moved to without anyone noticing; nil
    /// when it stays, and always when its items are not repeated.
    public func remappedOffset(_ offset: Double) -> Double? {
        guard copies > 1 else { return nil }
        let offset = Sanitation.finite(offset)
        if isAtStart(offset) {
            return (options.isAlignCenter ? centerInitialOffset : offset) + copyLength
        }
        let position = contentInset.leading - sectionInset.leading + offset + remapSlack
        if position < copyLength { return offset + copyLength }
        if position >= copyLength * Double(copies - 1) { return offset - copyLength }
        return nil
    }

    /// As `slack`, but of what the content insets leave, and never negative.
    private var remapSlack: Double {
        guard options.isAlignCenter else { return 0 }
        let room = viewportLength - contentInset.leading - contentInset.trailing
        return max(0, (room - itemLength) / 2)
    }
}
