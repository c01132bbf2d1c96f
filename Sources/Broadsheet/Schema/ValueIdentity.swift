/// Equality of JSON values by their values, as JSON Schema core §4.2.2 defines it: numbers by their
/// exact values, strings by their code points, objects regardless of the order of their members.
///
/// Of members of one name the last one counts.
extension JSONDocument {
    /// Returns whether the value at `node` equals one of another document.
    ///
    /// - Complexity: O(size), expected.
    func isEqual(_ node: UInt32, to other: UInt32, of document: JSONDocument) -> Bool {
        let (value, otherValue) = (self.value(at: node), document.value(at: other))
        guard value.kind == otherValue.kind else { return false }
        switch value.kind {
        case .null: return true
        case .bool: return value.bool == otherValue.bool
        case .string: return value.text == otherValue.text
        case .number: return exactNumber(at: node) == document.exactNumber(at: other)
        case .array:
            return value.count == otherValue.count
                && zip(value.elements, otherValue.elements).allSatisfy {
                    isEqual($0.node, to: $1.node, of: document)
                }
        case .object:
            let (members, others) = (lastMembers(of: node), document.lastMembers(of: other))
            return members.count == others.count
                && members.allSatisfy { name, member in
                    others[name].map { isEqual(member, to: $0, of: document) } ?? false
                }
        }
    }

    /// Returns a hash of the value at `node` that equal values share, keyed by the secret of the
    /// process.
    ///
    /// - Complexity: O(size), expected.
    func valueHash(of node: UInt32) -> Int {
        let value = value(at: node)
        var hasher = Hasher()
        hasher.combine(value.kind)
        switch value.kind {
        case .null: break
        case .bool: hasher.combine(value.bool)
        case .string: withText(of: node) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .number: hasher.combine(exactNumber(at: node))
        case .array: for element in value.elements { hasher.combine(valueHash(of: element.node)) }
        case .object:
            // The sum does not depend on the order of the members.
            hasher.combine(
                lastMembers(of: node).reduce(0) { sum, member in
                    var hasher = Hasher()
                    hasher.combine(member.key)
                    hasher.combine(valueHash(of: member.value))
                    return sum &+ hasher.finalize()
                })
        }
        return hasher.finalize()
    }

    private func lastMembers(of node: UInt32) -> [JSONText: UInt32] {
        var last: [JSONText: UInt32] = [:]
        for member in value(at: node).members { last[member.name] = member.value.node }
        return last
    }

    /// Returns the nodes of the names of the members that a later member of the same name replaces,
    /// in the object at `node`; `nil` if there are none.
    ///
    /// - Complexity: O(members), expected.
    func replacedMembers(of node: UInt32) -> Set<UInt32>? {
        let count = count(of: node)
        guard count > 1 else { return nil }
        var last: [JSONText: UInt32] = [:]
        last.reserveCapacity(count)
        var replaced: Set<UInt32> = []
        var name = node + 1
        for _ in 0..<count {
            if let text = value(at: name).text, let earlier = last.updateValue(name, forKey: text) {
                replaced.insert(earlier)
            }
            name = self.node(after: name + 1)
        }
        return replaced.isEmpty ? nil : replaced
    }

    /// Returns the JSON Pointer to the value at `node`, which is inside the one at `root`.
    ///
    /// - Complexity: O(siblings of the values on the way).
    func pointer(to node: UInt32, inside root: UInt32) -> String {
        var path = JSONPath()
        var current = root
        while current != node {
            let isObject = firstByte(of: current) == UInt8(ascii: "{")
            var child = current + 1
            var index = 0
            // The last child that begins at or before the value has it.
            while true {
                let value = isObject ? child + 1 : child
                let next = self.node(after: value)
                if node < next {
                    if isObject { path.descend(to: self.value(at: child).string ?? "") }
                    if !isObject { path.descend(to: index) }
                    // A name stands for its member.
                    current = node < value ? node : value
                    break
                }
                guard next < tape[current].extent else { return path.pointer }
                child = next
                index += 1
            }
        }
        return path.pointer
    }
}
