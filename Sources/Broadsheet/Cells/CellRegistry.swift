/// The registered unit types and cell types, and the layouts of sections and the screen.
///
/// A Swift program fills it by code, and ``Catalog`` from JSON.
public struct CellRegistry: Sendable {
    /// A function that adds the cells, header and footer of one unit to its section.
    ///
    /// It is called while a page is resolved, on any thread, once for each unit. For a section's
    /// own header or footer it is called once, and only what it adds in that role counts.
    public typealias Configuration = @Sendable (ServerStateUnit, inout SectionBuilder) -> Void

    /// The names of a page's members.
    public var names: ContractNames
    /// The layout options of the whole screen.
    public var screen: ScreenLayout

    /// The cell types of a catalog; those of Swift programs are added while pages are resolved.
    private(set) var kinds: [CellKind]
    private var configurations: [Identifier: Configuration] = [:]
    private var layouts: [Identifier: SectionLayout] = [:]

    /// The section id whose layout applies to unnamed sections and to ids without a layout.
    public static let anySection = "*"

    /// Creates a registry without unit types.
    public init(
        names: ContractNames = ContractNames(), screen: ScreenLayout = ScreenLayout()
    ) {
        self.init(names: names, screen: screen, kinds: [])
    }

    /// Creates a registry with the cell types of a catalog.
    init(names: ContractNames, screen: ScreenLayout, kinds: [CellKind]) {
        self.names = names
        self.screen = screen
        self.kinds = kinds
    }

    /// Registers the configuration of units of the type `unitType`, and replaces an earlier one.
    public mutating func register(_ unitType: String, configure: @escaping Configuration) {
        configurations[Identifier(unitType)] = configure
    }

    /// Sets the layout of the sections with an id.
    ///
    /// The layout of `"*"` applies to all sections without a layout of their own, and is never
    /// combined with another. Each member of a page's own layout overrides this one's.
    public mutating func setLayout(_ layout: SectionLayout, forSection id: String) {
        layouts[Identifier(id)] = layout
    }

    /// Returns the layout of the sections with an id; `nil` is that of unnamed sections.
    public func layout(forSection id: String?) -> SectionLayout {
        id.flatMap { layouts[Identifier($0)] } ?? layouts[Identifier(Self.anySection)]
            ?? SectionLayout()
    }

    /// Returns the configuration of units of the type `unitType`, or `nil` if it is not registered.
    func configuration(of unitType: String) -> Configuration? {
        configurations[Identifier(unitType)]
    }
}
