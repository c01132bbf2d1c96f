/// Checks a text against RFC 8259 and writes its tape, in one pass and without recursion.
///
/// An indexer is trivial, so that its loop keeps it in registers: functions that are not part of
/// the loop take and return values.
struct JSONIndexer {
    private let tokens: JSONTokens
    private let maxDepth: Int
    /// The offset of the next byte to read; never beyond the end of the text.
    private var position: Int
    private var stops = JSONStringStops()
    private var nodes: JSONBuffer<JSONNode>
    /// The containers around `position`, the innermost in `current`.
    private var outer = JSONBuffer<OpenContainer>(capacity: 16)
    private var current = OpenContainer(node: 0, count: 0, opening: 0)
    private var depth = 0

    private init(_ tokens: JSONTokens, startingAt start: Int, maxDepth: Int) {
        self.tokens = tokens
        self.maxDepth = maxDepth
        position = start
        // One node for 8 bytes is usual.
        nodes = JSONBuffer(capacity: tokens.count / 8 + 16)
    }

    /// Indexes the whole text and returns the nodes of its tape, which the caller then owns.
    ///
    /// - Parameters:
    ///   - tokens: The text.
    ///   - start: The offset at which to begin.
    ///   - maxDepth: The largest depth of nested containers.
    /// - Throws: The first position at which the text is not JSON.
    /// - Complexity: O(bytes), in time and in tape.
    static func nodes(
        of tokens: JSONTokens, startingAt start: Int, maxDepth: Int
    ) throws(JSONIndexingError) -> JSONBuffer<JSONNode> {
        var indexer = JSONIndexer(tokens, startingAt: start, maxDepth: maxDepth)
        defer { indexer.outer.deallocate() }
        do throws(JSONIndexingError) {
            try indexer.readText()
        } catch {
            indexer.nodes.deallocate()
            throw error
        }
        return indexer.nodes
    }

    private mutating func readText() throws(JSONIndexingError) {
        let first = tokens.token(at: &position)
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            try readContainer(first)
        } else {
            try readScalar(beginningWith: first)
        }
        let end = tokens.afterBlanks(position)
        if end < tokens.count { throw JSONIndexingError(.trailingBytes, at: end) }
    }

    /// Reads the document's own container, whose opening bracket is at `position`.
    private mutating func readContainer(_ opening: UInt8) throws(JSONIndexingError) {
        // The loop works on a copy, which it keeps in registers.
        var indexer = self
        defer { self = indexer }
        var bracket = opening
        while true {
            var isClosing = bracket == indexer.current.closing
            if !isClosing {
                try indexer.open(bracket)
                isClosing = tokens.isToken(indexer.current.closing, at: &indexer.position)
            }
            if isClosing { try indexer.readClosings() }
            if indexer.depth == 0 { return }
            bracket = try indexer.readScalars()
        }
    }

    /// Reads scalars of the innermost container and their names, up to a bracket.
    ///
    /// - Returns: The bracket at `position`: the opening one of an element, or the closing one that
    ///   follows a scalar.
    @inline(__always)
    private mutating func readScalars() throws(JSONIndexingError) -> UInt8 {
        while true {
            if current.isObject { try readName() }
            let first = tokens.token(at: &position)
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return first }
            try readScalar(beginningWith: first)
            current.count &+= 1
            let next = tokens.token(at: &position)
            guard next == UInt8(ascii: ",") else {
                try expectClosing(next)
                return next
            }
            position &+= 1
        }
    }

    @inline(__always)
    private func expectClosing(_ byte: UInt8) throws(JSONIndexingError) {
        if _slowPath(byte != current.closing) {
            throw tokens.unexpected(
                at: position,
                current.isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket)
        }
    }

    @inline(__always)
    private mutating func readName() throws(JSONIndexingError) {
        guard tokens.isToken(UInt8(ascii: "\""), at: &position) else {
            throw tokens.unexpected(at: position, .expectedName)
        }
        try readString()
        guard tokens.isToken(UInt8(ascii: ":"), at: &position) else {
            throw tokens.unexpected(at: position, .expectedColon)
        }
        position &+= 1
    }

    @inline(__always)
    private mutating func readString() throws(JSONIndexingError) {
        let end = tokens.endOfPlainBytes(ofStringAt: position, &stops)
        if _slowPath(!end.isQuote) {
            return append(scalarUpTo: try tokens.extentOfString(continuingAt: end.position))
        }
        append(scalarUpTo: UInt32(truncatingIfNeeded: end.position &+ 1))
        position = end.position &+ 1
    }

    @inline(__always)
    private mutating func readScalar(beginningWith byte: UInt8) throws(JSONIndexingError) {
        if byte == UInt8(ascii: "\"") {
            try readString()
        } else if byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 {
            let end = try tokens.endOfNumber(at: position)
            append(scalarUpTo: UInt32(truncatingIfNeeded: end))
        } else {
            let end = try tokens.endOfLiteral(beginningWith: byte, at: position)
            append(scalarUpTo: UInt32(truncatingIfNeeded: end))
        }
    }

    @inline(__always)
    private mutating func append(scalarUpTo extent: UInt32) {
        let node = JSONNode(at: position, extent: extent)
        nodes.append(node)
        position = Int(node.end)
    }

    /// Enters the container at `position`.
    @inline(__always)
    private mutating func open(_ opening: UInt8) throws(JSONIndexingError) {
        if _slowPath(depth >= maxDepth) {
            throw JSONIndexingError(.tooDeep(limit: maxDepth), at: position)
        }
        depth &+= 1
        outer.append(current)
        current = OpenContainer(
            node: UInt32(truncatingIfNeeded: nodes.count), count: 0, opening: opening)
        nodes.append(JSONNode(at: position, extent: 0))
        position &+= 1
    }

    /// Leaves the container whose closing bracket is at `position`, and those that end after it
    /// without another element.
    @inline(__always)
    private mutating func readClosings() throws(JSONIndexingError) {
        while true {
            nodes[current.node].extent = UInt32(truncatingIfNeeded: nodes.count)
            nodes.append(JSONNode(at: position, extent: current.count))
            position &+= 1
            current = outer.removeLast()
            depth &-= 1
            if depth == 0 { return }
            // No byte need follow a closing bracket.
            if _slowPath(position == tokens.count) {
                throw JSONIndexingError(.endsTooEarly, at: position)
            }
            current.count &+= 1
            let next = tokens.token(at: &position)
            if next == UInt8(ascii: ",") {
                position &+= 1
                return
            }
            try expectClosing(next)
        }
    }
}

/// A container whose closing bracket has not been read yet.
private struct OpenContainer: BitwiseCopyable {
    var node: UInt32
    var count: UInt32
    var opening: UInt8

    @inline(__always) var isObject: Bool { opening == UInt8(ascii: "{") }
    /// The closing bracket, which in ASCII follows two places after the opening one.
    @inline(__always) var closing: UInt8 { opening &+ 2 }
}
