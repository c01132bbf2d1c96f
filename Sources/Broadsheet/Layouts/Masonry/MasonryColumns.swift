/// The columns of masonry, of which each is filled by itself (rules M2 to M4).
struct MasonryColumns: Sendable {
    /// The end of each column, in points from the first item's start.
    private var ends: [PreciseSum]
    /// The column behind the previous item.
    private var next = 0
    private let placement: MasonryPlacement

    /// The largest number of columns (M1).
    static let maxCount = 64
    /// The length in points by which a place may be behind another one that it is preferred to.
    private static let tolerance = 0.001

    static let maxByteCount = maxCount * MemoryLayout<PreciseSum>.stride

    /// Creates empty columns, at least one.
    init(count: Int, _ placement: MasonryPlacement) {
        ends = Array(repeating: PreciseSum(), count: count)
        self.placement = placement
    }

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - span: The number of columns that it spans, at most all.
    ///   - length: Its main length, in points.
    ///   - spacing: The space behind it, in points.
    /// - Returns: Its first column, and its start and its end in points.
    /// - Complexity: O(columns).
    mutating func add(
        spanning span: Int, length: Double, spacing: Double
    ) -> (column: Int, start: Double, end: Double) {
        let (column, last) = place(spanning: span)
        var end = ends[last]
        let start = end.value
        end += length
        let position = end.value
        end += spacing
        for index in column..<column + span { ends[index] = end }
        next = column + span
        return (column, start, position)
    }

    /// Returns the first column of an item, and the one of its columns that ends last (M4).
    private func place(spanning span: Int) -> (column: Int, last: Int) {
        switch placement {
        case .inOrder:
            let column = next + span <= ends.count ? next : 0
            return (column, greatest(in: column..<column + span))
        case .shortest:
            return span == 1 ? shortest : shortest(spanning: span)
        }
    }

    private var shortest: (column: Int, last: Int) {
        var least = Double.infinity
        for end in ends { least = min(least, end.value) }
        let column = ends.firstIndex { $0.value <= least + Self.tolerance } ?? 0
        return (column, column)
    }

    /// Returns the first of the places whose greatest end is the least.
    ///
    /// The candidates for the greatest end of a place are kept in descending order, so that each
    /// column is added and removed once.
    private func shortest(spanning span: Int) -> (column: Int, last: Int) {
        var greatest: [Int] = []
        var candidates: [Int] = []
        var first = 0
        var least = Double.infinity
        for index in ends.indices {
            while candidates.count > first,
                let last = candidates.last, ends[last].value <= ends[index].value
            {
                candidates.removeLast()
            }
            candidates.append(index)
            guard index >= span - 1 else { continue }
            if candidates[first] <= index - span { first += 1 }
            greatest.append(candidates[first])
            least = min(least, ends[candidates[first]].value)
        }
        let column = greatest.firstIndex { ends[$0].value <= least + Self.tolerance } ?? 0
        return (column, greatest[column])
    }

    private func greatest(in columns: Range<Int>) -> Int {
        var greatest = columns.lowerBound
        for index in columns where ends[index].value > ends[greatest].value { greatest = index }
        return greatest
    }
}
