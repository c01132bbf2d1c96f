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

    /// Creates a rectangle from positions and lengths along a screen's main and cross axes, in
    /// points.
    @inlinable
    public init(axis: Axis, main: Double, cross: Double, mainLength: Double, crossLength: Double) {
        self =
            axis == .vertical
            ? Frame(x: cross, y: main, width: crossLength, height: mainLength)
            : Frame(x: main, y: cross, width: mainLength, height: crossLength)
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

/// One of the two directions of a screen.
///
/// A screen's *main* axis is the one it scrolls along; the other is its *cross* axis
/// (docs/layout.md).
public enum Axis: UInt8, Sendable, Hashable, CaseIterable {
    /// The direction of y and of heights.
    case vertical
    /// The direction of x and of widths.
    case horizontal

    /// The other axis.
    @inlinable
    public var cross: Axis { self == .vertical ? .horizontal : .vertical }
}

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
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
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

/// The reading direction of a device; right-to-left mirrors every frame (rule R4).
public enum LayoutDirection: String, Sendable, Hashable, CaseIterable {
    /// Left to right.
    case ltr
    /// Right to left.
    case rtl
}

/// The visible area of a device: its bounds minus the cross-axis insets (rule G6).
public struct Viewport: Sendable, Hashable {
    /// The width and the height, in points.
    public var size: Size
    /// The number of device pixels per point; at 0 or less, frames are not rounded (rule R1).
    public var scale: Double
    /// The reading direction.
    public var direction: LayoutDirection
    /// The reader's text size: the factor of the size, line height and letter spacing of fonts that
    /// scale.
    public var textScale: Double

    /// Creates a viewport; the defaults are those of the HTTP API
    /// (docs/api.md, "Parameters of every layout").
    public init(
        width: Double = 390, height: Double = 844, scale: Double = 3,
        direction: LayoutDirection = .ltr, textScale: Double = 1
    ) {
        self.size = Size(width: width, height: height)
        self.scale = scale
        self.direction = direction
        self.textScale = textScale
    }
}

/// Arithmetic on lengths in points.
package enum Length {
    /// The largest length, in points (rule G2).
    package static let limit = 1e9

    /// Returns `length` clamped to ±`limit`; NaN and the infinities become 0 (rule G2).
    @inline(__always)
    package static func sanitised(_ length: Double) -> Double {
        guard length.isFinite else { return 0 }
        return min(max(length, -limit), limit)
    }
}
