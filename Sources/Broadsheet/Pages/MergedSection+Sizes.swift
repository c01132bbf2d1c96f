extension MergedSection: SectionContent {
    package var isCollapsed: Bool { collapsed }

    package var hasHeader: Bool { header != nil }

    package var hasFooter: Bool { footer != nil }

    package func headerSize(_ request: SizeRequest) -> Size {
        header?.size(request) ?? .zero
    }

    package func footerSize(_ request: SizeRequest) -> Size {
        footer?.size(request) ?? .zero
    }

    package func itemSizes(_ request: SizeRequest) -> [Size] {
        var sizes: [Size] = []
        sizes.reserveCapacity(itemCount)
        for part in parts { part.appendSizes(request, to: &sizes) }
        return sizes
    }

    /// Returns the size of every item when all have one type whose rules need no data, or `nil`.
    ///
    /// - Complexity: O(parts).
    package func uniformItemSize(_ request: SizeRequest) -> Size? {
        guard let first = parts.first, let cell = first.cells.first,
            let kind = first.uniformKind, !kind.dependsOnData,
            parts.allSatisfy({ $0.uniformKind === kind })
        else { return nil }
        return first.size(of: cell, request)
    }
}

extension MergedView {
    func size(_ request: SizeRequest) -> Size {
        page.kinds[info.kind].size(request, inputs: info.inputs, in: page)
    }
}

extension MergedSection.Part {
    func size(of cell: CellInfo, _ request: SizeRequest) -> Size {
        page.kinds[cell.kind].size(request, inputs: cell.inputs, in: page)
    }

    /// Appends the size of each item; a size that needs no data is computed once for its type.
    ///
    /// - Complexity: O(items).
    func appendSizes(_ request: SizeRequest, to sizes: inout [Size]) {
        var known: [Int: Size] = [:]
        var rest = cells
        while let first = rest.first {
            let run = rest.prefix { $0.kind == first.kind }
            rest = rest.dropFirst(run.count)
            let kind = page.kinds[first.kind]
            if kind.dependsOnData {
                kind.appendSizes(of: run, request, in: page, to: &sizes)
            } else {
                let size = known[first.kind] ?? size(of: first, request)
                known[first.kind] = size
                sizes.append(contentsOf: repeatElement(size, count: run.count))
            }
        }
    }
}
