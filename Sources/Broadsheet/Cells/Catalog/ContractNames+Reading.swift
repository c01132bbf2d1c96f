extension ContractNames {
    /// Reads a catalog's `contract`; names that would mean two members of one object are reported.
    init(_ members: Members, _ findings: inout Findings) {
        let standard = ContractNames()
        self.init(
            sections: members.string("sections", &findings) ?? standard.sections,
            sectionId: members.string("sectionId", &findings) ?? standard.sectionId,
            units: members.string("units", &findings) ?? standard.units,
            unitType: members.string("unitType", &findings) ?? standard.unitType,
            unitData: members.string("unitData", &findings) ?? standard.unitData)
        let fixed = ["layout", "collapsed", "header", "footer"]
        let clashes = [
            ("sections", sections, ["page", "hasNext"]),
            ("sectionId", sectionId, fixed),
            ("units", units, fixed + [sectionId]),
            ("unitData", unitData, [unitType]),
        ].filter { member, name, others in
            others.map(Identifier.init).contains(Identifier(name))
        }
        for (member, name, _) in clashes {
            findings.path.descend(to: member)
            findings.report(
                "must not be \"\(name)\", which is another member of the same object",
                at: members.object[member] ?? members.object)
            findings.path.ascend()
        }
    }
}
