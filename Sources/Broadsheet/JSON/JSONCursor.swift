/// A position in the space that a `JSONWriter` has reserved.
///
/// An array checks its uniqueness and its capacity at every append. A sequence of small pieces with
/// a known largest size needs those checks only once.
package struct JSONCursor {
    private let start: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    /// The number of bytes written so far.
    private(set) var count = 0

    /// The largest number of bytes of one number: a sign, 17 digits, a point and an exponent, or 20
    /// digits.
    package static let longestNumber = 26

    /// Creates a cursor at the start of `space`, which is not empty and outlives the cursor.
    init(_ space: UnsafeMutableBufferPointer<UInt8>) {
        start = space.baseAddress.unsafelyUnwrapped
        capacity = space.count
    }

    /// Writes one byte.
    @inline(__always)
    package mutating func byte(_ byte: UInt8) {
        precondition(count < capacity, "the reserved capacity is too small")
        start[count] = byte
        count &+= 1
    }

    /// Writes JSON that is known at compile time.
    @inline(__always)
    package mutating func raw(_ literal: StaticString) {
        copy(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Writes bytes unchanged.
    @inline(__always)
    package mutating func copy(_ source: [UInt8]) {
        source.withUnsafeBufferPointer { copy($0) }
    }

    /// Writes bytes unchanged.
    @inline(__always)
    package mutating func copy(_ source: UnsafeBufferPointer<UInt8>) {
        precondition(source.count <= capacity &- count, "the reserved capacity is too small")
        guard let base = source.baseAddress else { return }
        (start + count).update(from: base, count: source.count)
        count &+= source.count
    }
}

extension JSONCursor {
    /// Writes a number in the form of `JSONWriter.number`, in at most `longestNumber` bytes.
    @inline(__always)
    package mutating func number(_ value: Double) {
        // NaN fails every comparison, and the infinities fail this one.
        guard value.magnitude < 0x1p53 else { return largeNumber(value) }
        let thousandths = Self.thousandths(of: value)
        if value < 0, thousandths > 0 { byte(UInt8(ascii: "-")) }
        let (whole, fraction) = thousandths.quotientAndRemainder(dividingBy: 1000)
        digits(of: whole)
        if fraction > 0 { thousandthDigits(UInt32(truncatingIfNeeded: fraction)) }
    }

    /// Returns the magnitude of `value`, which is below 2^53, in thousandths; ties are rounded up.
    ///
    /// The result is exact: the significand times 1000 fits into 63 bits, so only the shift rounds.
    @inline(__always)
    private static func thousandths(of value: Double) -> UInt64 {
        let exponent = value.bitPattern >> 52 & 0x7FF
        // Values below 2^-11 round to 0, among them the subnormals, which have no implicit bit.
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

    /// Writes `.` and the 1 to 3 digits of a fraction of 1 to 999 thousandths.
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

    /// Writes an integer below 10,000, as most lengths are.
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

extension JSONCursor {
    /// Writes one byte of a string's UTF-8, escaped if required, in at most
    /// `JSONEscape.maxByteCount` bytes.
    @inline(__always)
    package mutating func escaped(_ byte: UInt8) {
        if JSONEscape.mustEscape(byte) { escape(byte) } else { self.byte(byte) }
    }

    /// Writes a checked string's content with only the escapes that are required; the result is
    /// never longer than the content.
    package mutating func reescaped(_ content: UnsafeBufferPointer<UInt8>) {
        var bytes = JSONUnescaper(content)
        while let byte = bytes.next() { escaped(byte) }
    }

    @inline(never)
    private mutating func escape(_ byte: UInt8) {
        self.byte(UInt8(ascii: "\\"))
        if byte >= 0x20 {
            self.byte(byte)
        } else if let letter = JSONEscape.letter(forControl: byte) {
            self.byte(letter)
        } else {
            raw("u00")
            self.byte(UInt8(ascii: "0") + byte >> 4)
            self.byte(
                byte & 0xF < 10
                    ? UInt8(ascii: "0") + byte & 0xF : UInt8(ascii: "a") - 10 + byte & 0xF)
        }
    }
}
