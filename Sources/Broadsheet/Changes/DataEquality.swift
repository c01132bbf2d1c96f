#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A comparison of two JSON values by their values: white space, the order of members, escapes and
/// the notation of numbers make no difference.
///
/// Both texts were checked before. Values that repeat a member may count as different although the
/// last ones are the same.
struct DataEquality {
    /// The depth from which on values count as different unless their bytes are the same.
    static let maxDepth = 2048

    private let one: UnsafeBufferPointer<UInt8>
    private let other: UnsafeBufferPointer<UInt8>
    /// The number of bytes that may still be read again to compare members in another order.
    ///
    /// Objects within each other, each in another order, would otherwise take quadratic time.
    private var rereads: Int

    private init(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) {
        self.one = one
        self.other = other
        rereads = 16 * (one.count + other.count)
    }

    /// Returns whether two texts, each of one JSON value, have the same value.
    ///
    /// - Complexity: O(bytes up to the first difference); O(bytes) where members are in another
    ///   order.
    static func areEqual(
        _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if hasSameBytes(one, other) { return true }
        var comparison = DataEquality(one, other)
        var (first, second) = (JSONScanner(one), JSONScanner(other))
        return comparison.values(&first, &second, depth: 0)
    }

    /// Returns whether two texts have the same bytes.
    @inline(__always)
    static func hasSameBytes(
        _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard one.count == other.count else { return false }
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return first == second || memcmp(first, second, one.count) == 0
    }

    /// Compares the next values, and moves both scanners behind them if they are equal.
    private mutating func values(
        _ first: inout JSONScanner, _ second: inout JSONScanner, depth: Int
    ) -> Bool {
        guard depth < Self.maxDepth else { return false }
        let (start, otherStart) = (first.skipSpace(), second.skipSpace())
        switch (start, otherStart) {
        case (UInt8(ascii: "{"), UInt8(ascii: "{")):
            return children(&first, &second, until: UInt8(ascii: "}"), depth: depth)
        case (UInt8(ascii: "["), UInt8(ascii: "[")):
            return children(&first, &second, until: UInt8(ascii: "]"), depth: depth)
        case (UInt8(ascii: "\""), UInt8(ascii: "\"")):
            return first.string().hasSameText(as: second.string(), one, other)
        default:
            let (token, otherToken) = (first.token(), second.token())
            guard !token.isEmpty, !otherToken.isEmpty else { return false }
            let (text, otherText) = (
                UnsafeBufferPointer(rebasing: one[token]),
                UnsafeBufferPointer(rebasing: other[otherToken])
            )
            if Self.hasSameBytes(text, otherText) { return true }
            guard text[0].startsNumber, otherText[0].startsNumber else { return false }
            return JSONNumber(text[...]).hasSameValue(as: JSONNumber(otherText[...]))
        }
    }

    /// Compares the elements of two arrays, or the members of two objects, which `end` closes.
    private mutating func children(
        _ first: inout JSONScanner, _ second: inout JSONScanner, until end: UInt8, depth: Int
    ) -> Bool {
        first.advance()
        second.advance()
        while true {
            let next = (first.skipSeparator(), second.skipSeparator())
            if next.0 == end || next.1 == end {
                first.advance()
                second.advance()
                return next.0 == next.1
            }
            if end == UInt8(ascii: "}") {
                let starts = (first, second)
                guard first.string().hasSameText(as: second.string(), one, other) else {
                    (first, second) = starts
                    return restsOfObjects(&first, &second, depth: depth)
                }
                first.skipColon()
                second.skipColon()
            }
            guard values(&first, &second, depth: depth + 1) else { return false }
        }
    }

    /// Compares the members from the first one on whose names differ, in whatever order they are.
    private mutating func restsOfObjects(
        _ first: inout JSONScanner, _ second: inout JSONScanner, depth: Int
    ) -> Bool {
        let start = (first.index, second.index)
        let (members, others) = (first.members(), second.members())
        rereads -= first.index - start.0 + second.index - start.1
        guard rereads >= 0, members.count == others.count else { return false }
        for (name, value) in members {
            guard let otherValue = others[name] else { return false }
            var (one, other) = (first.at(value), second.at(otherValue))
            guard values(&one, &other, depth: depth + 1) else { return false }
        }
        return true
    }
}

/// A position in a JSON text that was checked before.
private struct JSONScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var index = 0

    /// The content of a string, without its quotes.
    struct Text {
        let range: Range<Int>
        let hasEscapes: Bool

        /// Returns whether two strings have the same code points.
        func hasSameText(
            as other: Text, _ bytes: UnsafeBufferPointer<UInt8>,
            _ otherBytes: UnsafeBufferPointer<UInt8>
        ) -> Bool {
            let one = UnsafeBufferPointer(rebasing: bytes[range])
            let two = UnsafeBufferPointer(rebasing: otherBytes[other.range])
            if DataEquality.hasSameBytes(one, two) { return true }
            guard hasEscapes || other.hasEscapes else { return false }
            return IteratorSequence(JSONUnescaper(one)).elementsEqual(
                IteratorSequence(JSONUnescaper(two)))
        }
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns a scanner at another position.
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
    /// A Boolean value that indicates whether a number can start with the byte.
    fileprivate var startsNumber: Bool {
        self == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
    }

    /// A Boolean value that indicates whether the byte belongs to a number, `true`, `false` or
    /// `null`.
    fileprivate var isInToken: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "E"): true
        default: false
        }
    }
}
