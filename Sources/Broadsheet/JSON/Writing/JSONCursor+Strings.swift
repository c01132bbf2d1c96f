extension JSONCursor {
    /// Writes one byte of a string's UTF-8, escaped when it must be, in at most
    /// `JSONEscape.maxByteCount` bytes.
    @inline(__always)
    package mutating func escaped(_ byte: UInt8) {
        if JSONEscape.mustEscape(byte) { escape(byte) } else { self.byte(byte) }
    }

    /// Writes a checked string's content, decoded and escaped only where it must be; never longer
    /// than the content.
    package mutating func escapedAnew(_ content: UnsafeBufferPointer<UInt8>) {
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
