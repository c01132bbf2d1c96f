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
        _ adjustments: UnsafeBufferPointer<SegmentedText.Adjustment>, _ limits: LineLimits
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
