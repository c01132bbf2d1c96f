import Broadsheet

/// Greedy filling of lines with the segments of a text, which has to outlive it.
struct LineFilling {
    private let segments: UnsafeBufferPointer<SegmentedText.Segment>
    private let adjustments: UnsafeBufferPointer<SegmentedText.Adjustment>
    private let limits: LineLimits
    private var result = FilledLines()
    /// The number of segments that may still be looked at.
    private var looks: Int

    init(
        _ segments: UnsafeBufferPointer<SegmentedText.Segment>,
        adjustments: UnsafeBufferPointer<SegmentedText.Adjustment>, limits: LineLimits
    ) {
        self.segments = segments
        self.adjustments = adjustments
        self.limits = limits
        looks = LineLimits.looks(segments: segments.count)
    }

    /// The number of segments that are looked at between two checkpoints (``LongWork``).
    private static let checkpointInterval = 65_536

    private struct Line {
        /// The place of the segment after the last one.
        var end: Int
        var advance: Int64
    }

    /// Returns the lines, or `nil` if a line cannot be filled with whole segments.
    ///
    /// - Complexity: O(segments), without allocations.
    mutating func lines() -> FilledLines? {
        var start = 0
        var nextCheckpoint = looks - Self.checkpointInterval
        while start < segments.count {
            if looks < nextCheckpoint {
                nextCheckpoint = looks - Self.checkpointInterval
                if LongWork.isAbandoned() { break }
            }
            guard result.count < limits.maxLines else {
                result.isTruncated = true
                break
            }
            guard let line = fill(from: start) else { return nil }
            result.count += 1
            result.longest = max(result.longest, line.advance)
            start = line.end
        }
        return result
    }

    /// Returns the line that begins with a segment, or `nil` if it needs to be shaped again.
    @inline(__always)
    private mutating func fill(from start: Int) -> Line? {
        var advance: Int64 = 0
        var safeAfter = 0
        if segments[start].flags.contains(.adjustsStart) {
            let adjustment = adjustment(of: start)
            advance = Int64(adjustment.start)
            safeAfter = Int(adjustment.safeAfter)
        }
        var best: Line?
        var index = start
        while index < segments.count {
            let segment = segments[index]
            advance &+= segment.advance
            looks &-= 1
            guard advance <= limits.advance, looks > 0 || index == start else { break }
            if segment.flags.isDisjoint(with: .adjustsEnd) {
                guard segment.end >= safeAfter else { return nil }
                best = Line(end: index + 1, advance: advance)
            } else {
                let adjustment = adjustment(of: index)
                guard segment.end - Int(adjustment.reachFromEnd) >= safeAfter else { return nil }
                let adjusted = advance &+ Int64(adjustment.end)
                if adjusted <= limits.advance { best = Line(end: index + 1, advance: adjusted) }
            }
            if segment.flags.contains(.breaks) { return best }
            advance &+= Int64(segment.trailing)
            index += 1
        }
        if best == nil, limits.overflow == .clip {
            return Line(end: start + 1, advance: segments[start].advance)
        }
        return best
    }

    private func adjustment(of segment: Int) -> SegmentedText.Adjustment {
        var lower = 0
        var upper = adjustments.count
        while lower < upper {
            let middle = (lower + upper) / 2
            if adjustments[middle].segment < Int32(segment) {
                lower = middle + 1
            } else {
                upper = middle
            }
        }
        return adjustments[lower]
    }
}

/// A space in the units of advances.
struct LineLimits: Hashable {
    let advance: Int64
    let maxLines: Int
    let overflow: TextRequest.Overflow
    private let scale: Double

    /// Widths are compared in 1/64 of a point, as LayoutUnit in Chromium: a line fits when its
    /// advance, rounded down to that, does.
    private static let steps = 64.0

    /// Returns the number of segments that may be looked at while the lines of a text are filled.
    ///
    /// Usual texts need one or two looks a segment. Where segments without a width do not fit,
    /// since their hyphens do not, each line would look at all of the rest: behind this number, a
    /// line that does not take its first segments takes one.
    static func looks(segments: Int) -> Int { 65_536 + 64 * segments }

    init(_ request: TextRequest) {
        maxLines = max(0, request.maxLines ?? .max)
        overflow = request.overflow
        scale = request.textScale > 0 && request.textScale.isFinite ? request.textScale : 1
        let width =
            (request.width.isNaN ? 0 : max(0, request.width) * Self.steps).rounded(.down) + 1
        // The advance has to be below `width` steps.
        let unitsPerStep = Double(OpenFont.unitsPerPoint) / Self.steps / scale
        let bound = width * unitsPerStep
        advance = bound < 0x1p62 ? Int64(bound.rounded(.up)) - 1 : 1 << 62
    }

    func measurement(_ lines: FilledLines) -> TextMeasurement {
        TextMeasurement(
            lines: lines.count,
            longestLine: max(0, Double(lines.longest)) / Double(OpenFont.unitsPerPoint) * scale,
            isTruncated: lines.isTruncated)
    }
}
