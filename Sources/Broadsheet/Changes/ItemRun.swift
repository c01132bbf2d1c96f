/// Consecutive items of a section of the new tree that were consecutive in the earlier one, too.
struct ItemRun: Sendable, Hashable {
    var oldSection: Int32
    /// The first item in the section of the earlier tree.
    var old: Int32
    /// The first item in the section of the new tree.
    var new: Int32
    var count: Int32
    /// A Boolean value that indicates whether a member other than the frame and the separator
    /// differs in each of the items.
    var isReloaded: Bool
    /// A Boolean value that indicates whether the items do not keep their order, or come from
    /// another section.
    var isMoved = false

    var newItems: Range<Int> { Int(new)..<Int(new) + Int(count) }
}

extension [ItemRun] {
    /// Appends a run, and joins it to the last one if it continues that.
    @inline(__always)
    mutating func add(_ run: ItemRun) {
        if let last = self.last, last.old + last.count == run.old, last.new + last.count == run.new,
            last.isReloaded == run.isReloaded, last.oldSection == run.oldSection,
            last.isMoved == run.isMoved
        {
            self[count - 1].count += run.count
        } else {
            append(run)
        }
    }

    /// Marks the runs that have to move, so that as few items as possible do; all runs are of one
    /// section of the earlier tree, in the order of the new one.
    ///
    /// - Complexity: O(runs) if all keep their order, otherwise O(runs * log runs).
    mutating func markMoves() {
        let isAscending = zip(self, dropFirst()).allSatisfy { $0.old < $1.old }
        if isAscending { return }
        let kept = LongestIncreasingSubsequence.indices(
            of: map { (value: $0.old, weight: Int($0.count)) })
        var next = kept.startIndex
        for index in indices {
            if next < kept.endIndex, kept[next] == index {
                next += 1
            } else {
                self[index].isMoved = true
            }
        }
    }
}

/// The heaviest increasing subsequence of a sequence of different values.
enum LongestIncreasingSubsequence {
    /// Returns the indices, ascending, of the increasing subsequence with the greatest weight.
    ///
    /// - Complexity: O(n * log n).
    static func indices(of elements: [(value: Int32, weight: Int)]) -> [Int] {
        var ranks = [Int](repeating: 0, count: elements.count)
        let byValue = elements.indices.sorted { elements[$0].value < elements[$1].value }
        for (rank, index) in byValue.enumerated() { ranks[index] = rank }
        // A binary indexed tree: the heaviest subsequence so far that ends at or below a rank.
        var tree = [(weight: Int, end: Int)](repeating: (0, -1), count: elements.count + 1)
        var previous = [Int](repeating: -1, count: elements.count)
        var best = (weight: 0, end: -1)
        for (index, element) in elements.enumerated() {
            var before = (weight: 0, end: -1)
            var slot = ranks[index]
            while slot > 0 {
                if tree[slot].weight > before.weight { before = tree[slot] }
                slot &= slot - 1
            }
            previous[index] = before.end
            let weight = before.weight + element.weight
            if weight > best.weight { best = (weight, index) }
            slot = ranks[index] + 1
            while slot < tree.count {
                if weight > tree[slot].weight { tree[slot] = (weight, index) }
                slot += slot & -slot
            }
        }
        var indices: [Int] = []
        var end = best.end
        while end >= 0 {
            indices.append(end)
            end = previous[end]
        }
        return indices.reversed()
    }
}
