/// A reader of the tokens of a JSON text (RFC 8259): finds their ends and checks their grammar.
///
/// Positions are passed and returned, so that a loop over the text keeps its own in a register.
///
/// The byte at a position that follows a token, other than a closing bracket, is read without a
/// comparison with the length: the last byte of the text besides white space is a closing bracket,
/// or a zero follows the text (``endsTokens(_:)``).
struct JSONTokens {
    /// The text; its owner keeps it alive.
    private let bytes: UnsafePointer<UInt8>
    let count: Int

    /// Creates a reader of the first `count` bytes at `bytes`.
    ///
    /// Unless these end all tokens (``endsTokens(_:)``), a zero follows them.
    init(_ bytes: UnsafePointer<UInt8>, count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// Returns whether the last byte of a text is a closing bracket, besides white space.
    static func endsTokens(_ text: [UInt8]) -> Bool {
        let last = text.last { !isBlank($0) }
        return last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
    }

    /// Advances `position` past white space (RFC 8259 section 2), and returns the byte there; 0,
    /// which begins no token, if the text ends before.
    ///
    /// - Parameter position: A position in the text, or its length if a zero is there.
    @inline(__always)
    func token(at position: inout Int) -> UInt8 {
        if _slowPath(bytes[position] <= 0x20) {
            position = afterBlanks(position)
            if position == count { return 0 }
        }
        return bytes[position]
    }

    /// Advances `position` past white space, and returns whether `byte` is there.
    @inline(__always)
    func isToken(_ byte: UInt8, at position: inout Int) -> Bool {
        if _slowPath(bytes[position] != byte) { return token(at: &position) == byte }
        return true
    }

    /// Returns the position of the first byte from `position` on that is not white space, or the
    /// length of the text.
    @inline(never)
    func afterBlanks(_ position: Int) -> Int {
        var position = position
        while position < count, Self.isBlank(bytes[position]) { position &+= 1 }
        return position
    }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Returns the byte at `position`; throws if the text ends there.
    @inline(__always)
    private func byte(at position: Int) throws(JSONIndexingError) -> UInt8 {
        if position >= count { throw JSONIndexingError(.endsTooEarly, at: count) }
        return bytes[position]
    }

    /// Returns the error of a text that has an unexpected byte at `position`, or ends there.
    ///
    /// - Parameter start: The offset of the error, if it is not `position`.
    @inline(never)
    func unexpected(
        at position: Int, _ reason: JSONError.Reason, startingAt start: Int? = nil
    ) -> JSONIndexingError {
        if position >= count { return JSONIndexingError(.endsTooEarly, at: count) }
        return JSONIndexingError(reason, at: start ?? position)
    }
}

extension JSONTokens {
    /// Returns the end of the number at `start` by the grammar of RFC 8259 section 6.
    ///
    /// Bytes after the number are not checked, except for a digit after a leading zero.
    @inline(__always)
    func endOfNumber(at start: Int) throws(JSONIndexingError) -> Int {
        let whole = bytes[start] == UInt8(ascii: "-") ? start &+ 1 : start
        var position = try endOfDigits(at: whole, ofNumberAt: start)
        if _slowPath(bytes[whole] == UInt8(ascii: "0") && position > whole &+ 1) {
            throw JSONIndexingError(.leadingZero, at: whole &+ 1)
        }
        if bytes[position] == UInt8(ascii: ".") {
            position = try endOfDigits(at: position &+ 1, ofNumberAt: start)
        }
        if _slowPath(bytes[position] | 0x20 == UInt8(ascii: "e")) {
            position = try endOfExponent(at: position &+ 1, ofNumberAt: start)
        }
        return position
    }

    @inline(never)
    private func endOfExponent(
        at position: Int, ofNumberAt start: Int
    ) throws(JSONIndexingError) -> Int {
        let isSigned = bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
        return try endOfDigits(at: isSigned ? position &+ 1 : position, ofNumberAt: start)
    }

    @inline(__always)
    private func endOfDigits(
        at position: Int, ofNumberAt start: Int
    ) throws(JSONIndexingError) -> Int {
        let end = endOfDigits(from: position)
        if _slowPath(end == position) {
            throw unexpected(at: end, .expectedDigit, startingAt: start)
        }
        return end
    }

    /// Returns the position of the first byte from `position` on that is not a digit.
    ///
    /// It takes eight bytes at a time where possible: no processor predicts the end of a loop over
    /// the digits.
    @inline(__always)
    private func endOfDigits(from position: Int) -> Int {
        if _slowPath(position &+ 8 > count) { return endOfMoreDigits(from: position) }
        let others = Self.others(thanDigitsIn: word(at: position))
        if _slowPath(others == 0) { return endOfMoreDigits(from: position &+ 8) }
        return position &+ others.trailingZeroBitCount >> 3
    }

    @inline(never)
    private func endOfMoreDigits(from position: Int) -> Int {
        var position = position
        while position < count, bytes[position] &- UInt8(ascii: "0") < 10 { position &+= 1 }
        return position
    }

    /// Returns a word whose highest bit in a byte marks a byte of `word` that is not a digit.
    ///
    /// A byte from 0x80 on may change the marks above it, so only the lowest mark is exact.
    @inline(__always)
    private static func others(thanDigitsIn word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // Digits become 0...9, whose sums with 0x76 are below 0x80.
        let values = word ^ (ones &* 0x30)
        return (values | (values &+ ones &* 0x76)) & (ones &* 0x80)
    }

    /// Returns the eight bytes at `position`, all of which exist, the first one in the lowest bits.
    @inline(__always)
    private func word(at position: Int) -> UInt64 {
        UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self).littleEndian
    }

    /// Returns the end of the literal that begins with `byte` at `start`.
    ///
    /// It compares all literals with eight bytes at once where possible: no processor predicts
    /// which one it is.
    @inline(__always)
    func endOfLiteral(
        beginningWith byte: UInt8, at start: Int
    ) throws(JSONIndexingError) -> Int {
        if start &+ 8 <= count {
            let word = word(at: start)
            let isFalse = word & 0xFF_FFFF_FFFF == Self.falseLiteral
            let beginning = UInt32(truncatingIfNeeded: word)
            if isFalse || beginning == Self.trueLiteral || beginning == Self.nullLiteral {
                return start &+ (isFalse ? 5 : 4)
            }
        }
        return try endOfOtherLiteral(beginningWith: byte, at: start)
    }

    /// `true`, `null` and `false` as the bytes of a word, the first one in the lowest bits.
    private static var trueLiteral: UInt32 { 0x6575_7274 }
    private static var nullLiteral: UInt32 { 0x6C6C_756E }
    private static var falseLiteral: UInt64 { 0x65_736C_6166 }

    @inline(never)
    private func endOfOtherLiteral(
        beginningWith byte: UInt8, at start: Int
    ) throws(JSONIndexingError) -> Int {
        switch byte {
        case UInt8(ascii: "t"): try end(of: "true", at: start)
        case UInt8(ascii: "f"): try end(of: "false", at: start)
        case UInt8(ascii: "n"): try end(of: "null", at: start)
        default: throw unexpected(at: start, .expectedValue)
        }
    }

    @inline(__always)
    private func end(of word: StaticString, at start: Int) throws(JSONIndexingError) -> Int {
        for index in 0..<word.utf8CodeUnitCount {
            guard try byte(at: start &+ index) == word.utf8Start[index] else {
                throw JSONIndexingError(.malformedLiteral, at: start)
            }
        }
        return start &+ word.utf8CodeUnitCount
    }
}

extension JSONTokens {
    /// Returns the position at which the plain bytes of the string at `start` end, and whether its
    /// closing quote is there.
    @inline(__always)
    func endOfPlainBytes(
        ofStringAt start: Int, _ stops: inout JSONStringStops
    ) -> (position: Int, isQuote: Bool) {
        let position = stops.next(from: start &+ 1, in: bytes, count: count)
        return (position, position < count && bytes[position] == UInt8(ascii: "\""))
    }

    /// Returns the extent of the string that continues at `position`, where its plain bytes end.
    ///
    /// The extent is its end, and the flag of escapes. Checks its escapes and its UTF-8.
    @inline(never)
    func extentOfString(
        continuingAt position: Int
    ) throws(JSONIndexingError) -> UInt32 {
        var (position, stops) = (position, JSONStringStops())
        var escapes: UInt32 = 0
        while true {
            let byte = try byte(at: position)
            if byte == UInt8(ascii: "\"") {
                return UInt32(truncatingIfNeeded: position &+ 1) | escapes
            } else if byte == UInt8(ascii: "\\") {
                try readEscape(at: &position)
                escapes = JSONNode.escapesFlag
            } else if byte >= 0x80 {
                try readNonASCII(at: &position)
            } else {
                throw JSONIndexingError(.controlCharacter, at: position)
            }
            position = stops.next(from: position, in: bytes, count: count)
        }
    }

    /// Reads one escape sequence, or the two sequences of a surrogate pair (RFC 8259 section 7).
    private func readEscape(at position: inout Int) throws(JSONIndexingError) {
        let start = position
        position &+= 1
        switch try byte(at: position) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position &+= 1
        case UInt8(ascii: "u"):
            try readUnicodeEscape(startingAt: start, at: &position)
        default:
            throw JSONIndexingError(.malformedEscape, at: start)
        }
    }

    /// Reads the escape sequence at `start` from its `u` on and, after a high surrogate, the low
    /// one.
    private func readUnicodeEscape(
        startingAt start: Int, at position: inout Int
    ) throws(JSONIndexingError) {
        let unit = try readUnit(startingAt: start, at: &position)
        guard unit & 0xF800 == 0xD800 else { return }
        guard unit < 0xDC00, try byte(at: position) == UInt8(ascii: "\\") else {
            throw JSONIndexingError(.loneSurrogate, at: start)
        }
        let partner = position
        position &+= 1
        guard try byte(at: position) == UInt8(ascii: "u"),
            try readUnit(startingAt: partner, at: &position) & 0xFC00 == 0xDC00
        else { throw JSONIndexingError(.loneSurrogate, at: start) }
    }

    private func readUnit(
        startingAt start: Int, at position: inout Int
    ) throws(JSONIndexingError) -> UInt16 {
        position &+= 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = JSONEscape.hexadecimalValue(of: try byte(at: position)) else {
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
    private func readNonASCII(at position: inout Int) throws(JSONIndexingError) {
        while position < count, bytes[position] >= 0x80 {
            switch bytes[position] {
            case 0xC2...0xDF: try readContinuations(2, second: 0x80...0xBF, at: &position)
            case 0xE0: try readContinuations(3, second: 0xA0...0xBF, at: &position)
            case 0xED: try readContinuations(3, second: 0x80...0x9F, at: &position)
            case 0xE1...0xEF: try readContinuations(3, second: 0x80...0xBF, at: &position)
            case 0xF0: try readContinuations(4, second: 0x90...0xBF, at: &position)
            case 0xF1...0xF3: try readContinuations(4, second: 0x80...0xBF, at: &position)
            case 0xF4: try readContinuations(4, second: 0x80...0x8F, at: &position)
            default: throw JSONIndexingError(.malformedUTF8, at: position)
            }
        }
    }

    @inline(__always)
    private func readContinuations(
        _ length: Int, second: ClosedRange<UInt8>, at position: inout Int
    ) throws(JSONIndexingError) {
        let start = position
        position &+= 1
        guard second.contains(try byte(at: position)) else {
            throw JSONIndexingError(.malformedUTF8, at: start)
        }
        position &+= 1
        for _ in 2..<length {
            guard try byte(at: position) & 0xC0 == 0x80 else {
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
