/// An index over a screen's sections: which of them can have an element in a rectangle.
struct SectionIndex: Sendable {
    private let order: FrameOrder
    private let bounds: RunningBounds

    /// Indexes the sections of `screen`.
    ///
    /// O(items + sections).
    init(_ screen: ScreenFrames) {
        let order = FrameOrder(
            first: screen.sections.first?.frame ?? .zero,
            last: screen.sections.last?.frame ?? .zero, axis: screen.axis)
        let spans = screen.sections.map { $0.span(in: order) }
        self.order = order
        bounds = RunningBounds(starts: spans.map(\.start), ends: spans.map(\.end))
    }

    /// The indexes of all sections that can touch or overlap `rectangle`.
    ///
    /// O(log sections).
    func candidates(_ rectangle: QueryRectangle) -> Range<Int> {
        let span = order.span(rectangle)
        return bounds.candidates(span.low, span.high)
    }
}

extension SectionFrames {
    /// From the least to the greatest edge of the section and all its elements, pinned ones
    /// wherever they go.
    fileprivate func span(in order: FrameOrder) -> (start: Double, end: Double) {
        var (start, end) = order.span(frame)
        func include(_ frame: Frame, slack: Double = 0) {
            let span = order.span(frame)
            start = min(start, span.start - slack)
            end = max(end, span.end + slack)
        }
        for decoration in decorations { include(decoration.frame) }
        for item in items { include(item) }
        // A pinned view stays in its section, but for what a position that is worked out anew may
        // lose in its last digits; its own length is more than that.
        if let header { include(header, slack: isHeaderPinned ? header.length(order.axis) : 0) }
        if let footer { include(footer, slack: isFooterPinned ? footer.length(order.axis) : 0) }
        return (start, end)
    }
}
