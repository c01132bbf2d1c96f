extension CellKind {
    /// The size in points of an item whose inputs begin at `inputs` in `page`, as the cell gives it.
    func size(_ request: SizeRequest, inputs: UInt32, in page: ResolvedPage) -> Size {
        switch sizing {
        case .byLayout:
            return request.fallback
        case .byRules(let rules):
            return rules.size(request, inputs: page.inputs(from: inputs, count: rules.inputs.count))
        case .byCode(let type):
            guard let data = page.document?.value(at: inputs) else { return request.fallback }
            return type.size(with: data, constrainedTo: request.container) ?? request.fallback
        }
    }
}

extension ResolvedPage {
    /// An item's numbers; fewer when there are not as many.
    fileprivate func inputs(from start: UInt32, count: Int) -> ArraySlice<Double> {
        inputs[Swift.min(Int(start), inputs.count)...].prefix(count)
    }
}
