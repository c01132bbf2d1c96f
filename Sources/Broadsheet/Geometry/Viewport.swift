/// The way a device's reader reads; right-to-left mirrors every frame (rule R4).
public enum LayoutDirection: String, Sendable, Hashable, CaseIterable {
    /// Left to right.
    case ltr
    /// Right to left.
    case rtl
}

/// What the asking device shows of the content at a time: the bounds minus cross-axis insets (G6).
public struct Viewport: Sendable, Hashable {
    /// Width and height in points.
    public var size: Size
    /// Device pixels per point; 0 or less means "do not round" (rule R1).
    public var scale: Double
    /// The reading direction.
    public var direction: LayoutDirection

    /// Makes a viewport; the defaults are those of the HTTP API (api.md, "Query").
    public init(
        width: Double = 390, height: Double = 844, scale: Double = 3,
        direction: LayoutDirection = .ltr
    ) {
        self.size = Size(width: width, height: height)
        self.scale = scale
        self.direction = direction
    }
}
