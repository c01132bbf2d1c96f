/// The exact value of a number: `±0.d₁d₂… × 10ᵉ`, of which the first and the last digit are not
/// 0; without digits 0.
struct JSONDecimal: Equatable {
    private var isNegative = false
    private var digits: [UInt8] = []
    private var exponent = DecimalExponent()

    /// Reads a number, which an indexer has accepted.
    ///
    /// - Complexity: O(length).
    init(_ text: some RandomAccessCollection<UInt8>) {
        let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        isNegative = text.first == UInt8(ascii: "-")
        let whole = mantissa.prefix { $0 != UInt8(ascii: ".") }.drop { $0 == UInt8(ascii: "-") }
        let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        let all = Array(whole) + Array(fraction)
        let leading = all.prefix { $0 == UInt8(ascii: "0") }.count
        let trailing = all.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        guard leading < all.count else {
            isNegative = false
            return
        }
        digits = Array(all[leading..<all.count - trailing])
        exponent = DecimalExponent(
            text.dropFirst(mantissa.count + 1), plus: whole.count - leading)
    }
}

/// A power of ten with any number of digits.
struct DecimalExponent: Equatable {
    private var isNegative = false
    /// The decimal digits without leading zeros, the lowest first.
    private var digits: [UInt8] = []

    /// Creates the power 0.
    init() {}

    /// Creates the sum of the integer after an `e` and `offset`, whose magnitude is a length.
    ///
    /// - Complexity: O(length).
    init(_ text: some RandomAccessCollection<UInt8>, plus offset: Int) {
        isNegative = text.first == UInt8(ascii: "-")
        let signs = [UInt8(ascii: "-"), UInt8(ascii: "+")]
        let number = text.drop(while: signs.contains).drop { $0 == UInt8(ascii: "0") }
        if number.count > 17 {
            digits = number.reversed().map { $0 - UInt8(ascii: "0") }
            add(isNegative ? -offset : offset)
        } else {
            let value = number.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            set((isNegative ? -value : value) + offset)
        }
    }

    private mutating func set(_ value: Int) {
        isNegative = value < 0
        var rest = value.magnitude
        while rest > 0 {
            digits.append(UInt8(rest % 10))
            rest /= 10
        }
    }

    /// Adds a number of less than 17 digits to the magnitude, which has more.
    private mutating func add(_ value: Int) {
        var carry = value
        var index = 0
        while carry != 0, index < digits.count {
            let sum = Int(digits[index]) + carry
            // The remainder is that of a division that rounds down.
            let digit = ((sum % 10) + 10) % 10
            digits[index] = UInt8(digit)
            carry = (sum - digit) / 10
            index += 1
        }
        while carry > 0 {
            digits.append(UInt8(carry % 10))
            carry /= 10
        }
        while digits.last == 0 { digits.removeLast() }
    }
}
