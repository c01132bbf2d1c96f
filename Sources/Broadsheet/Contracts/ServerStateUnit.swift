/// One unit of a section as a backend posted it: its type and its data.
public struct ServerStateUnit: Sendable {
    /// The positions of a unit on its document's tape; small, because a page may have a million
    /// units.
    struct Nodes: Sendable {
        let type: UInt32
        let data: UInt32
        /// A Boolean value that indicates whether the unit has no data member and is its own data.
        let isFlat: Bool
    }

    let document: JSONDocument
    let nodes: Nodes
    /// The members besides the type and the data; `nil` for most units, which have none.
    let options: UnitOptions?

    /// The unit type, with its escapes decoded.
    ///
    /// - Complexity: O(length).
    public var unitType: String { typeValue.string ?? "" }

    /// The unit's data: its data member, or the whole unit if it has none.
    public var data: JSONValue { document.value(at: nodes.data) }

    var typeValue: JSONValue { document.value(at: nodes.type) }
}

extension ServerStateUnit {
    /// The largest number of fallbacks of a unit, one after another; fixed.
    static let maxFallbacks = 8

    /// `depth` is the number of units that the unit is the fallback of.
    init?(
        _ value: JSONValue, names: ContractNames, depth: Int = 0,
        _ collector: inout ViolationCollector
    ) {
        let parts = Self.parts(of: value, names: names, depth: depth, &collector)
        guard let parts else { return nil }
        self.init(document: value.document, nodes: parts.nodes, options: parts.options)
    }

    /// A page may have a million units, each of which would retain its document.
    static func parts(
        of value: JSONValue, names: ContractNames, depth: Int = 0,
        _ collector: inout ViolationCollector
    ) -> (nodes: Nodes, options: UnitOptions?)? {
        guard let members = Members(value, &collector) else { return nil }
        let type = members.required(names.unitType, among: names.unit, &collector) {
            value, collector in
            value.expecting("a string", value.kind == .string ? value : nil, &collector)
        }
        guard let type else { return nil }
        // A data member that is null exists, and is null; a unit is flat only without the member.
        let data = members.posted(names.unitData, &collector)
        let nodes = Nodes(type: type.node, data: data?.node ?? value.node, isFlat: data == nil)
        // The members of a flat unit are its data. Two members are those that were found.
        if data != nil {
            guard members.object.count != 2 else { return (nodes, nil) }
            members.reportUnknown(among: names.unit, of: .unit, &collector)
        } else {
            reportMisspellings(in: members.object, names, &collector)
        }
        return (nodes, UnitOptions(members, names: names, depth: depth, &collector))
    }

    /// Reports the members of a unit that is its own data with nearly the names of its type and its
    /// data, as which they were probably meant.
    private static func reportMisspellings(
        in unit: JSONValue, _ names: ContractNames, _ collector: inout ViolationCollector
    ) {
        let document = unit.document
        document.forEachName(of: unit.node) { content, name in
            guard names.nearUnit.areNear(content), let text = document.value(at: name).text,
                !names.unit.names.contains(where: text.equals)
            else { return }
            collector.reportUnknown(text, among: names.unit, of: .data)
        }
    }
}

/// The members of a unit besides its type and its data.
final class UnitOptions: Sendable {
    /// The unit that stands in for one that cannot be made.
    enum Fallback: Sendable {
        case absent
        /// Nothing is wanted instead.
        case nothing
        case unit(ServerStateUnit)
    }

    let condition: Condition?
    let fallback: Fallback
    /// A Boolean value that indicates whether the section is of no use without the unit.
    let isEssential: Bool

    fileprivate init?(
        _ members: Members, names: ContractNames, depth: Int,
        _ collector: inout ViolationCollector
    ) {
        let (document, node) = (members.object.document, members.object.node)
        guard names.optionKeys.contains(where: { document.member($0, of: node) != nil }) else {
            return nil
        }
        condition = members.condition(names.when, &collector)
        isEssential = members.bool(names.essential, &collector) ?? false
        fallback = Self.fallback(members, names: names, depth: depth, &collector)
    }

    private static func fallback(
        _ members: Members, names: ContractNames, depth: Int,
        _ collector: inout ViolationCollector
    ) -> Fallback {
        guard let value = members.posted(names.fallback, &collector) else { return .absent }
        guard !value.isNull else { return .nothing }
        collector.path.descend(to: names.fallback)
        defer { collector.path.ascend() }
        guard depth < ServerStateUnit.maxFallbacks else {
            collector.report(
                "is one of more than \(ServerStateUnit.maxFallbacks) fallbacks of one unit",
                at: value)
            return .nothing
        }
        return ServerStateUnit(value, names: names, depth: depth + 1, &collector)
            .map(Fallback.unit) ?? .nothing
    }
}

extension ServerStateUnit {
    var condition: Condition? { options?.condition }

    /// The unit that stands in if this one cannot be made; `nil` for none.
    public var fallback: ServerStateUnit? {
        if case .unit(let unit)? = options?.fallback { unit } else { nil }
    }

    /// A Boolean value that indicates whether the section is of no use without the unit.
    public var isEssential: Bool { options?.isEssential ?? false }
}

extension ServerStateUnit {
    func isThere(for audience: Audience) -> Bool { condition?.holds(for: audience) ?? true }
}

extension ServerStateSection {
    func isThere(for audience: Audience) -> Bool { condition?.holds(for: audience) ?? true }
}
