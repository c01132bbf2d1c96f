/// What units become: the registered cell types, and how sections and the screen are laid out.
///
/// A Swift program fills it by code, ``Catalog`` from JSON; both end in the same values.
public struct CellRegistry: Sendable {
    /// What a unit of a registered type adds to its section.
    ///
    /// Called while a page is resolved, from any thread, once for each unit; and once for a
    /// section's own header or footer, when only the call of that name counts.
    public typealias Configuration = @Sendable (ServerStateUnit, inout SectionBuilder) -> Void

    /// What the members of a page are called.
    public var names: ContractNames
    /// What holds for a whole screen.
    public var screen: ScreenLayout

    /// The cell types of a catalog; those of Swift programs are found while resolving.
    private(set) var kinds: [CellKind]
    private var configurations: [Identifier: Configuration] = [:]
    private var layouts: [Identifier: SectionLayout] = [:]

    /// The section id whose layout is for unnamed sections and for ids without one of their own.
    public static let anySection = "*"

    /// Makes a registry that knows no unit type.
    public init(
        names: ContractNames = ContractNames(), screen: ScreenLayout = ScreenLayout()
    ) {
        self.init(names: names, screen: screen, kinds: [])
    }

    init(names: ContractNames, screen: ScreenLayout, kinds: [CellKind]) {
        self.names = names
        self.screen = screen
        self.kinds = kinds
    }

    /// Says what units of the type `unitType` become; a later registration replaces an earlier one.
    public mutating func register(_ unitType: String, configure: @escaping Configuration) {
        configurations[Identifier(unitType)] = configure
    }

    /// Says how sections of that id are laid out; `"*"` is for all that have no layout of their own
    /// and is never combined with another.
    ///
    /// A page's own layout wins member by member.
    public mutating func setLayout(_ layout: SectionLayout, forSection id: String) {
        layouts[Identifier(id)] = layout
    }

    /// How sections of that id are laid out; nil means unnamed ones.
    public func layout(forSection id: String?) -> SectionLayout {
        id.flatMap { layouts[Identifier($0)] } ?? layouts[Identifier(Self.anySection)]
            ?? SectionLayout()
    }

    /// What units of the type `unitType` become; nil when it is not registered.
    func configuration(of unitType: String) -> Configuration? {
        configurations[Identifier(unitType)]
    }
}
