/// Checks a text against RFC 8259 and writes its tape, in one pass and without recursion.
///
/// `bytes` belongs to the caller, which keeps the buffer alive until `indexed()` returns; every
/// read follows a comparison with `bytes.count`.
struct JSONIndexer: ~Copyable {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let maxDepth: Int
    /// The offset of the next byte to read; never beyond `bytes.count`.
    private var position: Int
    private var tape: JSONTape
    /// The containers around `position`, the innermost in `current`.
    private var outer: [OpenContainer] = []
    private var current = OpenContainer(node: 0, count: 0, isObject: false)
    private var depth = 0

    /// A container whose closing bracket has not been read yet.
    private struct OpenContainer {
        var node: UInt32
        var count: UInt32
        var isObject: Bool
    }

    /// Creates an indexer of `bytes` that begins to read at `start`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, startingAt start: Int, maxDepth: Int) {
        self.bytes = bytes
        self.maxDepth = maxDepth
        self.position = start
        self.tape = JSONTape(forBytes: bytes.count)
    }

    /// Indexes the whole text and returns its tape.
    ///
    /// - Throws: The first position at which the text is not JSON.
    /// - Complexity: O(bytes), in time and in tape.
    consuming func indexed() throws(JSONIndexingError) -> JSONTape {
        skipBlanks()
        repeat {
            if try openOrReadScalar() { continue }
            try finishValue()
        } while depth > 0
        if position < bytes.count { throw JSONIndexingError(.trailingBytes, at: position) }
        return tape
    }

    /// Reads a scalar or an empty container to its end, or another container up to its first
    /// element.
    ///
    /// - Returns: `true` if a container is open and its first element follows.
    @inline(__always)
    private mutating func openOrReadScalar() throws(JSONIndexingError) -> Bool {
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
            throw JSONIndexingError(.expectedValue, at: start)
        }
        return false
    }

    /// Enters the container at `position`.
    ///
    /// - Returns: `false` if the container is empty, and so closed already.
    @inline(__always)
    private mutating func open(isObject: Bool) throws(JSONIndexingError) -> Bool {
        if depth >= maxDepth { throw JSONIndexingError(.tooDeep(limit: maxDepth), at: position) }
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

    /// Leaves the innermost container, whose closing bracket is at `position`.
    @inline(__always)
    private mutating func close() {
        let closing = tape.append(offset: position, extent: current.count)
        tape.setExtent(of: current.node, to: closing)
        position &+= 1
        depth &-= 1
        if depth > 0 { current = outer.removeLast() }
    }

    /// Advances from the end of a value to the start of the next one, past the brackets between
    /// them.
    ///
    /// After the document's value it advances past the white space that follows.
    @inline(__always)
    private mutating func finishValue() throws(JSONIndexingError) {
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
                throw JSONIndexingError(
                    current.isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket,
                    at: position)
            }
            close()
        }
        skipBlanks()
    }

    /// Reads a member's name, its colon, and the white space around it.
    @inline(__always)
    private mutating func readName() throws(JSONIndexingError) {
        guard try nextByte() == UInt8(ascii: "\"") else {
            throw JSONIndexingError(.expectedName, at: position)
        }
        try readString()
        skipBlanks()
        guard try nextByte() == UInt8(ascii: ":") else {
            throw JSONIndexingError(.expectedColon, at: position)
        }
        position &+= 1
        skipBlanks()
    }

    /// Returns the byte at `position`; throws if the text ends there.
    @inline(__always)
    private func nextByte() throws(JSONIndexingError) -> UInt8 {
        if position >= bytes.count { throw JSONIndexingError(.endsTooEarly, at: bytes.count) }
        return bytes[position]
    }

    /// Advances to the next byte that is not white space (RFC 8259 section 2), or to the end.
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

/// Numbers and literals.
extension JSONIndexer {
    /// Reads the number at `position` by the grammar of RFC 8259 section 6.
    ///
    /// Bytes after the number are not checked, except for a digit after a leading zero.
    @inline(__always)
    private mutating func readNumber() throws(JSONIndexingError) {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position &+= 1 }
        if try nextByte() == UInt8(ascii: "0") {
            position &+= 1
            if position < bytes.count, Self.isDigit(bytes[position]) {
                throw JSONIndexingError(.leadingZero, at: position)
            }
        } else {
            try readDigits(ofNumberAt: start)
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position &+= 1
            try readDigits(ofNumberAt: start)
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            let sign = try nextByte()
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position &+= 1 }
            try readDigits(ofNumberAt: start)
        }
        _ = tape.append(offset: start, extent: UInt32(truncatingIfNeeded: position))
    }

    /// Reads one or more digits.
    @inline(__always)
    private mutating func readDigits(ofNumberAt start: Int) throws(JSONIndexingError) {
        guard Self.isDigit(try nextByte()) else {
            throw JSONIndexingError(.expectedDigit, at: start)
        }
        repeat { position &+= 1 } while position < bytes.count && Self.isDigit(bytes[position])
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// Reads the literal `word`, whose first byte is at `position`.
    @inline(__always)
    private mutating func readLiteral(_ word: StaticString) throws(JSONIndexingError) {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard try nextByte() == word.utf8Start[index] else {
                throw JSONIndexingError(.malformedLiteral, at: start)
            }
            position &+= 1
        }
        _ = tape.append(offset: start, extent: UInt32(truncatingIfNeeded: position))
    }
}

/// Strings.
extension JSONIndexer {
    /// Reads the string whose opening quote is at `position`, and checks its escapes and its UTF-8.
    @inline(__always)
    private mutating func readString() throws(JSONIndexingError) {
        let start = position
        position &+= 1
        var escapes: UInt32 = 0
        while true {
            skipPlainBytes()
            let byte = try nextByte()
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                try readEscape()
                escapes = JSONNode.escapesFlag
            } else if byte >= 0x80 {
                try readNonASCII()
            } else {
                throw JSONIndexingError(.controlCharacter, at: position)
            }
        }
        position &+= 1
        _ = tape.append(offset: start, extent: UInt32(truncatingIfNeeded: position) | escapes)
    }

    /// Advances to the next quote, backslash, control character or non-ASCII byte, eight bytes at a
    /// time where possible.
    @inline(__always)
    private mutating func skipPlainBytes() {
        while position &+ 8 <= bytes.count {
            // Eight bytes remain, so the base address exists and the load stays inside the buffer.
            let word = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + position)
                .loadUnaligned(as: UInt64.self).littleEndian
            let stops = Self.stops(in: word)
            if stops != 0 {
                position &+= stops.trailingZeroBitCount >> 3
                return
            }
            position &+= 8
        }
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
                || byte >= 0x80
            {
                return
            }
            position &+= 1
        }
    }

    /// Returns a word whose highest bit in a byte marks a byte of `word` that ends a plain run.
    ///
    /// These are the usual bit tricks for "has a zero byte" and "has a byte below n". A borrow may
    /// mark bytes above a match but never below one, so the lowest mark is exact; only that one is
    /// used.
    @inline(__always)
    private static func stops(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let belowSpace = (word &- ones &* 0x20) & ~word
        let isQuote = (quotes &- ones) & ~quotes
        let isBackslash = (backslashes &- ones) & ~backslashes
        return (word | belowSpace | isQuote | isBackslash) & (ones &* 0x80)
    }

    /// Reads one escape sequence, or the two sequences of a surrogate pair (RFC 8259 section 7).
    @inline(never)
    private mutating func readEscape() throws(JSONIndexingError) {
        let start = position
        position &+= 1
        switch try nextByte() {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position &+= 1
        case UInt8(ascii: "u"):
            try readUnicodeEscape(startingAt: start)
        default:
            throw JSONIndexingError(.malformedEscape, at: start)
        }
    }

    /// Reads the escape sequence at `start` from its `u` on and, after a high surrogate, the low
    /// one.
    private mutating func readUnicodeEscape(startingAt start: Int) throws(JSONIndexingError) {
        let unit = try readUnit(startingAt: start)
        guard unit & 0xF800 == 0xD800 else { return }
        guard unit < 0xDC00, try nextByte() == UInt8(ascii: "\\") else {
            throw JSONIndexingError(.loneSurrogate, at: start)
        }
        let partner = position
        position &+= 1
        guard try nextByte() == UInt8(ascii: "u"),
            try readUnit(startingAt: partner) & 0xFC00 == 0xDC00
        else { throw JSONIndexingError(.loneSurrogate, at: start) }
    }

    /// Reads a `u` and four hexadecimal digits.
    private mutating func readUnit(startingAt start: Int) throws(JSONIndexingError) -> UInt16 {
        position &+= 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = JSONEscape.hexadecimalValue(of: try nextByte()) else {
                throw JSONIndexingError(.malformedEscape, at: start)
            }
            unit = unit << 4 | UInt16(digit)
            position &+= 1
        }
        return unit
    }

    /// Reads a run of multi-byte UTF-8 sequences (RFC 3629 section 4; Unicode standard, table 3-7).
    ///
    /// The range of the second byte excludes overlong forms, surrogates and code points beyond
    /// U+10FFFF.
    @inline(never)
    private mutating func readNonASCII() throws(JSONIndexingError) {
        while position < bytes.count, bytes[position] >= 0x80 {
            switch bytes[position] {
            case 0xC2...0xDF: try readContinuations(2, second: 0x80...0xBF)
            case 0xE0: try readContinuations(3, second: 0xA0...0xBF)
            case 0xED: try readContinuations(3, second: 0x80...0x9F)
            case 0xE1...0xEF: try readContinuations(3, second: 0x80...0xBF)
            case 0xF0: try readContinuations(4, second: 0x90...0xBF)
            case 0xF1...0xF3: try readContinuations(4, second: 0x80...0xBF)
            case 0xF4: try readContinuations(4, second: 0x80...0x8F)
            default: throw JSONIndexingError(.malformedUTF8, at: position)
            }
        }
    }

    /// Reads the sequence of `length` bytes at `position`.
    @inline(__always)
    private mutating func readContinuations(
        _ length: Int, second: ClosedRange<UInt8>
    ) throws(JSONIndexingError) {
        let start = position
        position &+= 1
        guard second.contains(try nextByte()) else {
            throw JSONIndexingError(.malformedUTF8, at: start)
        }
        position &+= 1
        for _ in 2..<length {
            guard try nextByte() & 0xC0 == 0x80 else {
                throw JSONIndexingError(.malformedUTF8, at: start)
            }
            position &+= 1
        }
    }
}

/// The position and the reason at which indexing stopped, before lines are counted.
struct JSONIndexingError: Error {
    let reason: JSONError.Reason
    let offset: Int

    init(_ reason: JSONError.Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
