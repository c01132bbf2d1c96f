import BroadsheetClient

/// A section's content repeated several times, as an infinite carousel lays it out (rule P1).
struct RepeatedContent<Base: SectionContent>: SectionContent {
    /// The section itself.
    let base: Base
    /// The number of times that its items are repeated, at least 1: frame index i shows item i mod
    /// n.
    let copies: Int

    /// Creates the content of a carousel: three copies if it is infinite, otherwise one (P1).
    init(pagesOf base: Base, _ options: PagingOptions) {
        self.base = base
        copies = options.isInfinitePage && base.itemCount > 1 ? 3 : 1
    }

    var itemCount: Int { base.itemCount * copies }
    var hasHeader: Bool { base.hasHeader }
    var hasFooter: Bool { base.hasFooter }
    var layout: SectionLayout { base.layout }

    func itemSizes(_ request: SizeRequest) -> [Size] {
        let sizes = base.itemSizes(request)
        guard copies > 1 else { return sizes }
        var repeated: [Size] = []
        repeated.reserveCapacity(sizes.count * copies)
        for _ in 0..<copies { repeated += sizes }
        return repeated
    }

    func uniformItemSize(_ request: SizeRequest) -> Size? { base.uniformItemSize(request) }
    func headerSize(_ request: SizeRequest) -> Size { base.headerSize(request) }
    func footerSize(_ request: SizeRequest) -> Size { base.footerSize(request) }
}

extension Carousel {
    /// Creates the carousel of a laid-out section (P2).
    ///
    /// - Parameters:
    ///   - pages: The content that was laid out.
    ///   - options: The configuration.
    ///   - arrangement: The result of the layout.
    ///   - geometry: The lengths of the section.
    ///   - context: The values of the screen.
    init<Content: SectionContent>(
        _ pages: RepeatedContent<Content>, _ options: PagingOptions,
        laidOutAs arrangement: SectionArrangement, _ geometry: PageGeometry,
        in context: LayoutContext
    ) {
        self.init(
            options: options, pageCount: pages.base.itemCount, copies: pages.copies,
            viewportLength: context.mainViewport, contentLength: arrangement.length,
            sectionInset: geometry.sectionInset,
            itemLength: arrangement.items.first?.length(context.axis) ?? 0,
            lineSpacing: geometry.lineSpacing)
    }
}
