/// Builds a page in code, section by section, for a Swift program that has no posted page.
///
/// The data of every cell is a value of one document, which may have any structure. Each call on a
/// section counts as one unit, in positions (`p0.u2.e5`) and in the pointers of diagnostics.
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
        // The program is trusted with the size of its pages; a screen still has its limits.
        builder = SectionBuilder(
            draft: PageDraft(document, kinds: [], limits: ScreenLimits(maxItems: .max)),
            unit: UnitContext(call: 0, in: 0))
    }

    /// Appends a section.
    ///
    /// - Parameters:
    ///   - identifier: The section's identifier; a section without one is never merged.
    ///   - collapsed: A Boolean value that indicates whether its items are hidden; `nil` to leave
    ///     that to other pages.
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
                identifier: identifier, collapsed: collapsed, builder,
                cells: start..<builder.draft.cells.count))
    }
}

extension ResolvedPage {
    /// Builds the page of that number from the values of a document.
    ///
    /// - Parameters:
    ///   - number: The page's number.
    ///   - hasNext: A Boolean value that indicates whether more pages exist after it.
    ///   - document: The document that contains the data of all cells.
    ///   - content: Appends its sections.
    /// - Throws: The error that `content` throws.
    /// - Complexity: O(items).
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
