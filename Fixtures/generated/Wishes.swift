// broadsheet generate swift --name Wishes catalog.json; tag c3c30151883511a2; do not edit

import BroadsheetClient

/// The types of the catalog.
public enum Wishes {
    /// The data of an item, a header or a footer, by its cell type.
    public enum Cell: Hashable, Sendable {
        case wish(TreeValue)
        /// A cell type that this file does not have, or data that does not fit.
        case unknown(type: String, data: TreeValue)

        /// Creates the data of an item.
        public init(_ item: TreeItem) { self.init(type: item.type, data: item.data) }

        /// Creates the data of a header or a footer.
        public init(_ view: TreeView) { self.init(type: view.type, data: view.data) }

        /// Creates the data of a cell type.
        public init(type: String, data: TreeValue) {
            switch type {
            case "Wish": self = .wish(data)
            default: self = .unknown(type: type, data: data)
            }
        }

        /// The name of the cell type.
        public var type: String {
            switch self {
            case .wish: "Wish"
            case .unknown(let type, _): type
            }
        }

        /// The data as JSON.
        public var data: TreeValue {
            switch self {
            case .wish(let data): data
            case .unknown(_, let data): data
            }
        }
    }

    /// The data of a unit of a page, by its unit type.
    public enum Unit: Encodable, Hashable, Sendable {
        case wishes_2(TreeValue)
        /// A unit type that this file does not have, or data that does not fit.
        case unknown(type: String, data: TreeValue)

        /// Creates the data of a unit type.
        public init(type: String, data: TreeValue) {
            switch type {
            case "wishes": self = .wishes_2(data)
            default: self = .unknown(type: type, data: data)
            }
        }

        /// The name of the unit type.
        public var unitType: String {
            switch self {
            case .wishes_2: "wishes"
            case .unknown(let type, _): type
            }
        }

        /// The data.
        public var unitData: (any Encodable & Sendable)? {
            switch self {
            case .wishes_2(let data): data
            case .unknown(_, let data): data
            }
        }

        /// Encodes the unit as a page has it.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: _Key.self)
            try container.encode(unitType, forKey: _Key(stringValue: "unitType"))
            let key = _Key(stringValue: "unitData")
            switch self {
            case .wishes_2(let data): try container.encode(data, forKey: key)
            case .unknown(_, let data): try container.encode(data, forKey: key)
            }
        }
    }

    /// By the schema /cellTypes/Wish/actions/favourite/input
    public struct WishFavouriteInput: Codable, Hashable, Sendable {
        public var on: Bool

        /// Creates the object.
        public init(on: Bool) {
            self.on = on
        }
    }

    /// The actions of the cell type Wish.
    public enum WishActions {
        /// The action favourite of an item.
        public static func favourite(
            _ input: WishFavouriteInput, section: UpdateTarget, item: UpdateTarget
        ) -> ClientEvent {
            ClientEvent(action: "favourite", section: section, item: item, input: _json(input))
        }

        /// The action favourite of a header or a footer.
        public static func favourite(
            _ input: WishFavouriteInput, section: UpdateTarget, view: SectionView
        ) -> ClientEvent {
            ClientEvent(action: "favourite", section: section, view: view, input: _json(input))
        }

        /// The action remove of an item.
        public static func remove(
            _ input: TreeValue? = nil, section: UpdateTarget, item: UpdateTarget
        ) -> ClientEvent {
            ClientEvent(action: "remove", section: section, item: item, input: input)
        }

        /// The action remove of a header or a footer.
        public static func remove(
            _ input: TreeValue? = nil, section: UpdateTarget, view: SectionView
        ) -> ClientEvent {
            ClientEvent(action: "remove", section: section, view: view, input: input)
        }
    }

    /// The names of cell types.
    public enum CellType {
        public static let wish = "Wish"
    }

    /// The names of unit types.
    public enum UnitType {
        public static let wishes = "wishes"
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
