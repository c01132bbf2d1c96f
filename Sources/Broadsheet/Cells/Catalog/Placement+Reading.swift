extension Placement {
    /// Reads what a unit type becomes: an object of placements by role, or an array of such objects;
    /// the placements stand in the order of the document.
    static func placements(
        _ value: JSONValue, among kinds: [Identifier: Int], _ collector: inout ViolationCollector
    ) -> [Placement] {
        value.eachOrSelf(&collector) { value, collector in
            guard let members = Members(value, &collector) else { return [] }
            return members.entries.flatMap { entry -> [Placement] in
                guard let role = PlacementRole(rawValue: entry.name) else { return [] }
                collector.path.descend(to: entry.name)
                defer { collector.path.ascend() }
                return entry.value.eachOrSelf(&collector) { value, collector in
                    Placement(value, role, among: kinds, &collector).map { [$0] } ?? []
                }
            }
        }
    }

    /// Reads one placement in `role`; nil when it is none, or names no cell type that there is.
    private init?(
        _ value: JSONValue, _ role: PlacementRole, among kinds: [Identifier: Int],
        _ collector: inout ViolationCollector
    ) {
        guard let members = Members(value, &collector) else { return nil }
        let data = members.pointer("data", &collector)
        let isOptional = members.bool("optional", &collector)
        let kind: Int? = members.required("type", &collector) { value, collector in
            guard let name = value.expecting("a string", value.string, &collector) else {
                return nil
            }
            if kinds[Identifier(name)] == nil {
                collector.report("names no entry of cellTypes", at: value)
            }
            return kinds[Identifier(name)]
        }
        guard let kind else { return nil }
        self.init(role: role, kind: kind, data: data, isOptional: isOptional ?? false)
    }
}

extension JSONValue {
    /// What `read` makes of each element, at its path, or of the value itself when it is no array.
    fileprivate func eachOrSelf<Value>(
        _ collector: inout ViolationCollector, _ read: (JSONValue, inout ViolationCollector) -> [Value]
    ) -> [Value] {
        guard kind == .array else { return read(self, &collector) }
        return elements.enumerated().flatMap { index, element in
            collector.path.descend(to: index)
            defer { collector.path.ascend() }
            return read(element, &collector)
        }
    }
}
