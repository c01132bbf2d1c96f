/// A width and a height in points.
public struct Size: Sendable, Hashable {
    /// Length along x, in points.
    public var width: Double
    /// Length along y, in points.
    public var height: Double

    /// Makes a size of the given lengths in points.
    @inlinable
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// No length on either axis.
    public static let zero = Size(width: 0, height: 0)

    /// The length along `axis`, in points.
    @inlinable
    public subscript(axis: Axis) -> Double {
        get { axis == .vertical ? height : width }
        set { if axis == .vertical { height = newValue } else { width = newValue } }
    }
}
