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
    /// Diagnostics of the catalog that trees have before those of the pages; empty unless the
    /// catalog came with the pages.
    package var diagnostics: [Diagnostic] = []

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

/// One placement of a catalog: the cell type and the role that a unit's data gets.
struct Placement: Sendable {
    /// The role of the data in its section.
    let role: PlacementRole
    /// The index of the cell type among the registry's kinds.
    let kind: Int
    /// The pointer from the unit's data to the placement's; `nil` for all of it.
    let data: JSONPointer?
    /// A Boolean value that indicates whether missing data causes no diagnostic.
    let isOptional: Bool

    /// Returns the part of a unit's data that the placement uses.
    fileprivate func data(of unit: ServerStateUnit) -> JSONValue? {
        guard let data else { return unit.data }
        return data.evaluate(on: unit.data)
    }
}

/// The roles of a unit's data in a section.
package enum PlacementRole: String, Sendable, Hashable, CaseIterable {
    /// One item.
    case cell
    /// One item for each element of an array.
    case cells
    /// The section's header.
    case header
    /// The section's footer.
    case footer
}

extension SectionBuilder {
    /// Adds `unit` to the section by its placements, in their order.
    mutating func place(_ placements: [Placement], of unit: ServerStateUnit) {
        for placement in placements where accepts(placement.role) {
            place(
                placement.role, kind: placement.kind,
                data: placement.data(of: unit), pointer: placement.data?.description ?? "",
                isOptional: placement.isOptional)
        }
    }
}

extension Placement {
    /// Reads the placements of a unit type: an object of placements by role, or an array of such
    /// objects.
    ///
    /// - Returns: The placements in the order of the document.
    static func placements(
        _ value: JSONValue, among kinds: [Identifier: Int], _ collector: inout ViolationCollector
    ) -> [Placement] {
        value.eachOrSelf(&collector) { value, collector in
            guard let members = Members(value, &collector) else { return [] }
            members.reportUnknown(among: PlacementRole.allCases.map(\.rawValue), &collector)
            return members.entries.flatMap { entry -> [Placement] in
                guard let role = PlacementRole(rawValue: entry.name) else { return [] }
                collector.path.descend(to: entry.name)
                defer { collector.path.ascend() }
                return entry.value.eachOrSelf(&collector) { value, collector in
                    Placement(value, role, among: kinds, &collector).map { [$0] } ?? []
                }
            }
        }
    }

    /// Reads one placement in `role`; `nil` if it is invalid or its cell type is not in the
    /// catalog.
    private init?(
        _ value: JSONValue, _ role: PlacementRole, among kinds: [Identifier: Int],
        _ collector: inout ViolationCollector
    ) {
        guard let members = Members(value, &collector) else { return nil }
        members.reportUnknown(among: ["type", "data", "optional"], &collector)
        let data = members.pointer("data", &collector)
        let isOptional = members.bool("optional", &collector)
        let kind: Int? = members.required("type", &collector) { value, collector in
            guard let name = value.expecting("a string", value.string, &collector) else {
                return nil
            }
            if kinds[Identifier(name)] == nil {
                collector.report("names no entry of cellTypes", at: value)
            }
            return kinds[Identifier(name)]
        }
        guard let kind else { return nil }
        self.init(role: role, kind: kind, data: data, isOptional: isOptional ?? false)
    }
}

extension JSONValue {
    /// Returns the concatenated results of `read` for each element of an array, at its path, or the
    /// result for the value itself if it is not an array.
    fileprivate func eachOrSelf<Value>(
        _ collector: inout ViolationCollector,
        _ read: (JSONValue, inout ViolationCollector) -> [Value]
    ) -> [Value] {
        guard kind == .array else { return read(self, &collector) }
        return elements.enumerated().flatMap { index, element in
            collector.path.descend(to: index)
            defer { collector.path.ascend() }
            return read(element, &collector)
        }
    }
}
