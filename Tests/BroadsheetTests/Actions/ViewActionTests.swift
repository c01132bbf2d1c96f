import BroadsheetClient
import Testing

@testable import Broadsheet

@Suite("Events of headers and footers (docs/api.md, Events of clients)")
struct ViewActionTests {
    private static let catalog = #"""
        {"units": {"LIST": {"cells": {"type": "C"}}, "HEAD": {"header": {"type": "H"}}},
         "cellTypes": {"C": {"id": "/id"}, "H": {"actions": {
           "toggle": {"operations": [{"op": "toggleSection"}]},
           "remove": {"operations": [{"op": "deleteItems"}]}}}}}
        """#
    private static let pages = [
        #"{"sections":[{"sectionId":"A","units":[{"unitType":"LIST","unitData":[{"id":"a"}]},{"unitType":"HEAD","unitData":{"n":1}}]}]}"#,
        #"{"sections":[{"sectionId":"A","units":[{"unitType":"HEAD","unitData":{"n":2}}]},{"sectionId":"B","units":[]}]}"#,
    ]

    private func presenter(
        _ configure: (inout CellRegistry) -> Void = { _ in }
    ) throws -> ScreenPresenter {
        var registry = try Catalog(Array(Self.catalog.utf8)).registry
        configure(&registry)
        var presenter = ScreenPresenter(registry: registry)
        for (number, page) in Self.pages.enumerated() {
            try presenter.loadPage(number, ServerStatePage(JSONDocument(Array(page.utf8))))
        }
        return presenter
    }

    private func diagnostics(
        _ events: [ClientEvent], _ presenter: ScreenPresenter
    ) -> [String] {
        let posted = events.map(PostedEvent.init)
        let items = NamedItems(
            posted, in: presenter.viewModel, presenter.parameters, presenter.registry)
        return EventDiagnostics(posted, of: items, presenter.registry).first
            .map { "\($0.code.rawValue) \($0.pointer)" }
    }

    @Test(
        "The actions are those of the view's cell type, and one that needs an item cannot be done")
    func catalogActions() async throws {
        var presenter = try presenter()
        for section: UpdateTarget in ["A", 0] {
            let before = presenter.screen.sections[0].collapsed
            try await presenter.handle([
                ClientEvent(action: "toggle", section: section, view: .header)
            ])
            #expect(presenter.screen.sections[0].collapsed != before)
        }
        let error = await #expect(throws: EditError.self) {
            try await presenter.handle([
                ClientEvent(action: "remove", section: "A", view: .header)
            ])
        }
        guard case .impossible("/events/0", let detail) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail.contains("has no item"))
        // Without such a view an event is only counted, and reported.
        let absent = [
            ClientEvent(action: "toggle", section: "A", view: .footer),
            ClientEvent(.select, section: "B", view: .header),
            ClientEvent(action: "none", section: "A", view: .header),
            ClientEvent(.select, section: "A", view: .header),
            ClientEvent(.select, section: "X", view: .header),
        ]
        let tree = presenter.tree
        try await presenter.handle(absent)
        #expect(presenter.tree == tree)
        #expect(
            diagnostics(absent, presenter) == [
                "UNKNOWN_ITEM /events/0/view", "UNKNOWN_ITEM /events/1/view",
                "UNKNOWN_ACTION /events/2/name", "UNKNOWN_SECTION /events/4/section",
            ])
    }

    @Test("A handler of headers receives the view of the highest page, and one of items does not")
    func handlers() async throws {
        var presenter = try presenter { registry in
            registry.handle(.select, of: "H") { _ in [.deleteSections(["A"])] }
            registry.handleView(.select) { _ in [.deleteSections(["B"])] }
            registry.handleView(.select, of: "H") { action in
                let number = try #require(action.data["n"]?.int)
                #expect(action.name == "select" && action.view == .header)
                #expect(action.cellType == "H" && action.section == "A")
                return [try action.replace(with: ["n": number + 5])]
            }
            registry.handleView("select", of: "H") { _ in [.deleteSections(["A"])] }
        }
        try await presenter.handle([ClientEvent(.select, section: "A", view: .header)])
        #expect(presenter.sectionIds == ["A", "B"])
        #expect(try presenter.screen.sections[0].header?.data.value()["n"]?.int == 7)
    }

    @Test("A typed handler fails for an action with data that does not fit, and skips other events")
    func unfit() async throws {
        enum Typed: CellType {
            static let typeName = "C"
            static func size(with input: [Int], constrainedTo container: Container) -> Size? { nil }
        }
        var presenter = try presenter { registry in
            registry.handle("act", of: Typed.self) { _, action in [action.delete()] }
            registry.handle(.select, of: Typed.self) { _, action in [action.delete()] }
        }
        try await presenter.handle([ClientEvent(.select, section: "A", item: "a")])
        #expect(presenter.ids == [["a"], []])
        await #expect(throws: ModelError.self) {
            try await presenter.handle([ClientEvent(action: "act", section: "A", item: "a")])
        }
        #expect(presenter.ids == [["a"], []])
    }
}
