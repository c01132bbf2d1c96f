/// The text of a record (``RevisionRecord``) in the making: lines of words with a space between
/// them.
///
/// It is made and read as bytes: every durable write makes a record and reads one, and a text would
/// be divided into characters first.
struct RecordText {
    /// The bytes of the text.
    private(set) var bytes: [UInt8] = []
    /// The text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
    private var isLineEmpty = true

    /// The usual length of a record, in bytes.
    private static let usualLength = 512

    /// Begins with an empty line.
    init() { bytes.reserveCapacity(Self.usualLength) }

    /// Returns the lines of a text; the last one of `count` is the rest of it.
    static func lines(of bytes: ArraySlice<UInt8>, atMost count: Int = .max) -> [ArraySlice<UInt8>]
    {
        bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: count - 1, omittingEmptySubsequences: false)
    }

    /// Ends a line.
    mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        isLineEmpty = true
    }

    /// Adds a word.
    mutating func add(_ word: String) {
        beginWord()
        bytes.append(contentsOf: word.utf8)
    }

    /// Adds a number, or `-`.
    mutating func add(_ number: (some FixedWidthInteger)?) {
        beginWord()
        append(number)
    }

    /// Adds a text, or `-`.
    mutating func add(optional text: String?) {
        beginWord()
        bytes.append(UInt8(ascii: text == nil ? "-" : "="))
        if let text { bytes.append(contentsOf: text.utf8) }
    }

    /// Adds two counts, or `-` for each of them.
    mutating func add(_ counts: ContentCounts?) {
        add(counts?.sections)
        add(counts?.items)
    }

    /// Adds a pair of a name and a number, or `-`.
    mutating func add(_ name: String, _ number: Int?) {
        add(name)
        bytes.append(UInt8(ascii: ":"))
        append(number)
    }

    private mutating func beginWord() {
        if !isLineEmpty { bytes.append(UInt8(ascii: " ")) }
        isLineEmpty = false
    }

    private mutating func append(_ number: (some FixedWidthInteger)?) {
        guard let number else { return bytes.append(UInt8(ascii: "-")) }
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}

/// The words of a line of a record.
struct RecordWords {
    private var rest: ArraySlice<UInt8>

    private static let separator = UInt8(ascii: " ")

    /// Begins with the first word of a line.
    init(_ line: ArraySlice<UInt8>) { rest = line }

    /// A Boolean value that indicates whether every word has been read.
    var isAtEnd: Bool { rest.allSatisfy { $0 == Self.separator } }

    /// Reads a word.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let start = rest.firstIndex(where: { $0 != Self.separator }) else { return nil }
        let end = rest[start...].firstIndex(of: Self.separator) ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[start..<end]
    }

    /// Reads a word of one letter or digit.
    mutating func kind() -> Unicode.Scalar? {
        guard let word = next(), word.count == 1 else { return nil }
        return word.first.map { Unicode.Scalar($0) }
    }

    /// Reads a number; `nil` for none.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        next().flatMap { Number(decimal: $0) }
    }

    /// Reads a text; `nil` for none.
    mutating func text() -> String? {
        guard let word = next(), word.first == UInt8(ascii: "=") else { return nil }
        return String(decoding: word.dropFirst(), as: UTF8.self)
    }

    /// Reads two counts; `nil` for none.
    mutating func counts() -> ContentCounts? {
        let (sections, items) = (number(Int.self), number(Int.self))
        guard let sections, let items else { return nil }
        return ContentCounts(sections: sections, items: items)
    }

    /// Reads a pair of a name and a number, which is `nil` for `-`; `nil` for another word.
    mutating func pair() -> (name: ArraySlice<UInt8>, number: Int?)? {
        guard let word = next(), let end = word.firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        let value = word[end...].dropFirst()
        let number = Int(decimal: value)
        return number == nil && !value.elementsEqual("-".utf8) ? nil : (word[..<end], number)
    }
}

extension FixedWidthInteger {
    /// Reads decimal digits, after a `-` if there is one; `nil` for anything else, and for a number
    /// that is out of range.
    init?(decimal word: ArraySlice<UInt8>) {
        let isNegative = word.first == UInt8(ascii: "-")
        let digits = isNegative ? word.dropFirst() : word
        guard !digits.isEmpty else { return nil }
        var value: Self = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let digit = Self(byte &- UInt8(ascii: "0"))
            let (product, isLong) = value.multipliedReportingOverflow(by: 10)
            let (sum, isOut) =
                isNegative
                ? product.subtractingReportingOverflow(digit)
                : product.addingReportingOverflow(digit)
            guard !isLong, !isOut else { return nil }
            value = sum
        }
        self = value
    }
}
