/// The sizes and the spans of the items of a part.
extension MergedSection.Part {
    func size(of cell: CellInfo, _ request: SizeRequest) -> Size {
        page.kinds[cell.kind].size(request, inputs: cell.inputs, in: page)
    }

    /// Adds the spans of the items to those of the section's items from an index on, of which
    /// items behind the last one that spans several columns have none.
    ///
    /// - Complexity: O(items).
    func appendSpans(fromItem first: Int, to spans: inout [ItemSpan]) {
        let (page, cells) = (page, cells)
        for index in cells.indices.dropFirst(max(0, first - start)) {
            let span = page.span(of: cells[index], at: index)
            guard span != .one else { continue }
            let item = start + index - cells.startIndex - first
            spans.append(contentsOf: repeatElement(.one, count: item - spans.count))
            spans.append(span)
        }
    }

    /// Appends the size of each item from an index on, at most `count`; a size that needs no data
    /// is computed once for its type.
    ///
    /// - Complexity: O(items).
    func appendSizes(
        _ request: SizeRequest, from first: Int = 0, count: Int = .max,
        to items: inout MeasuredItems
    ) {
        var known: [Int: Size] = [:]
        var rest = cells.dropFirst(first).prefix(count)
        while let first = rest.first {
            let run = rest.prefix { $0.kind == first.kind }
            rest = rest.dropFirst(run.count)
            let kind = page.kinds[first.kind]
            if kind.dependsOnData {
                kind.appendSizes(of: run, request, in: page, to: &items)
            } else {
                let size = known[first.kind] ?? size(of: first, request)
                if !rest.isEmpty { known[first.kind] = size }
                items.sizes.append(contentsOf: repeatElement(size, count: run.count))
            }
        }
    }
}
