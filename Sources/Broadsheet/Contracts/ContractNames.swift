/// The names of a page's members that a catalog can change (docs/catalog.md, `contract`).
public struct ContractNames: Sendable, Hashable {
    /// The name of a page's sections.
    public let sections: String
    /// The name of a section's identifier.
    public let sectionId: String
    /// The name of a section's units.
    public let units: String
    /// The name of a unit's type.
    public let unitType: String
    /// The name of a unit's data; a unit without that member is its own data.
    public let unitData: String
    /// The name of the condition of a section or a unit.
    public private(set) var when = "when"
    /// The name of the unit that stands in for a unit that cannot be made.
    public private(set) var fallback = "fallback"
    /// The name of the member of sections and units that must not be left out.
    public private(set) var essential = "essential"
    /// The names of the members of a unit that no data has, for lookups in many units.
    private(set) var optionKeys = [JSONKey("when"), JSONKey("fallback"), JSONKey("essential")]

    /// Creates names; those left out have their defaults.
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

    /// The names of the members of a unit with data.
    var unit: [String] { [unitType, unitData] + unitOptions }

    /// The names of the members of a unit that no data has.
    var unitOptions: [String] { [when, fallback, essential] }

    /// The name of a section's data, unless the contract gives that name to another member.
    var sectionData: String? {
        let name = "data"
        return [sectionId, units, when, essential].contains(name) ? nil : name
    }

    /// The names of the members of a section.
    var section: [String] {
        let names = [sectionId, "layout", "collapsed", "header", "footer", units, when, essential]
        return sectionData.map { names + [$0] } ?? names
    }
}

extension ContractNames {
    /// Reads a catalog's `contract`, and reports names that two members of one object would share.
    init(_ members: Members, _ collector: inout ViolationCollector) {
        members.reportUnknown(among: Self.memberNames, &collector)
        let standard = ContractNames()
        self.init(
            sections: members.string("sections", &collector) ?? standard.sections,
            sectionId: members.string("sectionId", &collector) ?? standard.sectionId,
            units: members.string("units", &collector) ?? standard.units,
            unitType: members.string("unitType", &collector) ?? standard.unitType,
            unitData: members.string("unitData", &collector) ?? standard.unitData)
        when = members.string("when", &collector) ?? standard.when
        fallback = members.string("fallback", &collector) ?? standard.fallback
        essential = members.string("essential", &collector) ?? standard.essential
        optionKeys = unitOptions.map { JSONKey($0) }
        for name in [sections, sectionId, units, unitType, unitData] + unitOptions {
            collector.checkName(name, of: members.object)
        }
        reportClashes(of: members, &collector)
    }

    private static let memberNames = [
        "sections", "sectionId", "units", "unitType", "unitData", "when", "fallback", "essential",
    ]

    /// Reports names that two members of one object would share.
    private func reportClashes(of members: Members, _ collector: inout ViolationCollector) {
        let fixed = ["layout", "collapsed", "header", "footer"]
        let section = fixed + [sectionId, units]
        let clashes = [
            ("sections", sections, ["page", "hasNext"]),
            ("sectionId", sectionId, fixed),
            ("units", units, fixed + [sectionId]),
            ("unitData", unitData, [unitType]),
            ("when", when, section + [unitType, unitData]),
            ("fallback", fallback, [unitType, unitData, when]),
            ("essential", essential, section + unit.dropLast()),
        ].filter { member, name, others in
            others.map(Identifier.init).contains(Identifier(name))
        }
        for (member, name, _) in clashes {
            collector.path.descend(to: member)
            collector.report(
                "must not be \"\(name)\", which is another member of the same object",
                at: members.object[member] ?? members.object)
            collector.path.ascend()
        }
    }
}
