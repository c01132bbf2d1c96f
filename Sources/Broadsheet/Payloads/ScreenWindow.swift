import BroadsheetClient

/// The part of a laid-out screen around an item, its anchor (docs/api.md, "Windows").
///
/// It is a screen of its own, with some of the sections and, of their items, one run each: its tree
/// is written, and compared, as that of any screen.
package struct ScreenWindow: Sendable {
    /// The lengths of a window before and after its anchor, in points.
    package struct Lengths: Sendable, Hashable {
        /// The length before the anchor's start.
        package var before: Double
        /// The length after the anchor's end.
        package var after: Double

        package init(before: Double, after: Double) {
            self.before = before
            self.after = after
        }
    }

    /// The items of a section that a window has, and those of the whole tree.
    struct Share: Sendable, Hashable {
        /// The index in the whole tree of the first item in the window, or of the first one that
        /// would be.
        let firstItem: Int
        /// The number of items in the whole tree.
        let itemCount: Int
    }

    package let screen: MergedScreen
    package let frames: ScreenFrames
    /// The anchor; `nil` for the null anchor, which is the content's start.
    package let anchor: ItemIdentity?
    package let lengths: Lengths
    package let hasEarlier: Bool
    package let hasLater: Bool
    /// The anchor of the window before this one: the first item.
    package let first: ItemIdentity?
    /// The anchor of the window after this one: the last item.
    package let last: ItemIdentity?

    /// The content coordinate of the anchor's frame along the screen, in points.
    let origin: Double
    /// The index in the whole tree of the first section.
    let firstSection: Int
    let shares: [Share]
    /// The identity of each section, which depends on those before it in the whole tree.
    let identities: [SectionIdentity]

    /// Creates the window around an item.
    ///
    /// - Parameters:
    ///   - place: The item; `nil` for the null anchor.
    ///   - whole: The screen.
    ///   - index: The index of the screen's frames.
    ///   - lengths: The lengths before and after the anchor.
    ///   - coordinates: The coordinate system of the window's frames.
    /// - Complexity: O(items of the window + log items), for lines that follow each other.
    package init(
        around place: PlacedItem?, in whole: MergedScreen, _ index: VisibilityIndex,
        lengths: Lengths, coordinates: TreeOptions.Coordinates
    ) {
        let range = WindowRange(around: place, in: whole, index, lengths)
        anchor = place.flatMap { whole.identity(of: $0) }
        self.lengths = lengths
        origin = range.origin
        firstSection = range.sections.lowerBound
        identities = whole.identities(
            from: range.sections.lowerBound, count: range.sections.count)
        var sections = ChunkedList<MergedSection>()
        var shown = index.screen
        shown.sections = []
        shown.diagnostics = []
        for (section, items) in zip(range.sections, range.items) {
            sections.append(MergedSection(items, of: whole.sections[section]))
            var frames = index.screen.sections[section].part(with: items)
            if coordinates == .window { frames.frame.move(by: -origin, along: shown.axis) }
            shown.sections.append(frames)
        }
        screen = MergedScreen(sections, partOf: whole)
        frames = shown
        shares = zip(range.items, range.itemCounts).map {
            Share(firstItem: $0.lowerBound, itemCount: $1)
        }
        (hasEarlier, hasLater) = (range.hasEarlier, range.hasLater)
        let places = range.places
        first = places.lazy.compactMap { whole.identity(of: $0) }.first ?? anchor
        last = places.reversed().lazy.compactMap { whole.identity(of: $0) }.first ?? anchor
    }

    func write(to output: inout StructuredJSONWriter) {
        output.inlineObject("window") { output in
            output.member("section")
            output.string(anchor?.section.id)
            output.member("item")
            output.string(anchor.map { String(decoding: $0.item, as: UTF8.self) })
            output.member("origin", origin)
            output.member("firstSection", firstSection)
            output.member("before", lengths.before)
            output.member("after", lengths.after)
        }
    }
}

/// The sections of a window, and the range of the items that each has there.
private struct WindowRange {
    private(set) var sections: Range<Int>
    private(set) var items: [Range<Int>] = []
    private(set) var itemCounts: [Int] = []
    let origin: Double
    let hasEarlier: Bool
    let hasLater: Bool

    init(
        around place: PlacedItem?, in whole: MergedScreen, _ index: VisibilityIndex,
        _ lengths: ScreenWindow.Lengths
    ) {
        let screen = index.screen
        let order = Strip.Order(of: screen)
        let anchor = place.map { place in
            screen.sections[place.section].contentFrame(
                of: screen.sections[place.section].items[place.item])
        }
        origin = anchor?.start(order.axis) ?? 0
        let span = anchor.map(order.span) ?? order.contentStart(of: screen.contentSize)
        let strip = Strip(
            order: order, start: span.start - lengths.before, end: span.end + lengths.after)
        sections = 0..<0
        if let found = index.sections(in: strip) { sections = found }
        if let place {
            sections =
                sections.isEmpty
                ? place.section..<place.section + 1
                : min(
                    sections.lowerBound, place.section)..<max(
                        sections.upperBound, place.section + 1)
        }
        sections = sections.clamped(to: 0..<min(whole.sections.count, screen.sections.count))
        for section in sections {
            let count = min(whole.sections[section].itemCount, screen.sections[section].items.count)
            let anchorItem = place.flatMap { $0.section == section ? $0.item : nil }
            items.append(
                Self.items(ofSection: section, count: count, anchor: anchorItem, in: strip, index))
            itemCounts.append(count)
        }
        let count = min(whole.sections.count, screen.sections.count)
        hasEarlier = sections.lowerBound > 0 || (items.first?.lowerBound ?? 0) > 0
        hasLater =
            sections.upperBound < count
            || (items.last?.upperBound ?? 0) < (itemCounts.last ?? 0)
    }

    /// `anchor` is the anchor if it is one of the section's items, else `nil`.
    private static func items(
        ofSection index: Int, count: Int, anchor: Int?, in strip: Strip,
        _ frames: VisibilityIndex
    ) -> Range<Int> {
        let section = frames.screen.sections[index]
        if section.scroll != nil || section.paging != nil { return 0..<count }
        let visible = frames.items(ofSection: index, in: strip)
        let whole = 0..<count
        if let visible, let anchor {
            return (min(visible.lowerBound, anchor)..<max(visible.upperBound, anchor + 1))
                .clamped(to: whole)
        }
        if let range = visible ?? anchor.map({ $0..<$0 + 1 }) { return range.clamped(to: whole) }
        let before = min(frames.itemCount(ofSection: index, before: strip), count)
        return before..<before
    }

    var places: [PlacedItem] {
        zip(sections, items).flatMap { section, items in
            items.lazy.map { PlacedItem(section: section, item: $0) }
        }
    }
}

extension Strip.Order {
    /// Returns the position at which reading starts, as an empty span.
    fileprivate func contentStart(of size: Size) -> (start: Double, end: Double) {
        isReversed ? (-size.width, -size.width) : (0, 0)
    }
}

extension SectionFrames {
    fileprivate func part(with items: Range<Int>) -> SectionFrames {
        var part = self
        part.items = self.items.part(items)
        part.separators = separators.part(items)
        part.lines = lines.part(items)
        part.exactSizes.items = exactSizes.items.part(items)
        return part
    }
}

extension ChunkedList {
    fileprivate func part(_ range: Range<Int>) -> Self {
        var part = Self()
        let range = range.clamped(to: indices)
        part.reserveCapacity(range.count)
        forEachChunk(in: range) { elements, _ in
            for element in elements { part.append(element) }
        }
        return part
    }
}

extension Frame {
    fileprivate mutating func move(by distance: Double, along axis: ScreenAxis) {
        switch axis {
        case .vertical: y += distance
        case .horizontal: x += distance
        }
    }
}
