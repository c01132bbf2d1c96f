public import Broadsheet
public import BroadsheetServer

// A server whose data is a program's own (docs/swift.md, "A server with its data in Swift").

// [board-server]
/// A dish of the day.
public struct Dish: Codable, Hashable, Sendable, Identifiable {
    /// The name that identifies it.
    public var id: String
    /// The title.
    public var title: String
    /// The number that is left.
    public var left: Int

    /// Creates a dish.
    public init(id: String, title: String, left: Int) {
        (self.id, self.title, self.left) = (id, title, left)
    }
}

/// A dish, with a line for those that are left.
public enum DishCell: CellType {
    /// Returns the size of a dish.
    public static func size(with dish: Dish, constrainedTo container: Container) -> Size? {
        Size(width: container.available.width, height: dish.left > 0 ? 64 : 44)
    }
}

/// Returns the server of a lunch board, which stores nothing on disk.
public func boardServer() -> ScreenServer {
    var registry = CellRegistry()
    registry.declare(DishCell.self)
    registry.handle("order", of: DishCell.self) { dish, action in
        guard dish.left > 0 else { return [] }
        return [try action.patch(with: ["left": dish.left - 1])]
    }
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.store = .memory
    return ScreenServer(registry: registry, configuration: configuration)
}
// [/board-server]
