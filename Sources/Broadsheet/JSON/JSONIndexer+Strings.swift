extension JSONIndexer {
    /// Reads the string whose opening quote is at `position`, and checks its escapes and its UTF-8.
    @inline(__always)
    mutating func readString() throws(JSONIndexingError) {
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
    /// These are the usual bit tricks for "has a zero byte" and "has a byte below n". A borrow may mark
    /// bytes above a match but never below one, so the lowest mark is exact; only that one is used.
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

    /// Reads the escape sequence at `start` from its `u` on and, after a high surrogate, the low one.
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
