/// Distances from the four edges of a rectangle, in points; negative ones are outsets (rule G3).
public struct Insets: Sendable, Hashable {
    /// From the top edge downwards.
    public var top: Double
    /// From the left edge rightwards.
    public var left: Double
    /// From the bottom edge upwards.
    public var bottom: Double
    /// From the right edge leftwards.
    public var right: Double

    /// Makes insets from the four distances in points.
    @inlinable
    public init(top: Double, left: Double, bottom: Double, right: Double) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// Makes the same inset on every edge.
    @inlinable
    public init(_ all: Double) {
        self.init(top: all, left: all, bottom: all, right: all)
    }

    /// No inset on any edge.
    public static let zero = Insets(0)

    /// The inset where `axis` begins: top or left.
    @inlinable public func leading(_ axis: Axis) -> Double { axis == .vertical ? top : left }
    /// The inset where `axis` ends: bottom or right.
    @inlinable public func trailing(_ axis: Axis) -> Double { axis == .vertical ? bottom : right }
}
