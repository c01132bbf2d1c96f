/// The UTF-8 bytes that a checked string's content stands for, one by one, escapes decoded.
///
/// It reads content that an indexer has accepted; of other content it makes some bytes, and ends.
struct JSONUnescaper: IteratorProtocol {
    /// What is still to be read; the caller keeps it alive while the iterator is in use.
    private var rest: UnsafeBufferPointer<UInt8>.Iterator
    /// Bytes of an escape that are still to be handed out, the next in the lowest place.
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

    /// Reads the digits behind `\u` and, for a high surrogate, its partner's.
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

    /// Puts the UTF-8 form of a code point into `pending` (RFC 3629 section 3).
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
