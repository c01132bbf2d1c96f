/// A number in a query, in the syntax of JSON: without plus sign, hexadecimal digits and `nan`.
struct DecimalNumber: Sendable, Hashable {
    /// The value; infinite if it exceeds the range of `Double`.
    let value: Double

    /// Creates the number that a text represents; `nil` if it is not a number.
    init?(_ text: String) {
        var rest = Substring(text).utf8
        _ = rest.skip { $0 == UInt8(ascii: "-") }
        let whole = rest.skipDigits()
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else {
            return nil
        }
        if rest.skip({ $0 == UInt8(ascii: ".") }) {
            guard !rest.skipDigits().isEmpty else { return nil }
        }
        if rest.skip({ $0 | 0x20 == UInt8(ascii: "e") }) {
            _ = rest.skip { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
            guard !rest.skipDigits().isEmpty else { return nil }
        }
        guard rest.isEmpty, let value = Double(text) else { return nil }
        self.value = value
    }
}

/// An integer in a path, a query or a header: decimal digits without sign and leading zeros, so
/// that every number has one spelling.
struct WholeNumber: Sendable, Hashable {
    /// The value.
    let value: Int

    /// Creates the number that a text represents; `nil` if it is not a number or exceeds `Int`.
    init?(_ text: String) {
        var rest = Substring(text).utf8
        let digits = rest.skipDigits()
        guard rest.isEmpty, digits.count == 1 || digits.first != UInt8(ascii: "0"),
            let value = Int(text)
        else { return nil }
        self.value = value
    }
}

extension Substring.UTF8View {
    /// Removes the first byte if it meets a condition, and returns whether it did.
    fileprivate mutating func skip(_ condition: (UInt8) -> Bool) -> Bool {
        guard let byte = first, condition(byte) else { return false }
        removeFirst()
        return true
    }

    /// Removes and returns the digits at the beginning.
    fileprivate mutating func skipDigits() -> Substring.UTF8View {
        let digits = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        self = self[digits.endIndex...]
        return digits
    }
}
