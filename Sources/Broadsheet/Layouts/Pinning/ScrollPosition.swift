public import BroadsheetClient

/// How far a client has scrolled a screen along its main axis.
public struct ScrollPosition: Sendable, Hashable {
    /// From where the content starts, in the reading direction, in points: o.
    public let offset: Double
    /// What the viewport shows of the content, in points: L.
    public let viewportLength: Double
    /// The scroller's own insets before and after the content: ci0 and ci1.
    public let contentInset: AxisEnds

    /// Makes a position from lengths in points; what is not finite counts as 0.
    public init(offset: Double, viewportLength: Double, contentInset: AxisEnds = AxisEnds()) {
        self.offset = offset.finiteLength
        self.viewportLength = viewportLength.finiteLength
        self.contentInset = contentInset
    }

    /// Where what is visible starts, in points.
    var visibleStart: Double { offset + contentInset.leading }
    /// Where what is visible ends, in points.
    var visibleEnd: Double { offset + viewportLength - contentInset.trailing }
}
