extension SizeRules {
    /// Reads a cell type's `size`; what does not fit goes to `collector`.
    ///
    /// O(bytes).
    init(_ members: Members, _ limits: CatalogLimits, _ collector: inout ViolationCollector) {
        var reader = SizeRuleReader(limits)
        width = members.read("width", &collector) { reader.rule($0, .horizontal, &$1) }
        height = members.read("height", &collector) { reader.rule($0, .vertical, &$1) }
        inputs = reader.inputs
        if reader.isOverfull {
            collector.report(
                "has more than \(limits.maxRules) rules, the nested ones included",
                at: members.object)
        }
        if inputs.count > limits.maxInputs {
            collector.report(
                "reads \(inputs.count) values of a cell's data, of which a size may read at most "
                    + "\(limits.maxInputs)", at: members.object)
        }
    }
}
