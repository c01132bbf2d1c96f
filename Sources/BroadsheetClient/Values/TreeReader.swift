/// A reader of JSON (RFC 8259) as values.
struct TreeReader {
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    static let maxDepth = 512

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(TreeError) -> TreeValue {
        let value = try value()
        skipSpace()
        guard index == bytes.count else { throw error("there is more after the value") }
        return value
    }

    private mutating func value() throws(TreeError) -> TreeValue {
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"):
            return try nested { reader throws(TreeError) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(TreeError) in try reader.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func nested(
        _ read: (inout TreeReader) throws(TreeError) -> TreeValue
    ) throws(TreeError) -> TreeValue {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maxDepth else {
            throw error("containers are nested more than \(Self.maxDepth) deep")
        }
        index += 1
        return try read(&self)
    }

    private mutating func object() throws(TreeError) -> TreeValue {
        var members: [String: TreeValue] = [:]
        skipSpace()
        if take("}") { return .object(members) }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw error("a name in quotes is expected") }
            let name = try string()
            skipSpace()
            guard take(":") else { throw error("\":\" is expected") }
            members[name] = try value()
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { throw error("\",\" or \"}\" is expected") }
        }
    }

    private mutating func array() throws(TreeError) -> TreeValue {
        var elements: [TreeValue] = []
        skipSpace()
        if take("]") { return .array(elements) }
        while true {
            elements.append(try value())
            skipSpace()
            if take("]") { return .array(elements) }
            guard take(",") else { throw error("\",\" or \"]\" is expected") }
        }
    }

    private mutating func literal(
        _ text: StaticString, _ value: TreeValue
    ) throws(TreeError) -> TreeValue {
        let end = index + text.utf8CodeUnitCount
        let isSame = text.withUTF8Buffer { expected in
            end <= bytes.count && bytes[index..<end].elementsEqual(expected)
        }
        guard isSame else { throw error("a value is expected") }
        index = end
        return value
    }

    private mutating func number() throws(TreeError) -> TreeNumber {
        let start = index
        _ = take("-")
        if !take("0") {
            guard skipDigits() > 0 else {
                index = start
                throw error(start < bytes.count ? "a value is expected" : "the text ends early")
            }
        }
        if take(".") {
            guard skipDigits() > 0 else { throw error("a digit is expected") }
        }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard skipDigits() > 0 else { throw error("a digit is expected") }
        }
        return TreeNumber(validated: String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { index += 1 }
        return index - start
    }

    private mutating func string() throws(TreeError) -> String {
        index += 1
        var content: [UInt8] = []
        var start = index
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                content += bytes[start..<index]
                guard let text = content.validText else { throw error("a text is not UTF-8") }
                index += 1
                return text
            case UInt8(ascii: "\\"):
                content += bytes[start..<index]
                content += try escape().utf8
                start = index
            case 0..<0x20: throw error("a control character is not escaped")
            default: index += 1
            }
        }
        throw error("the text ends early")
    }

    /// Reads an escape; two of them for a surrogate pair.
    private mutating func escape() throws(TreeError) -> String {
        index += 1
        guard let byte = peek else { throw error("the text ends early") }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return String(UnicodeScalar(byte))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicode()
        default:
            index -= 1
            throw error("the escape is not one of JSON")
        }
    }

    private mutating func unicode() throws(TreeError) -> String {
        let unit = try codeUnit()
        if let scalar = UnicodeScalar(UInt32(unit)) { return String(Character(scalar)) }
        guard UTF16.isLeadSurrogate(unit), take("\\"), take("u") else {
            throw error("a surrogate is not one of a pair")
        }
        let trail = try codeUnit()
        guard UTF16.isTrailSurrogate(trail) else {
            throw error("a surrogate is not one of a pair")
        }
        return String(decoding: [unit, trail], as: UTF16.self)
    }

    private mutating func codeUnit() throws(TreeError) -> UInt16 {
        guard index + 4 <= bytes.count else { throw error("the text ends early") }
        var unit: UInt16 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = UnicodeScalar(byte).hexDigit else {
                throw error("four hexadecimal digits are expected")
            }
            unit = unit << 4 | digit
        }
        index += 4
        return unit
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ character: UnicodeScalar) -> Bool {
        guard let byte = peek, UInt32(byte) == character.value else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            index += 1
        }
    }

    private func error(_ detail: String) -> TreeError { .syntax(offset: index, detail: detail) }
}

extension UnicodeScalar {
    fileprivate var hexDigit: UInt16? {
        switch self {
        case "0"..."9": UInt16(value - 0x30)
        case "a"..."f": UInt16(value - 0x61 + 10)
        case "A"..."F": UInt16(value - 0x41 + 10)
        default: nil
        }
    }
}

extension [UInt8] {
    /// The bytes as a text; `nil` if they are not UTF-8.
    package var validText: String? {
        guard !allSatisfy({ $0 < 0x80 }) else { return String(decoding: self, as: UTF8.self) }
        var decoder = UTF8()
        var bytes = makeIterator()
        var text = String.UnicodeScalarView()
        while true {
            switch decoder.decode(&bytes) {
            case .scalarValue(let scalar): text.append(scalar)
            case .emptyInput: return String(text)
            case .error: return nil
            }
        }
    }
}

/// A writer of values as compact JSON.
struct TreeWriting {
    private(set) var bytes: [UInt8] = []

    /// Writes a value; the members of objects in the order of their names.
    mutating func write(_ value: TreeValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let bool): bytes += (bool ? "true" : "false").utf8
        case .number(let number): bytes += number.text.utf8
        case .string(let text): write(text)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(element)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(member.key)
                bytes.append(UInt8(ascii: ":"))
                write(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Writes a string with the escapes that RFC 8259 §7 requires.
    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes += "\\u00".utf8
                bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
