/// The members of an object under edit: those of a document, with what has changed beside them.
struct EditedObject {
    /// A change of the members of one name in the document.
    private enum Change {
        /// All of them are taken away.
        case removed
        /// The last of them, whose value is at the node, has another value.
        case replaced(UInt32, EditedValue)
    }

    /// A member that the document does not have.
    private struct Added {
        let key: JSONKey
        /// The name with its quotes.
        let name: [UInt8]
        var value: EditedValue

        var byteCount: Int { name.count + 1 + value.byteCount }
    }

    /// The object of the document; `nil` for an object without members there.
    private let base: (source: EditSource, node: UInt32)?
    private var changes: [JSONKey: Change] = [:]
    /// The members that were added, in their order; `nil` for those that were removed again.
    private var added: [Added?] = []
    private var addedIndexes: [JSONKey: Int] = [:]
    /// The number of names of the document whose members are taken away.
    private var removedCount = 0
    /// The number of bytes of the members with the white space around them, without commas.
    private var content = 0
    /// The number of members, those of equal names included.
    private(set) var memberCount = 0
    /// An upper bound of the object's height.
    private(set) var heightBound = 1

    /// Creates an object without members.
    init() {
        base = nil
    }

    /// Creates the object at `node` of a source.
    init(_ source: EditSource, _ node: UInt32) {
        base = (source, node)
        let value = source.document.value(at: node)
        memberCount = value.count
        content = value.byteRange.count - 2 - max(0, memberCount - 1)
        heightBound = source.height(of: node)
    }

    /// The number of bytes of the object.
    var byteCount: Int {
        // The white space of an object that never had a member is part of the content.
        if isUnchanged, let base { return base.source.document.byteRange(of: base.node).count }
        return memberCount == 0 ? 2 : 2 + content + memberCount - 1
    }

    /// A Boolean value that indicates whether the document's members are all there are.
    private var isUnchanged: Bool { changes.isEmpty && addedIndexes.isEmpty }

    /// The number of different names of the members.
    ///
    /// - Complexity: O(members), once for the members of a large object of the document.
    var nameCount: Int {
        let posted = base.map { $0.source.nameCount(of: $0.node) } ?? 0
        return posted - removedCount + addedIndexes.count
    }

    /// The object's height.
    ///
    /// - Complexity: O(members).
    var height: Int {
        var height = 0
        forEach { _, value in height = max(height, value.height) }
        return height + 1
    }

    /// The value of the last member of that name, or `nil`.
    subscript(key: JSONKey) -> EditedValue? {
        if let index = addedIndexes[key] { return added[index]?.value }
        switch changes[key] {
        case .removed: return nil
        case .replaced(_, let value): return value
        case nil:
            return base.flatMap { base in
                base.source.member(key, of: base.node).map { EditedValue(base.source, $0) }
            }
        }
    }

    /// Calls `body` with each name and the value of its last member.
    ///
    /// - Complexity: O(members).
    func forEach(_ body: (JSONKey, EditedValue) -> Void) {
        if let base {
            var last: [JSONKey: UInt32] = [:]
            for member in base.source.document.value(at: base.node).members {
                last[JSONKey(member.name)] = member.value.node
            }
            for (key, node) in last {
                switch changes[key] {
                case .removed: break
                case .replaced(_, let value): body(key, value)
                case nil: body(key, EditedValue(base.source, node))
                }
            }
        }
        for case let member? in added { body(member.key, member.value) }
    }
}

extension EditedObject {
    /// Calls `change` with the value of the last member of that name.
    ///
    /// - Throws: A failure if there is no such member; the error of `change`.
    mutating func edit<Value>(
        _ key: JSONKey, _ change: (inout EditedValue) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        if let index = addedIndexes[key], var member = added[index] {
            added[index]?.value = .none
            let before = member.byteCount
            defer {
                content += member.byteCount - before
                heightBound = max(heightBound, member.value.heightBound + 1)
                added[index] = member
            }
            return try change(&member.value)
        }
        var (node, value) = try existing(key)
        changes[key] = .replaced(node, .none)
        let before = value.byteCount
        defer {
            content += value.byteCount - before
            heightBound = max(heightBound, value.heightBound + 1)
            changes[key] = .replaced(node, value)
        }
        return try change(&value)
    }

    private func existing(_ key: JSONKey) throws(EditFailure) -> (UInt32, EditedValue) {
        switch changes[key] {
        case .removed: break
        case .replaced(let node, let value): return (node, value)
        case nil:
            if let base, let node = base.source.member(key, of: base.node) {
                return (node, EditedValue(base.source, node))
            }
        }
        throw .noValue
    }

    /// Sets the value of the last member of that name, or appends a member.
    mutating func set(_ key: JSONKey, to value: EditedValue) {
        let isSet: Void? = try? edit(key) { (old: inout EditedValue) throws(EditFailure) in
            old = value
        }
        guard isSet == nil else { return }
        var writer = JSONWriter()
        writer.string(String(decoding: key.utf8, as: UTF8.self))
        let member = Added(key: key, name: writer.bytes, value: value)
        if memberCount == 0 { content = 0 }
        addedIndexes[key] = added.count
        added.append(member)
        content += member.byteCount
        memberCount += 1
        heightBound = max(heightBound, value.heightBound + 1)
    }

    /// Removes all members of that name, and returns the value of the last one, or `nil` if there
    /// is none.
    ///
    /// - Complexity: O(members) for the first few changes of a large object, then O(1) expected.
    @discardableResult
    mutating func remove(_ key: JSONKey) -> EditedValue? {
        if let index = addedIndexes.removeValue(forKey: key), let member = added[index] {
            added[index] = nil
            content -= member.byteCount
            memberCount -= 1
            return member.value
        }
        guard let base, let (last, value) = try? existing(key) else { return nil }
        for node in base.source.members(key, of: base.node) {
            content -= base.source.memberBytes(node).count
            memberCount -= 1
        }
        content -= value.byteCount - base.source.document.byteRange(of: last).count
        changes[key] = .removed
        removedCount += 1
        return value
    }
}

extension EditedObject {
    /// A member of the document with its position.
    private struct Posted {
        let name: JSONText
        /// The node of the value.
        let value: UInt32
        /// The bytes of the member with the white space around it.
        let bytes: Range<Int>
        /// The bytes of the value.
        let valueBytes: Range<Int>
    }

    /// Calls `body` with each member of the document.
    private func forEachPosted(_ body: (Posted) -> Void) {
        guard let (source, node) = base else { return }
        var start = source.document.byteRange(of: node).lowerBound + 1
        for (name, value) in source.document.value(at: node).members {
            let range = value.byteRange
            let end = source.endOfBlanks(at: range.upperBound)
            body(Posted(name: name, value: value.node, bytes: start..<end, valueBytes: range))
            start = end + 1
        }
    }

    /// Appends the bytes of the object to `output`.
    func write(to output: inout [UInt8]) {
        if isUnchanged, let base {
            return output.append(
                contentsOf: base.source.document.bytes[
                    base.source.document.byteRange(of: base.node)])
        }
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        func separate() {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
        }
        forEachPosted { member in
            let change = changes.isEmpty ? nil : changes[JSONKey(member.name)]
            if case .removed? = change { return }
            separate()
            let bytes = base?.source.document.bytes ?? []
            guard case .replaced(member.value, let value)? = change else {
                return output.append(contentsOf: bytes[member.bytes])
            }
            output.append(contentsOf: bytes[member.bytes.lowerBound..<member.valueBytes.lowerBound])
            value.write(to: &output)
            output.append(contentsOf: bytes[member.valueBytes.upperBound..<member.bytes.upperBound])
        }
        for case let member? in added {
            separate()
            output.append(contentsOf: member.name)
            output.append(UInt8(ascii: ":"))
            member.value.write(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}
