/// The exact value of a number: `±0.d₁d₂… × 10ᵉ`, of which the first and the last digit are not
/// 0; without digits 0.
package struct JSONDecimal: Sendable, Hashable {
    private var isNegative = false
    private var digits: [UInt8] = []
    private var exponent = DecimalExponent()

    /// Reads a number, which a reader of JSON has accepted.
    ///
    /// - Complexity: O(length).
    package init(_ text: some RandomAccessCollection<UInt8>) {
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

extension JSONDecimal {
    /// The sign of the difference to another number: -1, 0 or 1.
    ///
    /// - Complexity: O(length).
    package func order(to other: JSONDecimal) -> Int {
        if self == other { return 0 }
        if isNegative != other.isNegative { return isNegative ? -1 : 1 }
        let isSmaller: Bool
        if digits.isEmpty || other.digits.isEmpty {
            isSmaller = digits.isEmpty
        } else if exponent != other.exponent {
            isSmaller = exponent.isLess(than: other.exponent)
        } else {
            isSmaller = digits.lexicographicallyPrecedes(other.digits)
        }
        return isSmaller == isNegative ? 1 : -1
    }

    package var isInteger: Bool { digits.isEmpty || !exponent.adding(-digits.count).isNegative }

    /// Returns whether the number is a whole multiple of `divisor` × 10 to the power of `power`.
    ///
    /// - Complexity: O(length).
    package func isMultiple(of divisor: UInt64, power: Int) -> Bool {
        guard !digits.isEmpty else { return true }
        // The last digit is not 0, so a multiple of a greater power of ten it is not.
        let zeros = exponent.adding(-digits.count - power)
        guard !zeros.isNegative else { return false }
        // A divisor has 19 digits at most, so that sums with a digit fit.
        let rest = digits.reduce(UInt64(0)) { rest, digit in
            (rest.product(with: 10, modulo: divisor) + UInt64(digit - 0x30)) % divisor
        }
        return rest.product(with: zeros.powerOfTen(modulo: divisor), modulo: divisor) == 0
    }

    /// Returns the value as an integer, or `nil` if it is not exactly one of the type.
    ///
    /// - Complexity: O(digits).
    func integer<I: FixedWidthInteger>(_ type: I.Type) -> I? {
        guard !digits.isEmpty else { return 0 }
        // No integer of the type has more zeros at its end than bits.
        guard let zeros = exponent.adding(-digits.count).int, 0...I.bitWidth ~= zeros else {
            return nil
        }
        var value: I = 0
        for digit in digits.map({ $0 - 0x30 }) + [UInt8](repeating: 0, count: zeros) {
            let (shifted, isOver) = value.multipliedReportingOverflow(by: 10)
            let (next, isBeyond) =
                isNegative
                ? shifted.subtractingReportingOverflow(I(digit))
                : shifted.addingReportingOverflow(I(digit))
            guard !isOver, !isBeyond else { return nil }
            value = next
        }
        return value
    }

    /// Hashes the value as an exact number of at most 19 digits is hashed.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(isNegative)
        hasher.combine(digits.prefix(19).reduce(UInt64(0)) { $0 &* 10 &+ UInt64($1 - 0x30) })
        if digits.count > 19 { hasher.combine(digits) }
        exponent.hash(into: &hasher)
    }
}

/// A power of ten with any number of digits.
struct DecimalExponent: Sendable, Hashable {
    fileprivate private(set) var isNegative = false
    /// The decimal digits without leading zeros, the lowest first.
    private var digits: [UInt8] = []

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

extension DecimalExponent {
    /// Returns the sum with an integer of less than 17 digits.
    fileprivate func adding(_ value: Int) -> DecimalExponent {
        var sum = self
        if digits.count > 17 {
            sum.add(isNegative ? -value : value)
        } else {
            sum = DecimalExponent()
            sum.set((isNegative ? -magnitude : magnitude) + value)
        }
        return sum
    }

    /// The exponent; `nil` if it has more than 17 digits.
    fileprivate var int: Int? {
        digits.count > 17 ? nil : isNegative ? -magnitude : magnitude
    }

    /// The magnitude of an exponent of at most 17 digits.
    private var magnitude: Int { digits.reversed().reduce(0) { $0 * 10 + Int($1) } }

    /// Returns whether this is the smaller of two different exponents.
    fileprivate func isLess(than other: DecimalExponent) -> Bool {
        if isNegative != other.isNegative { return isNegative }
        let isShorter =
            digits.count == other.digits.count
            ? digits.reversed().lexicographicallyPrecedes(other.digits.reversed())
            : digits.count < other.digits.count
        return isShorter != isNegative
    }

    /// Returns ten to the power of this exponent, which is not negative.
    fileprivate func powerOfTen(modulo modulus: UInt64) -> UInt64 {
        digits.reversed().reduce(1 % modulus) { power, digit in
            // The power of the digits so far, to the tenth power, and the next digit's.
            let square = power.product(with: power, modulo: modulus)
            let fourth = square.product(with: square, modulo: modulus)
            let eighth = fourth.product(with: fourth, modulo: modulus)
            let tenth = eighth.product(with: square, modulo: modulus)
            return (0..<digit).reduce(tenth) { product, _ in
                product.product(with: 10, modulo: modulus)
            }
        }
    }

    /// Hashes the exponent; one that an `Int` holds as that.
    func hash(into hasher: inout Hasher) {
        if let int {
            hasher.combine(int)
        } else {
            hasher.combine(isNegative)
            hasher.combine(digits)
        }
    }
}

extension UInt64 {
    /// Returns the remainder of a product, of which a factor is at most 10 or both are below the
    /// modulus.
    package func product(with factor: UInt64, modulo modulus: UInt64) -> UInt64 {
        modulus.dividingFullWidth(multipliedFullWidth(by: factor)).remainder
    }
}
