/// A search for overlapping items, in one pass over a section's frames.
///
/// Items fill lines along the cross axis, and lines follow each other along the main axis. An item
/// therefore overlaps its neighbour or an item of the previous line first, and only those pairs are
/// compared.
struct OverlapSearch {
    private let items: [Frame]
    private let main: Axis

    /// Creates a search of items in order, neither mirrored nor rounded, in a screen that scrolls
    /// along `axis`.
    init(_ items: [Frame], axis: Axis) {
        self.items = items
        main = axis
    }

    /// The index of the first item that overlaps an earlier one, or `nil` if none does.
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

    /// Returns the end of a line, in which each item starts further along the cross axis than the
    /// one before it.
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

    /// Compares two lines by advancing in each from the item that ends first.
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

    /// Returns the length of the overlap of two items along `axis`, in points.
    private func depth(_ one: Int, _ other: Int, _ axis: Axis) -> Double {
        min(items[one].end(axis), items[other].end(axis))
            - max(items[one].start(axis), items[other].start(axis))
    }
}
