/// Gathers the sections of ascending pages: those of one identifier become one, at the place of its
/// first appearance; unnamed ones never merge.
struct SectionMerger {
    private(set) var drafts: [MergedSectionDraft] = []
    private var named: [Identifier: Int] = [:]

    mutating func add(_ page: ResolvedPage) {
        for (index, section) in page.sections.enumerated() {
            let place = MergedSection.Place(page: page, section: index)
            drafts[self.index(of: section, at: place)].add(section, at: place)
        }
    }

    /// The index of the draft that `section`, which stands at `place`, becomes part of.
    private mutating func index(of section: SectionInfo, at place: MergedSection.Place) -> Int {
        let identifier = section.identifier.map(Identifier.init)
        if let identifier, let index = named[identifier] { return index }
        if let identifier { named[identifier] = drafts.count }
        drafts.append(MergedSectionDraft(identifier: identifier, place: place))
        return drafts.count - 1
    }

    /// A section while its pages are gathered; what a later page says wins.
    struct MergedSectionDraft {
        let identifier: Identifier?
        private let place: MergedSection.Place
        private var layouts: [SectionLayout] = []
        private var isCollapsed = false
        private var header: MergedView?
        private var footer: MergedView?
        private var parts: [MergedSection.Part] = []

        init(identifier: Identifier?, place: MergedSection.Place) {
            self.identifier = identifier
            self.place = place
        }

        mutating func add(_ section: SectionInfo, at place: MergedSection.Place) {
            if let layout = section.layout { layouts.append(layout) }
            isCollapsed = section.collapsed ?? isCollapsed
            header = section.header.map { MergedView(page: place.page, info: $0) } ?? header
            footer = section.footer.map { MergedView(page: place.page, info: $0) } ?? footer
            guard !section.cells.isEmpty else { return }
            parts.append(MergedSection.Part(place: place, section: section))
        }

        func merged(collapsed: Set<Identifier>, registry: CellRegistry) -> MergedSection {
            let base = registry.layout(forSection: identifier?.text)
            let isCollapsed = isCollapsed || identifier.map(collapsed.contains) == true
            return MergedSection(
                id: identifier?.text, place: place, collapsed: isCollapsed,
                layout: layouts.reduce(base) { $0.overridden(by: $1) },
                header: header, footer: footer, parts: isCollapsed ? [] : parts)
        }
    }
}
