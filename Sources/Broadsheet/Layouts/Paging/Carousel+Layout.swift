import BroadsheetClient

extension Carousel {
    /// What is laid out for `content`: its items three times over when it never ends (P1).
    static func pages<Content: SectionContent>(
        _ content: Content, _ options: PagingOptions
    ) -> RepeatedContent<Content> {
        let isRepeated = options.isInfinitePage && content.itemCount > 1
        return RepeatedContent(base: content, copies: isRepeated ? 3 : 1)
    }

    /// Reads off a laid-out screen of one section what its paging needs (P2).
    init<Content: SectionContent>(
        _ pages: RepeatedContent<Content>, _ options: PagingOptions,
        laidOutAs arrangement: SectionArrangement, in context: LayoutContext
    ) {
        let metrics = FlowMetrics(pages.layout.flow, in: context)
        self.init(
            options: options, pageCount: pages.base.itemCount, copies: pages.copies,
            viewportLength: context.mainViewport, contentLength: arrangement.length,
            sectionInset: AxisEnds(leading: metrics.main.leading, trailing: metrics.main.trailing),
            itemLength: arrangement.items.first?.length(context.axis) ?? 0,
            lineSpacing: metrics.lineSpacing)
    }
}
