/// The part of the viewport's cross axis that a section is laid out in (rule G9).
struct SectionArea: Sendable, Hashable {
    /// The distance from the viewport's leading edge, in points.
    private(set) var start = 0.0
    /// The length, in points; never negative.
    private(set) var length: Double

    init(whole length: Double) { self.length = length }

    /// `safeArea` is as in a screen that is read from left to right.
    init(of layout: SectionLayout, safeArea: Insets?, in viewport: Size, along axis: ScreenAxis) {
        self.init(whole: viewport[axis.cross])
        let options = layout.rareOptions
        let reference = options.contentInsetsReference ?? .automatic
        let isVertical = axis == .vertical
        if let safeArea, reference != .none {
            let hasMargins = reference == .layoutMargins && isVertical
            let margin = hasMargins ? Self.margin(inWidth: viewport.width) : 0
            start = safeArea.leading(axis.cross) + margin
            length = max(0, length - start - safeArea.trailing(axis.cross) - margin)
        }
        guard isVertical, let maxWidth = options.maxWidth.map(Length.sanitised) else { return }
        let width = max(1, maxWidth)
        guard width < length else { return }
        start += (length - width) / 2
        length = width
    }

    /// Returns the system's layout margin in a width, both in points (G9, L2).
    static func margin(inWidth width: Double) -> Double { width >= 414 ? 20 : 16 }
}
