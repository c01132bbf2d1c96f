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
    public init(
        axis: ScreenAxis, main: Double, cross: Double, mainLength: Double, crossLength: Double
    ) {
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
    @inline(__always) var size: Size { Size(width: width, height: height) }
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
    public subscript(axis: ScreenAxis) -> Double {
        get { axis == .vertical ? height : width }
        set { if axis == .vertical { height = newValue } else { width = newValue } }
    }
}

/// One of the two directions of a screen.
///
/// A screen's *main* axis is the one it scrolls along; the other is its *cross* axis
/// (docs/layout.md).
public enum ScreenAxis: UInt8, Sendable, Hashable, CaseIterable {
    /// The direction of y and of heights.
    case vertical
    /// The direction of x and of widths.
    case horizontal

    /// The other axis.
    @inlinable
    public var cross: ScreenAxis { self == .vertical ? .horizontal : .vertical }
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
    @inlinable public func leading(_ axis: ScreenAxis) -> Double { axis == .vertical ? top : left }
    /// Returns the inset at the end of `axis`: bottom or right.
    @inlinable public func trailing(_ axis: ScreenAxis) -> Double {
        axis == .vertical ? bottom : right
    }
}

/// The reading direction of a device; right-to-left mirrors every frame (rule R4).
public enum LayoutDirection: String, Sendable, Hashable, CaseIterable {
    /// Left to right.
    case ltr
    /// Right to left.
    case rtl
}

/// The visible area of a device: its bounds minus the cross-axis insets (rule G6), or its whole
/// bounds beside a safe area (rule G9).
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
    /// The parts at the sides that the device covers, in points; `nil` if they are not known, or if
    /// the viewport excludes them (rules G6 and G9).
    public var safeArea: Insets?

    /// Creates a viewport; the defaults are those of the HTTP API
    /// (docs/api.md, "Parameters of every layout").
    public init(
        width: Double = 390, height: Double = 844, scale: Double = 3,
        direction: LayoutDirection = .ltr, textScale: Double = 1, safeArea: Insets? = nil
    ) {
        self.size = Size(width: width, height: height)
        self.scale = scale
        self.direction = direction
        self.textScale = textScale
        self.safeArea = safeArea
    }
}

/// Arithmetic on lengths in points.
package enum Length {
    /// The largest length, in points (rule G2).
    package static let limit = 1e9

    static let detailOfHugeNumber = "is beyond the largest number (1.8e308), and counts as 0"

    /// Returns `length` clamped to ±`limit`; NaN and the infinities become 0 (rule G2).
    @inline(__always)
    package static func sanitised(_ length: Double) -> Double {
        guard length.isFinite else { return 0 }
        return min(max(length, -limit), limit)
    }
}

/// The sanitation of sizes and insets before a layout uses them (rule G2; `Length` sanitises single
/// lengths).
///
/// UIKit raises or is undefined for invalid numbers. Here every number has a meaning, so that later
/// steps add and multiply without checks.
enum Sanitation {
    /// Returns the length of a size: as any length, and never negative.
    @inline(__always)
    static func size(_ value: Double) -> Double {
        value >= 0 && value <= Length.limit ? value : max(0, Length.sanitised(value))
    }

    @inline(__always)
    static func size(_ value: Size) -> Size {
        Size(width: size(value.width), height: size(value.height))
    }

    static func frame(_ value: Frame) -> Frame {
        Frame(
            x: Length.sanitised(value.x), y: Length.sanitised(value.y), width: size(value.width),
            height: size(value.height))
    }

    /// Returns insets with all four lengths sanitised; negative ones are legal (G3).
    static func insets(_ value: Insets) -> Insets {
        Insets(
            top: Length.sanitised(value.top), left: Length.sanitised(value.left),
            bottom: Length.sanitised(value.bottom), right: Length.sanitised(value.right))
    }
}

/// The relation of finished frames to device pixels (docs/layout.md, section J).
public enum Rounding: String, Sendable, Hashable, CaseIterable {
    /// Frames are rounded to the nearest device pixel, by the viewport's scale (rules R1-R3).
    case pixel
    /// Frames are not rounded: the canonical frames, for storage and comparison.
    case none
}

/// The numbers of a frame that rounding changes (rules R2 and R3).
package enum RoundedParts: Sendable {
    /// Origins only; lengths stay fractional, which causes UIKit's hairline gaps (R2).
    case origins
    /// Origins and lengths, each by itself (R3).
    case originsAndSizes
}

/// The pixels of a device, to which finished frames are rounded (rule R1).
struct PixelGrid: Sendable {
    /// The number of device pixels per point, or `nil` if nothing is rounded.
    private let scale: Double?

    /// Creates the grid of a viewport; a scale that is not finite and positive rounds nothing (R1).
    init(scale: Double, rounding: Rounding) {
        self.scale = rounding == .pixel && scale > 0 && scale.isFinite ? scale : nil
    }

    var roundsFrames: Bool { scale != nil }

    /// Returns a frame with its origin, and depending on `parts` its lengths, at pixels.
    @inline(__always)
    func nearest(_ frame: Frame, _ parts: RoundedParts) -> Frame {
        guard let scale else { return frame }
        var frame = frame
        frame.x = Self.nearest(frame.x, scale)
        frame.y = Self.nearest(frame.y, scale)
        if parts == .originsAndSizes {
            frame.width = Self.nearest(frame.width, scale)
            frame.height = Self.nearest(frame.height, scale)
        }
        return frame
    }

    /// Returns the first pixel at or above a length of `value` points, which measured text needs
    /// (T4); a length that exceeds a pixel by less than a millionth of one is at it.
    @inline(__always)
    static func up(_ value: Double, _ scale: Double) -> Double {
        let pixels = -floor(-(value * scale - 1e-6)) / scale
        return pixels.isFinite ? max(0, pixels) : value
    }

    /// Returns the number of device pixels per point that lengths of measured text are rounded up
    /// to; 0 if nothing is rounded.
    static func textScale(_ scale: Double, _ rounding: Rounding) -> Double {
        PixelGrid(scale: scale, rounding: rounding).scale ?? 0
    }

    /// Returns the pixel nearest to `value` points, ties towards +infinity (R1).
    ///
    /// The bias of a millionth of a pixel lets a tie be recognised despite the rounding errors of
    /// sums.
    @inline(__always)
    static func nearest(_ value: Double, _ scale: Double) -> Double {
        let pixels = floor(value * scale + (0.5 + 1e-6)) / scale
        // A scale may be finite and yet too large to multiply by; then nothing is rounded.
        return pixels.isFinite ? pixels : value
    }

    /// Returns the greatest whole number not above `value`.
    ///
    /// Adding and subtracting 1.5 * 2^52 leaves a Double no bits for a fraction. Rounding takes
    /// most of its time here, and the C library's function would cost a call for each number.
    @inline(__always)
    private static func floor(_ value: Double) -> Double {
        guard value.magnitude < 0x1p51 else { return value.rounded(.down) }
        let nearest = (value + 0x1.8p52) - 0x1.8p52
        return nearest > value ? nearest - 1 : nearest
    }
}
