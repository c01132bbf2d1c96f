/// A request of operations on a screen (docs/edits.md, "Updates").
public struct ScreenUpdate: Sendable {
    /// The operations in their order; at least one.
    public let operations: [UpdateOperation]

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - names: The names of the members of units and sections.
    /// - Throws: All violations, with pointers into the document.
    /// - Complexity: O(bytes).
    public init(
        _ document: JSONDocument, names: ContractNames = ContractNames()
    ) throws(ContractError) {
        var collector = ViolationCollector(keeping: ContractError.maxViolations)
        var operations: [UpdateOperation] = []
        if let members = Members(document.root, &collector) {
            members.reportMisspelt(among: ["operations"], &collector)
            operations = Self.operations(members, names, &collector)
        }
        guard collector.total == 0 else {
            throw ContractError(violations: collector.violations, total: collector.total)
        }
        self.operations = operations
    }

    private static func operations(
        _ members: Members, _ names: ContractNames, _ collector: inout ViolationCollector
    ) -> [UpdateOperation] {
        let operations = members.required("operations", &collector) { value, collector in
            let limit = EditLimits.maxUpdateOperations
            guard value.kind == .array, 1...limit ~= value.count else {
                collector.report("must be an array of 1 to \(limit) operations", at: value)
                return [UpdateOperation]()
            }
            return value.elements.enumerated().compactMap { index, element in
                collector.path.descend(to: index)
                defer { collector.path.ascend() }
                return OperationReader(element, names, &collector)?.operation(&collector)
            }
        }
        return operations ?? []
    }
}

/// A reader of one operation.
struct OperationReader {
    private let members: Members
    private let names: ContractNames

    /// Creates a reader of the operation at the collector's path; reports a value that is not an
    /// object.
    init?(_ value: JSONValue, _ names: ContractNames, _ collector: inout ViolationCollector) {
        guard let members = Members(value, &collector) else { return nil }
        self.members = members
        self.names = names
    }

    /// The names of operations, with the members that each has.
    enum Name: String, CaseIterable {
        case insertItems, upsertItems, replaceItem, patchItem, deleteItems, moveItems
        case insertSections, replaceSection, extendSections, deleteSections, moveSection
        case patchSection, toggleSection

        /// The members that an operation of the name may have.
        var members: [String] {
            let place = ["before", "after"]
            return switch self {
            case .insertItems: ["op", "section", "units", "data"] + place
            case .upsertItems: ["op", "section", "unitType", "data"]
            case .replaceItem: ["op", "section", "item", "data"]
            case .patchItem: ["op", "section", "item", "patch"]
            case .deleteItems: ["op", "section", "items", "all"]
            case .moveItems: ["op", "section", "items", "toSection"] + place
            case .insertSections: ["op", "sections"] + place
            case .extendSections, .deleteSections: ["op", "sections"]
            case .replaceSection, .moveSection: ["op", "section"] + place
            case .patchSection: ["op", "section", "patch"]
            case .toggleSection: ["op", "section"]
            }
        }
    }

    /// Returns the operation, or `nil` if it has violations.
    func operation(_ collector: inout ViolationCollector) -> UpdateOperation? {
        guard let name = name(&collector) else { return nil }
        members.reportMisspelt(among: name.members, &collector)
        return switch name {
        case .insertItems, .upsertItems, .replaceItem, .patchItem, .deleteItems, .moveItems:
            itemOperation(name, &collector)
        default: sectionOperation(name, &collector)
        }
    }

    private func name(_ collector: inout ViolationCollector) -> Name? {
        members.required("op", &collector) { value, collector in
            let text = value.string.map(Identifier.init)
            let name = Name.allCases.first { Identifier($0.rawValue) == text }
            return value.expecting(Name.allCases.map(\.rawValue).alternatives, name, &collector)
        }
    }

    private func itemOperation(
        _ name: Name, _ collector: inout ViolationCollector
    ) -> UpdateOperation? {
        let section = target("section", &collector)
        switch name {
        case .insertItems:
            let (content, place) = (content(&collector), place(&collector))
            guard let section, let content, let place else { return nil }
            return .insertItems(section: section, content, place)
        case .upsertItems:
            let type = members.required("unitType", &collector) { value, collector in
                value.expecting("a string", value.string, &collector)
            }
            let data = members.required("data", &collector) { $0.array(&$1) { value, _ in value } }
            guard let section, let type, let data else { return nil }
            return .upsertItems(section: section, unitType: type, data: data)
        case .replaceItem:
            let item = target("item", &collector)
            let data = members.required("data", &collector) { value, collector in
                value.expecting("a value", value.isNull ? nil : value, &collector)
            }
            guard let section, let item, let data else { return nil }
            return .replaceItem(section: section, item: item, data: data)
        case .patchItem:
            let (item, patch) = (target("item", &collector), patch(&collector))
            guard let section, let item, let patch else { return nil }
            return .patchItem(section: section, item: item, patch: patch)
        case .deleteItems:
            guard let items = items(&collector), let section else { return nil }
            return .deleteItems(section: section, items)
        default: return moveItems(section, &collector)
        }
    }

    private func moveItems(
        _ section: UpdateTarget?, _ collector: inout ViolationCollector
    ) -> UpdateOperation? {
        let items = members.required("items", &collector, JSONValue.targets)
        let toSection = members.read("toSection", &collector, JSONValue.target)
        guard let place = place(&collector), let section, let items else { return nil }
        return .moveItems(section: section, items: items, toSection: toSection, place)
    }

    private func sectionOperation(
        _ name: Name, _ collector: inout ViolationCollector
    ) -> UpdateOperation? {
        switch name {
        case .insertSections:
            let sections = sections(&collector)
            guard let place = place(&collector), let sections else { return nil }
            return .insertSections(sections, place)
        case .replaceSection:
            let section = members.required("section", &collector, section)
            guard let place = place(&collector), let section else { return nil }
            // Without a place, a section that is there stays where it is.
            return .replaceSection(section, place == .end ? nil : place)
        case .extendSections: return sections(&collector).map { .extendSections($0) }
        case .deleteSections:
            return members.required("sections", &collector, JSONValue.targets)
                .map { .deleteSections($0) }
        case .moveSection:
            let section = target("section", &collector)
            guard let place = place(&collector), let section else { return nil }
            return .moveSection(section: section, place)
        case .patchSection:
            let section = target("section", &collector)
            let patch = members.required("patch", &collector, sectionPatch)
            guard let section, let patch else { return nil }
            return .patchSection(section: section, patch: patch)
        default: return target("section", &collector).map { .toggleSection(section: $0) }
        }
    }
}

extension UpdateOperation {
    /// The names of all operations.
    package static let names = OperationReader.Name.allCases.map(\.rawValue)
}

// MARK: - Members

extension OperationReader {
    private func target(
        _ name: String, _ collector: inout ViolationCollector
    ) -> UpdateTarget? {
        members.required(name, &collector, JSONValue.target)
    }

    private func place(_ collector: inout ViolationCollector) -> UpdatePlace? {
        let total = collector.total
        let before = members.read("before", &collector, JSONValue.target)
        let after = members.read("after", &collector, JSONValue.target)
        if before != nil, after != nil {
            report("after", "must not stand beside \"before\"", &collector)
        }
        guard collector.total == total else { return nil }
        return before.map { .before($0) } ?? after.map { .after($0) } ?? .end
    }

    private func content(_ collector: inout ViolationCollector) -> UpdateOperation.Content? {
        let (hasUnits, hasData) = (has("units"), has("data"))
        guard hasUnits != hasData else {
            collector.report("must have either \"units\" or \"data\"", at: members.object)
            return nil
        }
        if hasData {
            return members.read("data", &collector) { $0.array(&$1) { value, _ in value } }
                .map { .data($0) }
        }
        let names = names
        return members.read("units", &collector) { value, collector in
            value.array(&collector) { value, collector in
                ServerStateUnit(value, names: names, &collector).map { _ in value }
            }
        }.map { .units($0) }
    }

    private func items(_ collector: inout ViolationCollector) -> UpdateOperation.Items? {
        guard has("items") != has("all") else {
            collector.report("must have either \"items\" or \"all\"", at: members.object)
            return nil
        }
        if has("items") {
            return members.read("items", &collector, JSONValue.targets).map { .some($0) }
        }
        return members.read("all", &collector) { value, collector in
            value.expecting("true", value.bool == true ? .all : nil, &collector)
        }
    }

    private func has(_ name: String) -> Bool { members.object[name].map { !$0.isNull } ?? false }

    private func sections(_ collector: inout ViolationCollector) -> [JSONValue]? {
        let names = names
        return members.required("sections", &collector) { value, collector in
            value.array(&collector) { value, collector in
                ServerStateSection(value, names: names, &collector).map { _ in value }
            }
        }
    }

    /// Reads a section that replaces another one: an object with an id.
    private func section(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> JSONValue? {
        guard let section = Members(value, &collector) else { return nil }
        if section.value(names.sectionId, &collector) == nil {
            collector.path.descend(to: names.sectionId)
            collector.report("is missing; a section is replaced by its id", at: value)
            collector.path.ascend()
        }
        return ServerStateSection(value, names: names, &collector).map { _ in value }
    }

    private func patch(_ collector: inout ViolationCollector) -> JSONValue? {
        members.required("patch", &collector) { value, collector in
            Members(value, &collector)?.object
        }
    }

    private func sectionPatch(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> JSONValue? {
        guard let patch = Members(value, &collector) else { return nil }
        patch.reportUnpatched(by: names, &collector)
        _ = patch.bool("collapsed", &collector)
        collector.isMergePatch = true
        _ = patch.object("layout", &collector, SectionLayout.init)
        collector.isMergePatch = false
        for name in ["header", "footer"] {
            _ = patch.object(name, &collector) { members, _ in members.object }
        }
        return value
    }

    private func report(
        _ name: String, _ detail: String, _ collector: inout ViolationCollector
    ) {
        collector.path.descend(to: name)
        collector.report(detail, at: members.object[name] ?? members.object)
        collector.path.ascend()
    }
}

extension Members {
    /// Reports the members whose names are at most two letters off a known one.
    fileprivate func reportMisspelt(
        among known: [String], _ collector: inout ViolationCollector
    ) {
        for member in object.members where !known.contains(where: member.name.equals) {
            let name = member.name.string
            guard !MemberDiagnostics.isForOthers(name),
                let nearest = NearestName.of(name, among: known, atMost: 2)
            else { continue }
            collector.path.descend(to: name)
            collector.report("is not known; did you mean \"\(nearest)\"?", at: member.value)
            collector.path.ascend()
        }
    }

    /// Reports the members that a patch of a section cannot change.
    fileprivate func reportUnpatched(
        by names: ContractNames, _ collector: inout ViolationCollector
    ) {
        let known = names.patchedMembers
        for member in object.members where !known.contains(where: member.name.equals) {
            let name = member.name.string
            guard !MemberDiagnostics.isForOthers(name) else { continue }
            collector.path.descend(to: name)
            collector.report(Self.unpatched(name, among: known), at: member.value)
            collector.path.ascend()
        }
    }

    private static func unpatched(_ name: String, among known: [String]) -> String {
        let nearest = NearestName.of(name, among: known)
        return "is not known to patchSection; "
            + (nearest.map { "did you mean \"\($0)\"?" } ?? "it takes \(known.alternatives)")
    }
}

extension JSONValue {
    /// Reads the elements of an array, at their paths.
    fileprivate func array<Value>(
        _ collector: inout ViolationCollector,
        _ read: (JSONValue, inout ViolationCollector) -> Value?
    ) -> [Value]? {
        guard kind == .array else { return expecting("an array", nil, &collector) }
        return elements.enumerated().compactMap { index, element in
            collector.path.descend(to: index)
            defer { collector.path.ascend() }
            return read(element, &collector)
        }
    }

    /// Reads an id or an index.
    static func target(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> UpdateTarget? {
        let index = value.int.flatMap { $0 >= 0 ? UpdateTarget.index($0) : nil }
        return value.expecting(
            "an id (a string) or an index (a whole number from 0)",
            value.string.map { .id($0) } ?? index, &collector)
    }

    /// Reads an array of ids and indexes.
    fileprivate static func targets(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> [UpdateTarget]? {
        value.array(&collector, target)
    }
}
