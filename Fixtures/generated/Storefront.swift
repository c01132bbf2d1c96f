// broadsheet generate swift --name Storefront catalog.json; tag 2addbe9e1093a65a; do not edit

import BroadsheetClient

/// The types of the catalog.
public enum Storefront {
    /// The data of an item, a header or a footer, by its cell type.
    public enum Cell: Hashable, Sendable {
        case topBannerCell(TreeValue)
        case productCell(TreeValue)
        case sectionHeaderView(TreeValue)
        case myFavoriteHeaderView(TreeValue)
        /// A cell type that this file does not have, or data that does not fit.
        case unknown(type: String, data: TreeValue)

        /// Creates the data of an item.
        public init(_ item: TreeItem) { self.init(type: item.type, data: item.data) }

        /// Creates the data of a header or a footer.
        public init(_ view: TreeView) { self.init(type: view.type, data: view.data) }

        /// Creates the data of a cell type.
        public init(type: String, data: TreeValue) {
            switch type {
            case "TopBannerCell": self = .topBannerCell(data)
            case "ProductCell": self = .productCell(data)
            case "SectionHeaderView": self = .sectionHeaderView(data)
            case "MyFavoriteHeaderView": self = .myFavoriteHeaderView(data)
            default: self = .unknown(type: type, data: data)
            }
        }

        /// The name of the cell type.
        public var type: String {
            switch self {
            case .topBannerCell: "TopBannerCell"
            case .productCell: "ProductCell"
            case .sectionHeaderView: "SectionHeaderView"
            case .myFavoriteHeaderView: "MyFavoriteHeaderView"
            case .unknown(let type, _): type
            }
        }

        /// The data as JSON.
        public var data: TreeValue {
            switch self {
            case .topBannerCell(let data): data
            case .productCell(let data): data
            case .sectionHeaderView(let data): data
            case .myFavoriteHeaderView(let data): data
            case .unknown(_, let data): data
            }
        }
    }

    /// The data of a unit of a page, by its unit type.
    public enum Unit: Encodable, Hashable, Sendable {
        case ssTopBanner(TreeValue)
        case ssProductList(TreeValue)
        case ssSectionTitle(TreeValue)
        case ssMyFavorites(TreeValue)
        /// A unit type that this file does not have, or data that does not fit.
        case unknown(type: String, data: TreeValue)

        /// Creates the data of a unit type.
        public init(type: String, data: TreeValue) {
            switch type {
            case "SS_TOP_BANNER": self = .ssTopBanner(data)
            case "SS_PRODUCT_LIST": self = .ssProductList(data)
            case "SS_SECTION_TITLE": self = .ssSectionTitle(data)
            case "SS_MY_FAVORITES": self = .ssMyFavorites(data)
            default: self = .unknown(type: type, data: data)
            }
        }

        /// The name of the unit type.
        public var unitType: String {
            switch self {
            case .ssTopBanner: "SS_TOP_BANNER"
            case .ssProductList: "SS_PRODUCT_LIST"
            case .ssSectionTitle: "SS_SECTION_TITLE"
            case .ssMyFavorites: "SS_MY_FAVORITES"
            case .unknown(let type, _): type
            }
        }

        /// The data.
        public var unitData: (any Encodable & Sendable)? {
            switch self {
            case .ssTopBanner(let data): data
            case .ssProductList(let data): data
            case .ssSectionTitle(let data): data
            case .ssMyFavorites(let data): data
            case .unknown(_, let data): data
            }
        }

        /// Encodes the unit as a page has it.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: _Key.self)
            try container.encode(unitType, forKey: _Key(stringValue: "unitType"))
            let key = _Key(stringValue: "unitData")
            switch self {
            case .ssTopBanner(let data): try container.encode(data, forKey: key)
            case .ssProductList(let data): try container.encode(data, forKey: key)
            case .ssSectionTitle(let data): try container.encode(data, forKey: key)
            case .ssMyFavorites(let data): try container.encode(data, forKey: key)
            case .unknown(_, let data): try container.encode(data, forKey: key)
            }
        }
    }

    /// The names of cell types.
    public enum CellType {
        public static let topBannerCell = "TopBannerCell"
        public static let productCell = "ProductCell"
        public static let sectionHeaderView = "SectionHeaderView"
        public static let myFavoriteHeaderView = "MyFavoriteHeaderView"
    }

    /// The names of unit types.
    public enum UnitType {
        public static let ssTopBanner = "SS_TOP_BANNER"
        public static let ssProductList = "SS_PRODUCT_LIST"
        public static let ssSectionTitle = "SS_SECTION_TITLE"
        public static let ssMyFavorites = "SS_MY_FAVORITES"
    }

    /// The ids of sections.
    public enum SectionID {
        public static let myFavorites = "MyFavorites"
        public static let productList = "ProductList"
        public static let tripleItems = "TripleItems"
    }

    private struct _Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
