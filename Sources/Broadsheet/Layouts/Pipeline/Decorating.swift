/// Backgrounds: a rectangle behind a section, or behind its items (rules D1-D3).
enum Decorating {
    /// The background in the section's own coordinates; nil when there is no element (D3).
    ///
    /// - Parameter crossViewport: the viewport's length across the screen, in points.
    static func frame(
        _ options: DecorationOptions, kind: some LayoutKind, of section: SectionArrangement,
        axis: Axis, crossViewport: Double
    ) -> Frame? {
        guard
            let span = span(options.mode ?? kind.decorationMode, of: section, axis: axis)
        else { return nil }
        let base = Frame(
            axis: axis, main: span.lowerBound, cross: 0,
            mainLength: span.upperBound - span.lowerBound, crossLength: crossViewport)
        return inset(base, by: Sanitation.insets(options.inset))
    }

    /// D1: what the background covers along main; nil behind items that are not there (D3).
    private static func span(
        _ mode: DecorationOptions.Mode, of section: SectionArrangement, axis: Axis
    ) -> ClosedRange<Double>? {
        guard mode == .items else { return 0...section.length }
        guard let first = section.items.first else { return nil }
        var (low, high) = (first.start(axis), first.end(axis))
        for item in section.items {
            low = min(low, item.start(axis))
            high = max(high, item.end(axis))
        }
        return low...high
    }

    /// D2: shrunk by `insets`, grown where they are negative; nil when nothing is left (D3).
    private static func inset(_ base: Frame, by insets: Insets) -> Frame? {
        let frame = Frame(
            x: base.x + insets.left, y: base.y + insets.top,
            width: base.width - insets.left - insets.right,
            height: base.height - insets.top - insets.bottom)
        return frame.width > 0 && frame.height > 0 ? frame : nil
    }
}
