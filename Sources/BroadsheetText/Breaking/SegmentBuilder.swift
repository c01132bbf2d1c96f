/// The spaces that do not count at the end of a line.
enum LineSpaces {
    /// Returns whether a code unit is a space, or one of the other separators that hang (CSS Text
    /// 3, "Phase II: Trimming and Positioning").
    @inline(__always)
    static func isHanging(_ unit: UInt16) -> Bool {
        if unit < 0x1680 { return unit == CollapsedText.space }
        switch unit {
        case 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F, 0x3000: return true
        default: return false
        }
    }

    /// Returns the end of the shown part of a line or segment, before a break opportunity.
    @inline(__always)
    static func shownEnd(_ text: [UInt16], of next: Int, from start: Int) -> Int {
        var end = next
        if text[end - 1] == CollapsedText.lineFeed { end -= 1 }
        while end > start, isHanging(text[end - 1]) { end -= 1 }
        return end
    }

    static let softHyphen: UInt16 = 0xAD
}

/// The parts of a shaped text.
struct ShapedContent {
    var segments: [SegmentedText.Segment] = []
    var adjustments: [SegmentedText.Adjustment] = []
    var missingCharacters: [Unicode.Scalar] = []
    /// A Boolean value that indicates whether the tables of the font were not applied.
    var isPlain = false

    /// Removes everything, and keeps the capacity for the next text.
    mutating func removeAll() {
        segments.removeAll(keepingCapacity: true)
        adjustments.removeAll(keepingCapacity: true)
        missingCharacters = []
    }
}

/// The division of a shaped text into segments.
struct SegmentBuilder {
    private let shaper: Shaper
    private let text: [UInt16]
    private let glyphs: GlyphAdvances
    private var content: ShapedContent

    /// The maximum number of missing characters that are named.
    static let maxMissing = 8

    /// The maximum number of places at which a break changes the shaping that are measured; the
    /// advances of a longer text are those without a break from there on.
    static let maxAdjustments = 65_536

    private init(_ shaper: Shaper, _ content: ShapedContent) {
        self.shaper = shaper
        text = shaper.scratch.text
        glyphs = shaper.scratch.glyphs
        self.content = content
    }

    /// Writes the content of the text of a scratch object, which is shaped and has its breaks, into
    /// that object.
    static func build(_ shaper: Shaper) {
        let scratch = shaper.scratch
        var builder = SegmentBuilder(shaper, scratch.content)
        scratch.content = ShapedContent()
        builder.content.removeAll()
        builder.content.isPlain = scratch.isPlain
        builder.append(dividedAt: scratch.breaks)
        scratch.content = builder.content
    }

    private mutating func append(dividedAt breaks: [Int32]) {
        var start = 0
        for offset in breaks where !shaper.scratch.checkpoints.pass(TextCheckpoints.character) {
            append(start..<Int(offset))
            start = Int(offset)
        }
        if start < text.count { append(start..<text.count) }
        addMissingCharacters()
    }

    private mutating func append(_ range: Range<Int>) {
        var flags: SegmentedText.Segment.Flags = []
        if text[range.upperBound - 1] == CollapsedText.lineFeed { flags.insert(.breaks) }
        let end = LineSpaces.shownEnd(text, of: range.upperBound, from: range.lowerBound)
        if end == range.lowerBound, hangs(range, flags) { return }
        let adjustment = adjustment(from: range.lowerBound, to: end, next: range.upperBound)
        if let adjustment {
            if adjustment.safeAfter > Int32(range.lowerBound) {
                flags.insert(.adjustsStart)
            }
            if adjustment.end != 0 || adjustment.reachFromEnd != 0 { flags.insert(.adjustsEnd) }
            content.adjustments.append(adjustment)
        }
        content.segments.append(
            SegmentedText.Segment(
                advance: glyphs.sum(range.lowerBound..<end),
                trailing: glyphs.sum(end..<range.upperBound), end: end, flags: flags))
    }

    /// Adds a segment of spaces alone to the one before it, at whose line's end they hang.
    ///
    /// - Returns: Whether there is such a segment.
    private mutating func hangs(_ range: Range<Int>, _ flags: SegmentedText.Segment.Flags) -> Bool {
        guard flags.isEmpty, let last = content.segments.last, !last.flags.contains(.breaks) else {
            return false
        }
        let trailing = Int64(last.trailing) &+ glyphs.sum(range)
        content.segments[content.segments.count - 1] = SegmentedText.Segment(
            advance: last.advance, trailing: trailing, end: last.end, flags: last.flags)
        return true
    }

    /// Returns the change of the advances by breaks before and after a segment, if there is one.
    private func adjustment(from start: Int, to end: Int, next: Int) -> SegmentedText.Adjustment? {
        let isStartSafe = start == 0 || glyphs.isSafe(at: start)
        // Kerning with a space that is not shown has no effect.
        let isEndSafe = end < next || glyphs.isSafe(at: end)
        let isHyphenated = end > 0 && text[end - 1] == LineSpaces.softHyphen
        if isStartSafe, isEndSafe, !isHyphenated { return nil }
        guard content.adjustments.count < Self.maxAdjustments else { return nil }
        let breaking = BreakShaping(shaper)
        let startReach = isStartSafe ? start : breaking.nextSafe(start)
        let endReach = isEndSafe ? end : breaking.previousSafe(end)
        return SegmentedText.Adjustment(
            segment: Int32(truncatingIfNeeded: content.segments.count),
            start: Int32(clamping: breaking.change(start..<startReach)),
            end: Int32(
                clamping: breaking.change(endReach..<end)
                    + (isHyphenated ? shaper.font.hyphenAdvance : 0)),
            safeAfter: Int32(truncatingIfNeeded: startReach),
            reachFromEnd: Int32(truncatingIfNeeded: end - endReach))
    }

    private mutating func addMissingCharacters() {
        var seen: Set<Unicode.Scalar> = []
        for offset in text.indices where glyphs.marks[offset].contains(.missing) {
            if shaper.scratch.checkpoints.pass(TextCheckpoints.character) { return }
            let (number, _) = text.withUnsafeBufferPointer { $0.scalar(at: offset) }
            guard let scalar = Unicode.Scalar(number), seen.insert(scalar).inserted else {
                continue
            }
            content.missingCharacters.append(scalar)
            if seen.count == Self.maxMissing { return }
        }
    }
}

struct BreakShaping {
    private let shaper: Shaper
    private let scratch: TextScratch

    init(_ shaper: Shaper) {
        self.shaper = shaper
        scratch = shaper.scratch
    }

    /// Returns the next offset at which the text may be divided as it is shaped.
    func nextSafe(_ offset: Int) -> Int {
        var offset = offset
        while !scratch.glyphs.isSafe(at: offset) { offset += 1 }
        return offset
    }

    /// Returns the last offset up to another at which the text may be divided as it is shaped.
    func previousSafe(_ offset: Int) -> Int {
        var offset = offset
        while offset > 0, !scratch.glyphs.isSafe(at: offset) { offset -= 1 }
        return offset
    }

    /// Returns the change of a range's advance when it is shaped alone.
    func change(_ range: Range<Int>) -> Int64 {
        range.isEmpty ? 0 : shaper.advance(of: range) &- scratch.glyphs.sum(range)
    }
}
