/// A binary search for the spans that can overlap another, of many that are roughly in order (rule
/// V5).
///
/// Spans need not be in order nor apart. The search uses the greatest end up to each index and the
/// least start from each index on, neither of which ever decreases. The further the spans are out
/// of order, the more of them are candidates; none that overlaps is ever omitted.
package struct RunningBounds: Sendable {
    private var greatestEnds: [Double] = []
    private var leastStarts: [Double]

    /// Creates the bounds of spans from their starts and ends, in points.
    ///
    /// - Complexity: O(count).
    package init(starts: [Double], ends: [Double]) {
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

    /// Returns the indexes of all spans that can touch or overlap `low...high`.
    ///
    /// - Complexity: O(log count).
    package func candidates(_ low: Double, _ high: Double) -> Range<Int> {
        let first = Self.firstIndex(of: greatestEnds) { $0 >= low }
        let end = Self.firstIndex(of: leastStarts) { $0 > high }
        return first..<max(first, end)
    }

    /// Returns the index of the first number that is beyond a bound; none before it is.
    private static func firstIndex(
        of numbers: [Double], where isBeyond: (Double) -> Bool
    ) -> Int {
        var range = 0..<numbers.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                isBeyond(numbers[middle])
                ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
