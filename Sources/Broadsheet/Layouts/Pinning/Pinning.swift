/// Where pinned headers and footers stand while a screen is scrolled (rules D5 and D6).
///
/// Positions are in points along main, measured from where the content starts in the reading
/// direction. The position across, and the size, never change.
public enum Pinning {
    /// Where a pinned header starts (D5).
    ///
    /// It never leaves its section, the next section pushes it out, and it stays at rest while the
    /// start is overscrolled.
    ///
    /// - Parameters:
    ///   - rest: Where it starts unpinned.
    ///   - length: How long it is.
    ///   - sectionEnd: Where its section ends, footer included.
    ///   - position: How far the screen is scrolled.
    public static func headerStart(
        rest: Double, length: Double, sectionEnd: Double, at position: ScrollPosition
    ) -> Double {
        max(rest, min(max(position.visibleStart, rest), sectionEnd - length))
    }

    /// Where a pinned footer starts (D6).
    ///
    /// - Parameters:
    ///   - rest: Where it starts unpinned.
    ///   - length: How long it is.
    ///   - sectionStart: Where its section starts.
    ///   - pinnedHeaderLength: How long its section's header is when that is pinned too, else 0.
    ///   - position: How far the screen is scrolled.
    public static func footerStart(
        rest: Double, length: Double, sectionStart: Double, pinnedHeaderLength: Double = 0,
        at position: ScrollPosition
    ) -> Double {
        min(rest, max(min(position.visibleEnd - length, rest), sectionStart + pinnedHeaderLength))
    }
}
