public import BroadsheetClient

// MARK: - Items by their names

/// The operations of updates with models: items and sections by their ids, or by their indexes.
extension ScreenEditing {
    /// Replaces the data of an item by a model.
    public mutating func replaceItem(
        section: UpdateTarget, item: UpdateTarget, with model: some Encodable
    ) throws(EditError) {
        try edit { _ throws(ModelError) in
            [.replaceItem(section: section, item: item, data: try ModelCoding.value(of: model))]
        }
    }

    /// Applies a model as a merge patch (RFC 7396) to the data of an item.
    public mutating func patchItem(
        section: UpdateTarget, item: UpdateTarget, with model: some Encodable
    ) throws(EditError) {
        try edit { _ throws(ModelError) in
            [.patchItem(section: section, item: item, patch: try ModelCoding.value(of: model))]
        }
    }

    /// Replaces the items that have the ids of models, and appends the other models.
    ///
    /// - Parameters:
    ///   - section: The section.
    ///   - unitType: The type of the unit that appended models join, or of a new one.
    ///   - models: The models.
    public mutating func upsertItems(
        section: UpdateTarget, unitType: String, _ models: [some Encodable]
    ) throws(EditError) {
        try edit { _ throws(ModelError) in
            let values = Array(try ModelCoding.value(of: models).elements)
            return [.upsertItems(section: section, unitType: unitType, data: values)]
        }
    }

    /// Replaces the items of a declared cell type that have the ids of models, and appends the
    /// other models, also to a section without items.
    ///
    /// The unit type is `cells:` with the name of the cell type, as in a built page.
    public mutating func upsertItems<C: CellType>(
        section: UpdateTarget, of type: C.Type, _ models: [C.Input]
    ) throws(EditError) where C.Input: Encodable {
        try upsertItems(
            section: section,
            unitType: BuiltUnitType.name(.cells, C.typeName, isOptional: false), models)
    }

    /// Inserts models as elements of the array that their neighbour is an element of.
    public mutating func insertItems(
        section: UpdateTarget, _ models: [some Encodable], _ place: UpdatePlace = .end
    ) throws(EditError) {
        try edit { _ throws(ModelError) in
            let values = Array(try ModelCoding.value(of: models).elements)
            return [.insertItems(section: section, .data(values), place)]
        }
    }

    /// Removes items.
    public mutating func deleteItems(
        section: UpdateTarget, _ items: UpdateOperation.Items
    ) throws(EditError) { try edit { _ in [.deleteItems(section: section, items)] } }

    /// Moves items within a section, or to another one.
    public mutating func moveItems(
        section: UpdateTarget, items: [UpdateTarget], toSection: UpdateTarget? = nil,
        _ place: UpdatePlace = .end
    ) throws(EditError) {
        try edit { _ in
            [.moveItems(section: section, items: items, toSection: toSection, place)]
        }
    }
}
