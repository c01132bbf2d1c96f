/// A tree as a client keeps it (docs/api.md, "The tree").
///
/// The members that changes address by themselves are properties; all others are values by name.
public struct Tree: Sendable, Hashable {
    /// All members but `sections`.
    public var members: [String: TreeValue]
    /// The sections in order.
    public var sections: [TreeSection]

    /// Creates a tree.
    public init(members: [String: TreeValue], sections: [TreeSection]) {
        self.members = members
        self.sections = sections
    }
}

extension Tree {
    /// Reads a tree from JSON.
    ///
    /// - Throws: The first byte that is not JSON, or that the JSON is not a tree.
    public init(json: some Sequence<UInt8>) throws(TreeError) {
        guard let tree = Self(try TreeValue(json: json)) else {
            throw .shape("the JSON is not a tree")
        }
        self = tree
    }

    /// The revision; `nil` for pages that are not stored.
    public var revision: UInt64? { members["revision"]?.integer(UInt64.self) }

    /// The highest page of the tree; `nil` for a composition without pages.
    public var page: Int? { members["page"]?.integer }

    /// The token that stands for the next page; `nil` without one.
    public var nextPageToken: String? { members["nextPageToken"]?.text }
}

/// A section of a tree.
public struct TreeSection: Sendable, Hashable {
    /// All members but `index`, which is the place of the section, and `items`.
    public var members: [String: TreeValue]
    /// The items in order.
    public var items: [TreeItem]

    /// Creates a section.
    public init(members: [String: TreeValue], items: [TreeItem]) {
        self.members = members
        self.items = items
    }
}

extension TreeSection {
    /// The identifier, or `nil`.
    public var id: String? { members["id"]?.text }

    /// A Boolean value that indicates whether the items are hidden.
    public var isCollapsed: Bool { members["collapsed"]?.bool ?? false }

    /// The header, or `nil`.
    public var header: TreeView? { members["header"].flatMap(TreeView.init) }

    /// The footer, or `nil`.
    public var footer: TreeView? { members["footer"].flatMap(TreeView.init) }
}

/// A header or a footer of a section of a tree.
public struct TreeView: Sendable, Hashable {
    /// All members but `frame`.
    public var members: [String: TreeValue]
    /// The frame in section coordinates.
    public var frame: TreeFrame

    /// Reads a header or a footer; `nil` if the value is not one.
    public init?(_ value: TreeValue) {
        guard var members = value.members,
            let frame = members.removeValue(forKey: "frame").flatMap(TreeFrame.init(object:))
        else { return nil }
        self.members = members
        self.frame = frame
    }

    /// The name of the cell type.
    public var type: String { members["type"]?.text ?? "" }

    /// The data; null in a tree without data.
    public var data: TreeValue { members["data"] ?? .null }

    /// Decodes the data as a model.
    ///
    /// - Throws: The first part of the data that does not fit.
    public func decode<Model: Decodable>(
        _ type: Model.Type = Model.self
    ) throws(TreeError) -> Model { try data.decode(type) }

    /// The parts of the view by their names; empty if its type has no content.
    ///
    /// Their order, that of drawing, is the order of the boxes in the content
    /// (`GET /v1/catalog/cells`).
    public var parts: [String: TreePart] { TreePart.parts(of: members["parts"]) }
}

/// An item of a tree.
public struct TreeItem: Sendable, Hashable {
    /// All members but `frame` and `separator`.
    public var members: [String: TreeValue]
    /// The frame.
    public var frame: TreeFrame
    /// The frame of the separator, or `nil`.
    public var separator: TreeFrame?

    /// Creates an item.
    public init(
        members: [String: TreeValue], frame: TreeFrame, separator: TreeFrame? = nil
    ) {
        self.members = members
        self.frame = frame
        self.separator = separator
    }

    /// The id in its section.
    public var id: String { members["id"]?.text ?? "" }

    /// The name of the cell type.
    public var type: String { members["type"]?.text ?? "" }

    /// The data; null in a tree without data.
    public var data: TreeValue { members["data"] ?? .null }

    /// Decodes the data as a model.
    ///
    /// - Throws: The first part of the data that does not fit.
    public func decode<Model: Decodable>(
        _ type: Model.Type = Model.self
    ) throws(TreeError) -> Model { try data.decode(type) }

    /// The number of lines of the item's texts; `nil` if its size does not depend on a text.
    public var lines: Int? {
        members["lines"]?.integer
    }

    /// The gestures that the client offers for the item, such as `move` and `delete`; `nil` if its
    /// type restricts nothing.
    public var can: [String]? {
        members["can"]?.elements?.compactMap { gesture in
            if case .string(let name) = gesture { name } else { nil }
        }
    }

    /// The parts of the item by their names; empty if its type has no content.
    ///
    /// Their order, that of drawing, is the order of the boxes in the content
    /// (`GET /v1/catalog/cells`).
    public var parts: [String: TreePart] { TreePart.parts(of: members["parts"]) }

    /// A Boolean value that indicates whether a limit of lines cut a text of the item.
    public var isTruncated: Bool { members["truncated"] == .bool(true) }
}

/// A rectangle of a tree, in points.
public struct TreeFrame: Sendable, Hashable {
    /// The distance from the parent's left edge.
    public var x: Double
    /// The distance from the parent's top edge.
    public var y: Double
    /// The length along x.
    public var width: Double
    /// The length along y.
    public var height: Double

    /// Creates a rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

extension Tree: Codable {
    /// Reads a tree; `nil` if the value is not one.
    public init?(_ value: TreeValue) {
        guard var members = value.members,
            let sections = members.removeValue(forKey: "sections")?.elements
        else { return nil }
        var treeSections: [TreeSection] = []
        for section in sections {
            guard let section = TreeSection(section) else { return nil }
            treeSections.append(section)
        }
        self.init(members: members, sections: treeSections)
    }

    /// The tree as JSON, with the `index` of each section.
    public var value: TreeValue {
        var members = members
        members["sections"] = .array(
            sections.enumerated().map { index, section in section.value(at: index) })
        return .object(members)
    }

    /// Decodes a tree.
    public init(from decoder: any Decoder) throws {
        guard let tree = Self(try TreeValue(from: decoder)) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a tree"))
        }
        self = tree
    }

    /// Encodes the tree.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension TreeSection {
    /// Reads a section; `nil` if the value is not one.
    public init?(_ value: TreeValue) {
        guard var members = value.members,
            let items = members.removeValue(forKey: "items")?.elements
        else { return nil }
        members["index"] = nil
        var treeItems: [TreeItem] = []
        treeItems.reserveCapacity(items.count)
        for item in items {
            guard let item = TreeItem(item) else { return nil }
            treeItems.append(item)
        }
        self.init(members: members, items: treeItems)
    }

    /// Returns the section as JSON.
    ///
    /// - Parameter index: The place of the section in its tree.
    public func value(at index: Int) -> TreeValue {
        var members = members
        members["index"] = .number(TreeNumber(index))
        members["items"] = .array(items.map(\.value))
        return .object(members)
    }
}

extension TreeItem {
    /// Reads an item; `nil` if the value is not one.
    public init?(_ value: TreeValue) {
        guard var members = value.members,
            let frame = members.removeValue(forKey: "frame").flatMap(TreeFrame.init(object:))
        else { return nil }
        var separator: TreeFrame?
        if let value = members.removeValue(forKey: "separator") {
            separator = TreeFrame(object: value)
            guard separator != nil else { return nil }
        }
        self.init(members: members, frame: frame, separator: separator)
    }

    /// The item as JSON.
    public var value: TreeValue {
        var members = members
        members["frame"] = frame.object
        members["separator"] = separator?.object
        return .object(members)
    }
}

extension TreeFrame {
    /// Reads a frame as trees have it: `{"x", "y", "width", "height"}`.
    init?(object: TreeValue) {
        guard let x = object["x"]?.length, let y = object["y"]?.length,
            let width = object["width"]?.length, let height = object["height"]?.length
        else { return nil }
        self.init(x: x, y: y, width: width, height: height)
    }

    /// Reads a frame as changes have it: `[x, y, width, height]`.
    init?(list: TreeValue) {
        guard let numbers = list.elements?.compactMap(\.length), numbers.count == 4,
            list.elements?.count == 4
        else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    var object: TreeValue {
        .object([
            "x": .number(TreeNumber(length: x)), "y": .number(TreeNumber(length: y)),
            "width": .number(TreeNumber(length: width)),
            "height": .number(TreeNumber(length: height)),
        ])
    }
}

extension TreeValue {
    fileprivate var length: Double? { number.flatMap { $0.isFinite ? $0 : nil } }
}

/// A part of an item, a header or a footer: a box of its content that has a name.
public struct TreePart: Sendable, Hashable {
    /// The frame, in the coordinates of the element.
    public var frame: TreeFrame
    /// The number of lines; `nil` if the part is not a text.
    public var lines: Int?
    /// A Boolean value that indicates whether a limit of lines cut the text.
    public var isTruncated: Bool
    /// The URL of an image, made for the pixels of the frame; `nil` if its box has no template, or
    /// no usable value.
    public var url: String?

    /// Creates a part.
    public init(
        frame: TreeFrame, lines: Int? = nil, isTruncated: Bool = false, url: String? = nil
    ) {
        self.frame = frame
        self.lines = lines
        self.isTruncated = isTruncated
        self.url = url
    }

    init?(_ value: TreeValue) {
        guard let frame = value["frame"].flatMap(TreeFrame.init(object:)) else { return nil }
        self.init(
            frame: frame, lines: value["lines"]?.integer,
            isTruncated: value["truncated"]?.bool == true, url: value["url"]?.text)
    }

    static func parts(of value: TreeValue?) -> [String: TreePart] {
        (value?.members ?? [:]).compactMapValues(TreePart.init)
    }
}

/// The place of a window in the tree of all pages (docs/api.md, "Windows").
public struct TreeWindow: Sendable, Hashable {
    /// The id of the anchor's section; `nil` for a section without one, and for the null anchor.
    public var section: String?
    /// The id of the anchor; `nil` for the null anchor, the content's start.
    public var item: String?
    /// The content coordinate of the anchor's frame along the screen, in points.
    public var origin: Double
    /// The index in the tree of all pages of the window's first section.
    public var firstSection: Int
    /// The length of the window before its anchor, in points.
    public var before: Double
    /// The length of the window after its anchor, in points.
    public var after: Double

    /// Creates the place that a member `window` describes; `nil` if it is not one.
    public init?(_ value: TreeValue) {
        guard let origin = value["origin"]?.number, let first = value["firstSection"]?.integer,
            let before = value["before"]?.number, let after = value["after"]?.number
        else { return nil }
        section = value["section"]?.text
        item = value["item"]?.text
        self.origin = origin
        firstSection = first
        self.before = before
        self.after = after
    }
}

extension Tree {
    /// The place of the tree in that of all pages, if it is a window.
    public var window: TreeWindow? { members["window"].flatMap(TreeWindow.init) }

    /// A Boolean value that indicates whether there is something before the tree.
    public var hasPrevious: Bool { members["hasPrevious"]?.bool ?? false }

    /// The token of the window before this one; `nil` without one.
    public var previousPageToken: String? { members["previousPageToken"]?.text }
}

extension TreeSection {
    /// The index in the whole tree of the first item in a window; `nil` in any other tree.
    public var firstItem: Int? { members["firstItem"]?.integer }

    /// The number of items in the whole tree; `nil` in any other tree.
    public var itemCount: Int? { members["itemCount"]?.integer }
}
