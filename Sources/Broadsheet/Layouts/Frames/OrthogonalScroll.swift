/// A section's own sideways scroller (rules C9 and C10).
///
/// Offsets are distances scrolled from where reading starts: the left in a left-to-right viewport,
/// the right in a right-to-left one. Item frames are given for offset 0.
public struct OrthogonalScroll: Sendable, Hashable {
    /// The axis it scrolls along.
    public var axis: Axis
    /// What it snaps to.
    public var behavior: CompositionalOptions.Scrolling
    /// Where it stands in content coordinates: the viewport across, as tall as its content.
    public var frame: Frame
    /// How large what scrolls in it is, in points; never rounded.
    public var contentSize: Size
    /// Where it comes to rest, in points; empty when it rests anywhere.
    public var snapOffsets: [Double]
    /// Where it starts, in points.
    public var initialOffset: Double
    /// Hints for the client's scroller, carried through.
    public var properties: CompositionalOptions.ScrollProperties?
}
