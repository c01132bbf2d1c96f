/// A number in a query, written as JSON writes numbers: no plus sign, no hexadecimal digits, no
/// `nan`.
struct DecimalNumber: Sendable, Hashable {
    /// What it says; infinite when it is beyond the largest.
    let value: Double

    /// The number that `text` is; nil when it is none.
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

/// A whole number in a path or a query: decimal digits without a sign or leading zeros, so that a
/// number has one spelling.
struct WholeNumber: Sendable, Hashable {
    /// What it says.
    let value: Int

    /// The number that `text` is; nil when it is none, or does not fit.
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
    /// Drops the first byte if it is one of those meant; whether it was.
    fileprivate mutating func skip(_ isMeant: (UInt8) -> Bool) -> Bool {
        guard let byte = first, isMeant(byte) else { return false }
        removeFirst()
        return true
    }

    /// Drops and answers the digits that come next.
    fileprivate mutating func skipDigits() -> Substring.UTF8View {
        let digits = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        self = self[digits.endIndex...]
        return digits
    }
}
