/// A writer of JSON values into one growing buffer of bytes.
///
/// The caller writes the brackets, commas and colons, or uses a `StructuredJSONWriter`.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(reservingCapacity capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Reserves space for `count` bytes, at least 1, and calls `body`, which writes at most as
    /// many.
    @inline(__always)
    package mutating func withCapacity(_ count: Int, _ body: (inout JSONCursor) -> Void) {
        precondition(count > 0, "the capacity must be positive")
        bytes.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { buffer, written in
                var cursor = JSONCursor(UnsafeMutableBufferPointer(rebasing: buffer[written...]))
                body(&cursor)
                written += cursor.count
            }
        }
    }

    /// Removes the bytes written so far and keeps the buffer's capacity.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Returns the bytes written so far and begins again with an empty buffer.
    package mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    package mutating func reserveCapacity(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    @inline(__always)
    package mutating func raw(_ literal: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(
                start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    @inline(__always)
    package mutating func raw(byte: UInt8) {
        bytes.append(byte)
    }

    /// Writes bytes that are JSON already.
    @inline(__always)
    package mutating func raw(_ json: [UInt8]) {
        bytes.append(contentsOf: json)
    }

    @inline(__always)
    package mutating func raw(from source: [UInt8], _ range: Range<Int>) {
        source.withUnsafeBufferPointer { bytes.append(contentsOf: $0[range]) }
    }

    /// Writes a string in quotes with only the escapes that are required.
    package mutating func string(_ string: String) {
        var string = string
        string.withUTF8 { utf8 in
            withCapacity(2 + JSONEscape.maxByteCount * utf8.count) { cursor in
                cursor.byte(UInt8(ascii: "\""))
                for byte in utf8 { cursor.escaped(byte) }
                cursor.byte(UInt8(ascii: "\""))
            }
        }
    }

    /// Writes a text in quotes with only the escapes that are required, whatever escapes it has in
    /// its document; a text without escapes is copied.
    package mutating func text(_ text: JSONText) {
        text.withContent { content in
            withCapacity(2 + content.count) { cursor in
                cursor.byte(UInt8(ascii: "\""))
                if text.hasEscapes { cursor.reescaped(content) } else { cursor.copy(content) }
                cursor.byte(UInt8(ascii: "\""))
            }
        }
    }

    package mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }
}

extension JSONWriter {
    /// Writes a length in points or a time in seconds, rounded to thousandths, in the shortest
    /// form.
    ///
    /// The exact value of the Double is rounded half away from zero. NaN, the infinities and values
    /// that round to `-0` become `0`. From 2^63 on the number has an exponent and is the shortest
    /// decimal that reads back as the same Double.
    package mutating func number(_ value: Double) {
        withCapacity(JSONCursor.longestNumber) { $0.number(value) }
    }

    package mutating func integer(_ value: Int) {
        withCapacity(JSONCursor.longestNumber) { cursor in
            if value < 0 { cursor.byte(UInt8(ascii: "-")) }
            cursor.digits(of: UInt64(value.magnitude))
        }
    }

    package mutating func integer(_ value: UInt64) {
        withCapacity(JSONCursor.longestNumber) { $0.digits(of: value) }
    }
}

/// A position in the space that a `JSONWriter` has reserved.
///
/// An array checks its uniqueness and its capacity at every append. A sequence of small pieces with
/// a known largest size needs those checks only once.
package struct JSONCursor {
    private let start: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private(set) var count = 0

    /// The largest number of bytes of one number: a sign, 17 digits, a point and an exponent, or 20
    /// digits.
    package static let longestNumber = 26

    /// Creates a cursor at the start of `space`, which is not empty and outlives the cursor.
    init(_ space: UnsafeMutableBufferPointer<UInt8>) {
        start = space.baseAddress.unsafelyUnwrapped
        capacity = space.count
    }

    @inline(__always)
    package mutating func byte(_ byte: UInt8) {
        precondition(count < capacity, "the reserved capacity is too small")
        start[count] = byte
        count &+= 1
    }

    @inline(__always)
    package mutating func raw(_ literal: StaticString) {
        copy(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    @inline(__always)
    package mutating func copy(_ source: [UInt8]) {
        source.withUnsafeBufferPointer { copy($0) }
    }

    @inline(__always)
    package mutating func copy(_ source: UnsafeBufferPointer<UInt8>) {
        precondition(source.count <= capacity &- count, "the reserved capacity is too small")
        guard let base = source.baseAddress else { return }
        (start + count).update(from: base, count: source.count)
        count &+= source.count
    }

    /// Writes bytes unchanged, without a call for up to 64 of them.
    @inline(__always)
    package mutating func copyShort(_ source: UnsafeBufferPointer<UInt8>) {
        precondition(source.count <= capacity &- count, "the reserved capacity is too small")
        guard let base = source.baseAddress else { return }
        let (from, to) = (UnsafeRawPointer(base), UnsafeMutableRawPointer(start + count))
        switch source.count {
        case 17...64:
            for offset in stride(from: 0, to: source.count &- 16, by: 16) {
                Self.copyWords(from + offset, to + offset)
            }
            // The last 16 bytes, of which some may have been copied.
            Self.copyWords(from + (source.count &- 16), to + (source.count &- 16))
        case 8...16:
            Self.copyWord(from, to)
            Self.copyWord(from + (source.count &- 8), to + (source.count &- 8))
        case 0...7:
            for offset in 0..<source.count { (start + count)[offset] = base[offset] }
        default:
            to.copyMemory(from: from, byteCount: source.count)
        }
        count &+= source.count
    }

    @inline(__always)
    private static func copyWords(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) {
        copyWord(from, to)
        copyWord(from + 8, to + 8)
    }

    @inline(__always)
    private static func copyWord(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) {
        to.storeBytes(of: from.loadUnaligned(as: UInt64.self), as: UInt64.self)
    }

    @inline(__always)
    package mutating func copyShort(_ source: [UInt8]) {
        source.withUnsafeBufferPointer { copyShort($0) }
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

    @inline(__always)
    package static func writesAlike(_ one: Double, _ other: Double) -> Bool {
        one == other || writesAlikeRounded(one, other)
    }

    @inline(never)
    private static func writesAlikeRounded(_ one: Double, _ other: Double) -> Bool {
        guard one.magnitude < 0x1p53, other.magnitude < 0x1p53 else {
            // Beyond 2^53 only the numbers that are written as 0 are alike without being equal.
            return !(one.isFinite && one != 0) && !(other.isFinite && other != 0)
        }
        let (first, second) = (thousandths(of: one), thousandths(of: other))
        return first == second && (first == 0 || (one < 0) == (other < 0))
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
        let (high, low) = value.quotientAndRemainder(dividingBy: 10_000)
        digits(of: high)
        fourDigits(UInt32(truncatingIfNeeded: low))
    }

    /// Writes the four digits of an integer below 10,000, with leading zeros, at once.
    @inline(__always)
    private mutating func fourDigits(_ value: UInt32) {
        precondition(4 <= capacity &- count, "the reserved capacity is too small")
        let (high, low) = (value / 100, value % 100)
        let digits =
            (high / 10) | (high % 10) << 8 | (low / 10) << 16 | (low % 10) << 24
        UnsafeMutableRawPointer(start + count)
            .storeBytes(of: (digits | 0x3030_3030).littleEndian, as: UInt32.self)
        count &+= 4
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
