/// A screen merged from pages (docs/api.md, "Screens"), the input of a layout.
public struct MergedScreen: Sendable {
    /// The sections in the order of their first appearance.
    public let sections: ChunkedList<MergedSection>
    /// The number of the highest merged page; 0 without pages.
    public let page: Int
    /// The number of merged pages.
    public var pageCount: Int { pages.count }
    /// A Boolean value that indicates whether a higher page is stored, or the highest merged page
    /// specifies that there is one.
    public let hasNext: Bool
    /// A Boolean value that indicates whether the lowest merged page, unless it is page 0,
    /// specifies that pages exist before it.
    public let hasPrevious: Bool
    /// The layout parameters of the whole screen.
    public let layout: ScreenLayout
    /// The number of items of all sections that are not collapsed.
    public let itemCount: Int
    package let postedByteCount: Int

    private let pages: PageTable
    /// The pages that have diagnostics, ascending.
    private let diagnosedPages: ChunkedList<ResolvedPage>
    /// The pages that only layouts keep, because they are those of certain clients.
    package let variants: ChunkedList<ResolvedPage>
    /// The pages with essential sections that cannot be made, without which the screen is of no
    /// use.
    private let incompletePages: ChunkedList<ResolvedPage>
    private let catalogDiagnostics: [Diagnostic]
    /// Lint: the sections of the request that this screen does not have, and what of the catalog
    /// has nothing in the pages.
    let advice: [Diagnostic]
    private let conditions: MergeConditions
    /// The indices of the sections by their identifiers, as far as a later version needed them.
    private let names: SharedSectionNames

    /// The diagnostics of a catalog that came with the pages, and those of the pages, in page
    /// order.
    ///
    /// - Complexity: O(diagnostics).
    public var diagnostics: [Diagnostic] {
        catalogDiagnostics + diagnosedPages.flatMap(\.diagnostics)
    }

    /// The essential sections that cannot be made, with their pages.
    ///
    /// - Complexity: O(sections that cannot be made).
    package var missingSections: [(page: ResolvedPage, section: MissingSection)] {
        incompletePages.flatMap { page in page.missing.map { (page, $0) } }
    }

    /// Lint: the indexes of the sections to which the next page can add items: those with an id
    /// that the highest page has.
    ///
    /// - Complexity: O(sections).
    var openSections: Set<Int> {
        guard hasNext, let last = pages.last else { return [] }
        let ids = Set(
            last.sections.filter { !$0.isHidden }.compactMap(\.identifier).map(Identifier.init))
        return Set(
            sections.indices.filter { index in
                sections[index].draft.identifier.map(ids.contains) ?? false
            })
    }

    /// The numbers of the diagnostics of the pages, and of a catalog that came with them.
    ///
    /// - Complexity: O(diagnostics).
    var pageDiagnosticCounts: DiagnosticCounts {
        var counts = DiagnosticCounts()
        for diagnostic in catalogDiagnostics { counts.add(diagnostic.code) }
        for page in diagnosedPages { counts.add(page.diagnosticCounts) }
        return counts
    }

    /// Returns whether another screen is known to have the same diagnostics, apart from those of
    /// the layouts.
    ///
    /// - Complexity: O(pages with diagnostics).
    func isKnownToHaveDiagnostics(of other: MergedScreen) -> Bool {
        diagnosedPages.count == other.diagnosedPages.count
            && catalogDiagnostics.isEmpty && other.catalogDiagnostics.isEmpty
            && advice.isEmpty && other.advice.isEmpty
            && diagnosedPages.commonPrefixCount(with: other.diagnosedPages, by: ===)
                == diagnosedPages.count
    }

    /// Merges pages.
    ///
    /// - Parameters:
    ///   - pages: The pages, ascending by number.
    ///   - hasHigherPage: A Boolean value that indicates whether a page above these is stored.
    ///   - parameters: The parameters of the layout.
    ///   - registry: The registry with the layouts of sections and of the screen.
    ///   - earlier: A screen with some of the same pages, whose sections are reused.
    /// - Complexity: O(sections + items); O(sections + items of the added pages) if these are
    ///   appended to those of `earlier`.
    init(
        _ pages: PageTable, hasHigherPage: Bool, for parameters: LayoutParameters,
        registry: CellRegistry, reusing earlier: MergedScreen? = nil
    ) {
        let conditions = MergeConditions(parameters, registry)
        let earlier = earlier.flatMap { $0.conditions.allow(conditions) ? $0 : nil }
        let isAppended = earlier.map { $0.pages.isPrefix(of: pages) } ?? false
        let base = isAppended ? earlier : nil
        var merger = SectionMerger(appendingTo: base)
        var byteCount = base?.postedByteCount ?? 0
        var diagnosedPages = base?.diagnosedPages ?? []
        var variants = base?.variants ?? []
        var incompletePages = base?.incompletePages ?? []
        pages.forEach(from: base?.pageCount ?? 0) { page in
            merger.add(page)
            byteCount += page.bytes.count
            if page.hasDiagnostics { diagnosedPages.append(page) }
            if page.isVariant { variants.append(page) }
            if !page.missing.isEmpty { incompletePages.append(page) }
        }
        let names = base?.names(for: merger) ?? SharedSectionNames()
        (sections, itemCount) = merger.merged(by: conditions, registry, names, reusing: earlier)
        postedByteCount = byteCount
        self.diagnosedPages = diagnosedPages
        self.variants = variants
        self.incompletePages = incompletePages
        page = pages.last?.number ?? 0
        advice =
            parameters.lint
            ? merger.unknownSections(in: parameters, page: page)
                + CatalogLint.diagnostics(of: registry, for: pages) : []
        hasNext = hasHigherPage || pages.last?.hasNext == true
        hasPrevious = pages.first.map { $0.hasPrevious && $0.number > 0 } ?? false
        layout = registry.screen
        catalogDiagnostics = registry.diagnostics
        self.names = names
        self.conditions = conditions
        self.pages = pages
    }
}

extension MergedScreen {
    /// Creates a screen with some of the sections of another one, each with some of its items, and
    /// without diagnostics.
    ///
    /// - Complexity: O(sections + items).
    init(_ sections: ChunkedList<MergedSection>, partOf whole: MergedScreen) {
        self.sections = sections
        itemCount = sections.reduce(0) { $0 + $1.itemCount }
        postedByteCount = sections.reduce(0) { $0 + $1.itemByteCount }
        (page, pages) = (whole.page, whole.pages)
        (hasNext, hasPrevious) = (whole.hasNext, whole.hasPrevious)
        (layout, conditions) = (whole.layout, whole.conditions)
        (diagnosedPages, variants, incompletePages) = ([], [], [])
        (catalogDiagnostics, advice) = ([], [])
        names = SharedSectionNames()
    }
}

extension PaginatedViewModel {
    /// Returns the screen merged from the stored pages, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - last: The number of the highest page to merge; `nil` for all pages.
    ///   - collapsed: The identifiers of sections to collapse in addition to those that pages
    ///     collapse.
    ///   - registry: The registry with the layouts of sections and of the screen.
    /// - Complexity: O(sections + items).
    public func merged(
        upTo last: Int? = nil, collapsed: some Sequence<String> = EmptyCollection(),
        registry: CellRegistry
    ) -> MergedScreen {
        merged(
            upTo: last, for: LayoutParameters(collapsed: IdentifierList(Array(collapsed))),
            registry: registry)
    }

    /// Returns the screen merged from the stored pages, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - last: The number of the highest page to merge; `nil` for all pages.
    ///   - parameters: The parameters of the layout, of which `collapsed`, `expanded` and `lint`
    ///     have an effect.
    ///   - registry: The registry with the layouts of sections and of the screen.
    /// - Complexity: O(sections + items).
    public func merged(
        upTo last: Int? = nil, for parameters: LayoutParameters, registry: CellRegistry
    ) -> MergedScreen {
        merged(upTo: last, below: highestPage, for: parameters, registry: registry)
    }

    /// Returns the screen merged from these pages of a screen that may have more.
    ///
    /// - Parameters:
    ///   - last: The number of the highest page to merge; `nil` for all pages.
    ///   - highest: The highest page of the screen; `nil` if it has none.
    ///   - parameters: The parameters of the layout.
    ///   - registry: The registry with the layouts of sections and of the screen.
    ///   - earlier: A screen merged before from some of the same pages, whose sections are reused.
    /// - Complexity: O(sections + items); O(sections and items of the added pages) if these are
    ///   behind those of `earlier`.
    package func merged(
        upTo last: Int?, below highest: Int?, for parameters: LayoutParameters,
        registry: CellRegistry, reusing earlier: MergedScreen? = nil
    ) -> MergedScreen {
        let last = last ?? Int.max
        return MergedScreen(
            pages(upTo: last, for: parameters, registry),
            hasHigherPage: highest.map { $0 > last } ?? false,
            for: parameters, registry: registry, reusing: earlier)
    }
}

extension MergedScreen {
    /// Returns the diagnostics of this screen's layout, section by section, and then those of the
    /// request and the catalog.
    ///
    /// - Complexity: O(diagnostics).
    package func diagnostics(of frames: ScreenFrames) -> [Diagnostic] {
        diagnostics(of: frames.diagnostics) + advice
    }

    /// Returns the diagnostics of a layout of this screen, with their locations in the pages.
    ///
    /// - Complexity: O(diagnostics).
    package func diagnostics(of diagnostics: [LayoutDiagnostic]) -> [Diagnostic] {
        diagnostics.filter { sections.indices ~= $0.section }.map { Diagnostic($0, in: self) }
    }
}

extension Diagnostic {
    /// Creates a diagnostic of a layout with its location in a page: the unit of the header or
    /// footer, the posted section of an item, or else the section where it was posted first.
    ///
    /// The detail has the id of the item.
    ///
    /// - Parameter diagnostic: A diagnostic whose section is one of the screen's.
    fileprivate init(_ diagnostic: LayoutDiagnostic, in screen: MergedScreen) {
        let section = screen.sections[diagnostic.section]
        let view: MergedView? =
            switch diagnostic.code {
            case .headerHasNoSize, .headerNotShown: section.header
            case .footerHasNoSize, .footerNotShown: section.footer
            default: nil
            }
        let part = diagnostic.item.flatMap(section.partIndex(ofItem:))
        let location = part.map { section.parts[$0].location } ?? section.location
        let id = diagnostic.item.flatMap {
            section.items.indices ~= $0 ? section.items[$0].id : nil
        }
        self.init(
            code: Code(rawValue: diagnostic.code.rawValue),
            page: view?.page.number ?? location.page.number,
            pointer: view?.pointer ?? location.pointer,
            detail: diagnostic.code == .needsVerticalScreen
                ? (section.layout.kind ?? .standard).layout.horizontalScreenDetail
                : diagnostic.detail(ofItem: id))
    }
}

extension MergedScreen {
    fileprivate func names(for merger: SectionMerger) -> SharedSectionNames? {
        names.isUseful(for: merger.count) ? names : nil
    }

    package func forEachPage(_ body: (ResolvedPage) -> Void) { pages.forEach(from: 0, body) }

    /// Returns whether this screen has the pages of another one, and pages after them or none.
    ///
    /// - Complexity: O(pages / 64), and O(64) for the last pages.
    package func continues(_ other: MergedScreen) -> Bool {
        other.conditions.allow(conditions) && other.pages.isPrefix(of: pages)
    }

    /// Returns whether a model begins with the pages of this screen.
    ///
    /// - Complexity: O(pages / 64), and O(64) for the last pages.
    package func isBeginning(of model: PaginatedViewModel) -> Bool {
        pages.isPrefix(of: model.table)
    }

    /// Returns the index of the section of that identifier, or `nil`.
    ///
    /// - Complexity: O(1) on average; O(sections) at the first time.
    func index(of identifier: Identifier) -> Int? {
        names.index(of: identifier, in: sections)
    }
}

extension MergedScreen {
    /// Returns the numbers of this screen's diagnostics and of those of a layout of it.
    ///
    /// - Complexity: O(pages + diagnostics of the layout).
    package func diagnosticCounts(with frames: ScreenFrames) -> DiagnosticCounts {
        var counts = pageDiagnosticCounts
        for diagnostic in frames.diagnostics {
            counts.add(Diagnostic.Code(rawValue: diagnostic.code.rawValue))
        }
        for diagnostic in advice { counts.add(diagnostic.code) }
        return counts
    }
}

extension MergedScreen {
    /// Returns the estimated size in memory that the screen and its frames need beside those of
    /// another version, in bytes.
    ///
    /// - Complexity: O(sections + chunks of items).
    package func byteCount(
        with frames: ScreenFrames,
        beside other: (merged: MergedScreen, frames: ScreenFrames)? = nil
    ) -> Int {
        var count = sections.byteCount(beside: other?.merged.sections)
        count += frames.sections.byteCount(beside: other?.frames.sections)
        for index in sections.indices {
            let hasOther = other.map { index < $0.merged.sections.count } ?? false
            count += sections[index].byteCount(
                beside: hasOther ? other?.merged.sections[index] : nil)
            count += frames.sections[index].byteCount(
                beside: hasOther ? other?.frames.sections[index] : nil)
        }
        return count
    }
}

extension SectionFrames {
    fileprivate func byteCount(beside other: SectionFrames?) -> Int {
        var count = items.byteCount(beside: other?.items)
        count += separators.byteCount(beside: other?.separators)
        count += lines.byteCount(beside: other?.lines)
        count += exactSizes.items.byteCount(beside: other?.exactSizes.items)
        // The index has two numbers for every 32 items.
        count += items.count / 32 * 2 * MemoryLayout<Double>.stride
        for decoration in decorations {
            count += MemoryLayout<DecorationFrame>.stride + (decoration.data?.count ?? 0)
        }
        return count
    }
}
