/// A length at each end of an axis, in points.
public struct AxisEnds: Sendable, Hashable {
    /// The length at the start of the axis, in points.
    public let leading: Double
    /// The length at the end of the axis, in points.
    public let trailing: Double

    /// Creates a pair of lengths.
    ///
    /// - Parameters:
    ///   - leading: The length at the start, in points; 0 if it is not finite.
    ///   - trailing: The length at the end, in points; 0 if it is not finite.
    @inlinable
    public init(leading: Double = 0, trailing: Double = 0) {
        self.leading = leading.finiteLength
        self.trailing = trailing.finiteLength
    }
}

extension Double {
    /// The value as a sum of lengths or an offset that arithmetic can use without overflow: 0 for
    /// NaN and the infinities, any other value clamped to ±1e18.
    @inlinable
    package var finiteLength: Double { isFinite ? min(max(self, -1e18), 1e18) : 0 }
}
