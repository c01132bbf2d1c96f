/// A position in a JSON text that was checked before.
struct JSONScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var index = 0

    /// The content of a string, without its quotes.
    struct Text {
        let range: Range<Int>
        let hasEscapes: Bool
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    func at(_ index: Int) -> JSONScanner {
        var scanner = self
        scanner.index = index
        return scanner
    }

    /// The next byte; 0 at the end.
    private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

    mutating func advance() { index = min(index + 1, bytes.count) }

    /// Skips white space, and returns the next byte.
    mutating func skipSpace() -> UInt8 {
        while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
        return byte
    }

    /// Skips white space and a comma, and returns the next byte; a closing bracket at the end of
    /// the text, so that no loop is endless.
    mutating func skipSeparator() -> UInt8 {
        if skipSpace() == UInt8(ascii: ",") {
            index += 1
            return skipSpace()
        }
        return byte
    }

    mutating func skipColon() {
        if skipSpace() == UInt8(ascii: ":") { index += 1 }
    }

    mutating func string() -> Text {
        advance()
        let start = index
        var hasEscapes = false
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") {
                hasEscapes = true
                index += 1
            }
            index += 1
        }
        let end = min(index, bytes.count)
        advance()
        return Text(range: min(start, end)..<end, hasEscapes: hasEscapes)
    }

    /// Reads a number, `true`, `false` or `null`.
    mutating func token() -> Range<Int> {
        let start = index
        while index < bytes.count, bytes[index].isInToken { index += 1 }
        return start..<index
    }

    private mutating func skipValue() {
        var depth = 0
        repeat {
            switch skipSpace() {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                index += 1
            case UInt8(ascii: "\""): _ = string()
            case UInt8(ascii: ","), UInt8(ascii: ":"): index += 1
            default: if token().isEmpty { index = bytes.count }
            }
        } while depth > 0 && index < bytes.count
    }

    /// Reads the members up to the end of the object: the start of each value, by name.
    mutating func members() -> [[UInt8]: Int] {
        var members: [[UInt8]: Int] = [:]
        while skipSeparator() == UInt8(ascii: "\"") {
            let name = string()
            let text = UnsafeBufferPointer(rebasing: bytes[name.range])
            skipColon()
            members[Array(IteratorSequence(JSONUnescaper(text)))] = index
            skipValue()
        }
        advance()
        return members
    }
}

extension UInt8 {
    fileprivate var isInToken: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "E"): true
        default: false
        }
    }
}
