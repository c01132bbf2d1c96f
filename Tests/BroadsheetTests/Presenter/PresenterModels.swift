import Broadsheet

/// The data of an item of the tests of presenters.
struct Ware: Codable, Hashable, Sendable {
    var id: String
    var price = 1
}

/// A unit of the tests of presenters.
struct WareUnit: ServerStateUnitRepresentable {
    var unitType = "U"
    var unitData: (any Encodable & Sendable)?
}

/// A section of the tests of presenters.
struct WareSection: ServerStateSectionRepresentable {
    var sectionId: String?
    var units: [any ServerStateUnitRepresentable]
    var header: (any ServerStateUnitRepresentable)?
    var footer: (any ServerStateUnitRepresentable)?

    /// Creates a section of one unit, whose items have these ids.
    init(
        _ id: String?, _ items: [String], header: String? = nil, footer: String? = nil
    ) {
        sectionId = id
        units = [WareUnit(unitData: items.map { Ware(id: $0) })]
        self.header = header.map { WareUnit(unitType: "H", unitData: $0) }
        self.footer = footer.map { WareUnit(unitType: "F", unitData: $0) }
    }
}

/// Returns a presenter of two pages: the sections A, B and C with four, three and no items.
func samplePresenter() throws -> ScreenPresenter {
    var presenter = ScreenPresenter(registry: try sampleCatalog().registry)
    try presenter.loadPage(
        0, hasNext: true,
        sections: [
            WareSection("A", ["a", "b"], header: "top"), WareSection("B", ["x", "y", "z"]),
        ])
    try presenter.loadPage(
        1, hasNext: false,
        sections: [WareSection("A", ["c", "d"], footer: "end"), WareSection("C", [])])
    return presenter
}

extension ScreenPresenter {
    /// The ids of the items of each section.
    var ids: [[String]] { screen.sections.map { $0.items.map(\.id) } }

    /// The ids of the sections.
    var sectionIds: [String?] { screen.sections.map(\.id) }
}
