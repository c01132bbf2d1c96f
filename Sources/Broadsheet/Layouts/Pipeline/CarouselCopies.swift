import BroadsheetClient

/// The number of times that a carousel shows its items (rule P1).
///
/// The items are laid out once: the copies follow each other at equal distances.
struct CarouselCopies: Sendable {
    /// The number of copies: odd, at least 1.
    private(set) var count = 1
    /// The distance from a copy to the next one, in points.
    private(set) var length = 0.0
    /// The reason why an infinite carousel has one copy, if there is one.
    private(set) var obstacle: PagingObstacle?

    init() {}

    /// `length` is the distance from a copy to the next one; `viewport` is the scroller's.
    init(
        of itemCount: Int, length: Double, _ options: PagingOptions, in viewport: Double,
        sharing lines: SharedLines = .none
    ) {
        guard options.isInfinitePage, itemCount > 1 else { return }
        let sides = ((viewport - FitTest.tolerance) / length).rounded(.up)
        if lines != .none {
            obstacle = .joinedCopies
        } else if length > 0, sides <= Double(Carousel.maxCopies / 2) {
            count = 2 * Int(max(1, sides)) + 1
            self.length = length
        } else {
            obstacle = .shortCopies
        }
    }

    var addedLength: Double { Double(count - 1) * length }
}

/// The lines of a flow section that several items are in.
enum SharedLines: Sendable {
    /// Each line has one item.
    case none
    /// Each line has one item, but the last one has space for the first item, too.
    case betweenCopies
    /// A line has several items.
    case within
}

extension SectionArrangement {
    /// Notes how many items the last line of flow has, and whether the first item would fit into
    /// it, too.
    mutating func noteLastLine(of count: Int, fitsFirst: Bool) {
        if count > 1 { sharedLines = .within }
        if sharedLines == .none, fitsFirst { sharedLines = .betweenCopies }
    }
}

/// The reason why a section does not turn pages, or is not repeated (rule P1).
enum PagingObstacle: Sendable, Hashable {
    /// There are other sections, or the section is neither flow nor cards.
    case place
    case sharedLine
    /// The last item and the first one would share a line between two copies.
    case joinedCopies
    /// Too many copies would be necessary.
    case shortCopies

    /// A sentence that describes the reason and its remedy.
    var explanation: String {
        switch self {
        case .place:
            "paging needs a screen of exactly one flow section, or cards that scroll sideways; it "
                + "is switched off"
        case .sharedLine:
            "lines of several items cannot turn pages, so paging is switched off; give each item a "
                + "line of its own (\"gridColumnCount\": 1), or use cards that scroll sideways"
        case .joinedCopies:
            "the infinite carousel ends, because its last and its first item have space in one "
                + "line; let each item fill its line"
        case .shortCopies:
            "the infinite carousel ends, because \(Carousel.maxCopies) copies of its items do not "
                + "fill the viewport on both sides of one; add items, or make them longer"
        }
    }
}

extension Carousel {
    /// The carousel of a laid-out section (P2, P13); `arrangement` gets the copies of cards.
    init(
        of count: Int, _ options: PagingOptions, laidOutAs arrangement: inout SectionArrangement,
        _ geometry: PageGeometry, in context: LayoutContext
    ) {
        let scroll = geometry.scroller == .section ? arrangement.scroll : nil
        let itemLength = arrangement.items.first?.length(scroll?.axis ?? context.axis) ?? 0
        if let scroll {
            // P13: the scroller's content is one copy; a page is a card and the space after it.
            arrangement.copies = CarouselCopies(
                of: count, length: Double(count) * (itemLength + geometry.lineSpacing), options,
                in: scroll.frame.width)
        }
        let copies = arrangement.copies
        self.init(
            options: options, pageCount: count, copies: copies.count,
            viewportLength: scroll?.frame.width ?? context.mainViewport,
            contentLength: scroll.map { max(0, $0.contentSize.width + copies.addedLength) }
                ?? arrangement.length,
            sectionInset: geometry.sectionInset, itemLength: itemLength,
            lineSpacing: geometry.lineSpacing)
    }
}
