/// One section of a screen, gathered from the pages that have a part in it.
public struct MergedSection: Sendable {
    /// The items that one posted section adds, in order.
    public struct Part: Sendable {
        /// Where that section was posted; its page knows the items' bytes and their types.
        public let place: Place
        /// The items.
        public let cells: ArraySlice<CellInfo>
        /// The kind that all of them are of; nil when they differ.
        let uniformKind: CellKind?
        /// Whether all are identified by their place, no two by the same.
        let hasDistinctPlaces: Bool

        /// The page that the items belong to.
        public var page: ResolvedPage { place.page }

        init(place: Place, section: SectionInfo) {
            self.place = place
            cells = section.cells
            uniformKind = section.uniformKind.map { place.page.kinds[$0] }
            hasDistinctPlaces = section.hasDistinctPlaces
        }
    }

    /// Where a section was posted.
    public struct Place: Sendable {
        /// The page that holds it.
        public let page: ResolvedPage
        /// Its index among the page's sections.
        public let section: Int

        /// A JSON Pointer into the page to the section.
        public var pointer: String { page.pointer(ofSection: section) }
    }

    /// What names the section; nil when nothing does.
    public let id: String?
    /// Where it appears first.
    public let place: Place
    /// Whether its items are hidden; its header, footer and insets stay (rule F17).
    public let collapsed: Bool
    /// How to lay it out: the registry's layout, member by member overridden by the pages'.
    public let layout: SectionLayout
    /// The header that the highest page which has one gives it.
    public let header: MergedView?
    /// The footer that the highest page which has one gives it.
    public let footer: MergedView?
    /// The items, page by page; none when collapsed.
    public let parts: [Part]
    /// How many items there are; 0 when collapsed.
    public let itemCount: Int
    /// What tells items apart whose identity an earlier item has, ascending by item.
    package let suffixes: [ItemSuffix]
    /// The index in the section of each part's first item: the sums of what stands before.
    let partStarts: [Int]

    init(
        id: String?, place: Place, collapsed: Bool, layout: SectionLayout, header: MergedView?,
        footer: MergedView?, parts: [Part]
    ) {
        self.id = id
        self.place = place
        self.collapsed = collapsed
        self.layout = layout
        self.header = header
        self.footer = footer
        self.parts = parts
        var count = 0
        partStarts = parts.map { part in
            defer { count += part.cells.count }
            return count
        }
        itemCount = count
        suffixes = ItemSuffix.suffixes(in: parts)
    }
}

/// A section's header or footer, with the page that it belongs to.
public struct MergedView: Sendable {
    /// The page, which knows its bytes and its type.
    public let page: ResolvedPage
    /// Its type and data.
    public let info: ReusableViewInfo

    /// A JSON Pointer into the page to the unit that made it.
    public var pointer: String { page.pointer(of: info) }
}
