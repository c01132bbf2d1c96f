extension JSONWriter {
    /// Writes a length in points or a time in seconds, rounded to thousandths (half away from zero,
    /// judged by the Double's exact value) and in the shortest form; `0` for NaN, the infinities and
    /// whatever rounds to `-0`.
    ///
    /// From 2^63 on it has an exponent, and is the shortest decimal that reads back as the same Double.
    public mutating func number(_ value: Double) {
        room(for: JSONCursor.longestNumber) { $0.number(value) }
    }

    /// Writes an integer.
    public mutating func integer(_ value: Int) {
        room(for: JSONCursor.longestNumber) { cursor in
            if value < 0 { cursor.byte(UInt8(ascii: "-")) }
            cursor.digits(of: UInt64(value.magnitude))
        }
    }

    /// Writes an unsigned integer.
    public mutating func integer(_ value: UInt64) {
        room(for: JSONCursor.longestNumber) { $0.digits(of: value) }
    }
}
