/// A second implementation of RFC 8259, recursive and as simple as its grammar, as a reference for
/// the index.
///
/// It leaves UTF-8 to the standard library, and shares no code with the library under test.
struct JSONReferenceChecker {
    private var rest: ArraySlice<UInt8>

    /// Returns whether `bytes` are one JSON text, of any depth.
    static func accepts(_ bytes: [UInt8]) -> Bool {
        guard String(validating: bytes, as: UTF8.self) != nil else { return false }
        var checker = JSONReferenceChecker(rest: bytes[...])
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { checker.rest.removeFirst(3) }
        return checker.blankedValue() && checker.rest.isEmpty
    }

    private mutating func blankedValue() -> Bool {
        blanks()
        guard value() else { return false }
        blanks()
        return true
    }

    private mutating func value() -> Bool {
        guard let first = rest.first else { return false }
        switch Character(UnicodeScalar(first)) {
        case "{": return list(closing: "}") { $0.member() }
        case "[": return list(closing: "]") { $0.blankedValue() }
        case "\"": return string()
        case "t": return word("true")
        case "f": return word("false")
        case "n": return word("null")
        default: return number()
        }
    }

    private mutating func list(
        closing: Character, _ element: (inout JSONReferenceChecker) -> Bool
    ) -> Bool {
        rest.removeFirst()
        blanks()
        if take(closing) { return true }
        repeat {
            guard element(&self) else { return false }
        } while take(",")
        return take(closing)
    }

    private mutating func member() -> Bool {
        blanks()
        guard string() else { return false }
        blanks()
        return take(":") && blankedValue()
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        var units: [UInt16] = []
        while let byte = rest.popFirst() {
            if byte == 0x22 { return String(validating: units, as: UTF16.self) != nil }
            if byte < 0x20 { return false }
            if byte == 0x5C {
                guard let unit = escape() else { return false }
                units.append(unit)
            } else if byte < 0x80 {
                units.append(UInt16(byte))
            } else {
                // Its UTF-8 has been checked already; only surrogates must be excluded here.
                units.append(0xFFFD)
            }
        }
        return false
    }

    private mutating func escape() -> UInt16? {
        guard let letter = rest.popFirst() else { return nil }
        if #""\/bfnrt"#.utf8.contains(letter) { return 0x20 }
        guard letter == UInt8(ascii: "u"), rest.count >= 4 else { return nil }
        let digits = String(decoding: rest.prefix(4), as: UTF8.self)
        rest.removeFirst(4)
        guard digits.allSatisfy(\.isHexDigit) else { return nil }
        return UInt16(digits, radix: 16)
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0") { guard digits() else { return false } }
        if take(".") { guard digits() else { return false } }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let count = rest.prefix { (0x30...0x39).contains($0) }.count
        rest.removeFirst(count)
        return count > 0
    }

    private mutating func word(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest.removeFirst(word.utf8.count)
        return true
    }

    private mutating func take(_ character: Character) -> Bool {
        guard rest.first == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func blanks() {
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }
}
