import BroadsheetClient

/// A section's content repeated several times, as an infinite carousel of the whole screen lays it
/// out (rule P1).
struct RepeatedContent<Base: SectionContent>: SectionContent {
    /// The section itself.
    let base: Base
    /// The number of times that its items are repeated, at least 1: frame index i shows item i mod
    /// n.
    let copies: Int

    /// Creates the content of a carousel: three copies if it is infinite, otherwise one (P1).
    ///
    /// - Parameters:
    ///   - base: The section itself.
    ///   - options: The configuration, or `nil` if the section is not a carousel of the screen.
    init(pagesOf base: Base, _ options: PagingOptions?) {
        self.base = base
        copies = options.map { Carousel.copies(of: base.itemCount, $0) } ?? 1
    }

    var itemCount: Int { base.itemCount * copies }
    var hasHeader: Bool { base.hasHeader }
    var hasFooter: Bool { base.hasFooter }
    var hasContents: Bool { base.hasContents }
    var layout: SectionLayout { base.layout }

    func itemSizes(_ request: SizeRequest) -> [Size] { measuredItems(request).sizes }

    /// The lines are those of the first copy, the only one that a tree lists.
    func measuredItems(_ request: SizeRequest) -> MeasuredItems {
        var items = base.measuredItems(request)
        guard copies > 1 else { return items }
        let sizes = items.sizes
        items.sizes.reserveCapacity(sizes.count * copies)
        for _ in 1..<copies { items.sizes += sizes }
        return items
    }

    func appendMeasuredItems(
        _ request: SizeRequest, _ range: Range<Int>, to items: inout MeasuredItems
    ) {
        var start = range.lowerBound
        while start < range.upperBound {
            let first = start % base.itemCount
            let count = min(range.upperBound - start, base.itemCount - first)
            base.appendMeasuredItems(request, first..<first + count, to: &items)
            start += count
        }
    }

    func itemSpans(from first: Int) -> [ItemSpan] {
        var spans = base.itemSpans(from: 0)
        guard !spans.isEmpty else { return [] }
        spans += repeatElement(.one, count: base.itemCount - spans.count)
        return Array(repeatElement(spans, count: copies).joined().dropFirst(first))
    }

    func uniformItemSize(_ request: SizeRequest) -> Size? { base.uniformItemSize(request) }
    func headerSize(_ request: SizeRequest) -> Size { base.headerSize(request) }
    func footerSize(_ request: SizeRequest) -> Size { base.footerSize(request) }
}

extension Carousel {
    /// Returns the number of times that `count` items are shown (P1).
    static func copies(of count: Int, _ options: PagingOptions) -> Int {
        options.isInfinitePage && count > 1 ? 3 : 1
    }

    /// Creates the carousel of a laid-out section (P2, P13).
    ///
    /// - Parameters:
    ///   - count: The number of items, without copies.
    ///   - options: The configuration.
    ///   - arrangement: The result of the layout.
    ///   - geometry: The lengths of the section.
    ///   - context: The values of the screen.
    init(
        of count: Int, _ options: PagingOptions, laidOutAs arrangement: SectionArrangement,
        _ geometry: PageGeometry, in context: LayoutContext
    ) {
        let copies = Self.copies(of: count, options)
        let scroll = geometry.scroller == .section ? arrangement.scroll : nil
        let itemLength = arrangement.items.first?.length(scroll?.axis ?? context.axis) ?? 0
        // P13: the scroller's content is one copy; a page is a card and the space after it.
        let contentLength = scroll.map { scroll in
            let others = Double((copies - 1) * count) * (itemLength + geometry.lineSpacing)
            return max(0, scroll.contentSize.width + others)
        }
        self.init(
            options: options, pageCount: count, copies: copies,
            viewportLength: scroll?.frame.width ?? context.mainViewport,
            contentLength: contentLength ?? arrangement.length,
            sectionInset: geometry.sectionInset, itemLength: itemLength,
            lineSpacing: geometry.lineSpacing)
    }
}
