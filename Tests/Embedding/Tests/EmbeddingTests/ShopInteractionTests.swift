import Broadsheet
import Testing

// What a shop's customers do, as SSCollectionViewPresenter has it: edits after the builder, taps of
// headers and cells, the next page, and drops.

/// A product that is identified by its model's id.
struct Ware: Codable, Hashable, Sendable, Identifiable {
    var id: String
    var title: String
    var isFavourite = false
}

/// A product as tall as its title.
enum WareCell: CellType {
    static let can: [CellCapability]? = [.move, .delete]

    static func size(with ware: Ware, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: ware.title.count > 20 ? 80 : 60)
    }
}

/// The header of a section, which expands and collapses it.
struct ListTitle: Codable, Hashable, Sendable {
    var title: String
    var isExpanded = true
}

enum ListHeader: CellType {
    static func size(with title: ListTitle, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: 48)
    }
}

/// A screen of products in an actor, as a view controller's interactor has it.
private actor Shop {
    private(set) var presenter: ScreenPresenter
    private let pages: [[Ware]]

    init(_ presenter: ScreenPresenter, pages: [[Ware]]) {
        self.presenter = presenter
        self.pages = pages
    }

    /// Shows the first page, and loads each next one when it is due.
    func start() throws {
        presenter.onNextRequest { [weak self] model in
            let next = (model.highestPage ?? -1) + 1
            Task { try await self?.load(next) }
        }
        try load(0)
    }

    func load(_ number: Int) throws {
        let wares = pages[number]
        try presenter.loadPage(
            .build(number: number, hasNext: number + 1 < pages.count) { page in
                page.section("Wares") { $0.cells(WareCell.self, data: wares) }
            })
    }

    func scroll(to offset: Double) {
        presenter.scrolled(to: offset, contentLength: presenter.laidOut.frames.contentSize.height)
    }

    /// Handles events, and applies them to what the presenter then has.
    func handle(_ events: [ClientEvent]) async throws -> Changes {
        let prepared = try await presenter.prepare(events)
        return try presenter.apply(prepared)
    }

    func remove(_ id: String) throws {
        try presenter.deleteItems(section: "Wares", .some([.id(id)]))
    }
}

@Suite("Customers of a shop, as SSCollectionViewPresenter has them")
struct ShopInteractionTests {
    private static let wares = [
        Ware(id: "P1", title: "Cup"), Ware(id: "P2", title: "Pot"), Ware(id: "P3", title: "Jug"),
    ]

    private func built(_ registry: CellRegistry = CellRegistry()) throws -> ScreenPresenter {
        var presenter = ScreenPresenter(registry: registry)
        try presenter.loadPage(
            .build(number: 0) { page in
                page.section("Wares") { section in
                    section.header(ListHeader.self, data: ListTitle(title: "Wares"))
                    section.cells(WareCell.self, data: Self.wares)
                }
            })
        return presenter
    }

    private func titles(_ presenter: ScreenPresenter) -> [String] {
        presenter.screen.sections[0].items.compactMap { $0.model(WareCell.self)?.title }
    }

    @Test("Builder: then appendItem, updateItem, deleteItem and toggleSection")
    func editsAfterTheBuilder() throws {
        var presenter = try built()
        let shown = presenter
        try presenter.appendItem(Ware(id: "P4", title: "Bowl"), toSection: 0)
        try presenter.reconfigureItem(
            Ware(id: "P1", title: "Large cup"), atRow: 0, firstSectionIdentifier: "Wares")
        try presenter.deleteItem(at: .init(section: 0, item: 1))
        #expect(titles(presenter) == ["Large cup", "Jug", "Bowl"])
        try presenter.toggleSection(0)
        #expect(presenter.screen.sections[0].items.isEmpty)
        var tree = shown.tree
        try presenter.changes(since: shown).apply(to: &tree)
        #expect(tree == presenter.tree)
    }

    @Test("Action closure of a header: its tap toggles the section, and shows that")
    func headerAction() async throws {
        var registry = CellRegistry()
        registry.handleView("toggle", of: ListHeader.self) { title, action in
            var title = title
            title.isExpanded.toggle()
            return [action.toggleSection(), try action.replace(with: title)]
        }
        var presenter = try built(registry)
        let tap = ClientEvent(action: "toggle", section: "Wares", view: .header)
        try await presenter.handle([tap])
        #expect(presenter.screen.sections[0].items.isEmpty)
        #expect(presenter.screen.sections[0].header?.model(ListHeader.self)?.isExpanded == false)
        try await presenter.handle([tap])
        #expect(titles(presenter) == ["Cup", "Pot", "Jug"])
    }

    @Test("Selections, highlights, displays and deletions receive the model")
    func lifecycle() async throws {
        let seen = Received<String>()
        var registry = CellRegistry()
        registry.handle(.select, of: WareCell.self) { ware, action in
            var ware = ware
            ware.isFavourite.toggle()
            return [try action.replace(with: ware)]
        }
        let others = [
            HandledEvent.deselect, .highlight, .unhighlight, .willDisplay, .didEndDisplaying,
        ]
        for event in others {
            registry.handle(event, of: WareCell.self) { ware, action in
                seen.add("\(action.name) \(ware.title)")
                return []
            }
        }
        registry.handle("remove", of: WareCell.self) { ware, action in
            ware.isFavourite ? [] : [action.delete()]
        }
        var presenter = try built(registry)
        try await presenter.handle([
            ClientEvent(.willDisplay, section: "Wares", item: "P1"),
            ClientEvent(.highlight, section: "Wares", item: "P2"),
            ClientEvent(.unhighlight, section: "Wares", item: "P2"),
            ClientEvent(.select, section: "Wares", item: "P2"),
            ClientEvent(.deselect, section: "Wares", item: "P2"),
            ClientEvent(.didEndDisplaying, section: "Wares", item: 0),
            ClientEvent(action: "remove", section: "Wares", item: "P3"),
        ])
        #expect(
            seen.all == [
                "willDisplay Cup", "highlight Pot", "unhighlight Pot", "deselect Pot",
                "didEndDisplaying Cup",
            ])
        #expect(titles(presenter) == ["Cup", "Pot"])
        let favourites = presenter.screen.sections[0].items
            .map { $0.model(WareCell.self)?.isFavourite }
        #expect(Array(favourites) == [false, true])
    }

    @Test("Next request: the closure loads the next page into the presenter")
    func nextPage() async throws {
        let pages = (0..<3).map { page in
            (0..<30).map { Ware(id: "W\(page)-\($0)", title: "Ware") }
        }
        let shop = Shop(ScreenPresenter(), pages: pages)
        try await shop.start()
        for count in [2, 3] {
            await shop.scroll(to: 1e6)
            while await shop.presenter.pageCount < count { await Task.yield() }
        }
        #expect(await shop.presenter.screen.sections[0].items.count == 90)
        #expect(await !shop.presenter.hasNext)
    }

    @Test("Interactor: an actor applies events to what it then has")
    func interactor() async throws {
        var registry = CellRegistry()
        registry.handle("favourite", of: WareCell.self) { _, action in
            [try action.patch(with: ["isFavourite": true])]
        }
        let shop = Shop(ScreenPresenter(registry: registry), pages: [Self.wares])
        try await shop.load(0)
        let event = ClientEvent(action: "favourite", section: "Wares", item: "P2")
        let gone = try await shop.presenter.prepare([event])
        _ = try await shop.handle([event])
        #expect(
            await shop.presenter.screen.sections[0].items[1].model(WareCell.self)?.isFavourite
                == true)
        try await shop.remove("P2")
        var presenter = await shop.presenter
        let ids = presenter.screen.sections[0].items.map(\.id)
        // The item is gone meanwhile.
        try presenter.apply(gone)
        #expect(presenter.screen.sections[0].items.map(\.id) == ids)
        let byIndex = try await presenter.prepare([
            ClientEvent(action: "favourite", section: "Wares", item: 0)
        ])
        try presenter.deleteItem(at: .init(section: 0, item: 0))
        let error = #expect(throws: EditError.self) { try presenter.apply(byIndex) }
        #expect(error?.description.hasPrefix("/events/0: ") == true)
    }

    @Test("Sections are configured several times, each on what those before it left")
    func configureSections() throws {
        var registry = CellRegistry()
        registry.register("WARES") { $1.cells(WareCell.self, data: $0.data) }
        registry.configureSection { _, layout in layout.flow.gridColumnCount = 2 }
        registry.configureSection { section, layout in
            if section.identifier == "Wares", layout.flow.gridColumnCount == 2 {
                layout.flow.gridColumnCount = 3
            }
        }
        var presenter = ScreenPresenter(registry: registry)
        try presenter.loadPage(
            0, hasNext: false,
            sections: [
                SectionModel("Wares", UnitModel("WARES", Self.wares)),
                SectionModel("Others", UnitModel("WARES", Self.wares)),
            ])
        let columns = presenter.laidOut.sections.map { section in
            Set(section.items.map(\.frame.x)).count
        }
        #expect(Array(columns) == [3, 2])
    }

    @Test("Reordering and drops with the model")
    func reorderAndDrop() async throws {
        let moved = Received<Ware>()
        var registry = CellRegistry()
        registry.handle("reorder", of: WareCell.self) { ware, action in
            moved.add(ware)
            return [action.move(.before(.id(try action.decodeInput())))]
        }
        registry.handleView("drop", of: ListHeader.self) { _, action in
            let ware: Ware = try action.decodeInput()
            let data = try JSONValue(encoding: ware)
            return [
                .upsertItems(section: action.section, unitType: "cells:WareCell", data: [data])
            ]
        }
        var presenter = try built(registry)
        try await presenter.handle([
            ClientEvent(action: "reorder", section: "Wares", item: "P3", input: "P1")
        ])
        #expect(titles(presenter) == ["Jug", "Cup", "Pot"])
        #expect(moved.all == [Self.wares[2]])
        try await presenter.handle([
            ClientEvent(
                action: "drop", section: "Wares", view: .header,
                input: ["id": "P9", "title": "Tray", "isFavourite": false])
        ])
        #expect(titles(presenter) == ["Jug", "Cup", "Pot", "Tray"])
        // What is refused changes nothing.
        await #expect(throws: ModelError.self) {
            try await presenter.handle([
                ClientEvent(action: "drop", section: "Wares", view: .header, input: ["id": "P9"])
            ])
        }
        #expect(titles(presenter).count == 4)
    }
}
