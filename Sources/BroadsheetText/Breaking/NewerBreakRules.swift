import CICU

/// Rules of UAX #14 in Unicode 16 and 17 that an older ICU does not have.
///
/// - LB19a: a line may break before an opening and after a closing quote between East Asian
///   characters: 他说“好”吗 breaks around the quoted word.
/// - LB20a: a line does not break between a hyphen that begins a word and a letter: the dash of
///   "10 –the" is not a minus sign that is left behind.
/// - LB21a: a line may break after a hyphen between two Hebrew letters, and after what is not a
///   hyphen behind a Hebrew letter.
///
/// ICU sees a copy of the text in which other characters stand for some of these; what it then says
/// wrongly of their other side is decided here.
struct NewerBreakRules {
    let text: UnsafeBufferPointer<UInt16>
    let scratch: TextScratch

    /// A letter that stands for a quote: an ideograph.
    private static let ideograph: UInt16 = 0x4E00
    /// A letter that stands for a Hebrew one: a Cyrillic one.
    private static let letter: UInt16 = 0x431
    /// The maximum number of combining marks between two characters of a rule.
    private static let maxMarks = 32

    /// Writes the text with its substitutes to `breakText`; nothing if there are none.
    func substitute() {
        for offset in text.indices {
            let isQuote = quote(at: offset) != nil
            guard isQuote || isHebrew(offset) else { continue }
            if scratch.checkpoints.pass(TextCheckpoints.boundary) { return }
            if isQuote, isBetweenEastAsian(offset) {
                set(Self.ideograph, at: offset)
            } else if !isQuote, isBreakAfterBehind(offset) {
                set(Self.letter, at: offset)
            }
        }
    }

    private func set(_ unit: UInt16, at offset: Int) {
        if scratch.breakText.isEmpty { scratch.breakText.append(contentsOf: text) }
        scratch.breakText[offset] = unit
    }

    /// Returns whether a line may break before an offset, or `nil` if ICU decides.
    func decision(at offset: Int) -> Bool? {
        if !scratch.breakText.isEmpty, let decision = besideQuote(offset) { return decision }
        guard Self.isHyphen(text[offset - 1]) else { return nil }
        if isHebrew(offset), let before = base(before: offset - 1), isHebrew(before) {
            return true
        }
        return isLetter(offset) && beginsWord(offset - 1) ? false : nil
    }

    /// Returns whether a line may break before an offset next to a quote with a substitute.
    private func besideQuote(_ offset: Int) -> Bool? {
        if isSubstituted(offset), let quote = quote(at: offset) {
            if quote == .closing { return false }
            if lineBreak(at: base(before: offset)) == CICU_LB_PREFIX { return true }
        }
        guard let before = base(before: offset), isSubstituted(before),
            let quote = quote(at: before)
        else { return nil }
        if quote == .opening { return false }
        return lineBreak(at: offset) == CICU_LB_POSTFIX ? true : nil
    }

    private func isSubstituted(_ offset: Int) -> Bool {
        scratch.breakText[offset] != text[offset]
    }

    private enum Quote { case opening, closing }

    /// The quotes of General_Category Pi and Pf outside of ASCII.
    private func quote(at offset: Int) -> Quote? {
        switch text[offset] {
        case 0x2018, 0x201B, 0x201C, 0x201F, 0xAB, 0x2039: .opening
        case 0x2019, 0x201D, 0xBB, 0x203A: .closing
        default: nil
        }
    }

    private func isBetweenEastAsian(_ offset: Int) -> Bool {
        guard let before = base(before: offset), isEastAsian(before) else { return false }
        return base(after: offset).map(isEastAsian) ?? false
    }

    /// Returns the offset of the last character before an offset that is not a combining mark
    /// (LB9).
    private func base(before offset: Int) -> Int? {
        var before = offset - 1
        for _ in 0...Self.maxMarks where before >= 0 {
            if before > 0, text[before] & 0xFC00 == 0xDC00 { before -= 1 }
            if lineBreak(at: before) != CICU_LB_COMBINING { return before }
            before -= 1
        }
        return nil
    }

    /// Returns the offset of the first character after an offset that is not a combining mark.
    private func base(after offset: Int) -> Int? {
        let end = min(text.count, offset + 2 + Self.maxMarks)
        return (offset + 1..<max(end, offset + 1)).first {
            lineBreak(at: $0) != CICU_LB_COMBINING
        }
    }

    private func lineBreak(at offset: Int?) -> CICULineBreak {
        guard let offset else { return CICU_LB_OTHER }
        return cicu_line_break(text.scalar(at: offset).scalar)
    }

    private func isEastAsian(_ offset: Int) -> Bool {
        text[offset] >= 0x1100 && cicu_is_east_asian(text.scalar(at: offset).scalar)
    }

    private func isHebrew(_ offset: Int) -> Bool {
        switch text[offset] {
        case 0x5D0...0x5F2, 0xFB1D, 0xFB1F...0xFB28, 0xFB2A...0xFB4F: true
        default: false
        }
    }

    /// Returns whether the next character is of class BA and not a hyphen.
    private func isBreakAfterBehind(_ offset: Int) -> Bool {
        guard let next = base(after: offset), !Self.isHyphen(text[next]) else { return false }
        return lineBreak(at: next) == CICU_LB_BREAK_AFTER
    }

    /// Returns whether a code unit is of class HY, or HH of Unicode 17.
    private static func isHyphen(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x2D, 0x58A, 0x5BE, 0x1400, 0x2010, 0x2012, 0x2013, 0x2E17, 0x2E40, 0x2E5D: true
        default: false
        }
    }

    private func isLetter(_ offset: Int) -> Bool {
        let kind = lineBreak(at: offset)
        return kind == CICU_LB_ALPHABETIC || kind == CICU_LB_HEBREW
    }

    /// Returns whether a hyphen is at the start of the text or behind a space or glue.
    private func beginsWord(_ hyphen: Int) -> Bool {
        guard hyphen > 0 else { return true }
        let before = text[hyphen - 1]
        if before == CollapsedText.space || before == CollapsedText.lineFeed { return true }
        let kind = lineBreak(at: hyphen - 1)
        return kind == CICU_LB_GLUE || kind == CICU_LB_ZERO_WIDTH_SPACE
            || kind == CICU_LB_CONTINGENT
    }
}
