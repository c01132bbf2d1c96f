/// Compiles a catalog's JSON into a registry, and finds all that is wrong with it on the way.
struct CatalogCompiler {
    /// What is wrong with it.
    private(set) var collector: ViolationCollector

    private let limits: CatalogLimits
    private var kinds: [CellKind] = []
    private var kindsByName: [Identifier: Int] = [:]

    /// A compiler of the value to which `pointer` points.
    init(at pointer: String, limits: CatalogLimits) {
        collector = ViolationCollector(at: pointer, keeping: limits.maxViolations)
        self.limits = limits
    }

    /// The registry that `value` describes; only to be used when nothing was found wrong.
    ///
    /// O(bytes).
    mutating func registry(of value: JSONValue) -> CellRegistry? {
        guard let members = Members(value, &collector) else { return nil }
        let screen = members.object("screen", &collector, ScreenLayout.init)
        let names = members.object("contract", &collector, ContractNames.init)
        compileCellTypes(members)
        var registry = CellRegistry(
            names: names ?? ContractNames(), screen: screen ?? ScreenLayout(), kinds: kinds)
        members.table("sections", &collector) { id, value, collector in
            guard let layout = Members(value, &collector) else { return }
            registry.setLayout(SectionLayout(layout, &collector), forSection: id)
        }
        compileUnits(members, into: &registry)
        return registry
    }

    private mutating func compileCellTypes(_ members: Members) {
        members.table("cellTypes", &collector) { name, value, collector in
            guard let type = Members(value, &collector) else { return }
            let id = type.pointer("id", &collector)
            let size = type.object("size", &collector) { size, collector in
                SizeRules(size, limits, &collector)
            }
            kindsByName[Identifier(name)] = kinds.count
            kinds.append(
                CellKind(name: name, id: id, sizing: size.map { .byRules($0) } ?? .byLayout))
        }
    }

    private mutating func compileUnits(_ members: Members, into registry: inout CellRegistry) {
        let (kindsByName, limits) = (kindsByName, limits)
        members.table("units", &collector) { type, value, collector in
            let placements = Placement.placements(value, among: kindsByName, &collector)
            if placements.count > limits.maxPlacements {
                collector.report(
                    "has \(placements.count) placements, of which a unit type may have at most "
                        + "\(limits.maxPlacements)", at: value)
            }
            registry.register(type) { unit, section in
                section.place(placements, of: unit)
            }
        }
    }
}
