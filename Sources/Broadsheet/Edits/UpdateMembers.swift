/// A reader of the members of one operation; what it cannot read, it reports, and returns `nil`.
struct UpdateMembers {
    private let members: Members
    let names: ContractNames
    var collector = ViolationCollector(keeping: 0)

    init(_ members: Members, _ names: ContractNames) {
        self.members = members
        self.names = names
    }

    mutating func required<Value>(
        _ name: String, _ read: (JSONValue, inout ViolationCollector) -> Value?
    ) -> Value? {
        members.required(name, &collector, read)
    }

    /// Reads the name of a section, by default the one that the operation is about, or of an item.
    mutating func target(_ name: String = "section") -> UpdateTarget? {
        required(name, JSONValue.target)
    }

    mutating func optionalTarget(_ name: String) -> UpdateTarget? {
        members.read(name, &collector, JSONValue.target)
    }

    mutating func targets(_ name: String) -> [UpdateTarget]? {
        required(name, JSONValue.targets)
    }

    /// Reads a place, which is the end without a member for it.
    mutating func place() -> UpdatePlace? {
        let total = collector.total
        let (before, after) = (optionalTarget("before"), optionalTarget("after"))
        if before != nil, after != nil, let value = members.object["after"] {
            collector.report("must not stand beside \"before\"", at: value, below: "/after")
        }
        guard collector.total == total else { return nil }
        return before.map { .before($0) } ?? after.map { .after($0) } ?? .end
    }

    mutating func values(_ name: String) -> [JSONValue]? {
        required(name) { $0.array(&$1) { value, _ in value } }
    }

    mutating func sections() -> [JSONValue]? {
        let names = names
        return required("sections") { value, collector in
            value.array(&collector) { value, collector in
                ServerStateSection(value, names: names, &collector).map { _ in value }
            }
        }
    }

    /// Returns the one of two members that the operation has, or reports that it does not have
    /// exactly one of them.
    mutating func either(_ first: String, _ second: String) -> String? {
        guard members.has(first) != members.has(second) else {
            collector.report(
                "must have either \"\(first)\" or \"\(second)\"", at: members.object)
            return nil
        }
        return members.has(first) ? first : second
    }
}

extension JSONValue {
    func array<Value>(
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

    static func target(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> UpdateTarget? {
        let index = value.int.flatMap { $0 >= 0 ? UpdateTarget.index($0) : nil }
        return value.expecting(
            "an id (a string) or an index (a whole number from 0)",
            value.string.map { .id($0) } ?? index, &collector)
    }

    static func targets(
        _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> [UpdateTarget]? {
        value.array(&collector, target)
    }
}
