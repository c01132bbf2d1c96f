/// Builds a page in code, section by section, for a Swift program that has no posted page.
///
/// The data of a cell is a model or a value of any document. Each call on a section counts as one
/// unit, in positions (`p0.u2.e5`) and in the pointers of diagnostics.
///
///     let page = ResolvedPage.build(number: 0) { page in
///         page.section("ProductList") { section in
///             section.layout.flow.gridColumnCount = 2
///             section.header(TitleView.self, data: "Offers")
///             section.cells(ProductCell.self, data: products)
///         }
///     }
public struct PageBuilder: Sendable {
    fileprivate var sections: [BuiltSection] = []

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
        var builder = SectionBuilder(recording: identifier)
        try content(&builder)
        sections.append(
            BuiltSection(
                identifier: identifier, collapsed: collapsed, layout: builder.layout,
                data: builder.data, calls: builder.calls ?? []))
    }
}

extension ResolvedPage {
    /// Builds the page of that number from models and from values of documents.
    ///
    /// - Parameters:
    ///   - number: The page's number.
    ///   - hasNext: A Boolean value that indicates whether more pages exist after it.
    ///   - hasPrevious: A Boolean value that indicates whether more pages exist before it.
    ///   - document: The document of the page if its cells have no data.
    ///   - registry: The registry with the fonts of the contents of cell types; `nil` if no content
    ///     has a text.
    ///   - content: Appends its sections.
    /// - Returns: The page. Its bytes are the document of all its data, or else an array of the
    ///   values and models; if they exceed ``JSONDocument/maxByteCount``, it has a diagnostic and
    ///   no sections.
    /// - Throws: The error that `content` throws.
    /// - Complexity: O(items) with one document, otherwise O(bytes of the data).
    public static func build<Failure: Error>(
        number: Int, hasNext: Bool = false, hasPrevious: Bool = false,
        from document: JSONDocument? = nil, fontsOf registry: CellRegistry? = nil,
        _ content: (inout PageBuilder) throws(Failure) -> Void
    ) throws(Failure) -> ResolvedPage {
        var page = PageBuilder()
        try content(&page)
        var sections = page.sections
        if let document = sections.document(or: document) {
            return ResolvedPage(
                number: number, (hasNext, hasPrevious), sections, of: document,
                registry?.codeContents)
        }
        do throws(JSONError) {
            let document = try sections.joinData()
            return ResolvedPage(
                number: number, (hasNext, hasPrevious), sections, of: document,
                registry?.codeContents)
        } catch {
            let violation = ContractViolation(pointer: "", detail: error.detail)
            return ResolvedPage(
                unreadable: .null, number: number, names: ContractNames(),
                error: ContractError(violations: [violation]))
        }
    }

    /// Creates a page of sections whose data belongs to one document.
    private convenience init(
        number: Int, _ neighbors: PageNeighbors, _ sections: [BuiltSection],
        of document: JSONDocument, _ codeContents: CodeContents?
    ) {
        // The program is trusted with the size of its pages; a screen still has its limits.
        var builder = SectionBuilder(
            document, limits: ScreenLimits(maxItems: .max),
            codeContents: codeContents ?? CodeContents())
        let drafts = sections.enumerated().map { index, section in
            let start = builder.draft.cells.count
            builder.begin(section.identifier)
            builder.unit = UnitContext(call: 0, in: index)
            builder.layout = section.layout
            builder.data = section.data
            for call in section.calls { builder.place(call) }
            return SectionDraft(
                identifier: section.identifier, collapsed: section.collapsed, builder,
                cells: start..<builder.draft.cells.count)
        }
        self.init(
            number: number, neighbors, drafts, builder.draft,
            PageDiagnostics(builder.draft, maxDiagnostics: ScreenLimits().maxDiagnostics),
            built: sections.map(KeptSection.init))
    }
}
