public import BroadsheetClient

/// One item of a merged section, read from its page.
public struct MergedItem: Sendable {
    /// The section that the item belongs to.
    public let section: MergedSection
    let cell: CellInfo
    /// The index of the item in its section.
    public let index: Int
    /// The page that the item belongs to.
    public let page: ResolvedPage

    fileprivate init(
        _ section: MergedSection, _ page: ResolvedPage, _ cell: CellInfo, at index: Int
    ) {
        self.section = section
        self.cell = cell
        self.index = index
        self.page = page
    }

    /// The name of the cell type.
    public var type: String { page.kinds[cell.kind].name }

    /// The posted data.
    public var data: MergedData { MergedData(page: page, range: cell.dataRange) }

    /// Returns the data as the model of a cell type, decoded once for the layout and this; `nil`
    /// for an item of another type, and for data that does not fit.
    public func model<C: CellType>(_ type: C.Type) -> C.Input? {
        page.model(type, of: page.kinds[cell.kind], at: cell.inputs, data)
    }

    /// The id in its section, as the tree has it.
    ///
    /// - Complexity: O(log suffixes + length).
    public var id: String {
        let text = String(decoding: page.text(of: cell.id), as: UTF8.self)
        guard let suffix = section.suffixes(fromItem: index).first, suffix.item == index else {
            return text
        }
        return "\(text)#\(suffix.number)"
    }
}

/// The items of a merged section, each read from its page when it is accessed.
public struct MergedItems: RandomAccessCollection, Sendable {
    private let section: MergedSection

    fileprivate init(_ section: MergedSection) {
        self.section = section
    }

    /// The index of the first item.
    public var startIndex: Int { 0 }

    /// The number of items; 0 when the section is collapsed.
    public var endIndex: Int { section.itemCount }

    /// The item at an index.
    ///
    /// - Complexity: O(log parts).
    public subscript(index: Int) -> MergedItem {
        guard let (page, cell) = section.item(at: index) else {
            preconditionFailure("Item \(index) of a section with \(endIndex) items")
        }
        return MergedItem(section, page, cell, at: index)
    }
}

extension MergedSection {
    /// The items; none when collapsed.
    public var items: MergedItems { MergedItems(self) }
}

extension ResolvedPage {
    /// Returns the model of an item, a header or a footer, if its cell type has the name of `type`.
    fileprivate func model<C: CellType>(
        _ type: C.Type, of kind: CellKind, at inputs: UInt32, _ data: MergedData
    ) -> C.Input? {
        guard kind.name.hasSameCodePoints(as: C.typeName) else { return nil }
        switch kind.sizing {
        case .byModel:
            guard let models = models[ObjectIdentifier(kind)] as? DecodedModels<C> else { break }
            return models[inputs]
        case .byCode:
            guard let value = document?.value(at: inputs) as? C.Input else { break }
            return value
        case .byLayout, .byRules, .byContents: break
        }
        if C.Input.self == JSONValue.self { return (try? data.value()) as? C.Input }
        return try? data.decode(C.Input.self)
    }
}

extension MergedView {
    /// The name of the cell type.
    public var type: String { page.kinds[info.kind].name }

    /// Returns the data as the model of a cell type, decoded once for the layout and this; `nil`
    /// for a view of another type, and for data that does not fit.
    public func model<C: CellType>(_ type: C.Type) -> C.Input? {
        page.model(type, of: page.kinds[info.kind], at: info.inputs, data)
    }

    /// The posted data.
    public var data: MergedData { MergedData(page: page, range: info.dataRange) }
}

extension MergedScreen {
    /// Returns the item at a place, or `nil` if there is none.
    ///
    /// - Complexity: O(log parts of the section).
    public func item(at place: Changes.ItemPlace) -> MergedItem? {
        guard sections.indices ~= place.section else { return nil }
        let items = sections[place.section].items
        return items.indices ~= place.item ? items[place.item] : nil
    }

    /// Returns the index of the section with an id, or `nil`.
    ///
    /// - Complexity: O(1) on average; O(sections) at the first time.
    public func sectionIndex(of id: String) -> Int? { index(of: Identifier(id)) }

    /// Returns the place of the item with an id in the section with an id, or `nil`.
    ///
    /// - Complexity: O(items of the section).
    public func indexPath(of item: String, inSection id: String) -> Changes.ItemPlace? {
        guard let section = sectionIndex(of: id),
            let index = sections[section].items.firstIndex(where: { $0.id == item })
        else { return nil }
        return Changes.ItemPlace(section: section, item: index)
    }

    /// Returns the place of an item of this screen; `nil` for one of another screen, unless both
    /// share its section.
    ///
    /// - Complexity: O(1) on average for an item of a section with an id, otherwise O(sections).
    public func indexPath(of item: MergedItem) -> Changes.ItemPlace? {
        let index =
            item.section.id.map(sectionIndex)
            ?? sections.firstIndex { $0 === item.section }
        guard let index, sections[index] === item.section else { return nil }
        return Changes.ItemPlace(section: index, item: item.index)
    }
}

extension MergedData {
    /// The bytes of the data as posted.
    public var bytes: ArraySlice<UInt8> { page.bytes[range] }

    /// Indexes the data, and returns its value.
    ///
    /// - Complexity: O(bytes).
    public func value() throws(JSONError) -> JSONValue {
        try JSONDocument(Array(bytes), maxDepth: .max).root
    }

    /// Decodes the data as a model; of a member that stands twice, the last value.
    ///
    /// - Throws: The first part of the data that does not fit the model.
    /// - Complexity: O(bytes).
    public func decode<Model: Decodable>(
        _ type: Model.Type = Model.self
    ) throws(ModelError) -> Model {
        let value: JSONValue
        do throws(JSONError) { value = try self.value() } catch { throw ModelError(error) }
        return try value.decode(type)
    }
}

extension MergedData {
    /// Returns whether two sections have the data of one page and place, or none.
    static func areSame(_ one: MergedData?, _ other: MergedData?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.page === other.page && one.range == other.range
    }
}
