/// The result of a layout: one section's frames from its own start, neither rounded nor mirrored.
///
/// The section starts at 0 along the main axis; the viewport starts at 0 along the cross axis.
package struct SectionArrangement: Sendable {
    /// The section's length along the main axis, in points; never negative (G3).
    package var length = 0.0
    /// The header's frame, or `nil` if the header is not an element.
    package var header: Frame?
    /// The footer's frame, or `nil` if the footer is not an element.
    package var footer: Frame?
    /// The frame of each item, in order.
    package var items: [Frame] = []
    /// The separator of each item, index by index with `items`; empty if there are none (L6).
    package var separators: [Frame?] = []
    /// The section's own horizontal scroller (C10).
    package var scroll: OrthogonalScroll?
    /// The codes of the section's diagnostics.
    package var diagnostics: [LayoutDiagnostic.Code] = []

    /// Creates the arrangement of a section without elements.
    package init() {}
}

extension Frame {
    /// Creates a rectangle from positions and lengths along a screen's main and cross axes.
    @inline(__always)
    init(axis: Axis, main: Double, cross: Double, mainLength: Double, crossLength: Double) {
        self =
            axis == .vertical
            ? Frame(x: cross, y: main, width: crossLength, height: mainLength)
            : Frame(x: main, y: cross, width: mainLength, height: crossLength)
    }

    /// Returns the start of the rectangle along `axis`, in points.
    @inline(__always)
    func start(_ axis: Axis) -> Double { axis == .vertical ? y : x }

    /// Returns the length of the rectangle along `axis`, in points.
    @inline(__always)
    func length(_ axis: Axis) -> Double { axis == .vertical ? height : width }

    /// Returns the end of the rectangle along `axis`, in points.
    @inline(__always)
    func end(_ axis: Axis) -> Double { start(axis) + length(axis) }
}

/// A running sum without accumulated rounding errors (Kahan summation).
///
/// A position far down a screen is the sum of a million fractional lengths. A plain sum drifts by
/// thousandths of a point, so that the frames would depend on the division of a page into sections.
struct PreciseSum: Sendable {
    /// The sum of all numbers added.
    private(set) var value: Double
    /// The part of the last number that `value` could not represent.
    private var lost = 0.0

    /// Creates a sum that starts at `value`.
    init(_ value: Double = 0) {
        self.value = value
    }

    /// Adds a finite number.
    @inline(__always)
    static func += (sum: inout PreciseSum, next: Double) {
        let corrected = next - sum.lost
        let total = sum.value + corrected
        sum.lost = (total - sum.value) - corrected
        sum.value = total
    }
}
