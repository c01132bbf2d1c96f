/// A page whose units have become cells, headers and footers; immutable, and shared by whatever
/// screens and answers hold it.
///
/// It keeps the posted bytes and 24 bytes an item; the document's index only when a Swift cell type
/// will ask for its data.
public final class ResolvedPage: Sendable {
    /// The page's number in its screen.
    public let number: Int
    /// Whether the page said that more pages exist after it.
    public let hasNext: Bool
    /// The bytes of the document that the page is, or is part of.
    public let bytes: [UInt8]
    /// The sections in their order.
    public let sections: [SectionInfo]
    /// How many items the sections have.
    public let itemCount: Int

    /// The cell types that items refer to by index.
    package let kinds: [CellKind]
    /// The numbers that items' size rules need.
    let inputs: [Double]
    /// The document, when Swift cell types will ask for its values.
    let document: JSONDocument?
    private let reports: PageDiagnostics

    /// Resolves `page` by what is registered in `registry`, as page `number` of its screen.
    ///
    /// O(bytes). Throws a violation when the page makes more than `limits.maxItems` items.
    public convenience init(
        page: ServerStatePage, number: Int, registry: CellRegistry,
        limits: ScreenLimits = ScreenLimits()
    ) throws(ContractError) {
        var resolver = PageResolver(page, registry: registry, limits: limits)
        let sections = try resolver.sections()
        let draft = resolver.builder.draft
        self.init(
            number: number, hasNext: page.hasNext, sections, draft,
            PageDiagnostics(draft, of: page, maxDiagnostics: limits.maxDiagnostics))
    }

    /// Keeps what `draft` has become, without room to spare.
    init(
        number: Int, hasNext: Bool, _ sections: [SectionDraft], _ draft: PageDraft,
        _ reports: PageDiagnostics
    ) {
        let cells = draft.cells.trimmed()
        self.sections = sections.map { $0.info(of: cells) }
        self.number = number
        self.hasNext = hasNext
        bytes = draft.document.bytes
        itemCount = cells.count
        kinds = draft.kinds
        inputs = draft.inputs.trimmed()
        document = draft.needsDocument ? draft.document : nil
        self.reports = reports
    }

    /// Keeps a page that was accepted once and does not fit the contract `names` any more, since
    /// another catalog is in force: without sections, with a diagnostic for each violation.
    package convenience init(
        unreadable document: JSONDocument, number: Int, names: ContractNames, error: ContractError
    ) {
        self.init(
            number: number, hasNext: false, [],
            PageDraft(document, kinds: [], limits: ScreenLimits()),
            PageDiagnostics(unreadable: error, names: names))
    }

    /// What became less than its sender may have meant, in the order in which it was found;
    /// O(diagnostics).
    public var diagnostics: [Diagnostic] { reports.diagnostics(page: number) }

    /// The pointer into the page of its section at `index`.
    package func pointer(ofSection index: Int) -> String {
        JSONPointer.appending(JSONPointer.appending("", reports.names.sections), index)
    }

    /// The pointer into the page of the unit that made `view`, its header or footer.
    package func pointer(of view: ReusableViewInfo) -> String {
        view.place.pointer(reports.names)
    }
}

extension Array {
    /// The same elements without spare room, where that is more than an eighth.
    package func trimmed() -> [Element] {
        guard capacity - count > count / 8 else { return self }
        return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            _ = buffer.initialize(from: self)
            initialized = count
        }
    }
}
