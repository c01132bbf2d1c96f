/// Finds items that lie over each other, in one pass over a section's frames.
///
/// Items fill lines across and lines follow each other along main, so that whatever overlaps does
/// so with its neighbour, or with an item of the line before. Only those pairs are looked at.
struct OverlapSearch {
    private let items: [Frame]
    private let main: Axis

    /// The search of items in order, neither mirrored nor rounded, on a screen scrolling along
    /// `axis`.
    init(_ items: [Frame], axis: Axis) {
        self.items = items
        main = axis
    }

    /// The first item found to lie over one before it; nil when there is none.
    var first: Int? {
        var previous = 0..<0
        var start = 0
        while start < items.count {
            let line = start..<endOfLine(from: start)
            if let item = overlapInLine(line) ?? overlap(of: line, with: previous) { return item }
            previous = line
            start = line.upperBound
        }
        return nil
    }

    /// A line goes on as long as each item starts further across than the one before it.
    private func endOfLine(from start: Int) -> Int {
        var end = start + 1
        while end < items.count, items[end].start(main.cross) > items[end - 1].start(main.cross) {
            end += 1
        }
        return end
    }

    private func overlapInLine(_ line: Range<Int>) -> Int? {
        line.dropFirst().first { overlaps($0 - 1, $0) }
    }

    /// Both lines are walked across together, always on from the item that ends first.
    private func overlap(of line: Range<Int>, with previous: Range<Int>) -> Int? {
        var (earlier, later) = (previous.lowerBound, line.lowerBound)
        while earlier < previous.upperBound, later < line.upperBound {
            if overlaps(earlier, later) { return later }
            if items[earlier].end(main.cross) < items[later].end(main.cross) {
                earlier += 1
            } else {
                later += 1
            }
        }
        return nil
    }

    private func overlaps(_ one: Int, _ other: Int) -> Bool {
        depth(one, other, .horizontal) > FitTest.tolerance
            && depth(one, other, .vertical) > FitTest.tolerance
    }

    /// How far two items reach into each other on `axis`, in points.
    private func depth(_ one: Int, _ other: Int, _ axis: Axis) -> Double {
        min(items[one].end(axis), items[other].end(axis))
            - max(items[one].start(axis), items[other].start(axis))
    }
}
