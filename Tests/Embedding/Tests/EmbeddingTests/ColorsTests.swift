import Broadsheet
import BroadsheetClient
import Testing

// A screen of colours and one of weather, as Collor describes them.

struct ColorModel: Codable, Hashable, Sendable {
    var name: String
}

struct WeatherModel: Codable, Hashable, Sendable {
    var day: String
    var hours: [Int]
}

enum ColorCell: CellType {
    static let id: JSONPointer? = "/name"

    static func size(with input: ColorModel, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: 60)
    }
}

enum HourCell: CellType {
    static func size(with input: Int, constrainedTo container: Container) -> Size? {
        Size(width: 50, height: 50)
    }
}

enum DayCell: CellType {
    static func size(with input: String, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: 40)
    }
}

@Suite("Colours and weather, as Collor describes them")
struct ColorsTests {
    private static let registry: CellRegistry = {
        var registry = CellRegistry()
        registry.setLayout(
            SectionLayout(
                .flow(lineSpacing: 5, inset: Insets(top: 10, left: 10, bottom: 10, right: 10)),
                decorations: [DecorationOptions(kind: "background", mode: .section)]),
            forSection: CellRegistry.anySection)
        registry.register("COLORS") { $1.cells(ColorCell.self, data: $0.data) }
        registry.register("DAY") { $1.header(DayCell.self, data: $0.data) }
        registry.register("HOURS") { $1.cells(HourCell.self, data: $0.data) }
        return registry
    }()

    private func colors(_ id: String, _ names: String...) -> Template {
        let colors = names.map { ColorModel(name: $0) }
        return Template(sectionId: id, units: [TemplateUnit("COLORS", colors)])
    }

    private func presenter(_ sections: Template...) throws -> ScreenPresenter {
        var presenter = ScreenPresenter(registry: Self.registry)
        try presenter.loadPage(0, hasNext: false, sections: sections)
        return presenter
    }

    private func ids(_ presenter: ScreenPresenter) -> [String] {
        presenter.screen.sections.map { section in
            "\(section.id ?? ""): \(section.items.map(\.id).joined(separator: " "))"
        }
    }

    @Test("An update removes, appends and inserts, and its result updates the view")
    func update() throws {
        var presenter = try presenter(
            colors("yellow", "lemon", "gold"), colors("red", "rose", "ruby"))
        var tree = presenter.tree
        let result = try presenter.update { updater in
            try updater.deleteItems(section: "yellow", .some(["lemon"]))
            try updater.appendItem(ColorModel(name: "wine"), firstSectionIdentifier: "red")
            try updater.insertSection(colors("blue", "navy"), at: 1)
        }
        #expect(ids(presenter) == ["yellow: gold", "blue: navy", "red: rose ruby wine"])
        try result.apply(to: &tree)
        #expect(tree == presenter.tree)
        #expect(throws: EditError.self) {
            try presenter.update { updater in
                try updater.deleteSection(at: 0)
                try updater.deleteItems(section: "green", .all)
            }
        }
        #expect(ids(presenter).count == 3)
    }

    @Test("The difference of two states of the data, by the ids of sections and items")
    func diff() throws {
        var presenter = try presenter(colors("a", "one", "two"), colors("b", "one"))
        let before = presenter
        try presenter.loadPage(
            0, hasNext: false, sections: [colors("b", "one", "three"), colors("a", "two", "one")])
        var tree = before.tree
        let result = presenter.changes(since: before)
        try result.apply(to: &tree)
        #expect(tree == presenter.tree)
        guard case .update(let update) = result.content else { return }
        #expect(update.stages.flatMap(\.deleteItems).isEmpty)
    }

    @Test("The difference of one section: upserts change only what differs")
    func diffOfSection() throws {
        var presenter = try presenter(colors("a", "one", "two"), colors("b", "one"))
        let data = try JSONDocument(Array(#"[{"name":"two"},{"name":"three"}]"#.utf8)).root
        let result = try presenter.update { updater in
            try updater.upsertItems(section: "a", unitType: "COLORS", data: Array(data.elements))
        }
        guard case .update(let update) = result.content else {
            Issue.record("The changes are a whole tree.")
            return
        }
        #expect(update.stages.flatMap(\.insertItems).map(\.place) == [.init(section: 0, item: 2)])
        #expect(update.stages.flatMap(\.reloadItems).isEmpty)
    }

    @Test("A day expands and collapses; its background follows")
    func weather() throws {
        let day = WeatherModel(day: "Monday", hours: [8, 12, 16])
        var presenter = try presenter(
            Template(
                sectionId: day.day, units: [TemplateUnit("HOURS", day.hours)],
                header: TemplateUnit("DAY", day.day)))
        let expanded = try #require(presenter.laidOut.sections.first)
        #expect(expanded.items.count == 3)
        try presenter.toggleSection(firstSectionIdentifier: "Monday")
        let collapsed = try #require(presenter.laidOut.sections.first)
        #expect(collapsed.items.isEmpty)
        #expect(collapsed.header != nil)
        #expect(collapsed.frame.height < expanded.frame.height)
        #expect(collapsed.frames.decorations.count == 1)
    }
}
