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
            for offset in 1..<max(1, text.count) where mayBreak(text, at: offset, &icuBreaks) {
                scratch.breaks.append(Int32(truncatingIfNeeded: offset))
                if scratch.checkpoints.pass(1) { return }
            }
        }
    }

    @inline(__always)
    private func mayBreak(
        _ text: UnsafeBufferPointer<UInt16>, at offset: Int, _ icuBreaks: inout ICUBreaks
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
        return isBreak(text, at: offset, &icuBreaks)
    }

    private func isBreak(
        _ text: UnsafeBufferPointer<UInt16>, at offset: Int, _ icuBreaks: inout ICUBreaks
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

/// The break opportunities between two ASCII characters, as web browsers have them.
///
/// They are a table of pairs instead of UAX #14: a line breaks before an opening bracket and after
/// a hyphen or a question mark, and not elsewhere. It was measured in Chromium, pair by pair; a
/// test measures it again.
struct ASCIIBreaks {
    /// 128 bits a character: those of the characters before which a line may break.
    private let rows: [SIMD2<UInt64>]

    static let table = ASCIIBreaks()

    private init() {
        var rows = [SIMD2<UInt64>](repeating: .zero, count: 128)
        for character in ##"!"#%&)*+,.:;=>\]|}~"##.utf8 {
            rows[Int(character)] = Self.row(#"(<[{"#)
        }
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let symbols = ##"#%&(*+-<=>@[\^_`{|~"##
        rows[Int(UInt8(ascii: "-"))] = Self.row(letters + symbols + #""'"#)
        rows[Int(UInt8(ascii: "?"))] = Self.row(letters + symbols + "$0123456789")
        self.rows = rows
    }

    private static func row(_ characters: String) -> SIMD2<UInt64> {
        var row = SIMD2<UInt64>.zero
        for character in characters.utf8 {
            row[Int(character >> 6)] |= 1 << UInt64(character & 63)
        }
        return row
    }

    /// Returns whether a line may break between two characters from U+0021 to U+007F.
    @inline(__always)
    func allow(_ before: UInt16, _ after: UInt16) -> Bool {
        rows[Int(before & 127)][Int((after >> 6) & 1)] & (1 << UInt64(after & 63)) != 0
    }
}
