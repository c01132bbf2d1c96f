/// A screen merged from pages (docs/api.md, "Screens"), the input of a layout.
public struct MergedScreen: Sendable {
    /// The sections in the order of their first appearance.
    public let sections: [MergedSection]
    /// The number of the highest merged page; 0 without pages.
    public let page: Int
    /// The number of merged pages.
    public let pageCount: Int
    /// A Boolean value that indicates whether a higher page is stored, or the highest merged page
    /// specifies that there is one.
    public let hasNext: Bool
    /// The layout parameters of the whole screen.
    public let layout: ScreenLayout

    private let pages: [ResolvedPage]
    private let catalogDiagnostics: [Diagnostic]
    /// Lint: the sections of the request that this screen does not have.
    let unknownSections: [Diagnostic]

    /// The diagnostics of a catalog that came with the pages, and those of the pages, in page
    /// order.
    ///
    /// - Complexity: O(diagnostics).
    public var diagnostics: [Diagnostic] { catalogDiagnostics + pages.flatMap(\.diagnostics) }

    /// The numbers of the diagnostics of the pages, and of a catalog that came with them.
    ///
    /// - Complexity: O(pages).
    var pageDiagnosticCounts: DiagnosticCounts {
        var counts = DiagnosticCounts()
        for diagnostic in catalogDiagnostics { counts.add(diagnostic.code) }
        for page in pages { counts.add(page.diagnosticCounts) }
        return counts
    }

    /// The number of bytes of all merged pages.
    package var postedByteCount: Int { pages.reduce(0) { $0 + $1.bytes.count } }

    /// The number of items of all sections that are not collapsed.
    public var itemCount: Int { sections.reduce(0) { $0 + $1.itemCount } }

    /// Merges pages.
    ///
    /// - Parameters:
    ///   - pages: The pages, ascending by number.
    ///   - hasHigherPage: A Boolean value that indicates whether a page above these is stored.
    ///   - parameters: The parameters of the layout.
    ///   - registry: The registry with the layouts of sections and of the screen.
    /// - Complexity: O(sections + items).
    init(
        _ pages: [ResolvedPage], hasHigherPage: Bool, for parameters: LayoutParameters,
        registry: CellRegistry
    ) {
        var merger = SectionMerger()
        for page in pages { merger.add(page) }
        let requested = RequestedSections(parameters)
        sections = merger.drafts.map { $0.merged(for: requested, registry: registry) }
        page = pages.last?.number ?? 0
        unknownSections =
            parameters.lint ? merger.unknownSections(in: parameters, page: page) : []
        pageCount = pages.count
        hasNext = hasHigherPage || pages.last?.hasNext == true
        layout = registry.screen
        catalogDiagnostics = registry.diagnostics
        self.pages = pages
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
    /// - Complexity: O(sections + items).
    package func merged(
        upTo last: Int?, below highest: Int?, for parameters: LayoutParameters,
        registry: CellRegistry
    ) -> MergedScreen {
        let last = last ?? Int.max
        return MergedScreen(
            Array(pages.prefix { $0.number <= last }),
            hasHigherPage: highest.map { $0 > last } ?? false, for: parameters,
            registry: registry)
    }
}

extension MergedScreen {
    /// Returns the diagnostics of this screen's layout, section by section, and then those of the
    /// request.
    ///
    /// - Complexity: O(diagnostics).
    package func diagnostics(of frames: ScreenFrames) -> [Diagnostic] {
        diagnostics(of: frames.diagnostics) + unknownSections
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
        self.init(
            code: Code(rawValue: diagnostic.code.rawValue),
            page: view?.page.number ?? location.page.number,
            pointer: view?.pointer ?? location.pointer,
            detail: diagnostic.detail)
    }
}

/// Merges the sections of ascending pages: those of one identifier become one section at the
/// position of its first appearance; sections without identifier are never merged.
private struct SectionMerger {
    private(set) var drafts: [MergedSectionDraft] = []
    private var named: [Identifier: Int] = [:]

    mutating func add(_ page: ResolvedPage) {
        for (index, section) in page.sections.enumerated() {
            let location = MergedSection.Location(page: page, section: index)
            drafts[self.index(of: section, at: location)].add(section, at: location)
        }
    }

    /// Returns the index of the draft that a section is merged into, and creates one if necessary.
    private mutating func index(of section: SectionInfo, at location: MergedSection.Location) -> Int
    {
        let identifier = section.identifier.map(Identifier.init)
        if let identifier, let index = named[identifier] { return index }
        if let identifier { named[identifier] = drafts.count }
        drafts.append(MergedSectionDraft(identifier: identifier, location: location))
        return drafts.count - 1
    }

    /// Returns a diagnostic for each requested section that no page has.
    func unknownSections(in parameters: LayoutParameters, page: Int) -> [Diagnostic] {
        let lists = [("collapsed", parameters.collapsed), ("expanded", parameters.expanded)]
        return lists.flatMap { name, list in
            list.texts.filter { named[Identifier($0)] == nil }.map { text in
                Diagnostic(
                    code: .unknownSection, page: page, pointer: "",
                    detail: "no section of this tree has the id '\(text)', which \(name) names")
            }
        }
    }
}

/// The identifiers of the sections that a request collapses or expands.
private struct RequestedSections {
    private let collapsed: Set<Identifier>
    private let expanded: Set<Identifier>

    init(_ parameters: LayoutParameters) {
        collapsed = Set(parameters.collapsed.texts.map(Identifier.init))
        expanded = Set(parameters.expanded.texts.map(Identifier.init))
    }

    /// Returns whether a section is collapsed, of which the pages specify `isCollapsed`.
    func collapse(_ identifier: Identifier?, orElse isCollapsed: Bool) -> Bool {
        guard let identifier else { return isCollapsed }
        return collapsed.contains(identifier) || isCollapsed && !expanded.contains(identifier)
    }
}

/// A section under construction; later pages take precedence.
struct MergedSectionDraft {
    /// The section's identifier, or `nil`.
    let identifier: Identifier?
    /// The location of its first appearance.
    let location: MergedSection.Location
    private var layouts: [SectionLayout] = []
    /// The layout of the first unit type with one.
    private var unitLayout: LayoutBox?
    private var isCollapsed = false
    /// The header of the last page that has one.
    private(set) var header: MergedView?
    /// The footer of the last page that has one.
    private(set) var footer: MergedView?
    /// The data of the last page that has some.
    private(set) var data: MergedData?
    /// The items, page by page.
    private(set) var parts: [MergedSection.Part] = []

    /// Creates a section without content.
    init(identifier: Identifier?, location: MergedSection.Location) {
        self.identifier = identifier
        self.location = location
    }

    /// Adds a posted section.
    mutating func add(_ section: SectionInfo, at location: MergedSection.Location) {
        if let layout = section.layout { layouts.append(layout) }
        unitLayout = unitLayout ?? section.unitLayout
        isCollapsed = section.collapsed ?? isCollapsed
        header = section.header.map { MergedView(page: location.page, info: $0) } ?? header
        footer = section.footer.map { MergedView(page: location.page, info: $0) } ?? footer
        data = section.dataRange.map { MergedData(page: location.page, range: $0) } ?? data
        guard !section.cells.isEmpty else { return }
        parts.append(MergedSection.Part(location: location, section: section))
    }

    /// Returns the complete section.
    fileprivate func merged(
        for requested: RequestedSections, registry: CellRegistry
    ) -> MergedSection {
        let base = registry.layout(forSection: identifier?.text, unitLayout: unitLayout?.layout)
        return MergedSection(
            self, collapsed: requested.collapse(identifier, orElse: isCollapsed),
            layout: layouts.reduce(base) { $0.overridden(by: $1) })
    }
}
