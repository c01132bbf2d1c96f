/// The members of an object in the order of the document, duplicates included; none for any other
/// kind of value.
public struct JSONMembers: Sequence, Sendable {
    let container: JSONValue

    /// Starts at the first member.
    public func makeIterator() -> Iterator { Iterator(container) }

    /// How many members there are; O(1).
    public var underestimatedCount: Int { container.kind == .object ? container.count : 0 }

    /// Steps from member to member; each step is O(1).
    public struct Iterator: IteratorProtocol {
        /// A name and its value alternate on the tape as elements do.
        private var values: JSONElements.Iterator

        init(_ container: JSONValue) {
            values = JSONElements.Iterator(container, of: UInt8(ascii: "{"))
        }

        /// The next member, or nil behind the last.
        public mutating func next() -> (name: JSONText, value: JSONValue)? {
            guard let name = values.next()?.text, let value = values.next() else { return nil }
            return (name, value)
        }
    }
}

extension JSONValue {
    /// The members of an object in the order of the document; none when the value is no object.
    public var members: JSONMembers { JSONMembers(container: self) }

    /// The value of the last member of that name, or nil; O(members).
    public subscript(name: String) -> JSONValue? { self[JSONKey(name)] }

    /// The value of the last member of that name, or nil; O(members).
    package subscript(key: JSONKey) -> JSONValue? {
        document.member(key, of: node).map { JSONValue(document: document, node: $0) }
    }
}
