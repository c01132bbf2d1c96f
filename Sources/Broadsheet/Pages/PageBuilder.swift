/// Builds a page in code, section by section, for a Swift program that has no posted page.
///
/// Data is taken from one document, in whatever shape: a cell's data is some value in it. Each call
/// on a section counts as one unit, in places (`p0.u2.e5`) and in the pointers of diagnostics.
///
///     let page = try ResolvedPage.build(number: 0, from: document) { page in
///         page.section("ProductList") { section in
///             section.layout.flow.gridColumnCount = 2
///             section.header(TitleView.self, data: document.root["title"])
///             section.cells(ProductCell.self, data: document.root["products"])
///         }
///     }
public struct PageBuilder: Sendable {
    fileprivate var builder: SectionBuilder
    fileprivate var drafts: [SectionDraft] = []

    fileprivate init(_ document: JSONDocument) {
        // Whoever builds a page in code is trusted with its size; a screen still has its limits.
        builder = SectionBuilder(
            draft: PageDraft(document, kinds: [], limits: ScreenLimits(maxItems: .max)),
            unit: UnitContext(call: 0, in: 0))
    }

    /// Adds a section behind those that are there.
    ///
    /// - Parameters:
    ///   - identifier: What names the section; nil makes one that never merges.
    ///   - collapsed: Whether its items are hidden; nil leaves that to other pages.
    ///   - content: Adds its cells, header, footer and layout members.
    public mutating func section<Failure: Error>(
        _ identifier: String? = nil, collapsed: Bool? = nil,
        _ content: (inout SectionBuilder) throws(Failure) -> Void
    ) throws(Failure) {
        let start = builder.draft.cells.count
        builder.begin()
        builder.unit = UnitContext(call: 0, in: drafts.count)
        try content(&builder)
        drafts.append(
            SectionDraft(
                identifier: identifier, collapsed: collapsed, posted: nil, builder,
                cells: start..<builder.draft.cells.count))
    }
}

extension ResolvedPage {
    /// Builds the page of that number from the values of `document`.
    ///
    /// O(items). Throws what `content` throws.
    ///
    /// - Parameters:
    ///   - hasNext: Whether more pages exist after it.
    ///   - content: Adds its sections.
    public static func build<Failure: Error>(
        number: Int, hasNext: Bool = false, from document: JSONDocument,
        _ content: (inout PageBuilder) throws(Failure) -> Void
    ) throws(Failure) -> ResolvedPage {
        var page = PageBuilder(document)
        try content(&page)
        return ResolvedPage(
            number: number, hasNext: hasNext, page.drafts, page.builder.draft,
            PageDiagnostics(
                page.builder.draft, maxDiagnostics: ScreenLimits().maxDiagnostics))
    }
}
