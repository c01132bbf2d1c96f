/// A length at either end of an axis, in points.
public struct AxisEnds: Sendable, Hashable {
    /// Where the axis begins.
    public let leading: Double
    /// Where the axis ends.
    public let trailing: Double

    /// Makes a pair of lengths in points; what is not finite counts as 0.
    public init(leading: Double = 0, trailing: Double = 0) {
        self.leading = Sanitation.finite(leading)
        self.trailing = Sanitation.finite(trailing)
    }
}
