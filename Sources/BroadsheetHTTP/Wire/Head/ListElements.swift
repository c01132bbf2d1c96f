/// The elements of a comma-separated value, blanks around them left out, empty ones included
/// (RFC 9110 §5.6.1).
struct ListElements: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private let end: Int
    private var start: Int?

    init(_ value: Range<Int>, in bytes: [UInt8]) {
        self.bytes = bytes
        end = value.upperBound
        start = value.lowerBound
    }

    /// Where the next element lies.
    mutating func next() -> Range<Int>? {
        guard let start else { return nil }
        var comma = start
        while comma < end, bytes[comma] != UInt8(ascii: ",") { comma += 1 }
        self.start = comma < end ? comma + 1 : nil
        return bytes.span.trimmingBlanks(start..<comma)
    }
}
