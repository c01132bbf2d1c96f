/// The escape sequences of RFC 8259 section 7, in both directions.
enum JSONEscape {
    static func hexadecimalValue(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns the character that a backslash and `letter` represent; `u` is not among the letters.
    static func character(forLetter letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    static func letter(forControl byte: UInt8) -> UInt8? {
        switch byte {
        case 0x08: UInt8(ascii: "b")
        case 0x0C: UInt8(ascii: "f")
        case 0x0A: UInt8(ascii: "n")
        case 0x0D: UInt8(ascii: "r")
        case 0x09: UInt8(ascii: "t")
        default: nil
        }
    }

    /// The largest number of bytes that represents one byte: that of `\u001f`.
    static let maxByteCount = 6

    /// Returns whether `byte` must be escaped in a string (RFC 8259 section 7).
    @inline(__always)
    static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}

/// An iterator over the UTF-8 bytes of a string's content with its escapes decoded.
///
/// The content must be one that an indexer has accepted; other content yields some bytes, and ends.
struct JSONUnescaper: IteratorProtocol {
    /// The content not read yet; the caller keeps it alive while the iterator is in use.
    private var rest: UnsafeBufferPointer<UInt8>.Iterator
    /// The bytes of an escape that are not returned yet, the next one in the lowest byte.
    private var pending: UInt32 = 0
    private var pendingCount = 0

    init(_ content: UnsafeBufferPointer<UInt8>) {
        rest = content.makeIterator()
    }

    mutating func next() -> UInt8? {
        if pendingCount > 0 {
            pendingCount -= 1
            let byte = UInt8(truncatingIfNeeded: pending)
            pending >>= 8
            return byte
        }
        guard let byte = rest.next() else { return nil }
        guard byte == UInt8(ascii: "\\"), let letter = rest.next() else { return byte }
        guard letter == UInt8(ascii: "u") else { return JSONEscape.character(forLetter: letter) }
        encode(escapedScalar())
        return next()
    }

    /// Reads the digits after `\u` and, after a high surrogate, the low one.
    private mutating func escapedScalar() -> UInt32 {
        let unit = fourDigits()
        guard unit & 0xFC00 == 0xD800 else { return unit }
        _ = rest.next()
        _ = rest.next()
        return 0x10000 &+ ((unit & 0x3FF) << 10 | fourDigits() & 0x3FF)
    }

    private mutating func fourDigits() -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            value = value << 4 | UInt32(rest.next().flatMap(JSONEscape.hexadecimalValue) ?? 0)
        }
        return value
    }

    /// Sets `pending` to the UTF-8 form of a code point (RFC 3629 section 3).
    private mutating func encode(_ scalar: UInt32) {
        func tail(_ shift: UInt32) -> UInt32 { 0x80 | (scalar >> shift) & 0x3F }
        switch scalar {
        case ..<0x80:
            pending = scalar
            pendingCount = 1
        case ..<0x800:
            pending = 0xC0 | scalar >> 6 | tail(0) << 8
            pendingCount = 2
        case ..<0x10000:
            pending = 0xE0 | scalar >> 12 | tail(6) << 8 | tail(0) << 16
            pendingCount = 3
        default:
            pending = 0xF0 | (scalar >> 18) & 0x7 | tail(12) << 8 | tail(6) << 16 | tail(0) << 24
            pendingCount = 4
        }
    }
}
