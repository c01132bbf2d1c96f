import BroadsheetCollections

/// A search for overlapping items among the frames of a section.
///
/// Any two items may overlap: with negative spacings a line or group can reach far beyond its
/// neighbours. The search therefore sweeps over all items along the main axis.
struct OverlapSearch {
    private let items: ChunkedList<Frame>
    private let main: ScreenAxis

    /// Creates a search of items in order, neither mirrored nor rounded, in a screen that scrolls
    /// along `axis`.
    init(_ items: ChunkedList<Frame>, axis: ScreenAxis) {
        self.items = items
        main = axis
    }

    /// The index of the first item that overlaps an earlier one, or `nil` if none does.
    ///
    /// Overlaps are usually near the start, so prefixes of growing length are searched.
    ///
    /// - Complexity: O(items · log items) without an overlap.
    var first: Int? {
        var (clear, count) = (0, min(64, items.count))
        while true {
            if let later = overlap(inFirst: count) { return first(after: clear, upTo: later) }
            guard count < items.count else { return nil }
            clear = count
            count = min(4 * count, items.count)
        }
    }

    /// Returns the index of the first item that overlaps an earlier one.
    ///
    /// - Parameters:
    ///   - clear: A number of items, from the first one on, of which none overlap.
    ///   - later: The index of an item that overlaps an earlier one.
    private func first(after clear: Int, upTo later: Int) -> Int {
        var (clear, later) = (clear, later)
        while clear < later {
            let middle = (clear + later + 1) / 2
            if let found = overlap(inFirst: middle) { later = found } else { clear = middle }
        }
        return later
    }

    /// Returns the index of the later of two overlapping items among the first `count`, or `nil` if
    /// none overlap.
    private func overlap(inFirst count: Int) -> Int? {
        // An item that is not longer than the tolerance overlaps nothing.
        var order = (0..<count).filter {
            items[$0].width > FitTest.tolerance && items[$0].height > FitTest.tolerance
        }
        order.sort { items[$0].start(main) < items[$1].start(main) }
        var sweep = Sweep(items, main)
        for item in order {
            if let other = sweep.add(item) { return max(item, other) }
        }
        return nil
    }
}

/// The items at one position of a sweep along the main axis, none of which overlap.
private struct Sweep {
    private let items: ChunkedList<Frame>
    private let main: ScreenAxis
    /// The current items by their start along the cross axis; some may have ended already.
    private var current: [Int] = []

    init(_ items: ChunkedList<Frame>, _ main: ScreenAxis) {
        self.items = items
        self.main = main
    }

    /// Adds an item that starts no earlier than those added before, and returns a current item that
    /// overlaps it, or `nil`.
    ///
    /// Current items are apart along the cross axis, so that only the neighbours can overlap it.
    mutating func add(_ item: Int) -> Int? {
        let start = items[item].start(main.cross)
        var index = current.partitioningIndex { items[$0].start(main.cross) >= start }
        while index > 0, hasEnded(current[index - 1], before: item) {
            index -= 1
            current.remove(at: index)
        }
        while index < current.count, hasEnded(current[index], before: item) {
            current.remove(at: index)
        }
        if index > 0, depth(current[index - 1], item, main.cross) > FitTest.tolerance {
            return current[index - 1]
        }
        if index < current.count, depth(current[index], item, main.cross) > FitTest.tolerance {
            return current[index]
        }
        current.insert(item, at: index)
        return nil
    }

    private func hasEnded(_ one: Int, before other: Int) -> Bool {
        depth(one, other, main) <= FitTest.tolerance
    }

    private func depth(_ one: Int, _ other: Int, _ axis: ScreenAxis) -> Double {
        min(items[one].end(axis), items[other].end(axis))
            - max(items[one].start(axis), items[other].start(axis))
    }
}
