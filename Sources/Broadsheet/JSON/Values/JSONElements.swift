/// The elements of an array in their order; none for any other kind of value.
public struct JSONElements: Sequence, Sendable {
    let container: JSONValue

    /// Starts at the first element.
    @inline(__always)
    public func makeIterator() -> Iterator { Iterator(container, of: UInt8(ascii: "[")) }

    /// How many elements there are; O(1).
    public var underestimatedCount: Int { container.kind == .array ? container.count : 0 }

    /// Steps from element to element; each step is O(1).
    public struct Iterator: IteratorProtocol {
        private let document: JSONDocument
        private var node: UInt32
        private let end: UInt32

        /// Starts inside `container`, or at its own end when it does not open with `bracket`.
        @inline(__always)
        init(_ container: JSONValue, of bracket: UInt8) {
            document = container.document
            node = container.node &+ 1
            end =
                container.firstByte == bracket
                ? document.tape[container.node].extent : container.node &+ 1
        }

        /// The next element, or nil behind the last.
        @inline(__always)
        public mutating func next() -> JSONValue? {
            guard node < end else { return nil }
            let value = JSONValue(document: document, node: node)
            node = document.node(after: node)
            return value
        }
    }
}

extension JSONValue {
    /// The elements of an array in their order; none when the value is no array.
    public var elements: JSONElements { JSONElements(container: self) }
}
