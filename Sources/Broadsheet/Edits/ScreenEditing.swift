public import BroadsheetClient

/// The operations on the items and sections of a screen with models for data, each by an index path
/// or by the id of the section.
///
/// Index paths mean the state before their operation, and count the items of collapsed sections.
/// One that the screen does not have is an ``EditError`` that names it. An element joins the array
/// that its neighbour is an element of; a unit is as a page has it, and makes items of its type
/// (docs/edits.md, "Where items go").
public protocol ScreenEditing {
    /// The number of sections of the screen.
    var sectionCount: Int { get }

    /// Applies the operations that a function makes by the names of the contract, each to what
    /// those before it left.
    ///
    /// - Throws: The first model that is not JSON, or the first operation that cannot be done.
    mutating func edit(
        _ operations: (ContractNames) throws(ModelError) -> [UpdateOperation]
    ) throws(EditError)
}

// MARK: - Appending and inserting

extension ScreenEditing {
    /// Appends an element to a section.
    public mutating func appendItem(
        _ data: some Encodable, toSection section: Int
    ) throws(EditError) { try insert([data], in: .index(section)) }

    /// Appends an element to the section with an id.
    public mutating func appendItem(
        _ data: some Encodable, firstSectionIdentifier id: String
    ) throws(EditError) { try insert([data], in: .id(id)) }

    /// Appends elements to a section.
    public mutating func appendItems(
        contentsOf data: [some Encodable], toSection section: Int
    ) throws(EditError) { try insert(data, in: .index(section)) }

    /// Appends elements to the section with an id.
    public mutating func appendItems(
        contentsOf data: [some Encodable], firstSectionIdentifier id: String
    ) throws(EditError) { try insert(data, in: .id(id)) }

    /// Appends an element to the last section.
    public mutating func appendItemToLastSection(_ data: some Encodable) throws(EditError) {
        try insert([data], in: .index(sectionCount - 1))
    }

    /// Inserts an element at an index path; at the number of items is the end of the section.
    public mutating func insertItem(
        _ data: some Encodable, at place: Changes.ItemPlace
    ) throws(EditError) { try insertItems(contentsOf: [data], at: place) }

    /// Inserts an element at an index of the section with an id.
    public mutating func insertItem(
        _ data: some Encodable, atRow row: Int, firstSectionIdentifier id: String
    ) throws(EditError) { try insert([data], in: .id(id), .before(.index(row))) }

    /// Inserts elements at an index path; at the number of items is the end of the section.
    public mutating func insertItems(
        contentsOf data: [some Encodable], at place: Changes.ItemPlace
    ) throws(EditError) {
        try insert(data, in: .index(place.section), .before(.index(place.item)))
    }

    /// Appends units to a section.
    public mutating func appendUnits(
        _ units: [any ServerStateUnitRepresentable], toSection section: Int
    ) throws(EditError) { try insert(units: units, in: .index(section)) }

    /// Appends units to the section with an id.
    public mutating func appendUnits(
        _ units: [any ServerStateUnitRepresentable], firstSectionIdentifier id: String
    ) throws(EditError) { try insert(units: units, in: .id(id)) }

    /// Inserts units at an index path; within a unit, they divide it.
    public mutating func insertUnits(
        _ units: [any ServerStateUnitRepresentable], at place: Changes.ItemPlace
    ) throws(EditError) {
        try insert(units: units, in: .index(place.section), .before(.index(place.item)))
    }

    private mutating func insert(
        _ data: [some Encodable], in section: UpdateTarget, _ place: UpdatePlace = .end
    ) throws(EditError) {
        try edit { _ throws(ModelError) in
            let values = try ModelCoding.value(of: data)
            return [.insertItems(section: section, .data(Array(values.elements)), place)]
        }
    }

    private mutating func insert(
        units: [any ServerStateUnitRepresentable], in section: UpdateTarget,
        _ place: UpdatePlace = .end
    ) throws(EditError) {
        try edit { names throws(ModelError) in
            [.insertItems(section: section, .units(try names.values(of: units)), place)]
        }
    }
}

// MARK: - Updating, deleting and moving

extension ScreenEditing {
    /// Replaces the data of the item at an index path.
    public mutating func reconfigureItem(
        _ data: some Encodable, at place: Changes.ItemPlace
    ) throws(EditError) {
        try reconfigure(.index(place.item), of: .index(place.section), with: data)
    }

    /// Replaces the data of the item at an index of the section with an id.
    public mutating func reconfigureItem(
        _ data: some Encodable, atRow row: Int, firstSectionIdentifier id: String
    ) throws(EditError) { try reconfigure(.index(row), of: .id(id), with: data) }

    private mutating func reconfigure(
        _ item: UpdateTarget, of section: UpdateTarget, with data: some Encodable
    ) throws(EditError) {
        try edit { _ throws(ModelError) in
            [.replaceItem(section: section, item: item, data: try ModelCoding.value(of: data))]
        }
    }

    /// Replaces the item at an index path by the items of a unit, which may be of another type.
    public mutating func updateItem(
        _ unit: any ServerStateUnitRepresentable, at place: Changes.ItemPlace
    ) throws(EditError) { try update(.index(place.item), of: .index(place.section), to: unit) }

    /// Replaces the item at an index of the section with an id by the items of a unit.
    public mutating func updateItem(
        _ unit: any ServerStateUnitRepresentable, atRow row: Int, firstSectionIdentifier id: String
    ) throws(EditError) { try update(.index(row), of: .id(id), to: unit) }

    private mutating func update(
        _ item: UpdateTarget, of section: UpdateTarget, to unit: any ServerStateUnitRepresentable
    ) throws(EditError) {
        try edit { names throws(ModelError) in
            let units = try names.values(of: [unit])
            // Behind the item, so that its index means the same item afterwards.
            return [
                .insertItems(section: section, .units(units), .after(item)),
                .deleteItems(section: section, .some([item])),
            ]
        }
    }

    /// Removes the item at an index path.
    public mutating func deleteItem(at place: Changes.ItemPlace) throws(EditError) {
        try edit { _ in
            [.deleteItems(section: .index(place.section), .some([.index(place.item)]))]
        }
    }

    /// Removes the item at an index of the section with an id.
    public mutating func deleteItem(
        atRow row: Int, firstSectionIdentifier id: String
    ) throws(EditError) {
        try edit { _ in [.deleteItems(section: .id(id), .some([.index(row)]))] }
    }

    /// Removes all items of a section, which remains.
    public mutating func deleteAllItems(inSection section: Int) throws(EditError) {
        try edit { _ in [.deleteItems(section: .index(section), .all)] }
    }

    /// Removes all items of the section with an id, which remains.
    public mutating func deleteAllItems(firstSectionIdentifier id: String) throws(EditError) {
        try edit { _ in [.deleteItems(section: .id(id), .all)] }
    }

    /// Moves the item at an index path to the index path that it then has.
    public mutating func moveItem(
        at place: Changes.ItemPlace, to destination: Changes.ItemPlace
    ) throws(EditError) {
        guard place.section != destination.section else {
            return try moveItem(place.item, to: destination.item, of: .index(place.section))
        }
        try edit { _ in
            [
                .moveItems(
                    section: .index(place.section), items: [.index(place.item)],
                    toSection: .index(destination.section), .before(.index(destination.item)))
            ]
        }
    }

    /// Moves an item of the section with an id to the index that it then has.
    public mutating func moveItem(
        atRow row: Int, toRow destination: Int, firstSectionIdentifier id: String
    ) throws(EditError) { try moveItem(row, to: destination, of: .id(id)) }

    private mutating func moveItem(
        _ row: Int, to destination: Int, of section: UpdateTarget
    ) throws(EditError) {
        let (item, other) = (UpdateTarget.index(row), UpdateTarget.index(destination))
        try edit { _ in
            // An empty insertion changes nothing, and fails where there is no such item.
            if row == destination {
                return [.insertItems(section: section, .data([]), .after(item))]
            }
            return [
                .moveItems(
                    section: section, items: [item], toSection: nil,
                    row < destination ? .after(other) : .before(other))
            ]
        }
    }
}

extension ContractNames {
    fileprivate func values(
        of units: [any ServerStateUnitRepresentable]
    ) throws(ModelError) -> [JSONValue] {
        try Array(
            ModelCoding.value(of: units.map { EncodedUnit(unit: $0, names: self) }).elements)
    }
}
