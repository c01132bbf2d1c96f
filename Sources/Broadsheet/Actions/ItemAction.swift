public import BroadsheetClient

/// An event of an item, as a handler receives it.
public struct ItemAction: Sendable {
    /// The name of the action, or of the event.
    public let name: String
    /// The section of the item.
    public let section: UpdateTarget
    /// The item.
    public let item: UpdateTarget
    /// The name of the item's cell type.
    public let cellType: String
    /// The item's data.
    public let data: JSONValue
    /// The values for the action; `nil` if the event has none.
    public let input: JSONValue?

    init(_ found: HandledItem) {
        name = found.name
        section = found.target.section
        // The handlers of items receive no headers and footers.
        item = found.target.item ?? ""
        cellType = found.cellType
        data = found.data
        input = found.input
    }

    /// Decodes the values for the action; null if the event has none.
    ///
    /// - Throws: The first part that does not fit the model.
    public func decodeInput<Model: Decodable>(
        _ type: Model.Type = Model.self
    ) throws(ModelError) -> Model { try (input ?? JSONDocument.null.root).decode(type) }

    /// Returns the operation that replaces the item's data.
    ///
    /// - Throws: The reason why the model is not JSON.
    public func replace(with model: some Encodable) throws(ModelError) -> UpdateOperation {
        .replaceItem(section: section, item: item, data: try JSONValue(encoding: model))
    }

    /// Returns the operation that applies a merge patch (RFC 7396) to the item's data.
    ///
    /// - Throws: The reason why the model is not JSON.
    public func patch(with model: some Encodable) throws(ModelError) -> UpdateOperation {
        .patchItem(section: section, item: item, patch: try JSONValue(encoding: model))
    }

    /// Returns the operation that removes the item.
    public func delete() -> UpdateOperation {
        .deleteItems(section: section, .some([item]))
    }

    /// Returns the operation that moves the item, within its section or to another one.
    public func move(
        toSection: UpdateTarget? = nil, _ place: UpdatePlace = .end
    ) -> UpdateOperation {
        .moveItems(section: section, items: [item], toSection: toSection, place)
    }
}

/// An event of the header or the footer of a section, as a handler receives it.
public struct ViewAction: Sendable {
    /// The name of the action, or of the event.
    public let name: String
    /// The section.
    public let section: UpdateTarget
    /// The view.
    public let view: SectionView
    /// The name of the view's cell type.
    public let cellType: String
    /// The view's data.
    public let data: JSONValue
    /// The values for the action; `nil` if the event has none.
    public let input: JSONValue?

    init(_ found: HandledItem) {
        name = found.name
        section = found.target.section
        // The handlers of headers and footers receive no items.
        if case .view(let part) = found.target.part { view = part } else { view = .header }
        cellType = found.cellType
        data = found.data
        input = found.input
    }

    /// Decodes the values for the action; null if the event has none.
    ///
    /// - Throws: The first part that does not fit the model.
    public func decodeInput<Model: Decodable>(
        _ type: Model.Type = Model.self
    ) throws(ModelError) -> Model { try (input ?? JSONDocument.null.root).decode(type) }

    /// Returns the operation that replaces the view's data.
    ///
    /// - Throws: The reason why the model is not JSON.
    public func replace(with model: some Encodable) throws(ModelError) -> UpdateOperation {
        .replaceView(section: section, view, data: try JSONValue(encoding: model))
    }

    /// Returns the operation that collapses the section, or expands it.
    public func toggleSection() -> UpdateOperation { .toggleSection(section: section) }
}
