/// The unit type of a call on a section of a built page: `cell:NAME`, `cells:NAME`, `header:NAME`
/// or `footer:NAME`, with a question mark behind the role if the data may be missing.
struct BuiltUnitType {
    private let role: PlacementRole
    private let type: any CellType.Type
    private let isOptional: Bool

    /// Reads the name of a unit type; `nil` if it is not one of a call, if no cell type of that
    /// name is declared, or if the registry has a unit type of that very name.
    init?(_ unitType: String, in registry: CellRegistry) {
        guard let colon = unitType.utf8.firstIndex(of: UInt8(ascii: ":")),
            !registry.isNamed(unitType)
        else { return nil }
        var role = unitType[..<colon]
        isOptional = role.hasSuffix("?")
        if isOptional { role.removeLast() }
        guard let known = PlacementRole(rawValue: String(role)), !(isOptional && known.isView),
            let type = registry.declaredType(named: String(unitType[colon...].dropFirst()))
        else { return nil }
        self.role = known
        self.type = type
    }

    static func name(_ role: PlacementRole, _ type: String, isOptional: Bool) -> String {
        "\(role.rawValue)\(isOptional && !role.isView ? "?" : ""):\(type)"
    }

    var configure: CellRegistry.Configuration {
        { [role, type, isOptional] unit, section in
            section.place(role, type, unit.data, isOptional: isOptional)
        }
    }
}
