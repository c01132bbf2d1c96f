/// What can be asked of a node by its number alone.
///
/// A `JSONValue` holds its document, and so retains it wherever it goes; loops over many values ask
/// here instead.
extension JSONDocument {
    /// Where the literal of the value at `node` stands in `bytes`, quotes and brackets included.
    package func byteRange(of node: UInt32) -> Range<Int> {
        let opening = tape[node]
        guard isContainer(node) else { return Int(opening.offset)..<Int(opening.end) }
        return Int(opening.offset)..<Int(tape[opening.extent].offset) + 1
    }

    /// Where the text of the string or number at `node` stands, and whether it has escapes; nil for
    /// other kinds.
    package func text(of node: UInt32) -> (range: Range<UInt32>, hasEscapes: Bool)? {
        let literal = tape[node]
        switch bytes[Int(literal.offset)] {
        case UInt8(ascii: "\""): return (literal.offset + 1..<literal.end - 1, literal.hasEscapes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return (literal.offset..<literal.end, false)
        default: return nil
        }
    }

    /// The value of the last member of that name in the object at `node`; nil when there is none, or
    /// the value is no object.
    ///
    /// O(members).
    func member(_ key: JSONKey, of node: UInt32) -> UInt32? {
        guard firstByte(of: node) == UInt8(ascii: "{") else { return nil }
        let end = tape[node].extent
        return bytes.withUnsafeBufferPointer { bytes in
            var found: UInt32?
            var name = node &+ 1
            while name < end {
                let string = tape[name]
                let content = UnsafeBufferPointer(
                    rebasing: bytes[Int(string.offset) + 1..<Int(string.end) - 1])
                if key.matches(content, hasEscapes: string.hasEscapes) { found = name &+ 1 }
                name = self.node(after: name &+ 1)
            }
            return found
        }
    }

    /// The element at `index` of the array at `node`; nil when there is none, or the value is no
    /// array.
    ///
    /// O(index).
    func element(_ index: Int, of node: UInt32) -> UInt32? {
        guard firstByte(of: node) == UInt8(ascii: "[") else { return nil }
        let end = tape[node].extent
        guard index < Int(tape[end].extent) else { return nil }
        var element = node &+ 1
        for _ in 0..<index { element = self.node(after: element) }
        return element
    }

    /// The node behind the value at `node`: its next sibling's, or its container's closing one.
    @inline(__always)
    package func node(after node: UInt32) -> UInt32 {
        isContainer(node) ? tape[node].extent &+ 1 : node &+ 1
    }

    /// Whether `node` opens an object or an array.
    @inline(__always)
    func isContainer(_ node: UInt32) -> Bool {
        // "{" is 0x7B and "[" is 0x5B; no other value starts with a byte of that shape.
        firstByte(of: node) | 0x20 == UInt8(ascii: "{")
    }

    /// The byte that tells what kind of value `node` opens.
    @inline(__always)
    func firstByte(of node: UInt32) -> UInt8 { bytes[Int(tape[node].offset)] }
}
