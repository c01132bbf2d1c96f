extension EditedValue {
    /// Applies a JSON Merge Patch (RFC 7396 §2): members of the value are set, members that are
    /// null in the patch are taken away.
    ///
    /// Of members of one name the last one counts, in the patch and in the value.
    ///
    /// - Parameters:
    ///   - source: The source of the patch.
    ///   - node: The node of the patch in its document.
    /// - Complexity: O(size of the patch), expected, beside the look-ups in the value.
    mutating func merge(_ source: EditSource, _ node: UInt32) {
        let patch = source.document.value(at: node)
        guard patch.kind == .object else { return self = EditedValue(source, node) }
        if kind != .object {
            // A patch without nulls is itself the outcome, byte for byte.
            guard patch.hasNullMembers else { return self = EditedValue(source, node) }
            self = EditedValue(EditedObject())
        }
        try? editObject { (object: inout EditedObject) throws(EditFailure) in
            object.merge(patch, source)
        }
    }
}

extension EditedObject {
    fileprivate mutating func merge(_ patch: JSONValue, _ source: EditSource) {
        for member in patch.members where source.isLast(member, of: patch) {
            let key = JSONKey(member.name)
            if member.value.isNull {
                remove(key)
                continue
            }
            let node = member.value.node
            let isMerged: Void? = try? edit(key) { (value: inout EditedValue) throws(EditFailure) in
                value.merge(source, node)
            }
            guard isMerged == nil else { continue }
            var value = EditedValue.none
            value.merge(source, node)
            set(key, to: value)
        }
    }
}

extension EditSource {
    /// Returns whether a member of an object is the last one of its name.
    fileprivate func isLast(
        _ member: (name: JSONText, value: JSONValue), of object: JSONValue
    ) -> Bool {
        self.member(JSONKey(member.name), of: object.node) == member.value.node
    }
}

extension JSONValue {
    /// A Boolean value that indicates whether a merge patch has a null in it that takes a member
    /// away: one in objects only, not in arrays.
    fileprivate var hasNullMembers: Bool {
        guard kind == .object else { return false }
        return members.contains { $0.value.isNull || $0.value.hasNullMembers }
    }
}
