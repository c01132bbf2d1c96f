extension CellKind {
    /// The size in points of an item whose inputs begin at `inputs` in `page`, as the cell gives it.
    func size(_ request: SizeRequest, inputs: UInt32, in page: ResolvedPage) -> Size {
        switch sizing {
        case .byLayout:
            return request.fallback
        case .byRules(let rules):
            return rules.size(request, inputs: page.inputs, from: Int(inputs))
        case .byCode(let type):
            guard let data = page.document?.value(at: inputs) else { return request.fallback }
            return type.size(with: data, constrainedTo: request.container) ?? request.fallback
        }
    }
}

extension CellKind {
    /// Appends the sizes of `cells`, all of this type; neighbours of the same inputs share theirs.
    ///
    /// O(cells).
    func appendSizes(
        of cells: ArraySlice<CellInfo>, _ request: SizeRequest, in page: ResolvedPage,
        to sizes: inout [Size]
    ) {
        var size = Size.zero
        var inputs: UInt32?
        switch sizing {
        case .byRules(let rules):
            var scope = SizeScope(length: 0, width: 0, inputs: page.inputs, start: 0)
            for cell in cells {
                if cell.inputs != inputs {
                    scope.start = Int(cell.inputs)
                    size = rules.size(request, in: &scope)
                    inputs = cell.inputs
                }
                sizes.append(size)
            }
        case .byLayout, .byCode:
            for cell in cells {
                if cell.inputs != inputs {
                    size = self.size(request, inputs: cell.inputs, in: page)
                    inputs = cell.inputs
                }
                sizes.append(size)
            }
        }
    }
}
