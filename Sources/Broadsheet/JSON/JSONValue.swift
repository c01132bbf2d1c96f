/// One value of a document: a small handle that retains its document.
public struct JSONValue: Sendable {
    package let document: JSONDocument
    package let node: UInt32

    @inline(__always)
    init(document: JSONDocument, node: UInt32) {
        self.document = document
        self.node = node
    }

    /// The kinds of JSON values.
    public enum Kind: Sendable, Hashable {
        /// Members by name.
        case object
        /// Elements in order.
        case array
        /// A text in double quotes.
        case string
        /// A decimal number, stored as its bytes.
        case number
        /// `true` or `false`.
        case bool
        /// `null`.
        case null
    }

    /// The kind of the value.
    public var kind: Kind {
        switch firstByte {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// A Boolean value that indicates whether the value is `null`.
    public var isNull: Bool { firstByte == UInt8(ascii: "n") }

    /// The Boolean value; `nil` for values of other kinds.
    public var bool: Bool? {
        switch firstByte {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    /// The range of the value in `document.bytes`, quotes and brackets included.
    public var byteRange: Range<Int> { document.byteRange(of: node) }

    /// The number of elements or members, duplicates included; 0 for values that are not
    /// containers.
    public var count: Int { document.count(of: node) }

    /// The string with its escapes decoded; `nil` for values of other kinds.
    ///
    /// - Complexity: O(length).
    public var string: String? { kind == .string ? text?.string : nil }

    /// The text of a string or a number, for use as an identifier; `nil` for values of other kinds.
    public var text: JSONText? {
        document.text(of: node).map { text in
            JSONText(bytes: document.bytes, range: text.range, hasEscapes: text.hasEscapes)
        }
    }

    @inline(__always)
    var firstByte: UInt8 { document.firstByte(of: node) }
}

extension JSONValue {
    /// The number as the nearest Double, ±infinity beyond the largest; `nil` for values of other
    /// kinds.
    public var double: Double? {
        guard kind == .number else { return nil }
        return document.bytes.withUnsafeBufferPointer { JSONNumber($0[byteRange]).double }
    }

    /// The number as an integer in any notation (`10`, `1.0`, `1e1`, `-0`); `nil` if it is not an
    /// integer or does not fit.
    public var int: Int? {
        guard kind == .number else { return nil }
        return document.bytes.withUnsafeBufferPointer { JSONNumber($0[byteRange]).int }
    }
}

extension JSONValue {
    /// The elements of an array in their order; empty if the value is not an array.
    public var elements: JSONElements { JSONElements(container: self) }

    /// The members of an object in the order of the document; empty if the value is not an object.
    public var members: JSONMembers { JSONMembers(container: self) }

    /// Returns the value of the last member called `name`, or `nil`.
    ///
    /// - Complexity: O(members).
    public subscript(name: String) -> JSONValue? { self[JSONKey(name)] }

    /// Returns the value of the last member called `key`, or `nil`.
    package subscript(key: JSONKey) -> JSONValue? {
        document.member(key, of: node).map { JSONValue(document: document, node: $0) }
    }
}

/// The elements of an array in their order; empty for values of other kinds.
public struct JSONElements: Sequence, Sendable {
    fileprivate let container: JSONValue

    /// Returns an iterator at the first element.
    @inline(__always)
    public func makeIterator() -> Iterator { Iterator(container, of: UInt8(ascii: "[")) }

    /// The number of elements.
    ///
    /// - Complexity: O(1).
    public var underestimatedCount: Int { container.kind == .array ? container.count : 0 }

    /// An iterator over elements; each step is O(1).
    public struct Iterator: IteratorProtocol {
        private let document: JSONDocument
        private var node: UInt32
        private let end: UInt32

        /// Creates an iterator inside `container`, empty unless the container opens with `bracket`.
        @inline(__always)
        init(_ container: JSONValue, of bracket: UInt8) {
            document = container.document
            node = container.node &+ 1
            end =
                container.firstByte == bracket
                ? document.tape[container.node].extent : container.node &+ 1
        }

        /// Returns the next element, or `nil` after the last.
        @inline(__always)
        public mutating func next() -> JSONValue? {
            guard node < end else { return nil }
            let value = JSONValue(document: document, node: node)
            node = document.node(after: node)
            return value
        }
    }
}

/// The members of an object in the order of the document, duplicates included; empty for values of
/// other kinds.
public struct JSONMembers: Sequence, Sendable {
    fileprivate let container: JSONValue

    /// Returns an iterator at the first member.
    public func makeIterator() -> Iterator { Iterator(container) }

    /// The number of members.
    ///
    /// - Complexity: O(1).
    public var underestimatedCount: Int { container.kind == .object ? container.count : 0 }

    /// An iterator over members; each step is O(1).
    public struct Iterator: IteratorProtocol {
        /// Names and values, which alternate on the tape as elements do.
        private var values: JSONElements.Iterator

        fileprivate init(_ container: JSONValue) {
            values = JSONElements.Iterator(container, of: UInt8(ascii: "{"))
        }

        /// Returns the next member, or `nil` after the last.
        public mutating func next() -> (name: JSONText, value: JSONValue)? {
            guard let name = values.next()?.text, let value = values.next() else { return nil }
            return (name, value)
        }
    }
}
