/// A rectangle in its parent's coordinates, in points; y grows downwards (rule G1).
public struct Frame: Sendable, Hashable {
    /// The distance from the parent's left edge.
    public var x: Double
    /// The distance from the parent's top edge.
    public var y: Double
    /// The length along x, never negative in an engine's result.
    public var width: Double
    /// The length along y, never negative in an engine's result.
    public var height: Double

    /// Creates a rectangle from its origin and its lengths in points.
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

/// A width and a height in points.
public struct Size: Sendable, Hashable {
    /// The length along x, in points.
    public var width: Double
    /// The length along y, in points.
    public var height: Double

    /// Creates a size from its lengths in points.
    @inlinable
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The size without length on either axis.
    public static let zero = Size(width: 0, height: 0)

    /// The length along `axis`, in points.
    @inlinable
    public subscript(axis: Axis) -> Double {
        get { axis == .vertical ? height : width }
        set { if axis == .vertical { height = newValue } else { width = newValue } }
    }
}
