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

extension JSONScanner.Text {
    /// Returns whether two strings have the same code points.
    fileprivate func hasSameText(
        as other: Self, _ bytes: UnsafeBufferPointer<UInt8>,
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

extension UInt8 {
    fileprivate var startsNumber: Bool {
        self == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
    }
}
