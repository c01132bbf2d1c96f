private import CByteMasks

/// The bytes of a text at which the plain bytes of a string end: quotes, backslashes, control
/// characters, and bytes of non-ASCII characters.
///
/// They are found for 64 bytes at a time, whether or not these are part of a string, so that the
/// search for the end of one string does not have to wait for that of the string before.
struct JSONStringStops {
    /// The stops among the 64 bytes before `end`, the first byte in the lowest bit.
    private var bits: UInt64 = 0
    /// The end of these bytes, a multiple of 64.
    private var end = 0

    /// Returns the first stop from `position` on, or `count`; positions never decrease.
    @inline(__always)
    mutating func next(
        from position: Int, in bytes: UnsafePointer<UInt8>, count: Int
    ) -> Int {
        var position = position
        while true {
            if position < end {
                // Only the lowest bits of the position count, those in its 64 bytes.
                let rest = bits &>> UInt64(truncatingIfNeeded: position)
                if _slowPath(rest == 0) {
                    position = end
                } else {
                    return position &+ rest.trailingZeroBitCount
                }
            }
            let start = position & ~63
            end = start &+ 64
            bits =
                _slowPath(end > count)
                ? Self.last(of: bytes, from: start, count: count)
                : broadsheet_string_stops(bytes + start)
        }
    }

    /// Returns the stops among the last bytes of a text, fewer than 64, with a stop at its end.
    @inline(never)
    private static func last(
        of bytes: UnsafePointer<UInt8>, from start: Int, count: Int
    ) -> UInt64 {
        var bits: UInt64 = 1 << (count - start)
        for index in start..<count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
                || byte >= 0x80
            {
                bits |= 1 << (index - start)
            }
        }
        return bits
    }
}
