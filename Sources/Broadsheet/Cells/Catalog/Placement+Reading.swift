extension Placement {
    /// Reads what a unit type becomes: an object of placements by role, or an array of such objects;
    /// the placements stand in the order of the document.
    static func placements(
        _ value: JSONValue, among kinds: [Identifier: Int], _ findings: inout Findings
    ) -> [Placement] {
        value.eachOrSelf(&findings) { value, findings in
            guard let members = Members(value, &findings) else { return [] }
            return members.entries.flatMap { entry -> [Placement] in
                guard let role = PlacementRole(rawValue: entry.name) else { return [] }
                findings.path.descend(to: entry.name)
                defer { findings.path.ascend() }
                return entry.value.eachOrSelf(&findings) { value, findings in
                    Placement(value, role, among: kinds, &findings).map { [$0] } ?? []
                }
            }
        }
    }

    /// Reads one placement in `role`; nil when it is none, or names no cell type that there is.
    private init?(
        _ value: JSONValue, _ role: PlacementRole, among kinds: [Identifier: Int],
        _ findings: inout Findings
    ) {
        guard let members = Members(value, &findings) else { return nil }
        let data = members.pointer("data", &findings)
        let isOptional = members.bool("optional", &findings)
        let kind: Int? = members.required("type", &findings) { value, findings in
            guard let name = value.expecting("a string", value.string, &findings) else {
                return nil
            }
            if kinds[Identifier(name)] == nil {
                findings.report("names no entry of cellTypes", at: value)
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
        _ findings: inout Findings, _ read: (JSONValue, inout Findings) -> [Value]
    ) -> [Value] {
        guard kind == .array else { return read(self, &findings) }
        return elements.enumerated().flatMap { index, element in
            findings.path.descend(to: index)
            defer { findings.path.ascend() }
            return read(element, &findings)
        }
    }
}
