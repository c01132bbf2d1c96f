/// The fields of a message, in order, names compared without regard to case (RFC 9110 §5).
///
/// All bytes lie in one buffer and a field is four offsets into it: reading a head of ten fields
/// allocates twice, not twenty times. Looking a name up is O(fields).
///
/// No value can break a message apart: bytes that a field value may not hold (CR, LF, NUL and the
/// other controls) become spaces on the way in (RFC 9110 §5.5).
package struct HTTPHeaders: Sendable {
    /// Where one field's name and trimmed value lie in the buffer.
    struct Field: Sendable {
        var nameStart: UInt32
        var nameEnd: UInt32
        var valueStart: UInt32
        var valueEnd: UInt32

        var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    }

    private(set) var bytes: [UInt8]
    private(set) var fields: [Field]

    /// No fields.
    package init() {
        bytes = []
        fields = []
    }

    /// Fields that were parsed, and so checked, in place.
    init(parsed fields: [Field], in bytes: [UInt8]) {
        self.bytes = bytes
        self.fields = fields
    }

    /// How many fields there are, repeated ones counted each.
    package var count: Int { fields.count }

    /// Whether a field of that name is there.
    package func contains(_ name: HTTPFieldName) -> Bool { firstIndex(of: name) != nil }

    /// The first value of that name; bytes that are not UTF-8 are replaced.
    ///
    /// Setting replaces every field of the name by one, or, with `nil`, by none.
    package subscript(_ name: HTTPFieldName) -> String? {
        get { firstIndex(of: name).map { text(fields[$0].value) } }
        set {
            remove(name)
            if let newValue { append(name, newValue) }
        }
    }

    /// Every value of that name, one for each field line, in order.
    package func values(of name: HTTPFieldName) -> [String] {
        var values: [String] = []
        for field in fields where isNamed(field, name) { values.append(text(field.value)) }
        return values
    }

    /// Adds a field at the end, whatever is there already; a byte that cannot be sent becomes a
    /// space, blanks around the value are dropped.
    package mutating func append(_ name: HTTPFieldName, _ value: String) {
        if fields.isEmpty {
            bytes.reserveCapacity(256)
            fields.reserveCapacity(8)
        }
        let nameStart = bytes.count
        bytes.append(contentsOf: name.spelling.utf8)
        let nameEnd = bytes.count
        bytes.append(contentsOf: value.utf8)
        for index in nameEnd..<bytes.count where !bytes[index].isFieldValueByte {
            bytes[index] = .space
        }
        let trimmed = bytes.span.trimmingBlanks(nameEnd..<bytes.count)
        // A message of 4 GiB of fields is beyond any limit; the offsets clamp rather than trap.
        fields.append(
            Field(
                nameStart: UInt32(clamping: nameStart), nameEnd: UInt32(clamping: nameEnd),
                valueStart: UInt32(clamping: trimmed.lowerBound),
                valueEnd: UInt32(clamping: trimmed.upperBound)))
    }

    /// Removes every field of that name.
    package mutating func remove(_ name: HTTPFieldName) {
        fields.removeAll { [bytes] in
            bytes.span.extracting($0.name).equalsIgnoringCase(name.spelling.utf8.span)
        }
    }

    private func firstIndex(of name: HTTPFieldName) -> Int? {
        fields.firstIndex { isNamed($0, name) }
    }

    func isNamed(_ field: Field, _ name: HTTPFieldName) -> Bool {
        bytes.span.extracting(field.name).equalsIgnoringCase(name.spelling.utf8.span)
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Fields in the order written.
    package init(dictionaryLiteral elements: (HTTPFieldName, String)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}

extension HTTPHeaders: Sequence {
    /// The fields as text, in order.
    package func makeIterator() -> some IteratorProtocol<(name: String, value: String)> {
        fields.lazy.map { (name: text($0.name), value: text($0.value)) }.makeIterator()
    }
}

extension HTTPHeaders: Equatable {
    /// Whether both hold the same fields in the same order, wherever their bytes lie.
    package static func == (one: Self, other: Self) -> Bool {
        one.count == other.count
            && zip(one.fields, other.fields).allSatisfy { mine, theirs in
                one.bytes.span.extracting(mine.name)
                    .equalsIgnoringCase(other.bytes.span.extracting(theirs.name))
                    && one.bytes[mine.value] == other.bytes[theirs.value]
            }
    }
}

extension Span<UInt8> {
    /// `range` without the spaces and tabs at its two ends (RFC 9110 §5.5).
    func trimmingBlanks(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return start..<end
    }
}
