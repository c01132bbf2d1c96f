import BroadsheetClient

/// A page whose units have been resolved to cells, headers and footers.
///
/// It is immutable and shared by screens and responses. It keeps the posted bytes and 24 bytes for
/// each item; it keeps the document's index only if a Swift cell type reads its data as JSON.
public final class ResolvedPage: Sendable {
    /// The page's number in its screen.
    public let number: Int
    /// A Boolean value that indicates whether more pages exist after this one, as the page
    /// specifies.
    public let hasNext: Bool
    /// A Boolean value that indicates whether more pages exist before this one, as the page
    /// specifies.
    public let hasPrevious: Bool
    /// The bytes of the document that contains the page.
    public let bytes: [UInt8]
    /// The sections in their order, also those that are hidden.
    public let sections: [SectionInfo]
    /// The number of sections that are not hidden.
    public let sectionCount: Int
    /// The number of items in all sections.
    public let itemCount: Int

    /// The number of nodes of the index of ``bytes``, which need not be kept.
    package let nodeCount: Int
    package let kinds: [CellKind]
    /// The numbers that items' size rules read.
    let inputs: [Double]
    /// The columns that items span, by their indexes; items behind the last one span one column.
    private let spans: [ItemSpan]
    let hasSpans: Bool
    /// The shaped texts that items' size rules measure, each once.
    let texts: [any ShapedText]
    /// The memory of the shaped texts in bytes, which other pages and the measurer's cache may
    /// share.
    package let textByteCount: Int
    /// The length of the longest text, in bytes.
    package let longestText: Int
    /// An upper bound of the number of boxes of the items' contents; 0 without contents.
    package let contentBoxCount: Int
    /// The decoded data of the items of Swift types, by the identities of their kinds.
    let models: [ObjectIdentifier: any CellModels]
    /// The document, if Swift cell types read its values.
    let document: JSONDocument?
    /// The first different unknown unit types of the page, at most ``maxUnknownUnitTypes``, each
    /// cut to ``maxShownNameLength`` characters.
    package let unknownUnitTypes: [String]
    /// The variants of the page for other audiences; `nil` if it is the same for all.
    package let variants: PageVariants?
    /// A Boolean value that indicates whether the page is a variant of the stored one, which only
    /// layouts keep.
    package let isVariant: Bool
    let missing: [MissingSection]
    /// The sections of a page that was built in code, as they were built; `nil` for a posted page.
    let built: [KeptSection]?
    /// The node of the posted page in its document; `nil` for a page that was built in code, and
    /// for one that is unreadable.
    private let node: UInt32?
    private let companion = LockedValue<(any AnyObject & Sendable)?>(nil)
    private let pageDiagnostics: PageDiagnostics

    package static let maxUnknownUnitTypes = 10
    /// The largest number of characters of a name in ``unknownUnitTypes``.
    package static let maxShownNameLength = 64

    /// Resolves `page` by the types of `registry`, for requests without a client.
    ///
    /// - Parameters:
    ///   - page: The posted page.
    ///   - number: The page's number in its screen.
    ///   - registry: The registered types.
    ///   - limits: The limits of the page.
    /// - Throws: A violation if the page makes more than `limits.maxItems` items.
    /// - Complexity: O(bytes).
    public convenience init(
        page: ServerStatePage, number: Int, registry: CellRegistry,
        limits: ScreenLimits = ScreenLimits()
    ) throws(ContractError) {
        var resolver = PageResolver(page, for: .standard, registry: registry, limits: limits)
        try self.init(
            &resolver, number: number,
            variants: PageVariants(of: page, registry: registry, limits: limits))
    }

    /// Throws a violation if the page makes more items than a page may have.
    convenience init(
        _ resolver: inout PageResolver, number: Int, variants: PageVariants? = nil,
        isVariant: Bool = false
    ) throws(ContractError) {
        let sections = try resolver.sections()
        resolver.draft.variants = variants
        resolver.draft.isVariant = isVariant
        self.init(
            number: number, (resolver.page.hasNext, resolver.page.hasPrevious), sections,
            resolver.draft,
            PageDiagnostics(
                resolver.draft, of: resolver.page,
                maxDiagnostics: resolver.limits.maxDiagnostics), node: resolver.page.node)
    }

    /// Two Boolean values: that more pages exist after a page, and before it.
    typealias PageNeighbors = (hasNext: Bool, hasPrevious: Bool)

    /// Creates a page from a complete draft, without spare capacity.
    init(
        number: Int, _ neighbors: PageNeighbors, _ sections: [SectionDraft],
        _ draft: borrowing PageDraft, _ diagnostics: PageDiagnostics, node: UInt32? = nil,
        built: [KeptSection]? = nil
    ) {
        self.node = node
        self.built = built
        let cells = draft.cells.trimmed()
        let boxes = draft.kinds.map { $0.contents?.boxes.count ?? 0 }
        let withContents = boxes.contains { $0 > 0 } ? boxes.map { $0 > 0 } : []
        self.sections = sections.map { $0.info(of: cells, withContents: withContents) }
        let hasContents = self.sections.contains(where: \.hasContents)
        contentBoxCount = hasContents ? (cells.count + 1) * (boxes.max() ?? 0) : 0
        sectionCount = self.sections.count { !$0.isHidden }
        variants = draft.variants
        isVariant = draft.isVariant
        missing = draft.missing
        self.number = number
        (hasNext, hasPrevious) = neighbors
        bytes = draft.document.bytes
        nodeCount = draft.document.nodeCount
        itemCount = cells.count
        kinds = draft.kinds
        inputs = draft.inputs.trimmed()
        spans = draft.spans.trimmed()
        hasSpans = !spans.isEmpty || kinds.contains { $0.span.fixed ?? .one != .one }
        texts = draft.texts.all.trimmed()
        textByteCount = draft.texts.byteCount
        longestText = draft.texts.longest
        models = draft.models
        document = draft.needsDocument ? draft.document : nil
        unknownUnitTypes = draft.unknownUnitTypes
        pageDiagnostics = diagnostics
    }

    /// Creates a page that was accepted once and breaks the contract of the current catalog.
    ///
    /// The page has no sections, and a diagnostic for each violation.
    ///
    /// - Parameter stored: The page of which it is a variant, if it is one.
    package convenience init(
        unreadable document: JSONDocument, number: Int, names: ContractNames,
        error: ContractError, variantOf stored: ResolvedPage? = nil
    ) {
        var draft = PageDraft(document, kinds: [], limits: ScreenLimits())
        draft.isVariant = stored != nil
        self.init(
            number: number, (stored?.hasNext ?? false, stored?.hasPrevious ?? false), [], draft,
            PageDiagnostics(unreadable: error, names: names))
    }

    /// Returns the page as it was posted; `nil` for a page that was built in code, and for one that
    /// is unreadable.
    ///
    /// - Parameters:
    ///   - names: The names of the page's members.
    ///   - earlier: The document of another page, which may contain this one, too.
    /// - Complexity: O(bytes of the page) if `earlier` contains it, otherwise O(``bytes``).
    func posted(by names: ContractNames, reusing earlier: JSONDocument? = nil) -> ServerStatePage? {
        guard let node else { return nil }
        let known = document ?? earlier.flatMap { $0.bytes.isSameStorage(as: bytes) ? $0 : nil }
        guard let document = known ?? (try? JSONDocument(bytes, maxDepth: .max)) else { return nil }
        var limits = ScreenLimits()
        limits.maxSections = .max
        return try? ServerStatePage(document.value(at: node), names: names, limits: limits)
    }

    /// The size of the numbers, texts, models and values that the sizes of items depend on, in
    /// bytes.
    package var inputByteCount: Int {
        inputs.count * MemoryLayout<Double>.stride
            + spans.count * MemoryLayout<ItemSpan>.stride
            + texts.count * MemoryLayout<any ShapedText>.stride + textByteCount
            + models.values.reduce(0) { $0 + $1.byteCount } + (document?.indexByteCount ?? 0)
    }

    /// The size of the index of ``bytes``, which need not be kept, in bytes.
    package var indexByteCount: Int { nodeCount * MemoryLayout<JSONNode>.stride }

    func span(of cell: CellInfo, at index: Int) -> ItemSpan {
        kinds[cell.kind].span.fixed ?? (spans.indices.contains(index) ? spans[index] : .one)
    }

    /// Returns the scope of size rules for a request; `start` is the index of a cell's first input.
    func scope(_ request: SizeRequest, start: Int = 0) -> SizeScope {
        SizeScope(request.container, inputs: inputs, texts: texts, start: start)
    }

    /// Keeps an object as long as the page, such as the reservation of its memory.
    package func keep(_ object: any AnyObject & Sendable) { companion.withLock { $0 = object } }

    package var kept: (any AnyObject & Sendable)? { companion.withLock { $0 } }

    /// The diagnostics of the page, in the order in which they occurred.
    ///
    /// - Complexity: O(diagnostics).
    public var diagnostics: [Diagnostic] { pageDiagnostics.diagnostics(page: number) }

    /// The numbers of the page's diagnostics, including those that are not listed.
    ///
    /// - Complexity: O(listed diagnostics).
    package var diagnosticCounts: DiagnosticCounts { pageDiagnostics.counts }

    var hasDiagnostics: Bool { !pageDiagnostics.isEmpty }

    package var names: ContractNames { pageDiagnostics.names }

    package func pointer(ofSection index: Int) -> String {
        JSONPointer.appending(JSONPointer.appending("", pageDiagnostics.names.sections), index)
    }

    package func pointer(of view: ReusableViewInfo) -> String {
        view.location.pointer(pageDiagnostics.names)
    }
}

extension [UInt8] {
    fileprivate func isSameStorage(as other: [UInt8]) -> Bool {
        count == other.count
            && withUnsafeBytes(\.baseAddress) == other.withUnsafeBytes(\.baseAddress)
    }
}

extension Array {
    /// Returns the same elements without spare capacity, if that is more than an eighth.
    package func trimmed() -> [Element] {
        guard capacity - count > count / 8 else { return self }
        return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            _ = buffer.initialize(from: self)
            initialized = count
        }
    }
}
