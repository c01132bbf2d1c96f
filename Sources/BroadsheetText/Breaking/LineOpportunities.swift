import Broadsheet

/// The break opportunities of the lines of a text, one line after the other.
///
/// Opportunities depend on the text before them on the same line: behind a break inside of a word
/// the rest of the word has others. They are found again up to the next space.
struct LineOpportunities {
    private let scratch: TextScratch
    private let hangul: ShapingOptions.Hangul
    /// The place of the first opportunity after the line's start.
    private var next = 0
    /// The opportunities of the rest of a word that was broken, before those of the text.
    private var inWord: [Int] = []
    private var nextInWord = 0

    /// The maximum length of the rest of a word whose opportunities are found again.
    private static let maxRest = 256

    init(_ shaper: Shaper, _ hangul: ShapingOptions.Hangul) {
        scratch = shaper.scratch
        self.hangul = hangul
    }

    mutating func begin(at start: Int) {
        while nextInWord < inWord.count, inWord[nextInWord] <= start { nextInWord += 1 }
        if nextInWord == inWord.count {
            inWord.removeAll(keepingCapacity: true)
            nextInWord = 0
        }
        while next < scratch.breaks.count, scratch.breaks[next] <= start { next += 1 }
    }

    /// The offset of an opportunity after the line's start, counted from 0; that of the text's end
    /// after the last.
    subscript(place: Int) -> Int {
        let remaining = inWord.count - nextInWord
        if place < remaining { return inWord[nextInWord + place] }
        let index = next + place - remaining
        return index < scratch.breaks.count ? Int(scratch.breaks[index]) : scratch.text.count
    }

    /// Finds the opportunities again behind a break inside of a word.
    mutating func breakInside(at start: Int) {
        var end = start
        let limit = min(scratch.text.count, start + Self.maxRest)
        while end < limit, scratch.text[end] != CollapsedText.space,
            scratch.text[end] != CollapsedText.lineFeed
        {
            end += 1
        }
        // The opportunity at the end is one of the text.
        let isWhole = end < limit || limit == scratch.text.count
        guard isWhole else { return }
        // Exchanged, not copied: the text may be large, and have many such breaks.
        var (text, breaks) = (Array(scratch.text[start..<end]), [Int32]())
        swap(&scratch.text, &text)
        swap(&scratch.breaks, &breaks)
        LineBreaks(scratch: scratch, hangul: hangul).find()
        inWord = scratch.breaks.map { Int($0) + start }
        nextInWord = 0
        swap(&scratch.text, &text)
        swap(&scratch.breaks, &breaks)
        while next < scratch.breaks.count, Int(scratch.breaks[next]) < end { next += 1 }
    }
}
