/// Finds by binary search which of many spans, roughly in order, can overlap another one (rule V5).
///
/// Spans need not be in order, nor apart: what is searched are the greatest end so far and the least
/// start from here on, and both of those never fall. The further out of order the spans are, the
/// more of them are candidates; none that overlaps is ever left out.
struct RunningBounds: Sendable {
    private var greatestEnds: [Double] = []
    private var leastStarts: [Double]

    /// The bounds of spans given by their starts and ends, in points.
    ///
    /// O(count).
    init(starts: [Double], ends: [Double]) {
        greatestEnds.reserveCapacity(ends.count)
        var greatest = -Double.infinity
        for end in ends {
            greatest = max(greatest, end)
            greatestEnds.append(greatest)
        }
        leastStarts = starts
        var least = Double.infinity
        for index in starts.indices.reversed() {
            least = min(least, starts[index])
            leastStarts[index] = least
        }
    }

    /// The indexes of all spans that can touch or overlap `low...high`.
    ///
    /// O(log count).
    func candidates(_ low: Double, _ high: Double) -> Range<Int> {
        let first = greatestEnds.partitioningIndex { $0 >= low }
        let end = leastStarts.partitioningIndex { $0 > high }
        return first..<max(first, end)
    }
}
