/// Puts the fields of a token into bytes.
struct TokenWriter: Sendable {
    /// What has been written.
    private(set) var bytes: [UInt8] = []

    /// Writes one byte.
    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    /// Writes a whole number that is not negative, seven bits a byte, the lowest first.
    mutating func count(_ value: Int) {
        var rest = UInt64(max(0, value))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a number exactly, as its eight bytes.
    mutating func number(_ value: Double) {
        bytes.append(contentsOf: value.bitPattern.littleEndianBytes)
    }

    /// Writes a text after its length.
    mutating func text(_ text: String) {
        count(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }
}

/// Takes the fields of a token out of bytes again; nil wherever the bytes are not what a
/// ``TokenWriter`` writes.
struct TokenReader: Sendable {
    private var rest: ArraySlice<UInt8>

    /// Starts at the first byte.
    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Whether every byte has been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Reads one byte.
    mutating func byte() -> UInt8? { rest.popFirst() }

    /// Reads a whole number.
    mutating func count() -> Int? {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 63, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return Int(exactly: value) }
        }
        return nil
    }

    /// Reads a number.
    mutating func number() -> Double? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return Double(bitPattern: UInt64(littleEndianBytes: rest.prefix(8)))
    }

    /// Reads a text.
    mutating func text() -> String? {
        guard let length = count(), rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return String(validating: rest.prefix(length), as: UTF8.self)
    }
}
