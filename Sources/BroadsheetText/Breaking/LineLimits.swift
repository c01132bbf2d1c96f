import Broadsheet

/// A space in the units of advances.
struct LineLimits: Hashable {
    let advance: Int64
    let maxLines: Int
    let overflow: TextRequest.Overflow
    private let scale: Double

    /// Widths are compared in 1/64 of a point, as LayoutUnit in Chromium: a line fits when its
    /// advance, rounded down to that, does.
    private static let steps = 64.0

    /// Returns the number of segments that may be looked at while the lines of a text are filled.
    ///
    /// Usual texts need one or two looks a segment. Where segments without a width do not fit,
    /// since their hyphens do not, each line would look at all of the rest: behind this number, a
    /// line that does not take its first segments takes one.
    static func looks(segments: Int) -> Int { 65_536 + 64 * segments }

    init(_ request: TextRequest) {
        maxLines = max(0, request.maxLines ?? .max)
        overflow = request.overflow
        scale = request.textScale > 0 && request.textScale.isFinite ? request.textScale : 1
        let width =
            (request.width.isNaN ? 0 : max(0, request.width) * Self.steps).rounded(.down) + 1
        // The advance has to be below `width` steps.
        let unitsPerStep = Double(OpenFont.unitsPerPoint) / Self.steps / scale
        let bound = width * unitsPerStep
        advance = bound < 0x1p62 ? Int64(bound.rounded(.up)) - 1 : 1 << 62
    }

    func measurement(_ lines: FilledLines) -> TextMeasurement {
        TextMeasurement(
            lines: lines.count,
            longestLine: max(0, Double(lines.longest)) / Double(OpenFont.unitsPerPoint) * scale,
            isTruncated: lines.isTruncated)
    }
}
