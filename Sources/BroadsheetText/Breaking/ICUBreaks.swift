import CICU

/// ICU's break opportunities, found as far as they are asked for.
///
/// ICU has a part of a long text at a time, because it takes up to all of a sequence of characters
/// without break opportunities in one call. The next part begins at an opportunity, with which
/// ICU's rules begin again.
struct ICUBreaks {
    private let scratch: TextScratch
    private let text: UnsafeBufferPointer<UInt16>
    private let newerRules: NewerBreakRules?
    /// The text with the substitutes of the newer rules; `nil` until it is needed.
    private var base: UnsafePointer<UInt16>?
    private var part = 0..<0
    /// The next opportunity, or the end of what is known.
    private var next = 0
    private var isOpportunity = false

    /// The maximum length of a part, in code units, unless another is set.
    static let maxLength = 8_192
    private let maxPart: Int
    /// The number of code units at the end of a part whose opportunities may depend on what
    /// follows.
    private static let lookahead = 256
    /// The number of code units before the first offset of a part in which it begins.
    private static let lookbehind = 1_024

    init(scratch: TextScratch, text: UnsafeBufferPointer<UInt16>, maxPart: Int) {
        self.maxPart = maxPart
        self.scratch = scratch
        self.text = text
        newerRules =
            scratch.libraries.hasUnicode17
            ? nil : NewerBreakRules(text: text, scratch: scratch)
    }

    /// Returns whether a line may break before an offset; offsets are asked for in ascending order.
    mutating func isBreak(at offset: Int) -> Bool {
        if base == nil { prepare() }
        guard !scratch.checkpoints.pass(TextCheckpoints.character) else { return false }
        if let decision = newerRules?.decision(at: offset) { return decision }
        if next < offset { find(after: offset - 1) }
        return next == offset && isOpportunity
    }

    private mutating func prepare() {
        base = text.baseAddress
        guard let newerRules else { return }
        newerRules.substitute()
        if !scratch.breakText.isEmpty {
            // The array is not changed before the iterator has its next text.
            base = scratch.breakText.withUnsafeBufferPointer { $0.baseAddress }
        }
    }

    /// The offset up to which the opportunities of the part are those of the text.
    private var knownEnd: Int {
        part.upperBound == text.count ? text.count : part.upperBound - Self.lookahead
    }

    private mutating func find(after offset: Int) {
        if part.isEmpty || offset >= knownEnd { beginPart(at: offset) }
        scratch.checkpoints.pass(TextCheckpoints.boundary)
        let following = cicu_breaks_following(
            scratch.lineBreaks, Int32(truncatingIfNeeded: offset - part.lowerBound))
        next = following < 0 ? text.count : part.lowerBound + Int(following)
        isOpportunity = next <= knownEnd
        next = min(next, knownEnd)
    }

    /// Gives ICU the part with the next opportunity after an offset.
    private mutating func beginPart(at offset: Int) {
        let start = text.count <= maxPart ? 0 : start(ofPartAt: offset)
        part = start..<min(text.count, start + maxPart)
        scratch.checkpoints.pass(TextCheckpoints.character * part.count)
        cicu_breaks_set_text(
            scratch.lineBreaks, base.map { $0 + start }, Int32(truncatingIfNeeded: part.count))
    }

    /// Returns a place shortly before an offset with which ICU's rules begin again.
    private func start(ofPartAt offset: Int) -> Int {
        let limit = max(0, offset - Self.lookbehind)
        if !part.isEmpty {
            let preceding = cicu_breaks_preceding(
                scratch.lineBreaks, Int32(truncatingIfNeeded: knownEnd + 1 - part.lowerBound))
            let start = part.lowerBound + Int(preceding)
            if preceding > 0, start >= limit { return start }
        }
        let space = text[limit..<offset].lastIndex {
            $0 == CollapsedText.space || $0 == CollapsedText.lineFeed
        }
        if let space { return space + 1 }
        return text.isInsideOfPair(limit) ? limit - 1 : limit
    }
}
