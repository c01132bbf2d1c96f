import Broadsheet
import Testing

// What remains of SimpleSource, Collor and the VIPER collectionables.

/// The items of a table of several kinds, as SimpleSource has them in one enumeration.
enum RowItem: Codable, Hashable, Sendable, Identifiable {
    case person(name: String)
    case note(String)

    var id: String {
        switch self {
        case .person(let name): "person \(name)"
        case .note(let text): "note \(text)"
        }
    }
}

/// A row whose size depends on its kind.
enum RowCell: CellType {
    static func size(with item: RowItem, constrainedTo container: Container) -> Size? {
        let height: Double =
            switch item {
            case .person: 44
            case .note(let text): text.count > 10 ? 60 : 30
            }
        return Size(width: container.available.width, height: height)
    }
}

/// The view of any model that a cell shows, as Collor's adapters transform it.
protocol LabelAdapter: Codable, Sendable {
    var id: String { get }
    var label: String { get }
}

/// One cell for all adapters, as tall as their labels.
enum LabelCell<Adapter: LabelAdapter>: CellType {
    static var typeName: String { "LabelCell" }
    static var id: JSONPointer? { "/id" }

    static func size(with adapter: Adapter, constrainedTo container: Container) -> Size? {
        let lines = (Double(adapter.label.count) / 20).rounded(.up)
        return Size(width: container.available.width, height: 20 * max(1, lines))
    }
}

struct WeatherLabel: LabelAdapter {
    var id: String
    var degrees: Int
    var label: String { "\(degrees) degrees" }
}

struct TitleLabel: LabelAdapter {
    var id: String
    var label: String
}

@Suite("Rows of SimpleSource")
struct RowTests {
    @Test("Items of an enumeration, and items appended to a new section that is empty")
    func rows() throws {
        var presenter = ScreenPresenter()
        try presenter.loadPage(
            .build(number: 0) { page in
                page.section("Staff") { section in
                    section.cells(
                        RowCell.self, data: [.person(name: "Ada"), .note("A long note to read")])
                }
            })
        try presenter.appendSection(SectionModel("Guests"))
        let guests: [RowItem] = [.note("Short"), .person(name: "Bob")]
        try presenter.appendUnits(
            [UnitModel("cells:RowCell", guests)], firstSectionIdentifier: "Guests")
        try presenter.appendItem(RowItem.person(name: "Eve"), firstSectionIdentifier: "Guests")
        let sections = presenter.laidOut.sections
        #expect(sections[0].items.map(\.frame.height) == [44, 60])
        #expect(
            sections[1].items.map { $0.model(RowCell.self) }
                == [.note("Short"), .person(name: "Bob"), .person(name: "Eve")])
    }
}

@Suite("Adapters and diffs of Collor")
struct AdapterTests {
    @Test("One generic cell for adapters of several models")
    func adapters() throws {
        let weather = ResolvedPage.build(number: 0) { page in
            page.section("Weather") { section in
                section.cells(
                    LabelCell<WeatherLabel>.self, data: [WeatherLabel(id: "w", degrees: 7)])
            }
        }
        var presenter = ScreenPresenter()
        try presenter.loadPage(weather)
        #expect(presenter.screen.sections[0].items.map(\.type) == ["LabelCell"])
        let model = presenter.screen.sections[0].items[0].model(LabelCell<WeatherLabel>.self)
        #expect(model?.label == "7 degrees")
        // A screen has one type of a name, so that its units mean one thing.
        let title = ResolvedPage.build(number: 1) { page in
            page.section {
                $0.cell(LabelCell<TitleLabel>.self, data: TitleLabel(id: "t", label: "T"))
            }
        }
        #expect(throws: PresenterError.duplicateType("LabelCell")) { try presenter.loadPage(title) }
    }

    @Test("Diff of sections: upserts of models change only what differs")
    func upserts() throws {
        var presenter = ScreenPresenter()
        try presenter.loadPage(
            .build(number: 0) { page in
                page.section("Weather") { section in
                    section.cells(
                        LabelCell<WeatherLabel>.self,
                        data: [
                            WeatherLabel(id: "mon", degrees: 7),
                            WeatherLabel(id: "tue", degrees: 8),
                        ])
                }
            })
        let changes = try presenter.update { updater in
            try updater.upsertItems(
                section: "Weather", of: LabelCell<WeatherLabel>.self,
                [WeatherLabel(id: "tue", degrees: 9), WeatherLabel(id: "wed", degrees: 5)])
        }
        guard case .update(let update) = changes.content else {
            Issue.record("a reset")
            return
        }
        #expect(update.stages.flatMap(\.reloadItems).map(\.place) == [.init(section: 0, item: 1)])
        #expect(update.stages.flatMap(\.insertItems).map(\.place) == [.init(section: 0, item: 2)])
    }
}

/// An event in a list of posters, as the VIPER collectionables' closures have it.
enum PosterEvent: Hashable, Sendable {
    case selected(PosterModel)
    case showsInformation(PosterModel)
}

@Suite("Event channels of the VIPER collectionables")
struct EventChannelTests {
    @Test("Rows that are selected and information buttons reach the presenter as typed events")
    func channel() async throws {
        let (events, channel) = AsyncStream<PosterEvent>.makeStream()
        var registry = CellRegistry()
        registry.handle(.select, of: PosterCell.self) { poster, _ in
            channel.yield(.selected(poster))
            return []
        }
        registry.handle("information", of: PosterCell.self) { poster, _ in
            channel.yield(.showsInformation(poster))
            return []
        }
        let venus = PosterModel(title: "Venus", subtitle: "Cloud 9", imageName: "venus")
        var presenter = ScreenPresenter(registry: registry)
        try presenter.loadPage(
            .build(number: 0) { page in page.section { $0.cell(PosterCell.self, data: venus) } })
        try await presenter.handle([
            ClientEvent(.select, section: 0, item: "venus"),
            ClientEvent(action: "information", section: 0, item: "venus"),
        ])
        channel.finish()
        var received: [PosterEvent] = []
        for await event in events { received.append(event) }
        #expect(received == [.selected(venus), .showsInformation(venus)])
    }
}
