import CICU

/// A run of characters in one direction.
struct BidiRun: Equatable {
    var end: Int
    var level: UInt8

    var isRightToLeft: Bool { level & 1 != 0 }
}

/// The embedding levels of a text (UAX #9), in paragraphs from left to right.
enum BidiRuns {
    /// Returns whether a text may have other levels than 0.
    static func isNeeded(for text: UnsafeBufferPointer<UInt16>) -> Bool {
        for unit in text where unit >= 0x590 && mayAffectDirection(unit) { return true }
        return false
    }

    /// Returns whether a code unit is from a right-to-left block, a bidirectional control, or the
    /// first half of a surrogate pair of such a block.
    private static func mayAffectDirection(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x590..<0x900, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFB1D..<0xFE00,
            0xFE70..<0xFF00, 0xD802...0xD803, 0xD83A...0xD83B:
            true
        default: false
        }
    }

    /// Appends the runs of a text to an array.
    ///
    /// - Parameter bidi: An object of `cicu_bidi_open`.
    static func append(
        of text: UnsafeBufferPointer<UInt16>, _ bidi: UnsafeMutableRawPointer,
        to runs: inout [BidiRun]
    ) {
        guard let levels = cicu_bidi_levels(bidi, text.baseAddress, Int32(text.count)) else {
            runs.append(BidiRun(end: text.count, level: 0))
            return
        }
        for index in 1..<max(1, text.count) where levels[index] != levels[index - 1] {
            runs.append(BidiRun(end: index, level: levels[index - 1]))
        }
        if !text.isEmpty { runs.append(BidiRun(end: text.count, level: levels[text.count - 1])) }
    }
}
