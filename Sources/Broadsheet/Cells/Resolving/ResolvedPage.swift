import Synchronization

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
    /// The cell types that items refer to by index.
    package let kinds: [CellKind]
    /// The numbers that items' size rules read.
    let inputs: [Double]
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
    /// The essential sections that cannot be made for the audience of the page.
    let missing: [MissingSection]
    /// The node of the posted page in its document; `nil` for a page that was built in code, and
    /// for one that is unreadable.
    private let node: UInt32?
    private let companion = Mutex<(any AnyObject & Sendable)?>(nil)
    private let pageDiagnostics: PageDiagnostics

    /// The largest number of ``unknownUnitTypes``.
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

    /// Resolves a page.
    ///
    /// - Parameters:
    ///   - resolver: The resolver of the page.
    ///   - number: The page's number in its screen.
    ///   - variants: The variants of the page for other audiences.
    ///   - isVariant: A Boolean value that indicates whether the page is itself a variant.
    /// - Throws: A violation if the page makes more items than a page may have.
    convenience init(
        _ resolver: inout PageResolver, number: Int, variants: PageVariants? = nil,
        isVariant: Bool = false
    ) throws(ContractError) {
        let sections = try resolver.sections()
        resolver.draft.variants = variants
        resolver.draft.isVariant = isVariant
        self.init(
            number: number, hasNext: resolver.page.hasNext, sections, resolver.draft,
            PageDiagnostics(
                resolver.draft, of: resolver.page,
                maxDiagnostics: resolver.limits.maxDiagnostics), node: resolver.page.node)
    }

    /// Creates a page from a complete draft, without spare capacity.
    init(
        number: Int, hasNext: Bool, _ sections: [SectionDraft], _ draft: borrowing PageDraft,
        _ diagnostics: PageDiagnostics, node: UInt32? = nil
    ) {
        self.node = node
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
        self.hasNext = hasNext
        bytes = draft.document.bytes
        nodeCount = draft.document.nodeCount
        itemCount = cells.count
        kinds = draft.kinds
        inputs = draft.inputs.trimmed()
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
            number: number, hasNext: stored?.hasNext ?? false, [], draft,
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
            + texts.count * MemoryLayout<any ShapedText>.stride + textByteCount
            + models.values.reduce(0) { $0 + $1.byteCount } + (document?.indexByteCount ?? 0)
    }

    /// The size of the index of ``bytes``, which need not be kept, in bytes.
    package var indexByteCount: Int { nodeCount * MemoryLayout<JSONNode>.stride }

    /// Returns the scope of size rules for a request; `start` is the index of a cell's first input.
    func scope(_ request: SizeRequest, start: Int = 0) -> SizeScope {
        SizeScope(request.container, inputs: inputs, texts: texts, start: start)
    }

    /// Keeps an object as long as the page, such as the reservation of its memory.
    package func keep(_ object: any AnyObject & Sendable) { companion.withLock { $0 = object } }

    /// The object that is kept as long as the page.
    package var kept: (any AnyObject & Sendable)? { companion.withLock { $0 } }

    /// The diagnostics of the page, in the order in which they occurred.
    ///
    /// - Complexity: O(diagnostics).
    public var diagnostics: [Diagnostic] { pageDiagnostics.diagnostics(page: number) }

    /// The numbers of the page's diagnostics, including those that are not listed.
    ///
    /// - Complexity: O(listed diagnostics).
    package var diagnosticCounts: DiagnosticCounts { pageDiagnostics.counts }

    /// A Boolean value that indicates whether the page has diagnostics, listed or not.
    var hasDiagnostics: Bool { !pageDiagnostics.isEmpty }

    /// The names of the members of the page.
    package var names: ContractNames { pageDiagnostics.names }

    /// Returns the pointer into the page of its section at `index`.
    package func pointer(ofSection index: Int) -> String {
        JSONPointer.appending(JSONPointer.appending("", pageDiagnostics.names.sections), index)
    }

    /// Returns the pointer into the page of the unit that made `view`, its header or footer.
    package func pointer(of view: ReusableViewInfo) -> String {
        view.location.pointer(pageDiagnostics.names)
    }
}

extension [UInt8] {
    /// Returns whether two arrays are the same object in memory.
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

/// A resolved section: its cells, header, footer and layout.
///
/// Sections with the same identifier, in one page or in several, become one in a merged screen.
public struct SectionInfo: Sendable {
    /// The section's identifier; a section without one never merges.
    public let identifier: String?
    /// A Boolean value that indicates whether the section is not there for the page's audience.
    ///
    /// It keeps its place, so that the indexes of the others are those that were posted.
    public let isHidden: Bool
    /// A Boolean value that indicates whether items are hidden; `nil` if the page does not specify
    /// it.
    public let collapsed: Bool?
    /// The section's header.
    public let header: ReusableViewInfo?
    /// The section's footer.
    public let footer: ReusableViewInfo?
    /// The section's items in order, collapsed or not.
    public let cells: ArraySlice<CellInfo>
    /// The kind of all items; `nil` if they differ, or there are none.
    let uniformKind: Int?
    /// A Boolean value that indicates whether all items are identified by distinct positions.
    let hasDistinctPositions: Bool
    /// A Boolean value that indicates whether an item, the header or the footer has a content.
    let hasContents: Bool
    /// The types of the units, and of the section's own header and footer.
    let unitTypes: UnitTypeSet
    /// The range in the page's bytes of the section's data for the client, if it has any.
    package let dataRange: Range<Int>?
    /// A Boolean value that indicates whether the page posts a header or a footer of the section's
    /// own, made or not.
    let hasOwnViews: Bool
    /// A Boolean value that indicates whether the page posts a layout of the section, even one
    /// without members.
    let hasOwnLayout: Bool
    private let layoutBox: LayoutBox?
    /// The layout of the section's first unit type with one, if it can have an effect.
    let unitLayout: LayoutBox?

    /// The layout members that the page or a configuration sets, if any.
    public var layout: SectionLayout? { layoutBox?.layout }

    /// Creates a section from its draft and its items.
    ///
    /// - Parameter withContents: Whether each kind has a content; empty if none has.
    fileprivate init(
        _ draft: SectionDraft, cells: ArraySlice<CellInfo>, withContents: [Bool]
    ) {
        identifier = draft.identifier
        isHidden = draft.isHidden
        collapsed = draft.collapsed
        layoutBox = draft.layout.map(LayoutBox.init)
        unitLayout = draft.unitLayout
        unitTypes = draft.unitTypes
        dataRange = draft.dataRange
        hasOwnViews = draft.hasOwnViews
        hasOwnLayout = draft.hasOwnLayout
        header = draft.header
        footer = draft.footer
        self.cells = cells
        let kind = cells.first?.kind
        uniformKind = cells.allSatisfy { $0.kind == kind } ? kind : nil
        hasDistinctPositions = cells.haveAscendingPositions
        hasContents =
            !withContents.isEmpty
            && (cells.contains { withContents[$0.kind] }
                || [header, footer].contains { $0.map { withContents[$0.kind] } == true })
    }
}

extension ArraySlice<CellInfo> {
    /// A Boolean value that indicates whether all are identified by ascending positions.
    fileprivate var haveAscendingPositions: Bool {
        var last = (unit: -1, element: -1)
        for cell in self {
            guard case .position(let unit, let element) = cell.id, last < (unit, element) else {
                return false
            }
            last = (unit, element)
        }
        return true
    }
}

/// A resolved section whose page is not complete, so that the storage of its items still moves.
struct SectionDraft: Sendable {
    fileprivate let identifier: String?
    fileprivate let collapsed: Bool?
    fileprivate let layout: SectionLayout?
    fileprivate let unitLayout: LayoutBox?
    fileprivate let unitTypes: UnitTypeSet
    fileprivate let dataRange: Range<Int>?
    fileprivate let header: ReusableViewInfo?
    fileprivate let footer: ReusableViewInfo?
    fileprivate let isHidden: Bool
    /// A Boolean value that indicates whether the page posts a header or a footer of the section's
    /// own.
    var hasOwnViews = false
    /// A Boolean value that indicates whether the page posts a layout of the section.
    var hasOwnLayout = false
    private let cells: Range<Int>

    /// Creates a section that is not there, at a place among the items of the page.
    init(hidden identifier: String?, cells: Range<Int>) {
        self.identifier = identifier
        isHidden = true
        collapsed = nil
        layout = nil
        unitLayout = nil
        unitTypes = UnitTypeSet()
        dataRange = nil
        header = nil
        footer = nil
        self.cells = cells
    }

    /// Creates a draft of the section that `builder` has built.
    ///
    /// - Parameters:
    ///   - identifier: The section's identifier.
    ///   - collapsed: The page's `collapsed`.
    ///   - builder: The builder of the section.
    ///   - cells: The range of the section's items in the page.
    init(
        identifier: String?, collapsed: Bool?, _ builder: borrowing SectionBuilder,
        cells: Range<Int>
    ) {
        self.identifier = identifier
        isHidden = false
        self.collapsed = collapsed
        layout = builder.layout == SectionLayout() ? nil : builder.layout
        unitLayout = builder.unitLayout
        unitTypes = builder.unitTypes
        dataRange = builder.dataRange
        header = builder.header
        footer = builder.footer
        self.cells = cells
    }

    /// Returns the section, with its part of all items of the page.
    ///
    /// - Parameter withContents: Whether each kind has a content; empty if none has.
    func info(of cells: [CellInfo], withContents: [Bool]) -> SectionInfo {
        SectionInfo(self, cells: cells[self.cells], withContents: withContents)
    }
}
