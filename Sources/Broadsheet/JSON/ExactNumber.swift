import BroadsheetClient

/// The exact value of a number of a JSON text.
enum ExactNumber: Sendable {
    /// A number of at most 19 digits: `±significand × 10^exponent`.
    case short(isNegative: Bool, UInt64, exponent: Int)
    case long(JSONDecimal)

    /// The powers of ten that fit in 64 bits.
    private static let powersOfTen: [UInt64] = (0...19).reduce(into: []) { powers, _ in
        powers.append((powers.last.map { $0 * 10 }) ?? 1)
    }

    private var decimal: JSONDecimal {
        switch self {
        case .long(let decimal): decimal
        case .short(let isNegative, let significand, let exponent):
            JSONDecimal(Array("\(isNegative ? "-" : "")\(significand)e\(exponent)".utf8))
        }
    }

    /// The sign of the difference to another number: -1, 0 or 1.
    ///
    /// - Complexity: O(length).
    func order(to other: ExactNumber) -> Int {
        guard case .short(let isNegative, let significand, let exponent) = self,
            case .short(let otherIsNegative, let otherSignificand, let otherExponent) = other
        else { return decimal.order(to: other.decimal) }
        if significand == 0 { return otherSignificand == 0 ? 0 : otherIsNegative ? 1 : -1 }
        if otherSignificand == 0 || isNegative != otherIsNegative { return isNegative ? -1 : 1 }
        let order = Self.order(
            (significand, exponent), (otherSignificand, otherExponent))
        return isNegative ? -order : order
    }

    /// Compares two magnitudes that are not 0.
    private static func order(
        _ one: (significand: UInt64, exponent: Int), _ other: (significand: UInt64, exponent: Int)
    ) -> Int {
        let shift = one.exponent - other.exponent
        // 19 digits at most: a power that differs by more decides.
        if shift > 19 { return 1 }
        if shift < -19 { return -1 }
        let left = one.significand.multipliedFullWidth(by: powersOfTen[max(shift, 0)])
        let right = other.significand.multipliedFullWidth(by: powersOfTen[max(-shift, 0)])
        return left < right ? -1 : left > right ? 1 : 0
    }

    /// A Boolean value that indicates whether the number is a whole one (`1.0`, `1e2`).
    var isInteger: Bool {
        switch self {
        case .short(_, let significand, let exponent):
            exponent >= 0 || Self.isMultiple(significand, of: 1, shift: exponent)
        case .long(let decimal): decimal.isInteger
        }
    }

    /// Returns whether the number is a whole multiple of `divisor`, a short one above 0.
    ///
    /// - Complexity: O(length).
    func isMultiple(of divisor: ExactNumber) -> Bool {
        guard case .short(_, let factor, let power) = divisor else { return false }
        switch self {
        case .short(_, let significand, let exponent):
            return Self.isMultiple(significand, of: factor, shift: exponent - power)
        case .long(let decimal): return decimal.isMultiple(of: factor, power: power)
        }
    }

    /// Returns whether `significand` × 10^`shift` is a whole multiple of `factor`.
    private static func isMultiple(
        _ significand: UInt64, of factor: UInt64, shift: Int
    ) -> Bool {
        if significand == 0 { return true }
        if shift < -19 { return false }
        if shift < 0 {
            let product = factor.multipliedFullWidth(by: powersOfTen[-shift])
            return product.high == 0 && significand.isMultiple(of: product.low)
        }
        var (power, rest, exponent) = (10 % factor, significand % factor, shift)
        while exponent > 0 {
            if exponent & 1 == 1 { rest = rest.product(with: power, modulo: factor) }
            power = power.product(with: power, modulo: factor)
            exponent >>= 1
        }
        return rest == 0
    }
}

extension ExactNumber: Hashable {
    static func == (left: ExactNumber, right: ExactNumber) -> Bool { left.order(to: right) == 0 }

    /// Hashes the value, so that equal numbers have equal hashes in any notation.
    func hash(into hasher: inout Hasher) {
        guard case .short(let isNegative, var significand, var exponent) = self, significand > 0
        else { return decimal.hash(into: &hasher) }
        while significand.isMultiple(of: 10) {
            significand /= 10
            exponent += 1
        }
        // As a decimal fraction without a whole part, like a long number.
        var rest = significand
        while rest > 0 {
            rest /= 10
            exponent += 1
        }
        hasher.combine(isNegative)
        hasher.combine(significand)
        hasher.combine(exponent)
    }
}

extension JSONDocument {
    func exactNumber(at node: UInt32) -> ExactNumber {
        bytes.withUnsafeBufferPointer { JSONNumber($0[byteRange(of: node)]).exact }
    }
}
