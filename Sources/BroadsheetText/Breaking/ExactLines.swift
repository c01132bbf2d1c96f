import Broadsheet
import CICU

/// Lines that are shaped as they are: for words that are wider than a line, and for lines so short
/// that their start and end affect each other.
struct ExactLines {
    private let shaper: Shaper
    private let scratch: TextScratch
    private let limits: LineLimits
    private let shaping: BreakShaping
    /// The positions of the code units: those inside of a cluster have the position of its end.
    private let positions: [Int64]
    private var result = FilledLines()
    /// The code units that each line shows.
    private var ranges: [Range<Int>] = []
    private var opportunities: LineOpportunities
    /// The number of segments and clusters that may still be looked at.
    private var looks: Int

    /// The maximum number of earlier opportunities that are tried when a line, shaped alone, does
    /// not fit.
    private static let maxRefits = 16

    /// Returns the lines of a text, and the range of each in its bytes.
    ///
    /// - Complexity: that of shaping the text once, and the ends of its lines again.
    static func lines(
        of text: SegmentedText, _ limits: LineLimits
    ) -> (lines: FilledLines, ranges: [Range<Int>]) {
        ScratchPool.shared.use(text.font.libraries) { lines(of: text, limits, in: $0) }
            ?? (FilledLines(), [])
    }

    static func lines(
        of text: SegmentedText, _ limits: LineLimits, in scratch: TextScratch
    ) -> (lines: FilledLines, ranges: [Range<Int>]) {
        scratch.checkpoints.begin()
        CollapsedText.decode(text.source, into: scratch)
        let shaper = Shaper(font: text.font, scratch: scratch)
        shaper.makeRuns()
        shaper.shapeAll(isPlain: text.isPlain)
        LineBreaks(scratch: scratch, hangul: text.options.hangul).find()
        var exact = ExactLines(shaper, limits: limits, options: text.options)
        exact.fill()
        return (exact.result, exact.ranges.map { scratch.sourceRange(of: $0) })
    }

    private init(_ shaper: Shaper, limits: LineLimits, options: ShapingOptions) {
        self.shaper = shaper
        scratch = shaper.scratch
        self.limits = limits
        shaping = BreakShaping(shaper)
        positions = Self.positions(of: shaper.scratch)
        looks = LineLimits.looks(segments: shaper.scratch.text.count)
        opportunities = LineOpportunities(shaper, options.hangul)
        cicu_breaks_set_text(
            scratch.clusterBreaks, scratch.text.withUnsafeBufferPointer { $0.baseAddress },
            Int32(scratch.text.count))
    }

    private static func positions(of scratch: TextScratch) -> [Int64] {
        var positions: [Int64] = []
        positions.reserveCapacity(scratch.text.count + 1)
        var sum: Int64 = 0
        for offset in scratch.text.indices {
            positions.append(sum)
            sum &+= Int64(scratch.glyphs.advances[offset])
        }
        positions.append(sum)
        return positions
    }

    private struct Line {
        /// The offset at which the next line begins.
        var next: Int
        var advance: Int64
        /// A Boolean value that indicates whether the line ends at no break opportunity.
        var isInsideOfWord = false
    }

    private mutating func fill() {
        var start = 0
        while start < scratch.text.count,
            !scratch.checkpoints.pass(TextCheckpoints.boundary)
        {
            guard result.count < limits.maxLines else {
                result.isTruncated = true
                return
            }
            opportunities.begin(at: start)
            let line = wholeSegments(from: start) ?? overflowing(from: start)
            result.count += 1
            ranges.append(start..<max(start, shownEnd(of: line.next, from: start)))
            result.longest = max(result.longest, line.advance)
            if line.isInsideOfWord { opportunities.breakInside(at: line.next) }
            start = line.next
        }
    }

    private func shownEnd(of next: Int, from start: Int) -> Int {
        LineSpaces.shownEnd(scratch.text, of: next, from: start)
    }

    /// Returns the longest line that ends at a break opportunity, if one fits.
    private mutating func wholeSegments(from start: Int) -> Line? {
        let reach = start == 0 ? start : shaping.nextSafe(start)
        let startChange = shaping.change(start..<reach)
        var last: Int?
        var place = 0
        while true {
            let next = opportunities[place]
            let end = shownEnd(of: next, from: start)
            looks -= 1
            scratch.checkpoints.pass(1)
            guard positions[end] - positions[start] + startChange <= limits.advance,
                looks > 0 || place == 0
            else { break }
            last = place
            if next == scratch.text.count || scratch.text[next - 1] == CollapsedText.lineFeed {
                break
            }
            place += 1
        }
        guard let last else { return nil }
        for place in stride(from: last, through: max(0, last - Self.maxRefits), by: -1) {
            let next = opportunities[place]
            let end = shownEnd(of: next, from: start)
            let advance = advance(
                start..<end, startReach: reach, startChange: startChange, endsAtSpace: end < next)
            if advance <= limits.advance { return Line(next: next, advance: advance) }
        }
        return nil
    }

    private func advance(
        _ range: Range<Int>, startReach: Int, startChange: Int64, endsAtSpace: Bool
    ) -> Int64 {
        let (start, end) = (range.lowerBound, range.upperBound)
        let endReach = endsAtSpace ? end : shaping.previousSafe(end)
        let hyphen =
            end > start && scratch.text[end - 1] == LineSpaces.softHyphen
            ? shaper.font.hyphenAdvance : 0
        if endReach < startReach { return shaper.advance(of: range) + hyphen }
        return positions[end] - positions[start] + startChange
            + shaping.change(endReach..<end) + hyphen
    }

    /// Returns the line of a word that is wider than it.
    private mutating func overflowing(from start: Int) -> Line {
        var next = opportunities[0]
        var end = shownEnd(of: next, from: start)
        guard limits.overflow == .anywhere, end > start else {
            return Line(next: next, advance: positions[end] - positions[start])
        }
        var place = 0
        // Only its hyphen is too wide: the line may end behind the soft hyphen, which then shows
        // none.
        while endsWithSoftHyphen(end, from: start), next < scratch.text.count, looks > 0 {
            place += 1
            looks -= 1
            scratch.checkpoints.pass(1)
            next = opportunities[place]
            end = shownEnd(of: next, from: start)
        }
        func line(to offset: Int, advance: Int64) -> Line {
            guard offset < end else { return Line(next: next, advance: advance) }
            let isInside = !(0..<place).contains { opportunities[$0] == offset }
            return Line(next: offset, advance: advance, isInsideOfWord: isInside)
        }
        let clusters = clusters(from: start, to: end)
        let reach = start == 0 ? start : shaping.nextSafe(start)
        let startChange = shaping.change(start..<reach)
        var limit = limits.advance
        for offset in clusters.reversed().prefix(Self.maxRefits) {
            let advance = advance(
                start..<offset, startReach: reach, startChange: startChange, endsAtSpace: false)
            if advance <= limit || offset == clusters.first {
                return line(to: offset, advance: advance)
            }
            // A hyphen that does not fit takes its advance from the line: Chromium breaks the part
            // before it, and not directly before the soft hyphen.
            if scratch.text[offset - 1] == LineSpaces.softHyphen {
                limit = limits.advance - shaper.font.hyphenAdvance
            }
        }
        let first = clusters.first ?? end
        return line(to: first, advance: positions[first] - positions[start])
    }

    /// Returns whether a part of a line ends with a soft hyphen, and fits without a hyphen.
    private func endsWithSoftHyphen(_ end: Int, from start: Int) -> Bool {
        scratch.text[end - 1] == LineSpaces.softHyphen
            && positions[end] - positions[start] <= limits.advance
    }

    /// Returns the ends of the clusters that fit after an offset, at least one.
    private mutating func clusters(from start: Int, to end: Int) -> [Int] {
        var result: [Int] = []
        var offset = start
        while offset < end {
            let following = cicu_breaks_following(
                scratch.clusterBreaks, Int32(truncatingIfNeeded: offset))
            offset = following < 0 ? end : min(Int(following), end)
            let isCluster = offset == end || scratch.glyphs.marks[offset].contains(.cluster)
            let fits = positions[offset] - positions[start] <= limits.advance
            if result.isEmpty {
                result.append(offset)
            } else if fits, isCluster {
                result.append(offset)
            }
            looks -= 1
            scratch.checkpoints.pass(TextCheckpoints.boundary)
            if !fits || looks < 0 { break }
        }
        return result
    }
}
