public import BroadsheetServer
public import BroadsheetStores
import Broadsheet

// A server of one's own cell types (docs/swift.md, "Serving").

// [embedded-server]
/// The price of a product, as tall as its lines.
struct PriceCell: CellType {
    static let id: JSONPointer? = "/id"

    static func size(with data: JSONValue, constrainedTo container: Container) -> Size? {
        let lines = Double(data["lines"]?.count ?? 0)
        return Size(width: container.available.width, height: 16 + 20 * lines)
    }
}

/// Returns a server of prices, which clients may remove.
public func priceServer(
    store: ScreenStore, configuration: ServerConfiguration = ServerConfiguration()
) -> ScreenServer {
    var registry = CellRegistry()
    registry.register("SHOP_PRICES") { unit, section in
        section.cells(PriceCell.self, data: unit.data)
    }
    registry.handle("remove", of: "PriceCell") { action in
        [.deleteItems(section: action.section, .some([action.item]))]
    }
    return ScreenServer(registry: registry, store: store, configuration: configuration)
}
// [/embedded-server]
