import BroadsheetClient

/// A number, read from its bytes as a significand and a power of ten.
///
/// The first 19 significant digits fit into 64 bits; most numbers have fewer.
struct JSONNumber {
    private let text: Slice<UnsafeBufferPointer<UInt8>>
    private var isNegative = false
    /// The first significant digits, at most 19.
    private var significand: UInt64 = 0
    /// The power of ten of `significand`, clamped to ±2^31.
    private var exponent = 0
    /// A Boolean value that indicates whether a digit other than 0 follows those in `significand`.
    private var isTruncated = false

    /// Creates a number from `text`, which an indexer has accepted as a number.
    init(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
        self.text = text
        var digits = 0
        var isFraction = false
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                exponent += Self.exponent(text[index...])
                return
            default: append(byte &- UInt8(ascii: "0"), &digits, isFraction: isFraction)
            }
        }
    }

    private mutating func append(_ digit: UInt8, _ digits: inout Int, isFraction: Bool) {
        if digits < 19 {
            significand = significand &* 10 &+ UInt64(digit)
            if significand > 0 { digits += 1 }
            if isFraction { exponent -= 1 }
        } else {
            if digit != 0 { isTruncated = true }
            if !isFraction { exponent += 1 }
        }
    }

    /// Returns the number after an `e`, clamped so that no number of digits overflows.
    private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var magnitude = 0
        for byte in text where byte != UInt8(ascii: "-") && byte != UInt8(ascii: "+") {
            magnitude = min(magnitude * 10 + Int(byte &- UInt8(ascii: "0")), 1 << 31)
        }
        return text.first == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    /// The nearest Double, ties to even; ±infinity beyond the largest, ±0 below the smallest.
    ///
    /// If significand and power of ten are both exact Doubles, one multiplication or division
    /// rounds once, and so correctly (Clinger 1990). Otherwise the standard library parses the
    /// bytes, which does not depend on the locale.
    var double: Double {
        if !isTruncated, significand < 1 << 53, abs(exponent) < Self.exactPowersOfTen.count {
            let magnitude = Double(significand)
            let power = Self.exactPowersOfTen[abs(exponent)]
            let result = exponent < 0 ? magnitude / power : magnitude * power
            return isNegative ? -result : result
        }
        if significand == 0 { return isNegative ? -0.0 : 0 }
        return Double(String(decoding: text, as: UTF8.self)) ?? 0
    }

    /// The powers of ten that a Double holds exactly.
    private static let exactPowersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// The exact integer; `nil` if the number has a fraction or does not fit.
    var int: Int? {
        if isTruncated { return nil }
        if significand == 0 { return 0 }
        var magnitude = significand
        for _ in 0..<min(max(-exponent, 0), 20) {
            let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 else { return nil }
            magnitude = quotient
        }
        for _ in 0..<min(max(exponent, 0), 20) {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            magnitude = product
        }
        if isNegative, magnitude == Int.min.magnitude { return .min }
        return Int(exactly: magnitude).map { isNegative ? -$0 : $0 }
    }
}

extension JSONNumber {
    func hasSameValue(as other: JSONNumber) -> Bool {
        guard isExact, other.isExact else { return JSONDecimal(text) == JSONDecimal(other.text) }
        let (one, two) = (withoutTrailingZeros, other.withoutTrailingZeros)
        if one.significand == 0 || two.significand == 0 {
            return one.significand == two.significand
        }
        return isNegative == other.isNegative && one == two
    }

    /// A Boolean value that indicates whether neither the significand nor the power of ten has lost
    /// digits.
    private var isExact: Bool { !isTruncated && abs(exponent) + text.count < 1 << 31 }

    var exact: ExactNumber {
        isExact
            ? .short(isNegative: isNegative, significand, exponent: exponent)
            : .long(JSONDecimal(text))
    }

    private var withoutTrailingZeros: (significand: UInt64, exponent: Int) {
        var (significand, exponent) = (significand, exponent)
        while significand > 0, significand.isMultiple(of: 10) {
            significand /= 10
            exponent += 1
        }
        return (significand, exponent)
    }
}

extension JSONNumber {
    /// Returns the number that all of `text` is in JSON, or `nil`.
    static func value(of text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard let value = try? JSONDocument(bytes).root, value.byteRange == bytes.indices else {
            return nil
        }
        return value.double
    }
}
