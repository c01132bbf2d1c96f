import Synchronization

/// A page whose units have been resolved to cells, headers and footers.
///
/// It is immutable and shared by screens and responses. It keeps the posted bytes and 24 bytes for
/// each item; it keeps the document's index only if a Swift cell type reads its data.
public final class ResolvedPage: Sendable {
    /// The page's number in its screen.
    public let number: Int
    /// A Boolean value that indicates whether more pages exist after this one, as the page
    /// specifies.
    public let hasNext: Bool
    /// The bytes of the document that contains the page.
    public let bytes: [UInt8]
    /// The sections in their order.
    public let sections: [SectionInfo]
    /// The number of items in all sections.
    public let itemCount: Int

    /// The cell types that items refer to by index.
    package let kinds: [CellKind]
    /// The numbers that items' size rules read.
    let inputs: [Double]
    /// The shaped texts that items' size rules measure, each once.
    let texts: [any ShapedText]
    /// The memory of the shaped texts in bytes, which other pages and the measurer's cache may
    /// share.
    package let textByteCount: Int
    /// The document, if Swift cell types read its values.
    let document: JSONDocument?
    /// The first different unknown unit types of the page, at most ``maxUnknownUnitTypes``, each
    /// cut to ``maxShownNameLength`` characters.
    package let unknownUnitTypes: [String]
    private let companion = Mutex<(any AnyObject & Sendable)?>(nil)
    private let pageDiagnostics: PageDiagnostics

    /// The largest number of ``unknownUnitTypes``.
    package static let maxUnknownUnitTypes = 10
    /// The largest number of characters of a name in ``unknownUnitTypes``.
    package static let maxShownNameLength = 64

    /// Resolves `page` by the types of `registry`.
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
        var resolver = PageResolver(page, registry: registry, limits: limits)
        let sections = try resolver.sections()
        let draft = resolver.draft
        self.init(
            number: number, hasNext: page.hasNext, sections, draft,
            PageDiagnostics(draft, of: page, maxDiagnostics: limits.maxDiagnostics))
    }

    /// Creates a page from a complete draft, without spare capacity.
    init(
        number: Int, hasNext: Bool, _ sections: [SectionDraft], _ draft: PageDraft,
        _ diagnostics: PageDiagnostics
    ) {
        let cells = draft.cells.trimmed()
        self.sections = sections.map { $0.info(of: cells) }
        self.number = number
        self.hasNext = hasNext
        bytes = draft.document.bytes
        itemCount = cells.count
        kinds = draft.kinds
        inputs = draft.inputs.trimmed()
        texts = draft.texts.all.trimmed()
        textByteCount = draft.texts.byteCount
        document = draft.needsDocument ? draft.document : nil
        unknownUnitTypes = draft.unknownUnitTypes
        pageDiagnostics = diagnostics
    }

    /// Creates a page that was accepted once and breaks the contract of the current catalog.
    ///
    /// The page has no sections, and a diagnostic for each violation.
    package convenience init(
        unreadable document: JSONDocument, number: Int, names: ContractNames, error: ContractError
    ) {
        self.init(
            number: number, hasNext: false, [],
            PageDraft(document, kinds: [], limits: ScreenLimits()),
            PageDiagnostics(unreadable: error, names: names))
    }

    /// The size of the numbers and the texts that items' size rules read, in bytes.
    package var inputByteCount: Int {
        inputs.count * MemoryLayout<Double>.stride
            + texts.count * MemoryLayout<any ShapedText>.stride + textByteCount
    }

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

    /// Returns the pointer into the page of its section at `index`.
    package func pointer(ofSection index: Int) -> String {
        JSONPointer.appending(JSONPointer.appending("", pageDiagnostics.names.sections), index)
    }

    /// Returns the pointer into the page of the unit that made `view`, its header or footer.
    package func pointer(of view: ReusableViewInfo) -> String {
        view.location.pointer(pageDiagnostics.names)
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
    /// The range in the page's bytes of the section's data for the client, if it has any.
    package let dataRange: Range<Int>?
    private let layoutBox: LayoutBox?
    /// The layout of the section's first unit type with one, if it can have an effect.
    let unitLayout: LayoutBox?

    /// The layout members that the page or a configuration sets, if any.
    public var layout: SectionLayout? { layoutBox?.layout }

    /// Creates a section from its draft and its items.
    fileprivate init(_ draft: SectionDraft, cells: ArraySlice<CellInfo>) {
        identifier = draft.identifier
        collapsed = draft.collapsed
        layoutBox = draft.layout.map(LayoutBox.init)
        unitLayout = draft.unitLayout
        dataRange = draft.dataRange
        header = draft.header
        footer = draft.footer
        self.cells = cells
        let kind = cells.first?.kind
        uniformKind = cells.allSatisfy { $0.kind == kind } ? kind : nil
        hasDistinctPositions = cells.haveAscendingPositions
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
    fileprivate let dataRange: Range<Int>?
    fileprivate let header: ReusableViewInfo?
    fileprivate let footer: ReusableViewInfo?
    private let cells: Range<Int>

    /// Creates a draft of the section that `builder` has built.
    ///
    /// - Parameters:
    ///   - identifier: The section's identifier.
    ///   - collapsed: The page's `collapsed`.
    ///   - builder: The builder of the section.
    ///   - cells: The range of the section's items in the page.
    init(
        identifier: String?, collapsed: Bool?, _ builder: SectionBuilder, cells: Range<Int>
    ) {
        self.identifier = identifier
        self.collapsed = collapsed
        layout = builder.layout == SectionLayout() ? nil : builder.layout
        unitLayout = builder.unitLayout
        dataRange = builder.dataRange
        header = builder.header
        footer = builder.footer
        self.cells = cells
    }

    /// Returns the section, with its part of all items of the page.
    func info(of cells: [CellInfo]) -> SectionInfo {
        SectionInfo(self, cells: cells[self.cells])
    }
}
