/// Why indexing stopped, before anyone has counted lines.
struct JSONFault: Error {
    let reason: JSONError.Reason
    let offset: Int

    init(_ reason: JSONError.Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// Checks a text against RFC 8259 and writes its tape, in one pass and without recursion.
///
/// `bytes` belongs to the caller of `index(_:maxDepth:into:)`, who keeps it alive for the call; every
/// read is behind a comparison with `bytes.count`.
struct JSONIndexer: ~Copyable {
    let bytes: UnsafeBufferPointer<UInt8>
    let maxDepth: Int
    /// The offset of the next byte to read; never beyond `bytes.count`.
    var position: Int
    var tape: JSONTape
    /// The containers around `position`, the innermost in `current`.
    private var outer: [OpenContainer] = []
    private var current = OpenContainer(node: 0, count: 0, isObject: false)
    private var depth = 0

    /// A container whose bracket has not come yet.
    private struct OpenContainer {
        var node: UInt32
        var count: UInt32
        var isObject: Bool
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>, startingAt start: Int, maxDepth: Int) {
        self.bytes = bytes
        self.maxDepth = maxDepth
        self.position = start
        self.tape = JSONTape(forBytes: bytes.count)
    }

    /// Indexes the whole text, answers its tape, or throws where it stops being JSON.
    ///
    /// O(bytes), in time and in tape.
    consuming func indexed() throws(JSONFault) -> JSONTape {
        skipBlanks()
        repeat {
            if try openOrReadScalar() { continue }
            try finishValue()
        } while depth > 0
        if position < bytes.count { throw JSONFault(.trailingBytes, at: position) }
        return tape
    }

    /// Reads the value at `position` up to its end or, of a container that has elements, up to the
    /// first of them; answers whether it is the latter.
    @inline(__always)
    private mutating func openOrReadScalar() throws(JSONFault) -> Bool {
        let start = position
        switch try nextByte() {
        case UInt8(ascii: "\""):
            try readString()
        case UInt8(ascii: "{"):
            return try open(isObject: true)
        case UInt8(ascii: "["):
            return try open(isObject: false)
        case UInt8(ascii: "t"):
            try readLiteral("true")
        case UInt8(ascii: "f"):
            try readLiteral("false")
        case UInt8(ascii: "n"):
            try readLiteral("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try readNumber()
        default:
            throw JSONFault(.expectedValue, at: start)
        }
        return false
    }

    /// Enters the container at `position`; answers false when it is empty and so already closed.
    @inline(__always)
    private mutating func open(isObject: Bool) throws(JSONFault) -> Bool {
        if depth >= maxDepth { throw JSONFault(.tooDeep(limit: maxDepth), at: position) }
        if depth > 0 { outer.append(current) }
        depth &+= 1
        current = OpenContainer(
            node: tape.append(offset: position, extent: 0), count: 0, isObject: isObject)
        position &+= 1
        skipBlanks()
        if try nextByte() == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            close()
            return false
        }
        if isObject { try readName() }
        return true
    }

    /// Leaves the innermost container, whose bracket stands at `position`.
    @inline(__always)
    private mutating func close() {
        let closing = tape.append(offset: position, extent: current.count)
        tape.setExtent(of: current.node, to: closing)
        position &+= 1
        depth &-= 1
        if depth > 0 { current = outer.removeLast() }
    }

    /// Goes on from the end of a value to the start of the next, over the brackets that it ends; with
    /// no container left, to the end of the white space behind the document.
    @inline(__always)
    private mutating func finishValue() throws(JSONFault) {
        while depth > 0 {
            current.count &+= 1
            skipBlanks()
            let byte = try nextByte()
            if byte == UInt8(ascii: ",") {
                position &+= 1
                skipBlanks()
                if current.isObject { try readName() }
                return
            }
            guard byte == (current.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw JSONFault(
                    current.isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket,
                    at: position)
            }
            close()
        }
        skipBlanks()
    }

    /// Reads a member's name, its colon, and the white space around it.
    @inline(__always)
    private mutating func readName() throws(JSONFault) {
        guard try nextByte() == UInt8(ascii: "\"") else {
            throw JSONFault(.expectedName, at: position)
        }
        try readString()
        skipBlanks()
        guard try nextByte() == UInt8(ascii: ":") else {
            throw JSONFault(.expectedColon, at: position)
        }
        position &+= 1
        skipBlanks()
    }

    /// The byte at `position`; without one, the text ends too early.
    @inline(__always)
    func nextByte() throws(JSONFault) -> UInt8 {
        if position >= bytes.count { throw JSONFault(.endsTooEarly, at: bytes.count) }
        return bytes[position]
    }

    /// Goes to the next byte that is no white space (RFC 8259 section 2), or to the end.
    @inline(__always)
    private mutating func skipBlanks() {
        while position < bytes.count, bytes[position] <= 0x20 {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position &+= 1
            default: return
            }
        }
    }
}
