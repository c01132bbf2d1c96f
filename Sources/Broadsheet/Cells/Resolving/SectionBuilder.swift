/// A builder of one section, to which the configuration of a unit type adds cells and views.
///
/// Items occur in the section in the order of the calls. While a posted page is resolved, all data
/// must belong to its document: a unit's data, or a value inside it. A page that is built in code
/// may have values of any documents, and any `Encodable`.
public struct SectionBuilder: Sendable {
    /// The section's identifier; `nil` for one without.
    public internal(set) var identifier: String?
    /// The section's layout members.
    ///
    /// They override those registered for the section's id; the page's own members override them.
    public var layout = SectionLayout()
    /// The section's data for the client, a value that the tree copies; `nil` and null for none.
    ///
    /// The page's own `data` replaces it.
    public var data: JSONValue?

    /// The calls on the section of a page that is built in code; `nil` while units are resolved.
    var calls: [BuiltCall]?
    let audience: Audience
    var draft: PageDraft
    /// The layout of the section's first unit type with one, if it can have an effect.
    var unitLayout: LayoutBox?
    var unitTypes = UnitTypeSet()
    private(set) var header: ReusableViewInfo?
    private(set) var footer: ReusableViewInfo?

    private let codeContents: CodeContents
    private var reportedContents: Set<ObjectIdentifier> = []

    var unit: UnitContext
    /// A Boolean value that indicates whether the unit's configuration added, or tried to add,
    /// anything.
    var hasPlaced = false

    /// Creates a builder of the first section of a page that is built in code.
    init(
        _ document: JSONDocument, limits: ScreenLimits,
        codeContents: CodeContents = CodeContents()
    ) {
        self.codeContents = codeContents
        audience = .standard
        draft = PageDraft(document, kinds: [], limits: limits)
        unit = UnitContext(call: 0, in: 0)
    }

    /// Creates a builder of the first section of a posted page for an audience.
    init(
        _ document: JSONDocument, for audience: Audience, _ registry: CellRegistry,
        limits: ScreenLimits
    ) {
        self.audience = audience
        codeContents = registry.codeContents
        draft = PageDraft(
            document, kinds: registry.kinds, drawn: registry.cellFallbacks.drawn(for: audience),
            limits: limits)
        draft.judge = registry.judge(of: document)
        unit = UnitContext(call: 0, in: 0)
    }

    /// Creates a recorder of the calls on a section of a page that is built in code.
    init(recording identifier: String?) {
        self.init(.null, limits: ScreenLimits())
        self.identifier = identifier
        calls = []
    }

    /// Begins the next section; the page's items stay.
    mutating func begin(_ identifier: String?) {
        self.identifier = identifier
        layout = SectionLayout()
        data = nil
        unitLayout = nil
        unitTypes = UnitTypeSet()
        header = nil
        footer = nil
    }

    /// Adds one item with `data`.
    ///
    /// - Parameters:
    ///   - type: The cell type.
    ///   - data: The item's data; if it is `nil` or null, a diagnostic takes the place of the item.
    ///   - optional: A Boolean value that indicates whether missing data causes no diagnostic.
    public mutating func cell(
        _ type: any CellType.Type, data: JSONValue?, optional: Bool = false
    ) {
        place(.cell, type, data.map(BuiltData.value), isOptional: optional)
    }

    /// Adds one item with a model to a page that is built in code.
    ///
    /// - Parameters:
    ///   - type: The cell type.
    ///   - data: The model, which the tree has as JSON; if it is `nil`, or cannot be JSON, a
    ///     diagnostic takes the place of the item.
    ///   - optional: A Boolean value that indicates whether `nil` causes no diagnostic.
    public mutating func cell<C: CellType>(
        _ type: C.Type, data: C.Input?, optional: Bool = false
    ) where C.Input: Encodable {
        place(.cell, type, data.map(BuiltData.init(encoding:)), isOptional: optional)
    }

    /// Adds one item with any model to a page that is built in code, for a cell type that gets the
    /// data as it is.
    public mutating func cell<C: CellType<JSONValue>>(
        _ type: C.Type, data: some Encodable, optional: Bool = false
    ) {
        place(.cell, type, BuiltData(encoding: data), isOptional: optional)
    }

    /// Adds one item for each element of the array `data`.
    ///
    /// - Parameters:
    ///   - type: The cell type.
    ///   - data: The items' data; if it is `nil`, null or not an array, a diagnostic takes the
    ///     place of the items.
    ///   - optional: A Boolean value that indicates whether missing data causes no diagnostic.
    /// - Complexity: O(elements).
    public mutating func cells(
        _ type: any CellType.Type, data: JSONValue?, optional: Bool = false
    ) {
        place(.cells, type, data.map(BuiltData.value), isOptional: optional)
    }

    /// Adds one item for each model of an array to a page that is built in code.
    ///
    /// - Parameters:
    ///   - type: The cell type.
    ///   - data: The models, which the tree has as JSON; if they are `nil`, or cannot be JSON, a
    ///     diagnostic takes the place of the items.
    ///   - optional: A Boolean value that indicates whether `nil` causes no diagnostic.
    /// - Complexity: O(bytes).
    public mutating func cells<C: CellType>(
        _ type: C.Type, data: [C.Input]?, optional: Bool = false
    ) where C.Input: Encodable {
        place(.cells, type, data.map(BuiltData.init(encoding:)), isOptional: optional)
    }

    /// Adds one item for each element of any model that is an array to a page that is built in
    /// code, for a cell type that gets the data as it is.
    ///
    /// - Complexity: O(bytes).
    public mutating func cells<C: CellType<JSONValue>>(
        _ type: C.Type, data: some Encodable, optional: Bool = false
    ) {
        place(.cells, type, BuiltData(encoding: data), isOptional: optional)
    }

    /// Sets the section's header, unless `data` is `nil` or null; a later header replaces it.
    public mutating func header(_ type: any CellType.Type, data: JSONValue?) {
        place(.header, type, data.map(BuiltData.value), isOptional: true)
    }

    /// Sets the header of a section of a page that is built in code, unless the model is `nil`; a
    /// later header replaces it.
    public mutating func header<C: CellType>(
        _ type: C.Type, data: C.Input?
    ) where C.Input: Encodable {
        place(.header, type, data.map(BuiltData.init(encoding:)), isOptional: true)
    }

    /// Sets the header of a section of a page that is built in code to any model, for a cell type
    /// that gets the data as it is; a later header replaces it.
    public mutating func header<C: CellType<JSONValue>>(_ type: C.Type, data: some Encodable) {
        place(.header, type, BuiltData(encoding: data), isOptional: true)
    }

    /// Sets the section's footer, unless `data` is `nil` or null; a later footer replaces it.
    public mutating func footer(_ type: any CellType.Type, data: JSONValue?) {
        place(.footer, type, data.map(BuiltData.value), isOptional: true)
    }

    /// Sets the footer of a section of a page that is built in code, unless the model is `nil`; a
    /// later footer replaces it.
    public mutating func footer<C: CellType>(
        _ type: C.Type, data: C.Input?
    ) where C.Input: Encodable {
        place(.footer, type, data.map(BuiltData.init(encoding:)), isOptional: true)
    }

    /// Sets the footer of a section of a page that is built in code to any model, for a cell type
    /// that gets the data as it is; a later footer replaces it.
    public mutating func footer<C: CellType<JSONValue>>(_ type: C.Type, data: some Encodable) {
        place(.footer, type, BuiltData(encoding: data), isOptional: true)
    }

    /// Adds the data of a unit as a call of a built page does.
    mutating func place(
        _ role: PlacementRole, _ type: any CellType.Type, _ data: JSONValue, isOptional: Bool
    ) { place(role, type, .value(data), isOptional: isOptional) }

    private mutating func place(
        _ role: PlacementRole, _ type: any CellType.Type, _ data: BuiltData?, isOptional: Bool
    ) {
        let call = BuiltCall(role: role, type: type, data: data, isOptional: isOptional)
        guard calls == nil else {
            calls?.append(call)
            return
        }
        guard accepts(role) else { return }
        place(call)
    }
}

extension SectionBuilder {
    /// The range of the section's data in the page's bytes; `nil` without data of the page.
    var dataRange: Range<Int>? {
        guard let data, !data.isNull, data.document === draft.document else { return nil }
        return data.byteRange
    }

    func accepts(_ role: PlacementRole) -> Bool {
        unit.only == nil || unit.only == role
    }

    mutating func place(_ call: BuiltCall) {
        let type = PlacementType.kind(kind(of: call.type))
        switch call.data {
        case .value(let data)?:
            place(call.role, type, data: data, pointer: "", isOptional: call.isOptional)
        case nil:
            place(call.role, type, data: nil, pointer: "", isOptional: call.isOptional)
        case .encoded?:
            lose(call, type, "", "a posted page has cells of its own values only, not of models")
        case .invalid(let error)?:
            lose(call, type, error.pointer, "the model cannot be JSON: \(error.detail)")
        }
        unit.advance()
    }

    /// Returns the index of the kind of a Swift type; reports a content that cannot be used, once a
    /// page.
    private mutating func kind(of type: any CellType.Type) -> Int {
        let contents = codeContents.result(of: type)
        if let violation = contents.violation,
            reportedContents.insert(ObjectIdentifier(type)).inserted
        {
            draft.report(
                .unusableModel(
                    isFlat: unit.isFlat, pointer: "", cellType: type.typeName,
                    "its content cannot be used: \(violation)"),
                at: unit.location)
        }
        return draft.kind(of: type, contents.tree)
    }

    /// Reports a model that no cell, header or footer can be made of.
    private mutating func lose(
        _ call: BuiltCall, _ type: PlacementType, _ pointer: String, _ detail: String
    ) {
        hasPlaced = true
        guard draft.placements == nil else {
            return draft.record(
                RecordedPlacement(
                    role: call.role, type: type, data: nil, isOptional: call.isOptional))
        }
        draft.report(
            .lostModel(isFlat: unit.isFlat, pointer: pointer, detail), at: unit.location)
    }

    mutating func omit(_ placement: Placement) {
        hasPlaced = true
        // The positions of the others among the placements of the unit stay the same.
        draft.record(RecordedPlacement(role: placement.role, type: placement.type, data: nil))
    }

    mutating func place(
        _ role: PlacementRole, _ type: PlacementType, data: JSONValue?, pointer: String,
        isOptional: Bool
    ) {
        hasPlaced = true
        guard draft.placements == nil else {
            return draft.record(
                RecordedPlacement(
                    role: role, type: type, data: data, pointer: pointer,
                    isOptional: isOptional || role == .header || role == .footer))
        }
        guard let data, !data.isNull, data.document === draft.document else {
            if role == .header || role == .footer || isOptional { return }
            return draft.report(
                .missingData(isFlat: unit.isFlat, pointer: pointer), at: unit.location)
        }
        if draft.origins != nil { draft.beginUse(of: unit, data, pointer: pointer) }
        var origin = DataOrigin(unit: unit, pointer: pointer)
        switch role {
        case .cell, .cells: origin.isJudged = unit.isJudged && !isOptional
        case .header, .footer: break
        }
        switch role {
        case .cell:
            draft.append(data, type, from: origin)
        case .cells where data.kind == .array:
            draft.append(elementsOf: data, type, from: origin)
        case .cells:
            draft.report(.notAnArray(isFlat: unit.isFlat, pointer: pointer), at: unit.location)
        case .header:
            header = view(of: data, type, from: origin, replacing: header, role)
        case .footer:
            footer = view(of: data, type, from: origin, replacing: footer, role)
        }
    }

    /// Returns the header or footer of `data`; the earlier one if `type` has no cell type for it,
    /// or one whose schema it does not keep.
    private mutating func view(
        of data: JSONValue, _ type: PlacementType, from origin: DataOrigin,
        replacing earlier: ReusableViewInfo?, _ role: PlacementRole
    ) -> ReusableViewInfo? {
        guard let posted = draft.kind(of: type, for: data.node, from: origin) else {
            return earlier
        }
        let kind = draft.shownKind(posted)
        if let earlier { draft.report(.replaced(role), at: earlier.location) }
        draft.origins?.add(role, ofSection: unit.location.section)
        return ReusableViewInfo(
            kind: kind, dataRange: data.byteRange,
            inputs: draft.inputs(of: data, kind: kind, from: origin), location: unit.location)
    }
}

/// The unit that a section builder's calls belong to.
struct UnitContext: Sendable {
    private(set) var location: UnitLocation
    /// A Boolean value that indicates whether the unit is its own data.
    let isFlat: Bool
    /// The only role that counts, for a section's own header or footer.
    let only: PlacementRole?
    /// A Boolean value that indicates whether the data of its items is known to keep the schemas of
    /// their cell types, unless it may be missing.
    let isJudged: Bool
    /// A Boolean value that indicates whether each call on the section is a unit, as in a built
    /// page.
    private let countsCalls: Bool

    init(
        location: UnitLocation, isFlat: Bool, only: PlacementRole?, isJudged: Bool = false
    ) {
        self.location = location
        self.isFlat = isFlat
        self.only = only
        self.isJudged = isJudged
        countsCalls = false
    }

    /// Creates the context of the call at an index on the section at an index of a built page.
    init(call: Int32, in section: Int) {
        location = UnitLocation(
            section: Int32(truncatingIfNeeded: section), isBare: false, part: .unit(call))
        isFlat = false
        only = nil
        isJudged = false
        countsCalls = true
    }

    mutating func advance() {
        guard countsCalls else { return }
        self = UnitContext(
            call: Int32(truncatingIfNeeded: index + 1), in: Int(location.section))
    }

    /// The unit's index within its posted section; 0 for a header or footer.
    var index: Int {
        if case .unit(let index) = location.part { Int(index) } else { 0 }
    }
}
