/// The members of an object under edit: those of a document, with what has changed beside them.
struct EditedObject {
    /// An edit of the members of one name in the document.
    private struct Edit {
        /// The node of the value of the last of them.
        let node: UInt32
        /// The value that the last of them has; `nil` if all of them are taken away.
        var value: EditedValue?
    }

    /// A member that the document does not have.
    private struct Added {
        /// The name with its quotes.
        let name: [UInt8]
        var value: EditedValue

        var byteCount: Int { name.count + 1 + value.byteCount }
    }

    /// The object of the document; `nil` for an object without members there.
    private let base: (source: JSONMemberIndex, node: UInt32)?
    private var edits = KeyedList<Edit>()
    /// The members that were added, in their order; `nil` for those that were removed again.
    private var added = KeyedList<Added?>()
    /// The number of members that were added and not removed again.
    private var addedCount = 0
    /// The number of names of the document whose members are taken away.
    private var removedCount = 0
    /// The number of bytes of the members with the white space around them, without commas.
    private var content = 0
    /// The number of members, those of equal names included.
    private(set) var memberCount = 0
    private(set) var heightBound = 1

    init() {
        base = nil
    }

    init(_ source: JSONMemberIndex, _ node: UInt32) {
        base = (source, node)
        let value = source.document.value(at: node)
        memberCount = value.count
        content = value.byteRange.count - 2 - max(0, memberCount - 1)
        heightBound = source.height(of: node)
    }

    var byteCount: Int {
        // The white space of an object that never had a member is part of the content.
        if isUnchanged, let base { return base.source.document.byteRange(of: base.node).count }
        return memberCount == 0 ? 2 : 2 + content + memberCount - 1
    }

    private var isUnchanged: Bool { edits.isEmpty && addedCount == 0 }

    /// The number of different names of the members.
    ///
    /// - Complexity: O(members), once for the members of a large object of the document.
    var nameCount: Int {
        let posted = base.map { $0.source.nameCount(of: $0.node) } ?? 0
        return posted - removedCount + addedCount
    }

    /// The object's height, in O(members).
    var height: Int {
        var height = 0
        forEach { _, value in height = max(height, value.height) }
        return height + 1
    }

    /// The value of the last member of that name, or `nil`.
    subscript(key: JSONKey) -> EditedValue? {
        // Inlined, so that the object under the value is not copied as a whole.
        @inline(__always) get {
            if let index = added.index(of: key), let member = added[index] { return member.value }
            if let index = edits.index(of: key) { return edits[index].value }
            guard let base, let node = base.source.member(key, of: base.node) else { return nil }
            return EditedValue(base.source, node)
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
                if let index = edits.index(of: key) {
                    if let value = edits[index].value { body(key, value) }
                } else {
                    body(key, EditedValue(base.source, node))
                }
            }
        }
        for member in added.all {
            if let value = member.entry?.value { body(member.key, value) }
        }
    }
}

extension EditedObject {
    /// Changes the value of the last member of that name; throws a failure if there is none.
    mutating func edit<Value>(
        _ key: JSONKey, _ change: (inout EditedValue) throws(EditFailure) -> Value
    ) throws(EditFailure) -> Value {
        if let index = added.index(of: key), var member = added[index] {
            added[index]?.value = .none
            let before = member.byteCount
            defer {
                content += member.byteCount - before
                heightBound = max(heightBound, member.value.heightBound + 1)
                added[index] = member
            }
            return try change(&member.value)
        }
        var (index, value) = try existing(key)
        // The list gives up the value, which would be copied at the change otherwise.
        edits[index].value = EditedValue.none
        let before = value.byteCount
        defer {
            content += value.byteCount - before
            heightBound = max(heightBound, value.heightBound + 1)
            edits[index].value = value
        }
        return try change(&value)
    }

    /// Returns the value of the last member of a name in the document, with the index of its
    /// change, which is created without the value if there is none.
    private mutating func existing(_ key: JSONKey) throws(EditFailure) -> (Int, EditedValue) {
        if let index = edits.index(of: key) {
            guard let value = edits[index].value else { throw .noValue }
            return (index, value)
        }
        guard let base, let node = base.source.member(key, of: base.node) else { throw .noValue }
        edits.append(Edit(node: node, value: EditedValue.none), key)
        return (edits.count - 1, EditedValue(base.source, node))
    }

    /// Sets the value of the last member of that name, or appends a member.
    mutating func set(_ key: JSONKey, to value: EditedValue) {
        let isSet: Void? = try? edit(key) { (old: inout EditedValue) throws(EditFailure) in
            old = value
        }
        guard isSet == nil else { return }
        var writer = JSONWriter()
        writer.string(String(decoding: key.utf8, as: UTF8.self))
        let member = Added(name: writer.bytes, value: value)
        if memberCount == 0 { content = 0 }
        added.append(member, key)
        addedCount += 1
        content += member.byteCount
        memberCount += 1
        heightBound = max(heightBound, value.heightBound + 1)
    }

    /// Removes all members of that name, and returns the value of the last one, or `nil` if there
    /// is none.
    ///
    /// - Complexity: O(members) for the first few edits of a large object, then O(1) expected.
    @discardableResult
    mutating func remove(_ key: JSONKey) -> EditedValue? {
        if let index = added.index(of: key), let member = added[index] {
            added[index] = nil
            addedCount -= 1
            content -= member.byteCount
            memberCount -= 1
            return member.value
        }
        guard let base, let (index, value) = try? existing(key) else { return nil }
        for node in base.source.members(key, of: base.node) {
            content -= base.source.memberBytes(node).count
            memberCount -= 1
        }
        let last = base.source.document.byteRange(of: edits[index].node)
        content -= value.byteCount - last.count
        edits[index].value = nil
        removedCount += 1
        return value
    }
}

extension EditedObject {
    func write(to output: inout [UInt8]) {
        if isUnchanged, let base { return base.source.write(base.node, to: &output) }
        output.append(UInt8(ascii: "{"))
        let start = output.count
        if let base {
            if removedCount == 0 {
                writeReplaced(of: base, to: &output)
            } else {
                writeKept(of: base, to: &output)
            }
        }
        var isFirst = output.count == start || memberCount == addedCount
        if isFirst { output.removeSubrange(start...) }
        for case let member? in added.all.lazy.map(\.entry) {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            output.append(contentsOf: member.name)
            output.append(UInt8(ascii: ":"))
            member.value.write(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// Writes the document's members, of which some have other values and none is taken away.
    private func writeReplaced(
        of base: (source: JSONMemberIndex, node: UInt32), to output: inout [UInt8]
    ) {
        let document = base.source.document
        let range = document.byteRange(of: base.node)
        var start = range.lowerBound + 1
        let ordered =
            edits.count < 2
            ? edits.all : edits.all.sorted { $0.entry.node < $1.entry.node }
        for edit in ordered.lazy.map(\.entry) {
            let old = document.byteRange(of: edit.node)
            output.append(contentsOf: document.bytes[start..<old.lowerBound])
            edit.value?.write(to: &output)
            start = old.upperBound
        }
        output.append(contentsOf: document.bytes[start..<range.upperBound - 1])
    }

    private func writeKept(
        of base: (source: JSONMemberIndex, node: UInt32), to output: inout [UInt8]
    ) {
        let document = base.source.document
        var (start, isFirst) = (document.byteRange(of: base.node).lowerBound + 1, true)
        for (name, value) in document.value(at: base.node).members {
            let range = value.byteRange
            let end = base.source.endOfBlanks(at: range.upperBound)
            defer { start = end + 1 }
            let edit = edits.index(of: JSONKey(name)).map { edits[$0] }
            if let edit, edit.value == nil { continue }
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            guard let edit, edit.node == value.node else {
                output.append(contentsOf: document.bytes[start..<end])
                continue
            }
            output.append(contentsOf: document.bytes[start..<range.lowerBound])
            edit.value?.write(to: &output)
            output.append(contentsOf: document.bytes[range.upperBound..<end])
        }
    }
}
