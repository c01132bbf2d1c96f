/// A section that is resolved while others of its page are not yet, so that its items still move.
struct SectionDraft: Sendable {
    private let identifier: String?
    private let collapsed: Bool?
    private let layout: SectionLayout?
    private let header: ReusableViewInfo?
    private let footer: ReusableViewInfo?
    private let cells: Range<Int>

    /// Takes what `builder` holds besides the page's items, of which `cells` are the section's.
    ///
    /// - Parameter posted: The layout members that win over the builder's.
    init(
        identifier: String?, collapsed: Bool?, posted: SectionLayout?, _ builder: SectionBuilder,
        cells: Range<Int>
    ) {
        self.identifier = identifier
        self.collapsed = collapsed
        let configured = builder.layout == SectionLayout() ? nil : builder.layout
        layout = posted.map { configured?.overridden(by: $0) ?? $0 } ?? configured
        header = builder.header
        footer = builder.footer
        self.cells = cells
    }

    /// The section, once its page has all its items.
    func info(of cells: [CellInfo]) -> SectionInfo {
        SectionInfo(
            identifier: identifier, collapsed: collapsed, layout: layout, header: header,
            footer: footer, cells: cells[self.cells])
    }
}
