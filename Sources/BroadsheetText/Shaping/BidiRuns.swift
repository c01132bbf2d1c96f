import CICU

struct BidiRun: Equatable {
    var end: Int
    var level: UInt8

    var isRightToLeft: Bool { level & 1 != 0 }
}

/// The embedding levels of a text (UAX #9), whose paragraphs all have the direction of the first
/// strong character of the text (docs/layout.md, T8).
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

    /// The maximum number of code units of a paragraph that have their levels in one call.
    ///
    /// ICU compares each closing bracket with all open ones. Longer paragraphs are divided after a
    /// space, as if a paragraph ended there.
    static let maxLength = 4096

    /// Appends the runs of a text to an array; none for the rest of an abandoned text.
    ///
    /// - Parameter bidi: An object of `cicu_bidi_open`.
    static func append(
        of text: UnsafeBufferPointer<UInt16>, _ bidi: UnsafeMutableRawPointer,
        to runs: inout [BidiRun], _ checkpoints: inout TextCheckpoints
    ) {
        let base = baseLevel(of: text, &checkpoints)
        var start = 0
        while start < text.count, !checkpoints.isAbandoned {
            let end = text.division(of: start..<text.count, atMost: maxLength)
            append(start..<end, of: text, base: base, bidi: bidi, to: &runs)
            checkpoints.pass(TextCheckpoints.boundary * (end - start))
            start = end
        }
    }

    /// Returns 1 if the first strong character of a text is read from right to left, else 0.
    private static func baseLevel(
        of text: UnsafeBufferPointer<UInt16>, _ checkpoints: inout TextCheckpoints
    ) -> UInt8 {
        var start = 0
        while start < text.count, !checkpoints.isAbandoned {
            let end = text.division(of: start..<text.count, atMost: maxLength)
            let units = UnsafeBufferPointer(rebasing: text[start..<end])
            let base = cicu_bidi_base(units.baseAddress, Int32(units.count))
            if base != CICU_BASE_NEUTRAL { return base == CICU_BASE_RIGHT_TO_LEFT ? 1 : 0 }
            checkpoints.pass(end - start)
            start = end
        }
        return 0
    }

    private static func append(
        _ part: Range<Int>, of text: UnsafeBufferPointer<UInt16>, base: UInt8,
        bidi: UnsafeMutableRawPointer, to runs: inout [BidiRun]
    ) {
        let units = UnsafeBufferPointer(rebasing: text[part])
        guard let levels = cicu_bidi_levels(bidi, units.baseAddress, Int32(units.count), base)
        else {
            runs.append(BidiRun(end: part.upperBound, level: base))
            return
        }
        for index in 1..<units.count where levels[index] != levels[index - 1] {
            runs.append(BidiRun(end: part.lowerBound + index, level: levels[index - 1]))
        }
        runs.append(BidiRun(end: part.upperBound, level: levels[units.count - 1]))
    }
}
