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

    /// Creates a viewport; the defaults are those of the HTTP API
    /// (docs/api.md, "Parameters of every layout").
    public init(
        width: Double = 390, height: Double = 844, scale: Double = 3,
        direction: LayoutDirection = .ltr
    ) {
        self.size = Size(width: width, height: height)
        self.scale = scale
        self.direction = direction
    }
}
