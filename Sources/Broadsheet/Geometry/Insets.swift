/// Distances from the four edges of a rectangle, in points; negative ones are outsets (rule G3).
public struct Insets: Sendable, Hashable {
    /// The distance from the top edge downwards.
    public var top: Double
    /// The distance from the left edge rightwards.
    public var left: Double
    /// The distance from the bottom edge upwards.
    public var bottom: Double
    /// The distance from the right edge leftwards.
    public var right: Double

    /// Creates insets from the four distances in points.
    @inlinable
    public init(top: Double, left: Double, bottom: Double, right: Double) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// Creates insets with the same distance on every edge.
    @inlinable
    public init(_ all: Double) {
        self.init(top: all, left: all, bottom: all, right: all)
    }

    /// The insets of 0 on every edge.
    public static let zero = Insets(0)

    /// Returns the inset at the start of `axis`: top or left.
    @inlinable public func leading(_ axis: Axis) -> Double { axis == .vertical ? top : left }
    /// Returns the inset at the end of `axis`: bottom or right.
    @inlinable public func trailing(_ axis: Axis) -> Double { axis == .vertical ? bottom : right }
}
