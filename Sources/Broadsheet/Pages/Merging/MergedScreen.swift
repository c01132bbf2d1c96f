/// The one screen that pages make together (docs/api.md, "Merging"), ready to be laid out.
public struct MergedScreen: Sendable {
    /// The sections in the order of their first appearance.
    public let sections: [MergedSection]
    /// The number of the highest page in it; 0 when there is none.
    public let page: Int
    /// How many pages are in it.
    public let pageCount: Int
    /// Whether a higher page is stored, or the highest in it said that there is one.
    public let hasNext: Bool
    /// What holds for the whole screen.
    public let layout: ScreenLayout

    private let pages: [ResolvedPage]

    /// What in the pages became less than its sender may have meant, in page order;
    /// O(diagnostics).
    public var diagnostics: [Diagnostic] { pages.flatMap(\.diagnostics) }

    /// The bytes of all its pages together.
    package var postedByteCount: Int { pages.reduce(0) { $0 + $1.bytes.count } }

    /// The items of all sections together, without those of collapsed ones.
    public var itemCount: Int { sections.reduce(0) { $0 + $1.itemCount } }

    /// Merges `pages`, which ascend by number.
    ///
    /// O(sections + items).
    ///
    /// - Parameters:
    ///   - hasHigherPage: Whether a page above these is stored.
    ///   - collapsed: Identifiers of sections to collapse besides those that pages collapse.
    ///   - registry: How sections and the screen are laid out.
    init(
        _ pages: [ResolvedPage], hasHigherPage: Bool, collapsed: some Sequence<String>,
        registry: CellRegistry
    ) {
        var merger = SectionMerger()
        for page in pages { merger.add(page) }
        let collapsed = Set(collapsed.map(Identifier.init))
        sections = merger.drafts.map { $0.merged(collapsed: collapsed, registry: registry) }
        page = pages.last?.number ?? 0
        pageCount = pages.count
        hasNext = hasHigherPage || pages.last?.hasNext == true
        layout = registry.screen
        self.pages = pages
    }
}

extension PaginatedViewModel {
    /// The screen that the stored pages make, ascending by number whatever order they came in.
    ///
    /// O(sections + items).
    ///
    /// - Parameters:
    ///   - last: The number of the highest page to take; all when nil.
    ///   - collapsed: Identifiers of sections to collapse besides those that pages collapse.
    ///   - registry: How sections and the screen are laid out.
    public func merged(
        upTo last: Int? = nil, collapsed: some Sequence<String> = EmptyCollection(),
        registry: CellRegistry
    ) -> MergedScreen {
        let last = last ?? Int.max
        return MergedScreen(
            Array(pages.prefix { $0.number <= last }), hasHigherPage: page(after: last) != nil,
            collapsed: collapsed, registry: registry)
    }
}
