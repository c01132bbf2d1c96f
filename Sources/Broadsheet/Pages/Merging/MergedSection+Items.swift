/// Finding items by their index, without walking past those before them.
extension MergedSection {
    /// The part that has the item at `index`; nil without such an item.
    ///
    /// O(log parts).
    func partIndex(ofItem index: Int) -> Int? {
        guard 0..<itemCount ~= index else { return nil }
        // Parts have at least one item each, so that their starts ascend strictly.
        return partStarts.partitioningIndex { $0 > index } - 1
    }

    /// The suffixes of the item at `index` and of those behind it.
    ///
    /// O(log suffixes).
    func suffixes(fromItem index: Int) -> ArraySlice<ItemSuffix> {
        suffixes[suffixes.partitioningIndex { $0.item >= index }...]
    }

    /// Calls `body` with the items at `run`, page by page.
    ///
    /// O(log parts + parts in the run).
    func forEachPage(
        of run: Range<Int>, _ body: (ResolvedPage, ArraySlice<CellInfo>) -> Void
    ) {
        let run = run.clamped(to: 0..<itemCount)
        guard !run.isEmpty, let first = partIndex(ofItem: run.lowerBound) else { return }
        for index in first..<parts.count {
            guard partStarts[index] < run.upperBound else { return }
            let part = parts[index]
            let items = partStarts[index]..<partStarts[index] + part.cells.count
            let shown = run.clamped(to: items)
            let offset = part.cells.startIndex - items.lowerBound
            body(
                part.page, part.cells[shown.lowerBound + offset..<shown.upperBound + offset])
        }
    }
}
