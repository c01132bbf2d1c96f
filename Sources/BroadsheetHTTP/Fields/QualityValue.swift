/// The weights of a client's preferences (RFC 9110 §12.4.2).
enum QualityValue {
    /// The weight of an element that has none, in thousandths.
    static let unspecified = 1000

    /// Parses a weight from 0 to 1 with at most three decimal digits, in thousandths; `nil` when it
    /// is malformed.
    static func thousandths(_ text: borrowing Span<UInt8>) -> Int? {
        guard text.count > 0, text.count <= 5 else { return nil }
        guard text[0] == UInt8(ascii: "0") || text[0] == UInt8(ascii: "1"),
            text.count == 1 || text[1] == UInt8(ascii: ".")
        else { return nil }
        var thousandths = text[0] == UInt8(ascii: "1") ? 1 : 0
        for index in 2..<5 {
            let digit = index < text.count ? text[index] : UInt8(ascii: "0")
            guard digit.isDigit else { return nil }
            thousandths = thousandths * 10 + Int(digit &- 0x30)
        }
        return thousandths <= 1000 ? thousandths : nil
    }
}
