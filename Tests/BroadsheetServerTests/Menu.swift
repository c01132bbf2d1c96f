import Broadsheet
import BroadsheetServer
import BroadsheetStores

struct Dish: Codable, Sendable, Identifiable {
    var id: String
    var price: Int
}

/// A dish as tall as its price.
enum DishCell: CellType {
    static func size(with dish: Dish, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: Double(dish.price))
    }
}

enum Heading: CellType {
    static func size(with data: String, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: 20)
    }
}

/// The menu that the tests of a program's own server store.
enum Menu {
    static let dishes = [Dish(id: "soup", price: 6), Dish(id: "pie", price: 9)]

    static let sections = [SectionModel("Menu", UnitModel("DISHES", dishes))]

    static func registry() -> CellRegistry {
        var registry = CellRegistry()
        registry.register("DISHES", cellTypes: DishCell.self) { unit, section in
            section.cells(DishCell.self, data: unit.data)
        }
        registry.declare(Heading.self)
        registry.handle("order", of: DishCell.self) { dish, action in
            [
                try action.patch(with: [
                    "price": dish.price + (try action.decodeInput(Int?.self) ?? 1)
                ])
            ]
        }
        registry.handleView(.select, of: Heading.self) { _, action in [action.toggleSection()] }
        return registry
    }

    /// Runs a server while a function uses it.
    static func withServer(
        _ configuration: ServerConfiguration = .forTests(), registry: CellRegistry = registry(),
        store: ScreenStore? = nil, _ body: (ScreenServer) async throws -> Void
    ) async throws {
        var configuration = configuration
        configuration.store = .memory
        let server = ScreenServer(registry: registry, store: store, configuration: configuration)
        let running = Task { try await server.run() }
        do { try await body(server) } catch {
            server.stop()
            try await running.value
            throw error
        }
        server.stop()
        try await running.value
    }
}
