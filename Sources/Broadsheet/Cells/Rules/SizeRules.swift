/// Both lengths of a cell type as a catalog gives them, and what they need of a cell's data.
struct SizeRules: Sendable, Hashable {
    /// The width; nil when the catalog leaves it to the layout.
    var width: SizeRule?
    /// The height; nil when the catalog leaves it to the layout.
    var height: SizeRule?
    /// What the rules read of a cell's data, each once, in the order that rules refer to them by.
    var inputs: [SizeInput]

    /// The size in points that the rules answer `request` with, no length negative.
    ///
    /// - Parameters:
    ///   - inputs: The numbers of a page's cells.
    ///   - start: Where among them the cell's begin, in the order of `self.inputs`.
    func size(_ request: SizeRequest, inputs: [Double], from start: Int) -> Size {
        var scope = SizeScope(length: 0, width: 0, inputs: inputs, start: start)
        return size(request, in: &scope)
    }

    /// The same for a cell whose numbers `scope` holds; the scope's lengths are set here.
    ///
    /// Sizing many cells in one scope retains nothing for each.
    func size(_ request: SizeRequest, in scope: inout SizeScope) -> Size {
        let room = request.container.available
        scope.length = room.width
        scope.width = 0
        let cross = request.container.axis.cross
        func length(_ axis: Axis, _ rule: SizeRule?) -> Double {
            if cross == axis, let fixed = request.fixedCross { return fixed }
            guard let rule else { return request.absent[axis] }
            return max(0, rule.length(in: scope))
        }
        let width = length(.horizontal, width)
        scope.length = room.height
        scope.width = width
        return Size(width: width, height: length(.vertical, height))
    }
}
