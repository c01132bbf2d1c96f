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
    mutating func merge(_ source: JSONMemberIndex, _ node: UInt32) {
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
    fileprivate mutating func merge(_ patch: JSONValue, _ source: JSONMemberIndex) {
        let document = source.document
        var node = patch.node &+ 1
        for _ in 0..<patch.count {
            let value = node &+ 1
            if let key = document.key(of: node),
                // Of members of one name the last one counts.
                patch.count == 1 || source.member(key, of: patch.node) == value
            {
                merge(value, source, at: key)
            }
            node = document.node(after: value)
        }
    }

    private mutating func merge(_ node: UInt32, _ source: JSONMemberIndex, at key: JSONKey) {
        if source.document.firstByte(of: node) == UInt8(ascii: "n") {
            remove(key)
            return
        }
        let isMerged: Void? = try? edit(key) { (value: inout EditedValue) throws(EditFailure) in
            value.merge(source, node)
        }
        guard isMerged == nil else { return }
        var value = EditedValue.none
        value.merge(source, node)
        set(key, to: value)
    }
}

extension JSONDocument {
    fileprivate func key(of node: UInt32) -> JSONKey? {
        guard let name = text(of: node) else { return nil }
        if name.hasEscapes { return value(at: node).text.map { JSONKey($0) } }
        return JSONKey(utf8: Array(bytes[Int(name.range.lowerBound)..<Int(name.range.upperBound)]))
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
