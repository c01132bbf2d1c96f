// broadsheet generate swift --name Cells catalog.json; tag 92f6a24dfc951a6a; do not edit

import BroadsheetClient

/// The types of the catalog.
public enum Cells {
    /// The data of an item, a header or a footer, by its cell type.
    public enum Cell: Hashable, Sendable {
        case heading(TreeValue)
        case chip(TreeValue)
        case offer(TreeValue)
        case product(TreeValue)
        case line(TreeValue)
        /// A cell type that this file does not have, or data that does not fit.
        case unknown(type: String, data: TreeValue)

        /// Creates the data of an item.
        public init(_ item: TreeItem) { self.init(type: item.type, data: item.data) }

        /// Creates the data of a header or a footer.
        public init(_ view: TreeView) { self.init(type: view.type, data: view.data) }

        /// Creates the data of a cell type.
        public init(type: String, data: TreeValue) {
            switch type {
            case "Heading": self = .heading(data)
            case "Chip": self = .chip(data)
            case "Offer": self = .offer(data)
            case "Product": self = .product(data)
            case "Line": self = .line(data)
            default: self = .unknown(type: type, data: data)
            }
        }

        /// The name of the cell type.
        public var type: String {
            switch self {
            case .heading: "Heading"
            case .chip: "Chip"
            case .offer: "Offer"
            case .product: "Product"
            case .line: "Line"
            case .unknown(let type, _): type
            }
        }

        /// The data as JSON.
        public var data: TreeValue {
            switch self {
            case .heading(let data): data
            case .chip(let data): data
            case .offer(let data): data
            case .product(let data): data
            case .line(let data): data
            case .unknown(_, let data): data
            }
        }
    }

    /// The data of a unit of a page, by its unit type.
    public enum Unit: Encodable, Hashable, Sendable {
        case kinds(TreeValue)
        case offers(TreeValue)
        case products(TreeValue)
        case basket(TreeValue)
        /// A unit type that this file does not have, or data that does not fit.
        case unknown(type: String, data: TreeValue)

        /// Creates the data of a unit type.
        public init(type: String, data: TreeValue) {
            switch type {
            case "KINDS": self = .kinds(data)
            case "OFFERS": self = .offers(data)
            case "PRODUCTS": self = .products(data)
            case "BASKET": self = .basket(data)
            default: self = .unknown(type: type, data: data)
            }
        }

        /// The name of the unit type.
        public var unitType: String {
            switch self {
            case .kinds: "KINDS"
            case .offers: "OFFERS"
            case .products: "PRODUCTS"
            case .basket: "BASKET"
            case .unknown(let type, _): type
            }
        }

        /// The data.
        public var unitData: (any Encodable & Sendable)? {
            switch self {
            case .kinds(let data): data
            case .offers(let data): data
            case .products(let data): data
            case .basket(let data): data
            case .unknown(_, let data): data
            }
        }

        /// Encodes the unit as a page has it.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: _Key.self)
            try container.encode(unitType, forKey: _Key(stringValue: "unitType"))
            let key = _Key(stringValue: "unitData")
            switch self {
            case .kinds(let data): try container.encode(data, forKey: key)
            case .offers(let data): try container.encode(data, forKey: key)
            case .products(let data): try container.encode(data, forKey: key)
            case .basket(let data): try container.encode(data, forKey: key)
            case .unknown(_, let data): try container.encode(data, forKey: key)
            }
        }
    }

    /// By the schema /cellTypes/Offer/actions/take/input
    public struct OfferTakeInput: Codable, Hashable, Sendable {
        public var from: String

        /// Creates the object.
        public init(from: String) {
            self.from = from
        }
    }

    /// The actions of the cell type Offer.
    public enum OfferActions {
        /// The action take of an item.
        public static func take(
            _ input: OfferTakeInput, section: UpdateTarget, item: UpdateTarget
        ) -> ClientEvent {
            ClientEvent(action: "take", section: section, item: item, input: _json(input))
        }

        /// The action take of a header or a footer.
        public static func take(
            _ input: OfferTakeInput, section: UpdateTarget, view: SectionView
        ) -> ClientEvent {
            ClientEvent(action: "take", section: section, view: view, input: _json(input))
        }
    }

    /// The names of cell types.
    public enum CellType {
        public static let heading = "Heading"
        public static let chip = "Chip"
        public static let offer = "Offer"
        public static let product = "Product"
        public static let line = "Line"
    }

    /// The names of unit types.
    public enum UnitType {
        public static let kinds = "KINDS"
        public static let offers = "OFFERS"
        public static let products = "PRODUCTS"
        public static let basket = "BASKET"
    }

    /// The ids of sections.
    public enum SectionID {
        public static let kinds = "kinds"
        public static let offers = "offers"
        public static let products = "products"
        public static let basket = "basket"
    }

    /// The names of the parts of the cell type Heading.
    public enum HeadingParts {
        public static let title = "title"
        public static let more = "more"
    }

    /// The names of the parts of the cell type Chip.
    public enum ChipParts {
        public static let icon = "icon"
        public static let label = "label"
        public static let back = "back"
    }

    /// The names of the parts of the cell type Offer.
    public enum OfferParts {
        public static let title = "title"
        public static let until = "until"
        public static let code = "code"
        public static let back = "back"
        public static let photo = "photo"
        public static let card = "card"
    }

    /// The names of the parts of the cell type Product.
    public enum ProductParts {
        public static let photo = "photo"
        public static let badge = "badge"
        public static let back = "back"
        public static let title = "title"
        public static let note = "note"
        public static let was = "was"
        public static let price = "price"
    }

    /// The names of the parts of the cell type Line.
    public enum LineParts {
        public static let photo = "photo"
        public static let title = "title"
        public static let detail = "detail"
        public static let price = "price"
    }

    private struct _Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static func _json(_ model: some Encodable) -> TreeValue {
        (try? TreeValue(encoding: model)) ?? .null
    }
}
