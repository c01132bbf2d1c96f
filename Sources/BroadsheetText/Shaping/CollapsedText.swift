/// Decoding and the collapsing of white space (CSS Text 3, "The White Space Processing Rules", for
/// `white-space: pre-line`).
enum CollapsedText {
    static let space: UInt16 = 0x20
    static let lineFeed: UInt16 = 0x0A
    private static let carriageReturn: UInt16 = 0x0D
    private static let tab: UInt16 = 0x09

    /// Writes the UTF-16 code units of a UTF-8 text into a scratch object, with white space
    /// collapsed.
    ///
    /// A run of spaces and tabs becomes one space, and none at the start and the end of a line. A
    /// carriage return is a space, so that CR LF is LF. Invalid UTF-8 becomes U+FFFD.
    static func decode(_ text: [UInt8], into scratch: TextScratch) {
        var writer = Writer(units: scratch.text, offsets: scratch.sourceOffsets)
        (scratch.text, scratch.sourceOffsets) = ([], [])
        text.withUnsafeBufferPointer { bytes in
            while writer.offset < bytes.count {
                let byte = bytes[writer.offset]
                if byte < 0x80 {
                    writer.append(UInt16(byte))
                    writer.offset += 1
                } else {
                    let (scalar, length) = Self.scalar(in: bytes, at: writer.offset)
                    writer.append(scalar: scalar)
                    writer.offset += length
                }
            }
        }
        writer.end()
        (scratch.text, scratch.sourceOffsets) = (writer.units, writer.offsets)
        scratch.hasSeparators = writer.hasSeparators
    }

    /// The line separator and the paragraph separator, which Chromium shapes as spaces.
    static let separators: ClosedRange<UInt32> = 0x2028...0x2029

    private struct Writer {
        var units: [UInt16]
        /// The offset of each code unit in the bytes; of a space, that of its run.
        var offsets: [Int32]
        var offset = 0
        private(set) var hasSeparators = false
        /// The offset of the first space of a run that has not been written yet.
        private var pendingSpace: Int?

        init(units: [UInt16], offsets: [Int32]) {
            self.units = units
            self.offsets = offsets
            self.units.removeAll(keepingCapacity: true)
            self.offsets.removeAll(keepingCapacity: true)
        }

        @inline(__always)
        mutating func append(_ unit: UInt16) {
            switch unit {
            case space, tab, carriageReturn:
                if pendingSpace == nil { pendingSpace = offset }
            case lineFeed:
                add(unit, at: pendingSpace ?? offset)
                pendingSpace = nil
            default:
                if pendingSpace != nil { addSpace() }
                add(unit, at: offset)
            }
        }

        mutating func append(scalar: UInt32) {
            if pendingSpace != nil { addSpace() }
            if separators.contains(scalar) { hasSeparators = true }
            if scalar < 0x1_0000 {
                add(UInt16(truncatingIfNeeded: scalar), at: offset)
            } else {
                add(UInt16(truncatingIfNeeded: 0xD7C0 + (scalar >> 10)), at: offset)
                add(UInt16(truncatingIfNeeded: 0xDC00 + (scalar & 0x3FF)), at: offset)
            }
        }

        @inline(__always)
        private mutating func add(_ unit: UInt16, at offset: Int) {
            units.append(unit)
            offsets.append(Int32(truncatingIfNeeded: offset))
        }

        private mutating func addSpace() {
            if let last = units.last, last != lineFeed { add(space, at: pendingSpace ?? offset) }
            pendingSpace = nil
        }

        mutating func end() {
            offsets.append(Int32(truncatingIfNeeded: pendingSpace ?? offset))
        }
    }

    /// Returns the scalar at an index and its number of bytes (Unicode standard, table 3-7).
    @inline(__always)
    private static func scalar(
        in bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (scalar: UInt32, length: Int) {
        let first = UInt32(bytes[index])
        let count = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
        guard (0xC2...0xF4).contains(first) else { return (0xFFFD, 1) }
        var scalar = first & (0x3F >> UInt32(count))
        for offset in 1...count {
            guard index + offset < bytes.count, bytes[index + offset] & 0xC0 == 0x80 else {
                return (0xFFFD, offset)
            }
            scalar = scalar << 6 | UInt32(bytes[index + offset] & 0x3F)
        }
        let isShortest = scalar >= (count == 3 ? 0x1_0000 : count == 2 ? 0x800 : 0x80)
        let isScalar = scalar <= 0x10_FFFF && !(0xD800..<0xE000).contains(scalar)
        return isShortest && isScalar ? (scalar, count + 1) : (0xFFFD, 1)
    }
}

extension UnsafeBufferPointer<UInt16> {
    /// Returns the scalar that begins at an index, and its number of code units.
    ///
    /// The text comes from ``CollapsedText``, so that surrogates are in pairs, except at a cut.
    @inline(__always)
    func scalar(at index: Int) -> (scalar: UInt32, length: Int) {
        let unit = UInt32(self[index])
        guard unit & 0xFC00 == 0xD800, index + 1 < count else { return (unit, 1) }
        return (unit << 10 &+ UInt32(self[index + 1]) &- 0x35F_DC00, 2)
    }
}
