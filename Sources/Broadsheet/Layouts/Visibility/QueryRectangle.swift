/// A rectangle to look in: standardised, and possibly without bounds (rule V2).
struct QueryRectangle: Sendable {
    /// From left to right, in points.
    let x: Span
    /// From top to bottom, in points.
    let y: Span

    /// What a rectangle spans on one axis, in points; its ends may be infinite.
    struct Span: Sendable {
        /// The lesser end.
        let low: Double
        /// The greater end.
        let high: Double

        /// From `start` on for `length`, which flips when it is negative; an infinite length
        /// reaches its end wherever it starts.
        init(start: Double, length: Double) {
            let end = length.isInfinite ? length : start + length
            low = min(start, end)
            high = max(start, end)
        }

        /// The same span, `distance` points further on.
        func shifted(by distance: Double) -> Span {
            Span(low: low + distance, high: high + distance)
        }

        private init(low: Double, high: Double) {
            self.low = low
            self.high = high
        }

        /// Whether it has more than an edge in common with what starts at `start` and is `length`
        /// long; nothing has with what is empty (V1).
        ///
        /// A length may be too small to move the end it is added to, and still be one.
        @inline(__always)
        func overlaps(_ start: Double, _ length: Double) -> Bool {
            start < high && low < start + length && length > 0 && low < high
        }

        /// Whether a span that is a single point lies between `start` and `end`, `end` excluded
        /// (V4).
        @inline(__always)
        func isWithin(_ start: Double, _ end: Double) -> Bool { start <= low && high < end }
    }

    /// Standardises `rectangle`; nil when any of its numbers is none.
    init?(_ rectangle: Frame) {
        let numbers = [rectangle.x, rectangle.y, rectangle.width, rectangle.height]
        guard !numbers.contains(where: \.isNaN) else { return nil }
        self.init(
            x: Span(start: rectangle.x, length: rectangle.width),
            y: Span(start: rectangle.y, length: rectangle.height))
    }

    private init(x: Span, y: Span) {
        self.x = x
        self.y = y
    }

    /// What it spans on `axis`.
    subscript(axis: Axis) -> Span { axis == .horizontal ? x : y }

    /// The same rectangle, `distance` points to the right.
    func shifted(byX distance: Double) -> QueryRectangle {
        QueryRectangle(x: x.shifted(by: distance), y: y)
    }

    /// Whether it has an area in common with `frame` (V1).
    @inline(__always)
    func overlaps(_ frame: Frame) -> Bool {
        x.overlaps(frame.x, frame.width) && y.overlaps(frame.y, frame.height)
    }

    /// Whether a rectangle that is a single point lies in `frame`, right and bottom edge excluded
    /// (V4).
    @inline(__always)
    func isWithin(_ frame: Frame) -> Bool {
        x.isWithin(frame.x, frame.maxX) && y.isWithin(frame.y, frame.maxY)
    }
}
