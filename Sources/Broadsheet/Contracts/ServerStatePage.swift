import BroadsheetCollections

/// A page as a backend posted it: JSON that meets the contract (docs/api.md, "A page").
///
/// Only the identifiers and layouts of sections are copied out of the document.
public struct ServerStatePage: Sendable {
    /// The document that contains the page.
    public let document: JSONDocument
    /// The names of the page's members.
    public let names: ContractNames
    let node: UInt32
    /// The page's own number, if it specifies one.
    public let number: Int?
    /// A Boolean value that indicates whether more pages exist after this one.
    public let hasNext: Bool
    /// A Boolean value that indicates whether pages exist before this one.
    public let hasPrevious: Bool
    /// The sections in their order.
    public let sections: [ServerStateSection]

    /// The pointer to the page in its document; the pointers of violations begin with it.
    let pointer: String
    /// Pointers to duplicate members; the first `ScreenLimits.maxDiagnostics`.
    let duplicates: [String]
    let duplicateTotal: Int
    /// The unknown members; their pointers lead into the page.
    let unknownMembers: [MemberDiagnostics.Entry]
    let unknownTotal: Int
    let hasConditions: Bool

    /// The largest number of a page.
    public static let maxNumber = Int(Int32.max)

    /// Reads all of `document` as a page.
    ///
    /// - Throws: All violations, each with its JSON Pointer.
    /// - Complexity: O(bytes).
    public init(
        _ document: JSONDocument, names: ContractNames = ContractNames(),
        limits: ScreenLimits = ScreenLimits()
    ) throws(ContractError) {
        try self.init(document.root, names: names, limits: limits)
    }

    /// Reads `value`, which may be part of a larger document, as a page.
    ///
    /// - Parameters:
    ///   - value: The page.
    ///   - pointer: The pointer to `value` in its document; the pointers of violations begin with
    ///     it.
    ///   - names: The names of the page's members.
    ///   - limits: The limits of the page.
    /// - Throws: All violations, each with its JSON Pointer.
    public init(
        _ value: JSONValue, at pointer: String = "", names: ContractNames = ContractNames(),
        limits: ScreenLimits = ScreenLimits()
    ) throws(ContractError) {
        var collector = ViolationCollector(
            at: pointer, keeping: ContractError.maxViolations, duplicates: limits.maxDiagnostics)
        document = value.document
        node = value.node
        self.pointer = pointer
        self.names = names
        let members = Members(value, &collector)
        members?.reportUnknown(among: names.page, &collector)
        number = members.flatMap { Self.number($0, &collector) }
        hasNext = members?.bool("hasNext", &collector) ?? false
        hasPrevious = members?.bool("hasPrevious", &collector) ?? false
        sections =
            members.flatMap { Self.sections($0, names: names, limits: limits, &collector) } ?? []
        // Diagnostics point into the page, wherever the page is in its document.
        duplicates = collector.duplicates.map {
            String(decoding: $0.utf8.dropFirst(pointer.utf8.count), as: UTF8.self)
        }
        duplicateTotal = collector.duplicateTotal
        unknownMembers = collector.memberDiagnostics.entries(below: pointer)
        unknownTotal = collector.memberDiagnostics.total
        hasConditions = collector.conditions.count > 0
        guard collector.total == 0 else {
            throw ContractError(violations: collector.violations, total: collector.total)
        }
    }

    private static func number(
        _ members: Members, _ collector: inout ViolationCollector
    ) -> Int? {
        members.read("page", &collector) { value, collector in
            value.expecting(
                "a whole number from 0 to \(maxNumber)",
                value.int.flatMap { (0...maxNumber).contains($0) ? $0 : nil }, &collector)
        }
    }

    private static func sections(
        _ members: Members, names: ContractNames, limits: ScreenLimits,
        _ collector: inout ViolationCollector
    ) -> [ServerStateSection]? {
        members.required(names.sections, among: names.page, &collector) { value, collector in
            guard value.kind == .array else {
                return value.expecting("an array of sections", nil, &collector)
            }
            guard value.count <= limits.maxSections else {
                collector.report(
                    "holds \(value.count) sections, of which a page may have at most "
                        + "\(limits.maxSections) (--max-sections)", at: value, isOfLimit: true)
                return nil
            }
            return value.elements.enumerated().compactMap { index, element in
                collector.path.descend(to: index)
                defer { collector.path.ascend() }
                return ServerStateSection(element, names: names, &collector)
            }
        }
    }
}

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
    let layoutValue: JSONValue?
    /// A Boolean value that indicates whether items are hidden; `nil` if the section does not
    /// specify it.
    public let collapsed: Bool?
    /// The section's data for the client, if it has any.
    public let data: JSONValue?
    let condition: Condition?
    /// A Boolean value that indicates whether the screen is of no use without the section.
    public let isEssential: Bool
    /// The section's own header.
    public let header: ServerStateUnit?
    /// The section's own footer.
    public let footer: ServerStateUnit?

    private let unitNodes: [ServerStateUnit.Nodes]
    /// The options of the units that have any, ascending by the index of the unit.
    private let unitOptions: [(unit: Int, options: UnitOptions)]

    /// The section's units, in their order.
    public var units: some RandomAccessCollection<ServerStateUnit> {
        unitNodes.indices.lazy.map(unit)
    }

    private func unit(at index: Int) -> ServerStateUnit {
        ServerStateUnit(
            document: document, nodes: unitNodes[index], options: options(ofUnit: index))
    }

    private func options(ofUnit index: Int) -> UnitOptions? {
        guard !unitOptions.isEmpty else { return nil }
        let place = unitOptions.partitioningIndex { $0.unit >= index }
        guard place < unitOptions.count, unitOptions[place].unit == index else { return nil }
        return unitOptions[place].options
    }

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
        data = nil
        condition = nil
        isEssential = false
        header = nil
        footer = nil
        (unitNodes, unitOptions) = Self.units(units, names: names, &collector)
    }

    private init(
        _ members: Members, names: ContractNames, _ collector: inout ViolationCollector
    ) {
        document = members.object.document
        isBare = false
        members.reportUnknown(among: names.section, &collector)
        identifier = members.read(names.sectionId, &collector) { value, collector in
            value.expecting("a string, a number or null", value.text?.string, &collector)
        }
        layout = members.object("layout", &collector, SectionLayout.init)
        layoutValue = layout == nil ? nil : members.object["layout"]
        collapsed = members.bool("collapsed", &collector)
        data = names.sectionData.flatMap { members.value($0, &collector) }
        condition = members.condition(names.when, &collector)
        isEssential = members.bool(names.essential, &collector) ?? false
        func unit(
            _ value: JSONValue, _ collector: inout ViolationCollector
        ) -> ServerStateUnit? {
            ServerStateUnit(value, names: names, &collector)
        }
        header = members.read("header", &collector, unit)
        footer = members.read("footer", &collector, unit)
        let units = members.required(names.units, among: names.section, &collector) {
            value, collector in
            value.expecting("an array of units", value.kind == .array ? value : nil, &collector)
        }
        guard let units else {
            (unitNodes, unitOptions) = ([], [])
            return
        }
        collector.path.descend(to: names.units)
        (unitNodes, unitOptions) = Self.units(units, names: names, &collector)
        collector.path.ascend()
    }

    private static func units(
        _ array: JSONValue, names: ContractNames, _ collector: inout ViolationCollector
    ) -> (nodes: [ServerStateUnit.Nodes], options: [(unit: Int, options: UnitOptions)]) {
        var units: [ServerStateUnit.Nodes] = []
        var options: [(unit: Int, options: UnitOptions)] = []
        units.reserveCapacity(array.count)
        for (index, element) in array.elements.enumerated() {
            collector.path.descend(to: index)
            if let unit = ServerStateUnit.parts(of: element, names: names, &collector) {
                if let own = unit.options { options.append((units.count, own)) }
                units.append(unit.nodes)
            }
            collector.path.ascend()
        }
        return (units, options)
    }
}
