/// One section as a backend posted it, in either of its shapes: an object, or just its units.
public struct ServerStateSection: Sendable {
    let document: JSONDocument
    /// Whether the section was posted as an array of units, so that pointers have a step less.
    let isBare: Bool
    /// What names the section; nil when nothing does, and it never merges.
    public let identifier: String?
    /// How the section asks to be laid out; nil when it says nothing.
    public let layout: SectionLayout?
    /// Whether its items are hidden; nil when it says nothing.
    public let collapsed: Bool?

    let headerNodes: ServerStateUnit.Nodes?
    let footerNodes: ServerStateUnit.Nodes?
    let unitNodes: [ServerStateUnit.Nodes]

    /// The section's own header.
    public var header: ServerStateUnit? { headerNodes.map(unit) }

    /// The section's own footer.
    public var footer: ServerStateUnit? { footerNodes.map(unit) }

    /// The section's units, in their order.
    public var units: some RandomAccessCollection<ServerStateUnit> {
        unitNodes.lazy.map(unit)
    }

    private func unit(_ nodes: ServerStateUnit.Nodes) -> ServerStateUnit {
        ServerStateUnit(document: document, nodes: nodes)
    }
}

extension ServerStateSection {
    /// Reads the section at the collector' path; nil when it is none.
    init?(_ value: JSONValue, names: ContractNames, _ collector: inout ViolationCollector) {
        switch value.kind {
        case .object:
            guard let members = Members(value, &collector) else { return nil }
            self.init(members, names: names, &collector)
        case .array:
            self.init(bare: value, names: names, &collector)
        default:
            collector.report("must be an object or an array of units\(value.insteadOf)", at: value)
            return nil
        }
    }

    private init(bare units: JSONValue, names: ContractNames, _ collector: inout ViolationCollector) {
        document = units.document
        isBare = true
        identifier = nil
        layout = nil
        collapsed = nil
        headerNodes = nil
        footerNodes = nil
        unitNodes = Self.units(units, names: names, &collector)
    }

    private init(_ members: Members, names: ContractNames, _ collector: inout ViolationCollector) {
        document = members.object.document
        isBare = false
        identifier = members.read(names.sectionId, &collector) { value, collector in
            value.expecting("a string, a number or null", value.text?.string, &collector)
        }
        layout = members.object("layout", &collector, SectionLayout.init)
        collapsed = members.bool("collapsed", &collector)
        func unit(_ value: JSONValue, _ collector: inout ViolationCollector) -> ServerStateUnit.Nodes? {
            ServerStateUnit.Nodes(value, names: names, &collector)
        }
        headerNodes = members.read("header", &collector, unit)
        footerNodes = members.read("footer", &collector, unit)
        let units = members.required(names.units, &collector) { value, collector in
            value.expecting("an array of units", value.kind == .array ? value : nil, &collector)
        }
        guard let units else {
            unitNodes = []
            return
        }
        collector.path.descend(to: names.units)
        unitNodes = Self.units(units, names: names, &collector)
        collector.path.ascend()
    }

    private static func units(
        _ array: JSONValue, names: ContractNames, _ collector: inout ViolationCollector
    ) -> [ServerStateUnit.Nodes] {
        var units: [ServerStateUnit.Nodes] = []
        units.reserveCapacity(array.count)
        for (index, element) in array.elements.enumerated() {
            collector.path.descend(to: index)
            if let unit = ServerStateUnit.Nodes(element, names: names, &collector) {
                units.append(unit)
            }
            collector.path.ascend()
        }
        return units
    }
}
