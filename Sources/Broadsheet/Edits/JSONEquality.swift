extension EditedValue {
    /// Returns whether the value and `other` are equal by RFC 6902 §4.6: numbers by their exact
    /// values, strings by their code points, objects regardless of the order of their members.
    ///
    /// Of members of one name the last one counts.
    ///
    /// - Complexity: O(size of `other`), expected, beside the look-ups in large objects.
    func equals(_ other: JSONValue) -> Bool {
        switch content {
        case .source(let source, let node): return source.isEqual(node, to: other)
        case .array(let array):
            guard other.kind == .array, other.count == array.value.count else { return false }
            return zip(array.value.values, other.elements).allSatisfy { $0.equals($1) }
        case .object(let object):
            guard other.kind == .object else { return false }
            let others = other.lastMembers
            return object.value.nameCount == others.count
                && others.allSatisfy { object.value[$0]?.equals($1) ?? false }
        case .moved: return false
        }
    }
}

extension JSONMemberIndex {
    /// Returns whether the value at `node` equals `other` by RFC 6902 §4.6.
    fileprivate func isEqual(_ node: UInt32, to other: JSONValue) -> Bool {
        let value = document.value(at: node)
        guard value.kind == other.kind else { return false }
        switch value.kind {
        case .null: return true
        case .bool: return value.bool == other.bool
        case .string: return value.text == other.text
        case .number: return value.isSameNumber(as: other)
        case .array:
            guard value.count == other.count else { return false }
            return zip(value.elements, other.elements).allSatisfy { isEqual($0.node, to: $1) }
        case .object:
            let others = other.lastMembers
            return nameCount(of: node) == others.count
                && others.allSatisfy { key, other in
                    member(key, of: node).map { isEqual($0, to: other) } ?? false
                }
        }
    }
}

extension JSONValue {
    fileprivate func isSameNumber(as other: JSONValue) -> Bool {
        document.bytes.withUnsafeBufferPointer { bytes in
            other.document.bytes.withUnsafeBufferPointer { otherBytes in
                JSONNumber(bytes[byteRange]).hasSameValue(
                    as: JSONNumber(otherBytes[other.byteRange]))
            }
        }
    }

    fileprivate var lastMembers: [JSONKey: JSONValue] {
        var last: [JSONKey: JSONValue] = [:]
        for member in members { last[JSONKey(member.name)] = member.value }
        return last
    }
}
