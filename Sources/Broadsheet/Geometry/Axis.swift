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
