/// One section as a backend posted it, in either of its forms: an object, or an array of units.
public struct ServerStateSection: Sendable {
    private let document: JSONDocument
    /// A Boolean value that indicates whether the section was posted as an array of units, so that
    /// pointers into it have one step less.
    let isBare: Bool
    /// The section's identifier; a section without one never merges.
    public let identifier: String?
    /// The section's layout members, if it has any.
    public let layout: SectionLayout?
    /// The section's layout as posted.
    let layoutValue: JSONValue?
    /// A Boolean value that indicates whether items are hidden; `nil` if the section does not
    /// specify it.
    public let collapsed: Bool?

    private let headerNodes: ServerStateUnit.Nodes?
    private let footerNodes: ServerStateUnit.Nodes?
    private let unitNodes: [ServerStateUnit.Nodes]

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

    /// Reads the section at the collector's path; `nil` if it is not a section.
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

    private init(
        bare units: JSONValue, names: ContractNames, _ collector: inout ViolationCollector
    ) {
        document = units.document
        isBare = true
        identifier = nil
        layout = nil
        layoutValue = nil
        collapsed = nil
        headerNodes = nil
        footerNodes = nil
        unitNodes = Self.units(units, names: names, &collector)
    }

    private init(
        _ members: Members, names: ContractNames, _ collector: inout ViolationCollector
    ) {
        document = members.object.document
        isBare = false
        members.reportUnknown(
            among: [names.sectionId, "layout", "collapsed", "header", "footer", names.units],
            &collector)
        identifier = members.read(names.sectionId, &collector) { value, collector in
            value.expecting("a string, a number or null", value.text?.string, &collector)
        }
        layout = members.object("layout", &collector, SectionLayout.init)
        layoutValue = layout == nil ? nil : members.object["layout"]
        collapsed = members.bool("collapsed", &collector)
        func unit(
            _ value: JSONValue, _ collector: inout ViolationCollector
        ) -> ServerStateUnit.Nodes? {
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

/// One unit of a section as a backend posted it: its type and its data.
public struct ServerStateUnit: Sendable {
    /// The positions of a unit on its document's tape; small, because a page may have a million
    /// units.
    struct Nodes: Sendable {
        /// The node of the unit's type.
        let type: UInt32
        /// The node of the unit's data.
        let data: UInt32
        /// A Boolean value that indicates whether the unit has no data member and is its own data.
        let isFlat: Bool
    }

    fileprivate let document: JSONDocument
    /// The unit's positions on the tape.
    let nodes: Nodes

    /// The unit type, with its escapes decoded.
    ///
    /// - Complexity: O(length).
    public var unitType: String { typeValue.string ?? "" }

    /// The unit's data: its data member, or the whole unit if it has none.
    public var data: JSONValue { document.value(at: nodes.data) }

    /// The string that names the unit type.
    var typeValue: JSONValue { document.value(at: nodes.type) }
}

extension ServerStateUnit.Nodes {
    /// Reads the unit at the collector's path; `nil` if it is not a unit.
    fileprivate init?(
        _ value: JSONValue, names: ContractNames, _ collector: inout ViolationCollector
    ) {
        guard let members = Members(value, &collector) else { return nil }
        let type = members.required(names.unitType, &collector) { value, collector in
            value.expecting("a string", value.kind == .string ? value : nil, &collector)
        }
        guard let type else { return nil }
        // A data member that is null exists, and is null; a unit is flat only without the member.
        let data = members.posted(names.unitData, &collector)
        // The members of a flat unit are its data. Two members are those that were found.
        if data != nil, members.object.count != 2 {
            members.reportUnknown(among: [names.unitType, names.unitData], &collector)
        }
        self.init(type: type.node, data: data?.node ?? value.node, isFlat: data == nil)
    }
}
