import Broadsheet
import CICU

/// The break opportunities of a text.
///
/// A line breaks after a space; between two ASCII characters by ``ASCIIBreaks``; and elsewhere by
/// ICU with `lb=normal`, with the rules of Unicode 17 where ICU is older (``NewerBreakRules``).
struct LineBreaks {
    let scratch: TextScratch
    let hangul: ShapingOptions.Hangul
    /// The maximum length of a part that ICU has at a time, in code units.
    var maxPart = ICUBreaks.maxLength

    private static let hyphen = UInt16(UInt8(ascii: "-"))
    private static let lastASCII: UInt16 = 0x7F

    /// Writes the offsets before which a line may or must break into the scratch object; those of
    /// the beginning if the text is abandoned.
    func find() {
        let scratch = scratch
        scratch.breaks.removeAll(keepingCapacity: true)
        scratch.breakText.removeAll(keepingCapacity: true)
        scratch.text.withUnsafeBufferPointer { text in
            var icuBreaks = ICUBreaks(scratch: scratch, text: text, maxPart: maxPart)
            for offset in 1..<max(1, text.count) where mayBreak(text, offset, &icuBreaks) {
                scratch.breaks.append(Int32(truncatingIfNeeded: offset))
                if scratch.checkpoints.pass(1) { return }
            }
        }
    }

    @inline(__always)
    private func mayBreak(
        _ text: UnsafeBufferPointer<UInt16>, _ offset: Int, _ icuBreaks: inout ICUBreaks
    ) -> Bool {
        let before = text[offset - 1]
        let after = text[offset]
        if before == CollapsedText.lineFeed { return true }
        if after == CollapsedText.space || after == CollapsedText.lineFeed { return false }
        if before == CollapsedText.space { return true }
        if before < 0x21 || after < 0x21 { return false }
        if before <= Self.lastASCII, after <= Self.lastASCII {
            if before == Self.hyphen, Self.isDigit(after) {
                // After a letter or a digit the hyphen is not a minus sign.
                return offset > 1 && Self.isAlphanumeric(text[offset - 2])
            }
            return ASCIIBreaks.table.allow(before, after)
        }
        return isBreak(text, offset, &icuBreaks)
    }

    private func isBreak(
        _ text: UnsafeBufferPointer<UInt16>, _ offset: Int, _ icuBreaks: inout ICUBreaks
    ) -> Bool {
        if hangul == .word, Hangul.isInside(text, offset) { return false }
        return icuBreaks.isBreak(at: offset)
    }

    private static func isDigit(_ unit: UInt16) -> Bool { (0x30...0x39).contains(unit) }

    private static func isAlphanumeric(_ unit: UInt16) -> Bool {
        isDigit(unit) || (0x41...0x5A).contains(unit & ~0x20)
    }
}

/// Korean words.
enum Hangul {
    /// Returns whether an offset is between two letters or digits of which one is Hangul.
    static func isInside(_ text: UnsafeBufferPointer<UInt16>, _ offset: Int) -> Bool {
        let before = text[offset - 1]
        let after = text[offset]
        return isHangul(before) && (isHangul(after) || isWord(after))
            || isWord(before) && isHangul(after)
    }

    private static func isHangul(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x1100..<0x1200, 0x3130..<0x3190, 0xA960..<0xA980, 0xAC00..<0xD800: true
        default: false
        }
    }

    /// Returns whether a code unit is a letter or digit of ASCII or Latin.
    private static func isWord(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0xC0..<0x250: true
        default: false
        }
    }
}
