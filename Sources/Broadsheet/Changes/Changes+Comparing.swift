public import BroadsheetClient

extension Changes {
    /// Compares two laid-out screens, whose trees are written with the options of the new one.
    ///
    /// - Parameters:
    ///   - old: The tree that a client has.
    ///   - new: The tree that it then has.
    /// - Complexity: O(sections + items + bytes of the changes), expected.
    public init(from old: TreeWriter, to new: TreeWriter) {
        self.init(from: old, to: new, isSame: false)
    }

    /// Compares two laid-out screens, of which the changes are never a reset if they are known to
    /// be the same.
    init(from old: TreeWriter, to new: TreeWriter, isSame: Bool) {
        var document = ChangesDocument(
            from: old, to: new, envelope: ChangesEnvelope(revision: old.envelope.revision),
            isSame: isSame)
        let written = (try? JSONDocument(document.written(), maxDepth: .max)).flatMap {
            Changes(TreeValue($0.root))
        }
        // The document was written just before, so it can always be read.
        self =
            written
            ?? Changes(
                from: Version(), to: Version(), content: .update(Update(members: [:])))
    }
}

extension Tree {
    /// Creates the tree that a writer writes.
    ///
    /// - Complexity: O(bytes of the tree).
    public init(_ writer: TreeWriter) {
        var parts = TreeParts(writer)
        let written = (try? JSONDocument(parts.written(), maxDepth: .max)).flatMap {
            Tree(TreeValue($0.root))
        }
        self = written ?? Tree(members: [:], sections: [])
    }
}

extension TreeValue {
    /// Creates the value of a document's value.
    ///
    /// - Complexity: O(bytes).
    public init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .bool: self = .bool(value.bool ?? false)
        case .number:
            self = .number(TreeNumber(validated: String(decoding: value.bytes, as: UTF8.self)))
        case .string: self = .string(value.string ?? "")
        case .array: self = .array(value.elements.map { TreeValue($0) })
        case .object:
            var members: [String: TreeValue] = [:]
            for (name, member) in value.members { members[name.string] = TreeValue(member) }
            self = .object(members)
        }
    }
}
