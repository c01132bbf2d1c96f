/// What a layout kind answers: one section's frames from its own start, unrounded and unmirrored.
///
/// The section starts at 0 along main; across, the viewport starts at 0.
package struct SectionArrangement: Sendable {
    /// From the section's start to its end along main, in points; never negative (G3).
    package var length = 0.0
    /// The header, when it is an element.
    package var header: Frame?
    /// The footer, when it is an element.
    package var footer: Frame?
    /// Every item, in order.
    package var items: [Frame] = []
    /// Every item's hairline, index by index with `items`; empty when there is none at all (L6).
    package var separators: [Frame?] = []
    /// The section's own sideways scroller (C10).
    package var scroll: OrthogonalScroll?
    /// What could not be done as it was asked.
    package var diagnostics: [LayoutDiagnostic.Code] = []

    /// A section without anything in it.
    package init() {}
}
