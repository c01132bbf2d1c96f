/// The names of a page's members that a catalog can change (docs/catalog.md, `contract`).
///
/// They are an object, because pages and their sections share them.
public final class ContractNames: Sendable, Hashable {
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
    public let when: String
    /// The name of the unit that stands in for a unit that cannot be made.
    public let fallback: String
    /// The name of the member of sections and units that must not be left out.
    public let essential: String

    /// The names of the members of a unit that no data has, for lookups in many units.
    let optionKeys: [JSONKey]
    /// The names of the members of a unit with data.
    let unit: KnownNames
    /// The comparison of the members of a unit that is its own data with its type and its data.
    let nearUnit: NearNames
    /// The name of a section's data, unless the contract gives that name to another member.
    let sectionData: String?
    let page: KnownNames
    let section: KnownNames

    /// Creates names; those left out have their defaults.
    public convenience init(
        sections: String = "sections", sectionId: String = "sectionId", units: String = "units",
        unitType: String = "unitType", unitData: String = "unitData"
    ) {
        self.init(
            sections: sections, sectionId: sectionId, units: units, unitType: unitType,
            unitData: unitData, when: "when", fallback: "fallback", essential: "essential")
    }

    private init(
        sections: String, sectionId: String, units: String, unitType: String, unitData: String,
        when: String, fallback: String, essential: String
    ) {
        self.sections = sections
        self.sectionId = sectionId
        self.units = units
        self.unitType = unitType
        self.unitData = unitData
        self.when = when
        self.fallback = fallback
        self.essential = essential
        let options = [when, fallback, essential]
        optionKeys = options.map { JSONKey($0) }
        unit = KnownNames(
            [unitType, unitData] + options, aliases: ["type": unitType, "data": unitData])
        nearUnit = NearNames([unitType, unitData])
        sectionData = [sectionId, units, when, essential].contains("data") ? nil : "data"
        page = KnownNames(["page", "hasNext", "hasPrevious", sections])
        section = KnownNames(
            [sectionId, "layout", "collapsed", "header", "footer", units, when, essential]
                + (sectionData.map { [$0] } ?? []),
            aliases: ["items": units], inner: [("layout", SectionLayout.knownNames)])
    }

    /// Returns whether all names are the same.
    public static func == (first: ContractNames, second: ContractNames) -> Bool {
        first === second || first.changeable == second.changeable
    }

    /// Adds the names to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(changeable) }

    /// The names that a catalog can change, from which the others follow.
    private var changeable: [String] {
        [sections, sectionId, units, unitType, unitData, when, fallback, essential]
    }
}

extension ContractNames {
    /// Reads a catalog's `contract`, and reports names that two members of one object would share.
    convenience init(_ members: Members, _ collector: inout ViolationCollector) {
        members.reportUnknown(among: Self.memberNames, &collector)
        let standard = ContractNames()
        self.init(
            sections: members.string("sections", &collector) ?? standard.sections,
            sectionId: members.string("sectionId", &collector) ?? standard.sectionId,
            units: members.string("units", &collector) ?? standard.units,
            unitType: members.string("unitType", &collector) ?? standard.unitType,
            unitData: members.string("unitData", &collector) ?? standard.unitData,
            when: members.string("when", &collector) ?? standard.when,
            fallback: members.string("fallback", &collector) ?? standard.fallback,
            essential: members.string("essential", &collector) ?? standard.essential)
        for name in changeable { collector.checkName(name, of: members.object) }
        reportClashes(of: members, &collector)
    }

    /// The names of the members of a section that a patch can change.
    var patchedMembers: [String] {
        ["layout", "collapsed", "header", "footer"] + (sectionData.map { [$0] } ?? [])
    }

    private static let memberNames = [
        "sections", "sectionId", "units", "unitType", "unitData", "when", "fallback", "essential",
    ]

    private func reportClashes(of members: Members, _ collector: inout ViolationCollector) {
        let fixed = ["layout", "collapsed", "header", "footer"]
        let section = fixed + [sectionId, units]
        let clashes = [
            ("sections", sections, ["page", "hasNext", "hasPrevious"]),
            ("sectionId", sectionId, fixed),
            ("units", units, fixed + [sectionId]),
            ("unitData", unitData, [unitType]),
            ("when", when, section + [unitType, unitData]),
            ("fallback", fallback, [unitType, unitData, when]),
            ("essential", essential, section + unit.names.dropLast()),
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

extension UnitLocation {
    package func pointer(_ names: ContractNames) -> String {
        let sections = JSONPointer.appending("", names.sections)
        let section = JSONPointer.appending(sections, Int(section))
        let unit: String
        switch part {
        case .section: return section
        case .header: unit = section + "/header"
        case .footer: unit = section + "/footer"
        case .unit(let index):
            let units = isBare ? section : JSONPointer.appending(section, names.units)
            unit = JSONPointer.appending(units, Int(index))
        }
        return (0..<fallback).reduce(unit) { pointer, _ in
            JSONPointer.appending(pointer, names.fallback)
        }
    }
}
