import CICU

extension UnsafeBufferPointer<UInt16> {
    /// Returns the end of the first part of a range that is processed in parts: all of it if it is
    /// short enough, otherwise after a line feed or a space, or else between characters.
    ///
    /// - Parameter length: The maximum length of a part, in code units.
    func division(of range: Range<Int>, atMost length: Int) -> Int {
        guard range.count > length else { return range.upperBound }
        let end = range.lowerBound + length
        if let line = self[range.lowerBound..<end].lastIndex(of: CollapsedText.lineFeed) {
            return line + 1
        }
        let middle = range.lowerBound + length / 2
        if let space = self[middle..<end].lastIndex(of: CollapsedText.space) {
            return space + 1
        }
        return isInsideOfPair(end) ? end - 1 : end
    }

    /// Returns whether an offset is between the halves of a surrogate pair.
    func isInsideOfPair(_ offset: Int) -> Bool {
        offset > 0 && offset < count && self[offset] & 0xFC00 == 0xDC00
            && self[offset - 1] & 0xFC00 == 0xD800
    }
}

/// Sequences of combining characters: marks, format characters, and the vowels that are shaped as
/// marks.
///
/// HarfBuzz compares each character of such a sequence with those before it. Languages have a few
/// on a letter, and texts with "stacked" marks some dozens.
enum CombiningSequences {
    /// The maximum number of code units of a sequence that are shaped in one call.
    static let maxLength = 64

    /// Returns the place at which a range is divided first, within a sequence that is too long;
    /// `nil` without one.
    ///
    /// - Complexity: O(length / maxLength) without combining characters.
    static func division(
        of range: Range<Int>, _ text: UnsafeBufferPointer<UInt16>
    ) -> Int? {
        // A longer sequence has a character at one of these offsets.
        var probe = range.lowerBound + maxLength - 1
        while probe < range.upperBound {
            if isCombining(text, probe) {
                var start = probe
                while start > range.lowerBound, isCombining(text, start - 1) { start -= 1 }
                let end = start + maxLength
                if end < range.upperBound, (probe...end).allSatisfy({ isCombining(text, $0) }) {
                    return text.isInsideOfPair(end) ? end - 1 : end
                }
            }
            probe += maxLength
        }
        return nil
    }

    private static func isCombining(_ text: UnsafeBufferPointer<UInt16>, _ offset: Int) -> Bool {
        switch text[offset] {
        // The soft hyphen; the vowels AM of Thai and Lao.
        case 0xAD, 0xE33, 0xEB3: return true
        // Ideographs and Hangul.
        case ..<0x300, 0x3400..<0xA66F, 0xAC00..<0xD800: return false
        default:
            let start = text.isInsideOfPair(offset) ? offset - 1 : offset
            return cicu_is_combining(text.scalar(at: start).scalar)
        }
    }
}
