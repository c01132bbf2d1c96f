extension JSONCursor {
    /// Writes a number as `JSONWriter.number` says, in at most `longestNumber` bytes.
    @inline(__always)
    package mutating func number(_ value: Double) {
        // NaN fails every comparison, the infinities this one.
        guard value.magnitude < 0x1p53 else { return largeNumber(value) }
        let thousandths = Self.thousandths(of: value)
        if value < 0, thousandths > 0 { byte(UInt8(ascii: "-")) }
        let (whole, fraction) = thousandths.quotientAndRemainder(dividingBy: 1000)
        digits(of: whole)
        if fraction > 0 { thousandthDigits(UInt32(truncatingIfNeeded: fraction)) }
    }

    /// The nearest count of thousandths in the magnitude of `value`, which is below 2^53; ties go up.
    ///
    /// Exact: the significand times 1000 fits 63 bits, so nothing is rounded before the shift.
    @inline(__always)
    private static func thousandths(of value: Double) -> UInt64 {
        let exponent = value.bitPattern >> 52 & 0x7FF
        // Below 2^-11 it rounds to 0; that takes in the subnormals, which have no implicit bit.
        guard exponent >= 1023 - 11 else { return 0 }
        let significand = value.bitPattern & (1 << 52 - 1) | 1 << 52
        let scaled = significand &* 1000
        let shift = 1075 &- exponent
        return shift == 0 ? scaled : (scaled &+ 1 &<< (shift &- 1)) &>> shift
    }

    @inline(never)
    private mutating func largeNumber(_ value: Double) {
        guard value.isFinite else { return byte(UInt8(ascii: "0")) }
        if value.magnitude < 0x1p63 {
            if value < 0 { byte(UInt8(ascii: "-")) }
            return digits(of: UInt64(value.magnitude))
        }
        for unit in value.description.utf8 { byte(unit) }
    }

    /// Writes `.` and 1 to 3 digits for a fraction of 1 to 999 thousandths.
    @inline(__always)
    private mutating func thousandthDigits(_ fraction: UInt32) {
        byte(UInt8(ascii: "."))
        digit(fraction / 100)
        let hundredths = fraction % 100
        if hundredths == 0 { return }
        digit(hundredths / 10)
        if hundredths % 10 != 0 { digit(hundredths % 10) }
    }

    /// Writes an unsigned integer.
    @inline(__always)
    package mutating func digits(of value: UInt64) {
        if value < 10_000 {
            return shortDigits(of: UInt32(truncatingIfNeeded: value))
        }
        longDigits(of: value)
    }

    /// Writes an integer below 10,000, which most lengths are.
    @inline(__always)
    private mutating func shortDigits(of value: UInt32) {
        if value >= 1000 { digit(value / 1000) }
        if value >= 100 { digit(value / 100 % 10) }
        if value >= 10 { digit(value / 10 % 10) }
        digit(value % 10)
    }

    @inline(never)
    private mutating func longDigits(of value: UInt64) {
        var power: UInt64 = 10_000
        while value / power >= 10 { power *= 10 }
        while power > 0 {
            digit(UInt32(truncatingIfNeeded: value / power % 10))
            power /= 10
        }
    }

    @inline(__always)
    private mutating func digit(_ digit: UInt32) {
        byte(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit))
    }
}
