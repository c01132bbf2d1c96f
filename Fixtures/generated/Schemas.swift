// broadsheet generate swift --name Schemas catalog.json; tag c8b9d32766ccd534; do not edit

import BroadsheetClient

/// The types of the catalog.
public enum Schemas {
    /// The data of an item, a header or a footer, by its cell type.
    public enum Cell: Hashable, Sendable {
        case product(TreeValue)
        /// A cell type that this file does not have, or data that does not fit.
        case unknown(type: String, data: TreeValue)

        /// Creates the data of an item.
        public init(_ item: TreeItem) { self.init(type: item.type, data: item.data) }

        /// Creates the data of a header or a footer.
        public init(_ view: TreeView) { self.init(type: view.type, data: view.data) }

        /// Creates the data of a cell type.
        public init(type: String, data: TreeValue) {
            switch type {
            case "Product": self = .product(data)
            default: self = .unknown(type: type, data: data)
            }
        }

        /// The name of the cell type.
        public var type: String {
            switch self {
            case .product: "Product"
            case .unknown(let type, _): type
            }
        }

        /// The data as JSON.
        public var data: TreeValue {
            switch self {
            case .product(let data): data
            case .unknown(_, let data): data
            }
        }
    }

    /// The data of a unit of a page, by its unit type.
    public enum Unit: Encodable, Hashable, Sendable {
        case products([Product])
        /// A unit type that this file does not have, or data that does not fit.
        case unknown(type: String, data: TreeValue)

        /// Creates the data of a unit type.
        public init(type: String, data: TreeValue) {
            switch type {
            case "PRODUCTS": self = _model(data, [Product].self).map(Self.products) ?? .unknown(type: type, data: data)
            default: self = .unknown(type: type, data: data)
            }
        }

        /// The name of the unit type.
        public var unitType: String {
            switch self {
            case .products: "PRODUCTS"
            case .unknown(let type, _): type
            }
        }

        /// The data.
        public var unitData: (any Encodable & Sendable)? {
            switch self {
            case .products(let data): data
            case .unknown(_, let data): data
            }
        }

        /// Encodes the unit as a page has it.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: _Key.self)
            try container.encode(unitType, forKey: _Key(stringValue: "unitType"))
            let key = _Key(stringValue: "unitData")
            switch self {
            case .products(let data): try container.encode(data, forKey: key)
            case .unknown(_, let data): try container.encode(data, forKey: key)
            }
        }
    }

    /// By the schema /units/PRODUCTS/schema/$defs/product
    public struct Product: Codable, Hashable, Sendable {
        /// Pattern: ^P[0-9]+$
        public var id: String
        public var price: Int64
        public var title: String?

        /// Creates the object.
        public init(id: String, price: Int64, title: String? = nil) {
            self.id = id
            self.price = price
            self.title = title
        }
    }

    /// The names of cell types.
    public enum CellType {
        public static let product = "Product"
    }

    /// The names of unit types.
    public enum UnitType {
        public static let products = "PRODUCTS"
    }

    private struct _Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static func _model<Model: Decodable>(
        _ data: TreeValue, _ type: Model.Type
    ) -> Model? {
        try? data.decode(type)
    }
}
