public import BroadsheetClient

/// The positions of pinned headers and footers while a screen scrolls (rules D5 and D6).
///
/// Positions are in points along the main axis, from the content's start in the reading direction.
/// The cross position and the size do not change.
public enum Pinning {
    /// Returns the start of a pinned header (D5).
    ///
    /// The header never leaves its section, the next section pushes it out, and it stays at rest
    /// while the screen is scrolled beyond its start.
    ///
    /// - Parameters:
    ///   - rest: The start of the header at rest.
    ///   - length: The length of the header.
    ///   - sectionEnd: The end of its section, footer included.
    ///   - position: The scroll position of the screen.
    public static func headerStart(
        rest: Double, length: Double, sectionEnd: Double, at position: ScrollPosition
    ) -> Double {
        max(rest, min(max(position.visibleStart, rest), sectionEnd - length))
    }

    /// Returns the start of a pinned footer (D6).
    ///
    /// - Parameters:
    ///   - rest: The start of the footer at rest.
    ///   - length: The length of the footer.
    ///   - sectionStart: The start of its section.
    ///   - pinnedHeaderLength: The length of its section's header if that is pinned too, or 0.
    ///   - position: The scroll position of the screen.
    public static func footerStart(
        rest: Double, length: Double, sectionStart: Double, pinnedHeaderLength: Double = 0,
        at position: ScrollPosition
    ) -> Double {
        min(rest, max(min(position.visibleEnd - length, rest), sectionStart + pinnedHeaderLength))
    }
}

/// The scroll position of a screen along its main axis.
public struct ScrollPosition: Sendable, Hashable {
    /// The distance from the content's start in the reading direction, in points: o.
    public let offset: Double
    /// The viewport's length, in points: L.
    public let viewportLength: Double
    /// The scroller's own insets before and after the content: ci0 and ci1.
    public let contentInset: AxisEnds

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - offset: The offset in points; 0 if it is not finite.
    ///   - viewportLength: The viewport's length in points; 0 if it is not finite.
    ///   - contentInset: The scroller's own insets.
    public init(offset: Double, viewportLength: Double, contentInset: AxisEnds = AxisEnds()) {
        self.offset = offset.finiteLength
        self.viewportLength = viewportLength.finiteLength
        self.contentInset = contentInset
    }

    fileprivate var visibleStart: Double { offset + contentInset.leading }
    fileprivate var visibleEnd: Double { offset + viewportLength - contentInset.trailing }
}
