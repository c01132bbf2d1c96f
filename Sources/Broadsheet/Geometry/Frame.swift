/// A rectangle in its parent's coordinates, in points; y grows downwards (rule G1).
public struct Frame: Sendable, Hashable {
    /// Distance from the parent's left edge.
    public var x: Double
    /// Distance from the parent's top edge.
    public var y: Double
    /// Length along x, never negative in an engine's answer.
    public var width: Double
    /// Length along y, never negative in an engine's answer.
    public var height: Double

    /// Makes a rectangle from its origin and lengths in points.
    @inlinable
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// An empty rectangle at the origin.
    public static let zero = Frame(x: 0, y: 0, width: 0, height: 0)

    /// The right edge, `x + width`.
    @inlinable public var maxX: Double { x + width }
    /// The bottom edge, `y + height`.
    @inlinable public var maxY: Double { y + height }
}
