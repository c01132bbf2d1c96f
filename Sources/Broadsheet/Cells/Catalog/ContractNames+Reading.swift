extension ContractNames {
    /// Reads a catalog's `contract`; names that would mean two members of one object are reported.
    init(_ members: Members, _ collector: inout ViolationCollector) {
        let standard = ContractNames()
        self.init(
            sections: members.string("sections", &collector) ?? standard.sections,
            sectionId: members.string("sectionId", &collector) ?? standard.sectionId,
            units: members.string("units", &collector) ?? standard.units,
            unitType: members.string("unitType", &collector) ?? standard.unitType,
            unitData: members.string("unitData", &collector) ?? standard.unitData)
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
            collector.path.descend(to: member)
            collector.report(
                "must not be \"\(name)\", which is another member of the same object",
                at: members.object[member] ?? members.object)
            collector.path.ascend()
        }
    }
}
