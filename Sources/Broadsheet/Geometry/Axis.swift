/// One of the two directions that lengths run in.
///
/// A screen's *main* axis is the one it scrolls along; the other is its *cross* axis
/// (layout.md, "Notation").
public enum Axis: UInt8, Sendable, Hashable, CaseIterable {
    /// Along y: heights.
    case vertical
    /// Along x: widths.
    case horizontal

    /// The other axis.
    @inlinable
    public var cross: Axis { self == .vertical ? .horizontal : .vertical }
}
