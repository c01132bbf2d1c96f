/// One unit of a section as a backend posted it: what it is, and what it holds.
public struct ServerStateUnit: Sendable {
    /// Where a unit stands on its document's tape; small, since a page may hold a million.
    package struct Nodes: Sendable {
        let type: UInt32
        let data: UInt32
        /// Whether the unit has no data member and so is its own data.
        let isFlat: Bool
    }

    let document: JSONDocument
    let nodes: Nodes

    /// The name under which cell types are registered for it, escapes decoded; O(length).
    public var unitType: String { typeValue.string ?? "" }

    /// What the unit holds: its data member, or the whole unit where it has none.
    public var data: JSONValue { document.value(at: nodes.data) }

    /// The string that names the unit's type.
    var typeValue: JSONValue { document.value(at: nodes.type) }
}

extension ServerStateUnit.Nodes {
    /// Reads the unit at the collector' path; nil when it is none.
    init?(_ value: JSONValue, names: ContractNames, _ collector: inout ViolationCollector) {
        guard let members = Members(value, &collector) else { return nil }
        let type = members.required(names.unitType, &collector) { value, collector in
            value.expecting("a string", value.kind == .string ? value : nil, &collector)
        }
        guard let type else { return nil }
        // A data member that is null is there, and holds null; only an absent one makes a flat unit.
        let data = members.posted(names.unitData, &collector)
        self.init(type: type.node, data: data?.node ?? value.node, isFlat: data == nil)
    }
}
