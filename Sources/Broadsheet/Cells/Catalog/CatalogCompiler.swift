/// Compiles a catalog's JSON into a registry, and finds all that is wrong with it on the way.
struct CatalogCompiler {
    /// What is wrong with it.
    private(set) var findings: Findings

    private let limits: CatalogLimits
    private var kinds: [CellKind] = []
    private var kindsByName: [Identifier: Int] = [:]

    /// A compiler of the value to which `pointer` points.
    init(at pointer: String, limits: CatalogLimits) {
        findings = Findings(at: pointer, keeping: limits.maxFaults)
        self.limits = limits
    }

    /// The registry that `value` describes; only to be used when nothing was found wrong.
    ///
    /// O(bytes).
    mutating func registry(of value: JSONValue) -> CellRegistry? {
        guard let members = Members(value, &findings) else { return nil }
        let screen = members.object("screen", &findings, ScreenLayout.init)
        let names = members.object("contract", &findings, ContractNames.init)
        compileCellTypes(members)
        var registry = CellRegistry(
            names: names ?? ContractNames(), screen: screen ?? ScreenLayout(), kinds: kinds)
        members.table("sections", &findings) { id, value, findings in
            guard let layout = Members(value, &findings) else { return }
            registry.setLayout(SectionLayout(layout, &findings), forSection: id)
        }
        compileUnits(members, into: &registry)
        return registry
    }

    private mutating func compileCellTypes(_ members: Members) {
        members.table("cellTypes", &findings) { name, value, findings in
            guard let type = Members(value, &findings) else { return }
            let id = type.pointer("id", &findings)
            let size = type.object("size", &findings) { size, findings in
                SizeRules(size, limits, &findings)
            }
            kindsByName[Identifier(name)] = kinds.count
            kinds.append(
                CellKind(name: name, id: id, sizing: size.map { .byRules($0) } ?? .byLayout))
        }
    }

    private mutating func compileUnits(_ members: Members, into registry: inout CellRegistry) {
        let (kindsByName, limits) = (kindsByName, limits)
        members.table("units", &findings) { type, value, findings in
            let placements = Placement.placements(value, among: kindsByName, &findings)
            if placements.count > limits.maxPlacements {
                findings.report(
                    "has \(placements.count) placements, of which a unit type may have at most "
                        + "\(limits.maxPlacements)", at: value)
            }
            registry.register(type) { unit, section in
                section.place(placements, of: unit)
            }
        }
    }
}
