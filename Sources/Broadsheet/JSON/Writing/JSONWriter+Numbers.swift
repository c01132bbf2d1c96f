extension JSONWriter {
    /// Writes a length in points or a time in seconds, rounded to thousandths (half away from zero),
    /// in the shortest form; `0` for NaN, the infinities and whatever rounds to `-0`.
    ///
    /// From 9.2e15 on, where thousandths have long been lost, it is the shortest decimal that reads
    /// back as the same Double.
    public mutating func number(_ value: Double) {
        let thousandths = value * 1000
        // NaN fails every comparison, infinity this one.
        guard thousandths.magnitude < 9.2e18 else {
            guard value.isFinite else { return raw("0") }
            return raw(Array(value.description.utf8))
        }
        let scaled = Self.rounded(thousandths)
        if scaled < 0 { raw(byte: UInt8(ascii: "-")) }
        let (whole, fraction) = scaled.magnitude.quotientAndRemainder(dividingBy: 1000)
        digits(of: whole)
        if fraction > 0 { thousandthDigits(fraction) }
    }

    /// The nearest integer, half away from zero, of a magnitude that fits.
    ///
    /// Without SSE 4.1, `rounded()` is a call of libm; truncation is one instruction, and the part
    /// that it cuts off is exact.
    @inline(__always)
    private static func rounded(_ value: Double) -> Int64 {
        let whole = Int64(value)
        let rest = value - Double(whole)
        return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
    }

    /// Writes an integer.
    public mutating func integer(_ value: Int) {
        if value < 0 { raw(byte: UInt8(ascii: "-")) }
        digits(of: UInt64(value.magnitude))
    }

    /// Writes an unsigned integer.
    public mutating func integer(_ value: UInt64) {
        digits(of: value)
    }

    /// Writes `.` and 1 to 3 digits for a fraction of 1 to 999 thousandths.
    private mutating func thousandthDigits(_ fraction: UInt64) {
        let digits = (fraction / 100, fraction / 10 % 10, fraction % 10)
        raw(byte: UInt8(ascii: "."))
        raw(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits.0))
        if digits.1 == 0 && digits.2 == 0 { return }
        raw(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits.1))
        if digits.2 == 0 { return }
        raw(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits.2))
    }

    private mutating func digits(of value: UInt64) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
            var start = 20
            var rest = value
            repeat {
                start -= 1
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                buffer[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                rest = quotient
            } while rest > 0
            raw(UnsafeBufferPointer(rebasing: buffer[start...]))
        }
    }

    private mutating func raw(_ digits: UnsafeBufferPointer<UInt8>) {
        for digit in digits { raw(byte: digit) }
    }
}
