/// The registered unit types and cell types, and the layouts of sections and the screen.
///
/// A Swift program fills it by code, and ``Catalog`` from JSON.
public struct CellRegistry: Sendable {
    /// A function that adds the cells, header and footer of one unit to its section.
    ///
    /// It is called while a page is resolved, on any thread, once for each unit. For a section's
    /// own header or footer it is called once, and only a call for that role counts. Its calls may
    /// depend on the unit and on ``SectionBuilder/identifier``, and on nothing else.
    public typealias Configuration = @Sendable (ServerStateUnit, inout SectionBuilder) -> Void

    /// A function that sets layout members of a posted section, before its units are configured.
    ///
    /// It is called while a page is resolved, on any thread, once for each section that is there.
    public typealias SectionConfiguration =
        @Sendable (ServerStateSection, inout SectionLayout) -> Void

    /// The contents, which copies share, because each request makes several.
    private var shared: CopyOnWrite<Contents>
    private var contents: Contents {
        _read { yield shared.value }
        _modify { yield &shared.value }
    }

    /// The budget of the request whose documents are read by this copy; `nil` for pages that were
    /// stored before, and without schemas.
    package internal(set) var judgementBudget: JudgementBudget?

    /// The identity of the layouts of sections: copies of a registry share it until one of them
    /// changes.
    final class Identity: Sendable {}

    private struct Contents: Sendable {
        var names: ContractNames
        var screen: ScreenLayout
        var diagnostics: [Diagnostic] = []
        var cellFallbacks = CellFallbacks()
        var fonts = FontTable()
        var sizeRules: [CustomSizeRule] = []
        var codeContents = CodeContents()
        var references = CatalogReferences()
        let kinds: [CellKind]
        let maxSizeInputs: Int
        let measuredTexts: MeasuredTexts
        let maxSharedInputSubschemas: Int?
        var maxPlacements = 1
        var identity = Identity()
        var handlers: [HandlerKey: any RegisteredAction] = [:]
        var unitTypes: [Identifier: UnitType] = [:]
        var layouts: [Identifier: SectionLayout] = [:]
        /// The configurations of all sections, in the order in which they run.
        var sectionConfigurations: [SectionConfiguration] = []
        /// The configuration of the units of types that are not registered.
        var defaultConfiguration: Configuration?
        var declaredTypes: [Identifier: any CellType.Type] = [:]
        var patternParts = 0
        var hasUnitLayouts = false
        var hasConditions = false
        var hasSchemas = false
    }

    /// The names of a page's members.
    public var names: ContractNames {
        get { contents.names }
        set { contents.names = newValue }
    }
    /// The layout options of the whole screen.
    public var screen: ScreenLayout {
        get { contents.screen }
        set { contents.screen = newValue }
    }
    /// Diagnostics of the catalog that trees have before those of the pages; empty unless the
    /// catalog came with the pages.
    package var diagnostics: [Diagnostic] {
        get { contents.diagnostics }
        set { contents.diagnostics = newValue }
    }

    /// The cell types that stand in for those that an app is too old for.
    var cellFallbacks: CellFallbacks {
        get { contents.cellFallbacks }
        set { contents.cellFallbacks = newValue }
    }

    var fonts: FontTable { contents.fonts }

    /// The size rules of the program that a catalog was compiled with.
    var sizeRules: [CustomSizeRule] { contents.sizeRules }

    /// The types of a Swift program that were declared and have contents.
    var declaredContents: [any CellType.Type] {
        contents.declaredTypes.values.filter { $0.content != nil }
    }

    var codeContents: CodeContents { contents.codeContents }

    /// The parts of a catalog that refer to parts of pages.
    var references: CatalogReferences {
        get { contents.references }
        set { contents.references = newValue }
    }

    /// The names of a catalog's fonts and the hashes of the contents of their files, in the order
    /// of the names.
    package var fontContents: [(name: String, hash: UInt64)] { fonts.contents }

    /// The cell types of a catalog; those of Swift programs are added while pages are resolved.
    var kinds: [CellKind] { contents.kinds }

    package var maxSizeInputs: Int { contents.maxSizeInputs }

    package var measuredTexts: MeasuredTexts { contents.measuredTexts }

    /// The largest number of placements that a catalog has for a unit type, at least 1.
    package var maxPlacements: Int { contents.maxPlacements }

    var identity: Identity { contents.identity }

    var handlers: [HandlerKey: any RegisteredAction] {
        _read { yield contents.handlers }
        _modify { yield &contents.handlers }
    }

    /// The number of states, and of ranges of code points, of the patterns of schemas.
    package var patternParts: Int {
        get { contents.patternParts }
        set { contents.patternParts = newValue }
    }

    var hasConditions: Bool { contents.hasConditions }

    /// A Boolean value that indicates whether a unit type or a cell type has a schema.
    var hasSchemas: Bool { contents.hasSchemas }

    /// Creates a registry without unit types.
    public init(
        names: ContractNames = ContractNames(), screen: ScreenLayout = ScreenLayout()
    ) {
        self.init(names: names, screen: screen, kinds: [])
    }

    mutating func setFonts(_ fonts: FontTable, _ sizeRules: [CustomSizeRule]) {
        (contents.fonts, contents.sizeRules) = (fonts, sizeRules)
        contents.codeContents = CodeContents(fonts, sizeRules)
    }

    init(names: ContractNames, screen: ScreenLayout, kinds: [CellKind]) {
        shared = CopyOnWrite(
            Contents(
                names: names, screen: screen, kinds: kinds,
                maxSizeInputs: kinds.reduce(0) { max($0, $1.inputCount) },
                measuredTexts: MeasuredTexts(of: kinds),
                maxSharedInputSubschemas: kinds.flatMap(\.behavior.inputSchemas)
                    .map(\.sharedCount).max(),
                hasSchemas: kinds.contains { $0.schema != nil }))
    }

    /// Registers units of the type `unitType`, and replaces an earlier registration.
    ///
    /// - Parameters:
    ///   - unitType: The name of the unit type.
    ///   - layout: The layout of the sections that such a unit is in, if those have neither a
    ///     layout of their own id nor an earlier unit of a type with a layout.
    ///   - cellTypes: The cell types that the units make, which ``declare(_:)`` checks.
    ///   - configure: The configuration of the units.
    public mutating func register(
        _ unitType: String, layout: SectionLayout? = nil, cellTypes: any CellType.Type...,
        configure: @escaping Configuration
    ) {
        for type in cellTypes { declare(type) }
        contents.unitTypes[Identifier(unitType)] = UnitType(
            configure: configure, layout: layout.map(LayoutBox.init))
        if layout != nil { contents.hasUnitLayouts = true }
        contents.identity = Identity()
    }

    /// Sets the configuration of the units of types that are not registered, and replaces an
    /// earlier one.
    ///
    /// A unit of which it makes nothing is of an unknown type.
    ///
    /// - Parameters:
    ///   - cellTypes: The cell types that the units make, which ``declare(_:)`` checks.
    ///   - configure: The configuration of the units.
    public mutating func registerDefault(
        cellTypes: any CellType.Type..., configure: @escaping Configuration
    ) {
        for type in cellTypes { declare(type) }
        contents.defaultConfiguration = configure
        contents.identity = Identity()
    }

    /// Adds a configuration of posted sections; several run in the order of their registration,
    /// each on the members that those before it left.
    ///
    /// The members that they set override those that ``setLayout(_:forSection:)`` has set for the
    /// section's id, and those that units and the page set override them.
    public mutating func configureSection(_ configure: @escaping SectionConfiguration) {
        contents.sectionConfigurations.append(configure)
        contents.identity = Identity()
    }

    /// Declares a cell type unless another type of the same name is declared, and returns whether
    /// it then is.
    mutating func declareUnlessOther(_ type: any CellType.Type) -> Bool {
        let name = Identifier(type.typeName)
        if let other = contents.declaredTypes[name] { return other == type }
        contents.declaredTypes[name] = type
        return true
    }

    func declaredType(named name: String) -> (any CellType.Type)? {
        contents.declaredTypes[Identifier(name)]
    }

    mutating func register(_ unitType: String, by rules: UnitTypeRules) {
        let placements = rules.placements
        register(unitType, layout: rules.layout) { unit, section in
            section.place(placements, of: unit)
        }
        contents.unitTypes[Identifier(unitType)]?.placements = placements
        let conditions = placements.compactMap { PlacementConditions(of: $0, cellFallbacks) }
        contents.unitTypes[Identifier(unitType)]?.conditions = conditions
        contents.maxPlacements = max(maxPlacements, placements.count)
        if !conditions.isEmpty { contents.hasConditions = true }
        contents.unitTypes[Identifier(unitType)]?.schema = rules.schema
        if rules.schema != nil { contents.hasSchemas = true }
    }

    /// Sets the layout of the sections with an id.
    ///
    /// The layout of `"*"` applies to all sections without another one, and is never combined with
    /// another. Each member of a page's own layout overrides this one's.
    public mutating func setLayout(_ layout: SectionLayout, forSection id: String) {
        contents.layouts[Identifier(id)] = layout
        contents.identity = Identity()
    }

    /// Returns the layout of the sections with an id; `nil` is that of unnamed sections.
    ///
    /// - Parameters:
    ///   - id: The section's id.
    ///   - unitLayout: The layout of the section's first unit type with one, which applies to
    ///     sections without a layout of their own id.
    public func layout(
        forSection id: String?, unitLayout: SectionLayout? = nil
    ) -> SectionLayout {
        ownLayout(ofSection: id) ?? unitLayout ?? contents.layouts[Identifier(Self.anySection)]
            ?? SectionLayout()
    }

    func ownLayout(ofSection id: String?) -> SectionLayout? {
        guard let id, id != Self.anySection else { return nil }
        return contents.layouts[Identifier(id)]
    }

    /// Returns the layout of the first unit of `section` that is there for an audience and whose
    /// type has one; `nil` if there is none, or if it has no effect because of the section's id.
    ///
    /// - Complexity: O(units); O(1) if no unit type has a layout.
    func unitLayout(in section: ServerStateSection, for audience: Audience) -> LayoutBox? {
        guard contents.hasUnitLayouts, ownLayout(ofSection: section.identifier) == nil else {
            return nil
        }
        return section.units.lazy.filter { $0.isThere(for: audience) }
            .compactMap { contents.unitTypes[Identifier($0.unitType)]?.layout }.first
    }

    /// Returns the name of the unit type of a catalog whose layout `layout` is; `nil` for another.
    func catalogType(with layout: LayoutBox) -> Identifier? {
        contents.unitTypes.first { $0.value.layout === layout && $0.value.placements != nil }?.key
    }

    /// Sets the layout members that the program has for a section, and returns whether it has any.
    func configure(_ section: ServerStateSection, _ layout: inout SectionLayout) -> Bool {
        for configure in contents.sectionConfigurations { configure(section, &layout) }
        return !contents.sectionConfigurations.isEmpty
    }

    func conditions(of unitType: String) -> [PlacementConditions] {
        contents.unitTypes[Identifier(unitType)]?.conditions ?? []
    }

    /// Returns the placements that a catalog has for a unit type; `nil` for a type that is
    /// registered by code, or not at all.
    func placements(of unitType: String) -> [Placement]? {
        contents.unitTypes[Identifier(unitType)]?.placements
    }

    /// The names of the cell types, and the kinds of the decorations of layouts, in order; `nil` if
    /// code registers types, which may make others.
    package var drawnNames: [String]? {
        guard !hasTypesInCode else { return nil }
        let layouts =
            contents.layouts.values
            + contents.unitTypes.values.compactMap { $0.layout?.layout }
        let decorations = layouts.flatMap { $0.decorations ?? [] }
        return Set(kinds.map(\.name) + decorations.map(\.kind)).sorted()
    }

    package var hasTypesInCode: Bool {
        contents.defaultConfiguration != nil || !contents.declaredTypes.isEmpty
            || contents.unitTypes.values.contains { $0.placements == nil }
    }

    /// The largest number of subschemas of a schema whose results are kept; `nil` without schemas.
    package var maxSharedSubschemas: Int? {
        guard hasSchemas else { return nil }
        let schemas = contents.unitTypes.values.map(\.schema) + kinds.map(\.schema)
        return schemas.reduce(0) { max($0, $1?.sharedCount ?? 0) }
    }

    /// The largest number of subschemas of a schema of inputs whose results are kept; `nil` if no
    /// action has a schema.
    package var maxSharedInputSubschemas: Int? { contents.maxSharedInputSubschemas }

    var unitTypeNames: [String] { contents.unitTypes.keys.map(\.text).sorted() }

    func schema(of unitType: String) -> UnitSchema? {
        contents.unitTypes[Identifier(unitType)]?.schema
    }

    /// Takes over what another registry has in code: unit types, layouts and configurations of
    /// sections, and action handlers; each replaces the one of the same name.
    mutating func takeOver(_ other: CellRegistry) {
        contents.unitTypes.merge(other.contents.unitTypes.filter { $0.value.placements == nil }) {
            $1
        }
        contents.layouts.merge(other.contents.layouts) { $1 }
        contents.references.sectionLayouts.replace(
            other.contents.layouts.keys, by: other.references.sectionLayouts)
        handlers.merge(other.handlers) { $1 }
        contents.declaredTypes.merge(other.contents.declaredTypes) { $1 }
        contents.sectionConfigurations += other.contents.sectionConfigurations
        contents.defaultConfiguration =
            other.contents.defaultConfiguration ?? contents.defaultConfiguration
        if other.contents.hasUnitLayouts { contents.hasUnitLayouts = true }
        contents.identity = Identity()
    }

    /// Returns a unit type that a catalog has registered here, and not in another registry.
    package func catalogType(notIn other: CellRegistry) -> String? {
        contents.unitTypes.lazy.filter {
            $0.value.placements != nil && other.contents.unitTypes[$0.key] == nil
        }
        .map(\.key.text).min()
    }

    /// Returns the configuration of units of the type `unitType`, or that of types that are not
    /// registered, or `nil` without one.
    func configuration(of unitType: String) -> Configuration? {
        contents.unitTypes[Identifier(unitType)]?.configure
            ?? BuiltUnitType(unitType, in: self)?.configure ?? contents.defaultConfiguration
    }

    func isRegistered(_ unitType: String) -> Bool {
        contents.unitTypes[Identifier(unitType)] != nil || BuiltUnitType(unitType, in: self) != nil
    }

    /// Returns whether a unit type is registered by a name of its own.
    func isNamed(_ unitType: String) -> Bool { contents.unitTypes[Identifier(unitType)] != nil }
}

/// A registered unit type.
private struct UnitType: Sendable {
    let configure: CellRegistry.Configuration
    let layout: LayoutBox?
    var placements: [Placement]?
    var schema: UnitSchema?
    var conditions: [PlacementConditions] = []
}
