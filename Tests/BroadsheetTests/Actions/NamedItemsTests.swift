import BroadsheetClient
import Testing

@testable import Broadsheet

@Suite("The items that events name") struct NamedItemsTests {
    private enum Cell: CellType {
        static let id: JSONPointer? = "/id"

        static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
            Size(width: 10, height: 10)
        }
    }

    /// Returns the events whose items are searched for by a presenter, of one of each type.
    private func searched(
        _ register: (inout CellRegistry) -> Void
    ) throws -> (kinds: [ClientEvent.Kind], views: [ClientEvent.Kind]) {
        var registry = CellRegistry()
        registry.register("LIST") { unit, section in
            section.cells(Cell.self, data: unit.data)
            section.header(Cell.self, data: Array(unit.data.elements).first)
        }
        register(&registry)
        var model = PaginatedViewModel()
        let page =
            #"{"sections":[{"sectionId":"A","units":[{"unitType":"LIST","unitData":[{"id":"a"}]}]}]}"#
        try model.load(
            ResolvedPage(
                page: ServerStatePage(JSONDocument(Array(page.utf8))), number: 0,
                registry: registry))
        func kinds(_ item: UpdateTarget?, _ view: SectionView?) -> [ClientEvent.Kind] {
            let events = ClientEvent.Kind.allCases.map { kind in
                var event = ClientEvent(kind)
                event.section = "A"
                event.item = item
                event.view = view
                event.name = kind == .action ? "a" : nil
                return PostedEvent(event)
            }
            let items = NamedItems(ofHandled: events, in: model, LayoutParameters(), registry)
            return events.indices.filter { items.cellType(ofEvent: $0) == "Cell" }.map {
                events[$0].event.type
            }
        }
        return (kinds("a", nil), kinds(nil, .header))
    }

    @Test("Only actions, and events that have a handler, cost a search for their item")
    func handled() throws {
        let none = try searched { _ in }
        #expect(none.kinds == [.action] && none.views == [.action])
        let select = try searched { registry in
            registry.handle(.select, of: "Other") { _ in [] }
            registry.handle("highlight") { _ in [] }
        }
        #expect(Set(select.kinds) == [.action, .select])
        let views = try searched { registry in
            registry.handleView(.deselect, of: Cell.self) { _, _ in [] }
        }
        #expect(Set(views.views) == [.action, .deselect])
    }
}
