import BroadsheetClient

/// A search of one section at its scroll position (rules V1-V4).
struct SectionSearch {
    private let screen: ScreenFrames
    private let section: SectionFrames
    private let index: Int
    private let position: ScrollPosition?
    /// The distance by which the section's own scroller moves its items to the right, in points
    /// (V2).
    private let itemShift: Double

    init(_ screen: ScreenFrames, _ index: Int, _ state: ScrollState) {
        self.screen = screen
        section = screen.sections[index]
        self.index = index
        position = state.position
        let offset = (state.orthogonalOffsets[index] ?? 0).finiteLength
        // Scrolling forwards moves items against the reading direction.
        itemShift = section.scroll == nil ? 0 : screen.direction == .rtl ? offset : -offset
    }

    /// Adds the elements before the items in the order of V3.
    func addDecorationsAndHeader(in query: QueryRectangle, to found: inout [LaidOutElement]) {
        for (number, decoration) in section.decorations.enumerated() {
            add(
                .decoration(number), section.contentFrame(of: decoration.frame), in: query,
                to: &found)
        }
        add(.header, screen.headerFrame(ofSection: index, at: position), in: query, to: &found)
    }

    /// Adds the items in ascending order, of the candidates that `items` returns.
    func addItems(
        in query: QueryRectangle, of items: FrameIndex, to found: inout [LaidOutElement]
    ) {
        let query = query.shifted(byX: -itemShift)
        for item in items.candidates(query.enclosing(in: section.frame)) {
            let frame = section.contentFrame(of: section.items[item])
            if query.overlaps(frame) { found.append(element(item, frame)) }
        }
    }

    /// Adds the elements after the items in the order of V3.
    func addFooter(in query: QueryRectangle, to found: inout [LaidOutElement]) {
        add(.footer, screen.footerFrame(ofSection: index, at: position), in: query, to: &found)
    }

    /// Returns the item with the highest index of those at a point (V4).
    func lastItem(at query: QueryRectangle, of items: FrameIndex) -> LaidOutElement? {
        let query = query.shifted(byX: -itemShift)
        let candidates = items.candidates(query.enclosing(in: section.frame))
        let last = candidates.last { query.isWithin(section.contentFrame(of: section.items[$0])) }
        return last.map { element($0, section.contentFrame(of: section.items[$0])) }
    }

    private func add(
        _ part: LaidOutElement.Part, _ frame: Frame?, in query: QueryRectangle,
        to found: inout [LaidOutElement]
    ) {
        guard let frame, query.overlaps(frame) else { return }
        found.append(LaidOutElement(section: index, part: part, frame: frame))
    }

    private func element(_ item: Int, _ frame: Frame) -> LaidOutElement {
        var frame = frame
        frame.x += itemShift
        return LaidOutElement(section: index, part: .item(item), frame: frame)
    }
}

/// The rectangle of a query: standardised, possibly infinite (rule V2).
struct QueryRectangle: Sendable {
    private let x: Span
    private let y: Span

    /// The extent of a rectangle on one axis, in points; its ends may be infinite.
    struct Span: Sendable {
        let low: Double
        let high: Double

        /// Creates the span of `length` from `start`; a negative length is flipped, and an infinite
        /// one reaches its end wherever it starts.
        init(start: Double, length: Double) {
            let end = length.isInfinite ? length : start + length
            low = min(start, end)
            high = max(start, end)
        }

        func shifted(by distance: Double) -> Span {
            Span(low: low + distance, high: high + distance)
        }

        /// Returns a span measured from `origin` that includes this one despite rounding errors.
        func enclosing(from origin: Double) -> Span {
            func slack(_ end: Double) -> Double {
                min((end.magnitude + origin.magnitude) * 0x1p-50, .greatestFiniteMagnitude)
            }
            return Span(low: low - origin - slack(low), high: high - origin + slack(high))
        }

        private init(low: Double, high: Double) {
            self.low = low
            self.high = high
        }

        /// Returns whether the span has more than an edge in common with the one of `length` from
        /// `start`; an empty span has nothing in common with any (V1).
        ///
        /// A positive length may be too small to change the end that it is added to.
        @inline(__always)
        func overlaps(_ start: Double, _ length: Double) -> Bool {
            start < high && low < start + length && length > 0 && low < high
        }

        /// Returns whether a span of a single point lies between `start` and `end`, `end` excluded
        /// (V4).
        @inline(__always)
        func isWithin(_ start: Double, _ end: Double) -> Bool { start <= low && high < end }
    }

    /// Standardises `rectangle`; the result is `nil` if any of its numbers is NaN.
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

    subscript(axis: ScreenAxis) -> Span { axis == .horizontal ? x : y }

    func shifted(byX distance: Double) -> QueryRectangle {
        QueryRectangle(x: x.shifted(by: distance), y: y)
    }

    /// Returns the rectangle in the coordinates of `parent`, enlarged by the rounding error of
    /// that, for the search of candidates.
    func enclosing(in parent: Frame) -> QueryRectangle {
        QueryRectangle(x: x.enclosing(from: parent.x), y: y.enclosing(from: parent.y))
    }

    /// Returns whether the rectangle has an area in common with `frame` (V1).
    @inline(__always)
    func overlaps(_ frame: Frame) -> Bool {
        x.overlaps(frame.x, frame.width) && y.overlaps(frame.y, frame.height)
    }

    /// Returns whether a rectangle of a single point lies in `frame`, right and bottom edge
    /// excluded (V4).
    @inline(__always)
    func isWithin(_ frame: Frame) -> Bool {
        x.isWithin(frame.x, frame.maxX) && y.isWithin(frame.y, frame.maxY)
    }
}
