/// A JSON text that has been checked completely and indexed in place.
///
/// The bytes are kept unchanged, with a flat tape of 8 bytes a value. Values are decoded when they
/// are read. Documents are immutable and may be read from any thread.
public final class JSONDocument: Sendable {
    /// The text, unchanged.
    public let bytes: [UInt8]
    let tape: JSONTape

    /// The largest size of a document, in bytes: a node keeps one of its 32 bits for a flag.
    public static let maxByteCount = Int(Int32.max)

    /// Creates a document from `bytes`, a UTF-8 text by RFC 8259.
    ///
    /// One leading byte order mark is skipped. Indexing is a loop without recursion, whatever the
    /// depth of the containers.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - maxDepth: The largest depth of nested containers; the document's own is 1.
    ///   - limit: The largest number of bytes, capped at `maxByteCount`.
    /// - Throws: The first error, with its position.
    /// - Complexity: O(bytes) in time; about one byte of tape for each byte of text.
    public init(
        _ bytes: [UInt8], maxDepth: Int = 128, maxByteCount limit: Int = JSONDocument.maxByteCount
    ) throws(JSONError) {
        let limit = min(limit, Self.maxByteCount)
        guard bytes.count <= limit else {
            throw JSONError(.tooLarge(limit: limit), at: limit, in: bytes)
        }
        let start = Self.byteOrderMarkLength(in: bytes)
        self.bytes = bytes
        do throws(JSONIndexingError) {
            tape = try Self.tape(of: bytes, startingAt: start, maxDepth: maxDepth)
        } catch {
            throw JSONError(error.reason, at: error.offset, in: bytes)
        }
    }

    static let null = JSONDocument()

    private init() {
        bytes = Array("null".utf8)
        var nodes = JSONBuffer<JSONNode>(capacity: 1)
        nodes.append(JSONNode(at: 0, extent: UInt32(bytes.count)))
        tape = JSONTape(nodes)
    }

    private static func tape(
        of bytes: [UInt8], startingAt start: Int, maxDepth: Int
    ) throws(JSONIndexingError) -> JSONTape {
        // Texts that end otherwise are errors or scalars, so they are rare.
        let text = JSONTokens.endsTokens(bytes) ? bytes : bytes + [0]
        let nodes = try text.withUnsafeBufferPointer { buffer throws(JSONIndexingError) in
            // The text is not empty, so the base address exists.
            let tokens = JSONTokens(buffer.baseAddress.unsafelyUnwrapped, count: bytes.count)
            return try JSONIndexer.nodes(of: tokens, startingAt: start, maxDepth: maxDepth)
        }
        return JSONTape(nodes)
    }

    /// The number of nodes of the index: one for a scalar, two for a container.
    package var nodeCount: Int { tape.count }

    package var indexByteCount: Int { nodeCount * MemoryLayout<JSONNode>.stride }

    /// The document's only value.
    public var root: JSONValue { JSONValue(document: self, node: 0) }

    /// Returns the value at `node`, which is the `node` of one of this document's values.
    package func value(at node: UInt32) -> JSONValue { JSONValue(document: self, node: node) }

    /// Returns 3 if `bytes` begins with U+FEFF, else 0.
    static func byteOrderMarkLength(in bytes: [UInt8]) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }
}

/// Access to nodes by their numbers alone.
///
/// A `JSONValue` retains its document; loops over many values use these functions instead.
extension JSONDocument {
    /// Returns the range in `bytes` of the value at `node`, quotes and brackets included.
    package func byteRange(of node: UInt32) -> Range<Int> {
        let opening = tape[node]
        guard isContainer(node) else { return Int(opening.offset)..<Int(opening.end) }
        return Int(opening.offset)..<Int(tape[opening.extent].offset) + 1
    }

    /// Returns the number of elements or members of the value at `node`, duplicates included; 0 for
    /// a scalar.
    package func count(of node: UInt32) -> Int {
        isContainer(node) ? Int(tape[tape[node].extent].extent) : 0
    }

    /// Returns the range of the text of the string or number at `node`; `nil` for other kinds.
    package func text(of node: UInt32) -> (range: Range<UInt32>, hasEscapes: Bool)? {
        let literal = tape[node]
        switch bytes[Int(literal.offset)] {
        case UInt8(ascii: "\""): return (literal.offset + 1..<literal.end - 1, literal.hasEscapes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return (literal.offset..<literal.end, false)
        default: return nil
        }
    }

    /// Returns the value of the last member called `key` in the object at `node`.
    ///
    /// - Returns: `nil` if there is no such member, or if the value is not an object.
    /// - Complexity: O(members).
    func member(_ key: JSONKey, of node: UInt32) -> UInt32? {
        key.utf8.withUnsafeBufferPointer { member($0, of: node) }
    }

    func member(_ key: UnsafeBufferPointer<UInt8>, of node: UInt32) -> UInt32? {
        var last: UInt32?
        forEachMember(key, of: node) { last = $0 }
        return last
    }

    /// Calls `body` with the value of each member of the object at `node` whose name is `key` in
    /// UTF-8, duplicates included; not for values of other kinds.
    ///
    /// - Complexity: O(members).
    @inline(__always)
    func forEachMember(
        _ key: UnsafeBufferPointer<UInt8>, of node: UInt32, _ body: (UInt32) -> Void
    ) {
        guard firstByte(of: node) == UInt8(ascii: "{") else { return }
        let end = tape[node].extent
        // The length of a name without escapes: the quotes, and the bytes of the key.
        let length = UInt32(truncatingIfNeeded: key.count) &+ 2
        bytes.withUnsafeBufferPointer { bytes in
            var node = node &+ 1
            while node < end {
                let (name, value) = (tape[node], tape[node &+ 1])
                // Most names differ in their lengths, which the tape has.
                if name.extent &- name.offset == length || name.hasEscapes,
                    Self.text(of: name, in: bytes, equals: key)
                {
                    body(node &+ 1)
                }
                // Most members are scalars. With the hint the compiler uses a branch, which the
                // processor predicts; a conditional move would wait for the byte of each value.
                let isContainer = Self.isContainer(firstByte: bytes[Int(value.offset)])
                node = _slowPath(isContainer) ? value.extent &+ 1 : node &+ 2
            }
        }
    }

    /// Calls `body` with each name in the object at `node`, as it is in the text, and its node; not
    /// for values of other kinds.
    ///
    /// - Complexity: O(members).
    @inline(__always)
    func forEachName(
        of node: UInt32, _ body: (_ content: UnsafeBufferPointer<UInt8>, _ name: UInt32) -> Void
    ) {
        guard firstByte(of: node) == UInt8(ascii: "{") else { return }
        let end = tape[node].extent
        bytes.withUnsafeBufferPointer { bytes in
            var node = node &+ 1
            while node < end {
                let name = tape[node]
                let content = Int(name.offset) + 1..<Int(name.end) - 1
                body(UnsafeBufferPointer(rebasing: bytes[content]), node)
                node = self.node(after: node &+ 1)
            }
        }
    }

    @inline(__always)
    private static func text(
        of string: JSONNode, in bytes: UnsafeBufferPointer<UInt8>,
        equals key: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let content = UnsafeBufferPointer(
            rebasing: bytes[Int(string.offset) + 1..<Int(string.end) - 1])
        if string.hasEscapes { return decoded(content, equals: key) }
        for index in 0..<key.count where content[index] != key[index] { return false }
        return true
    }

    @inline(never)
    private static func decoded(
        _ content: UnsafeBufferPointer<UInt8>, equals key: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        IteratorSequence(JSONUnescaper(content)).elementsEqual(key)
    }

    /// Returns the element at `index` of the array at `node`, or `nil`, in O(index).
    func element(_ index: Int, of node: UInt32) -> UInt32? {
        guard firstByte(of: node) == UInt8(ascii: "[") else { return nil }
        let end = tape[node].extent
        guard index < Int(tape[end].extent) else { return nil }
        var element = node &+ 1
        for _ in 0..<index { element = self.node(after: element) }
        return element
    }

    /// Returns the node after the value at `node`: its next sibling, or its container's closing
    /// node.
    @inline(__always)
    package func node(after node: UInt32) -> UInt32 {
        isContainer(node) ? tape[node].extent &+ 1 : node &+ 1
    }

    @inline(__always)
    func isContainer(_ node: UInt32) -> Bool {
        Self.isContainer(firstByte: firstByte(of: node))
    }

    @inline(__always)
    private static func isContainer(firstByte: UInt8) -> Bool {
        // "{" is 0x7B and "[" is 0x5B; no other value starts with a byte of that shape.
        firstByte | 0x20 == UInt8(ascii: "{")
    }

    @inline(__always)
    func firstByte(of node: UInt32) -> UInt8 { bytes[Int(tape[node].offset)] }
}
