import Broadsheet

/// The contents of a merged screen in a comparable and legible form.
struct ScreenSummary: Equatable {
    struct Section: Equatable {
        let id: String?
        let collapsed: Bool
        let header: String?
        let footer: String?
        let layout: SectionLayout
        /// The items as `Type:id=data`, with the suffixes of ids.
        let items: [String]
    }

    let page: Int
    let pageCount: Int
    let hasNext: Bool
    let sections: [Section]
    let diagnostics: [Diagnostic]

    init(_ screen: MergedScreen) {
        page = screen.page
        pageCount = screen.pageCount
        hasNext = screen.hasNext
        sections = screen.sections.map(Section.init)
        diagnostics = screen.diagnostics
    }

    /// The ids of all items, section by section.
    var ids: [[String]] { sections.map { $0.items.map { String($0.split(separator: "=")[0]) } } }
}

extension ScreenSummary.Section {
    init(_ section: MergedSection) {
        id = section.id
        collapsed = section.collapsed
        header = section.header.flatMap { $0.page.view($0.info) }
        footer = section.footer.flatMap { $0.page.view($0.info) }
        layout = section.layout
        items = section.itemTexts
    }
}

extension MergedSection {
    /// The items as `Type:id=data`.
    var itemTexts: [String] {
        items.map { "\($0.type):\($0.id)=\(String(decoding: $0.data.bytes, as: UTF8.self))" }
    }
}

extension PaginatedViewModel {
    /// Returns the contents of the screen up to a page, merged with a registry.
    func summary(
        upTo page: Int? = nil, collapsed: [String] = [], by registry: CellRegistry
    ) -> ScreenSummary {
        ScreenSummary(merged(upTo: page, collapsed: collapsed, registry: registry))
    }
}
