/// The places in the pages of a screen that its elements are made of (docs/api.md, "Explained
/// layouts").
package final class ScreenOrigins: Sendable {
    /// The posted sections that merged into one, in the order of merging.
    struct Section: Sendable {
        /// The first ``ScreenOrigins/maxPosted`` of them.
        var posted: [MergedSection.Location] = []
        var withLayout: [MergedSection.Location] = []

        mutating func add(_ location: MergedSection.Location, _ info: SectionInfo) {
            if posted.count < ScreenOrigins.maxPosted { posted.append(location) }
            if info.hasOwnLayout { withLayout.append(location) }
        }
    }

    /// The largest number of posted sections that are listed for one section; fixed.
    static let maxPosted = 100

    private let registry: CellRegistry
    private let pages: [ObjectIdentifier: PageOrigins]
    private let sections: [Identifier: Section]

    /// Finds the origins of a screen's elements.
    ///
    /// - Parameters:
    ///   - audience: The audience of the screen.
    ///   - registry: The registry that resolved its pages.
    /// - Complexity: O(bytes of the pages).
    package init(of screen: MergedScreen, for audience: Audience, by registry: CellRegistry) {
        var pages: [ObjectIdentifier: PageOrigins] = [:]
        var sections: [Identifier: Section] = [:]
        var document: JSONDocument?
        screen.forEachPage { page in
            pages[ObjectIdentifier(page)] = PageOrigins(
                of: page, for: audience, by: registry, reusing: &document)
            for (index, info) in page.sections.enumerated() where !info.isHidden {
                guard let id = info.identifier.map(Identifier.init) else { continue }
                let location = MergedSection.Location(page: page, section: index)
                sections[id, default: Section()].add(location, info)
            }
        }
        self.registry = registry
        self.pages = pages
        self.sections = sections
    }

    package var byteCount: Int {
        let location = MemoryLayout<MergedSection.Location>.stride
        return sections.values.reduce(pages.values.reduce(1024) { $0 + 64 + $1.byteCount }) {
            $0 + 96 + ($1.posted.capacity + $1.withLayout.capacity) * location
        }
    }

    /// Returns an upper bound of the size in memory of the origins of some pages, in bytes, with
    /// what is needed meanwhile.
    package static func maxByteCount(of pages: some Sequence<ResolvedPage>) -> Int {
        pages.reduce(1024) { $0 + 64 + PageOrigins.maxByteCount(of: $1) }
    }

    /// Returns the origin of the item at an index of a section.
    ///
    /// - Complexity: O(log items).
    func item(at index: Int, of section: MergedSection) -> ElementOrigin? {
        guard let part = section.partIndex(ofItem: index) else { return nil }
        let found = section.parts[part]
        let cell = found.cells.startIndex + index - found.start
        guard let origins = pages[ObjectIdentifier(found.page)],
            let (use, element) = origins.item(at: cell)
        else { return nil }
        return ElementOrigin(use, element: element, page: found.page, origins: origins)
    }

    func view(_ view: MergedView, as role: PlacementRole) -> ElementOrigin? {
        guard let origins = pages[ObjectIdentifier(view.page)],
            let use = origins.view(role, of: view.info.location.section)
        else { return nil }
        return ElementOrigin(use, element: nil, page: view.page, origins: origins)
    }

    func posted(_ section: MergedSection) -> Section {
        if let id = section.id, let known = sections[Identifier(id)] { return known }
        var alone = Section()
        alone.add(section.location, section.location.page.sections[section.location.section])
        return alone
    }

    /// Returns the layout of the catalog that the layout of a section begins with.
    func entry(of section: MergedSection) -> CatalogValue? {
        registry.layoutSource(
            forSection: section.id, unitLayout: section.draft.unitLayout)
    }

    func layout(at location: MergedSection.Location) -> ArraySlice<UInt8>? {
        pages[ObjectIdentifier(location.page)]?.layout(ofSection: location.section)
            .map { location.page.bytes[$0] }
    }
}

/// The origin of an item, a header or a footer.
struct ElementOrigin {
    let page: Int
    /// The pointer to the data in the posted page.
    let pointer: String
    let unit: String
    let unitType: String
    /// The pointer to the placement in the catalog; `nil` for a type that is registered by code.
    let placement: String?

    fileprivate init(
        _ use: PageOrigins.Use, element: Int?, page: ResolvedPage, origins: PageOrigins
    ) {
        self.page = page.number
        (pointer, unit) = origins.pointers(of: use, element: element)
        unitType = use.unitType
        placement = use.placement
    }
}
