/// What the renameable members of a page are called (docs/catalog.md, `contract`).
public struct ContractNames: Sendable, Hashable {
    /// The page's sections.
    public let sections: String
    /// A section's identifier.
    public let sectionId: String
    /// A section's units.
    public let units: String
    /// What kind of unit it is.
    public let unitType: String
    /// What the unit holds; a unit without it is its own data.
    public let unitData: String

    /// Names the members; each has the default shown.
    public init(
        sections: String = "sections", sectionId: String = "sectionId", units: String = "units",
        unitType: String = "unitType", unitData: String = "unitData"
    ) {
        self.sections = sections
        self.sectionId = sectionId
        self.units = units
        self.unitType = unitType
        self.unitData = unitData
    }
}
