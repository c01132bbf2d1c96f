/// What the configuration of a unit type adds cells, a header and a footer to.
///
/// Everything that is added stands in the section in the order of the calls. Data is always part of
/// the page's document: the unit's, or what lies within it.
public struct SectionBuilder: Sendable {
    /// The section's layout members: they win over those registered for its id, and give way to
    /// those that the page itself sets.
    public var layout = SectionLayout()

    /// What the page has become so far.
    var draft: PageDraft
    /// What the current section has become so far, besides its cells.
    var header: ReusableViewInfo?
    var footer: ReusableViewInfo?

    /// The unit being configured.
    var unit: UnitContext
    /// Whether the unit's configuration has made, or tried to make, anything.
    var hasPlaced = false

    /// Forgets the section that was built last; the page's items stay.
    mutating func begin() {
        layout = SectionLayout()
        header = nil
        footer = nil
    }

    /// Adds one item of `data`; nothing and a diagnostic when that is nil or null.
    ///
    /// - Parameter optional: Whether missing data deserves no diagnostic.
    public mutating func cell(
        _ type: any CellType.Type, data: JSONValue?, optional: Bool = false
    ) {
        place(.cell, type, data, isOptional: optional)
    }

    /// Adds one item for each element of the array `data`; nothing and a diagnostic when that is
    /// nil, null, or no array.
    ///
    /// O(elements).
    ///
    /// - Parameter optional: Whether missing data deserves no diagnostic.
    public mutating func cells(
        _ type: any CellType.Type, data: JSONValue?, optional: Bool = false
    ) {
        place(.cells, type, data, isOptional: optional)
    }

    /// Sets the section's header; nothing when `data` is nil or null.
    ///
    /// A later header replaces it.
    public mutating func header(_ type: any CellType.Type, data: JSONValue?) {
        place(.header, type, data, isOptional: true)
    }

    /// Sets the section's footer; nothing when `data` is nil or null.
    ///
    /// A later footer replaces it.
    public mutating func footer(_ type: any CellType.Type, data: JSONValue?) {
        place(.footer, type, data, isOptional: true)
    }

    private mutating func place(
        _ role: PlacementRole, _ type: any CellType.Type, _ data: JSONValue?, isOptional: Bool
    ) {
        guard accepts(role) else { return }
        place(
            role, kind: draft.kind(of: type), data: data, pointer: "", isOptional: isOptional)
        unit.advance()
    }
}
