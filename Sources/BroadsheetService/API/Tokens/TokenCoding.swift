import Broadsheet

/// Encodes the fields of a token.
struct TokenWriter: Sendable {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    /// Writes a whole number that is not negative in groups of seven bits, the lowest first.
    mutating func count(_ value: Int) {
        var rest = UInt64(max(0, value))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func number(_ value: Double) {
        bytes.append(contentsOf: value.bitPattern.littleEndianBytes)
    }

    mutating func text(_ text: String) {
        count(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func sized(_ other: [UInt8]) {
        count(other.count)
        bytes.append(contentsOf: other)
    }

    /// Writes bytes to the end of the token.
    mutating func rest(_ other: [UInt8]) { bytes.append(contentsOf: other) }

    mutating func identifiers(_ list: IdentifierList) {
        count(list.texts.count)
        for text in list.texts { self.text(text) }
    }
}

/// Decodes the fields of a token; each method returns `nil` for bytes that a ``TokenWriter`` does
/// not write.
struct TokenReader: Sendable {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func count() -> Int? {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 63, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return Int(exactly: value) }
        }
        return nil
    }

    /// Reads a finite number.
    mutating func number() -> Double? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        let number = Double(bitPattern: UInt64(littleEndianBytes: rest.prefix(8)))
        return number.isFinite ? number : nil
    }

    mutating func number(in range: ClosedRange<Double>) -> Double? {
        number().flatMap { range.contains($0) ? $0 : nil }
    }

    mutating func sized() -> ArraySlice<UInt8>? {
        guard let length = count(), rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }

    mutating func text() -> String? {
        sized().flatMap { String(validating: $0, as: UTF8.self) }
    }

    mutating func identifiers() -> IdentifierList? {
        guard let count = count() else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = text() else { return nil }
            texts.append(text)
        }
        return IdentifierList(texts)
    }
}
