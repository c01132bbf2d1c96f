extension JSONIndexer {
    /// Reads the number at `position` by the grammar of RFC 8259 section 6; what follows it is not
    /// this function's business, but a digit behind a leading zero is.
    @inline(__always)
    mutating func readNumber() throws(JSONFault) {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position &+= 1 }
        if try nextByte() == UInt8(ascii: "0") {
            position &+= 1
            if position < bytes.count, Self.isDigit(bytes[position]) {
                throw JSONFault(.leadingZero, at: position)
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

    /// Reads one digit or more.
    @inline(__always)
    private mutating func readDigits(ofNumberAt start: Int) throws(JSONFault) {
        guard Self.isDigit(try nextByte()) else { throw JSONFault(.expectedDigit, at: start) }
        repeat { position &+= 1 } while position < bytes.count && Self.isDigit(bytes[position])
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// Reads the bare word whose first byte stands at `position`.
    @inline(__always)
    mutating func readLiteral(_ word: StaticString) throws(JSONFault) {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard try nextByte() == word.utf8Start[index] else {
                throw JSONFault(.malformedLiteral, at: start)
            }
            position &+= 1
        }
        _ = tape.append(offset: start, extent: UInt32(truncatingIfNeeded: position))
    }
}
