extension SizeRules {
    /// Reads a cell type's `size`; what does not fit goes to `findings`.
    ///
    /// O(bytes).
    init(_ members: Members, _ limits: CatalogLimits, _ findings: inout Findings) {
        var reader = SizeRuleReader(limits)
        width = members.read("width", &findings) { reader.rule($0, .horizontal, &$1) }
        height = members.read("height", &findings) { reader.rule($0, .vertical, &$1) }
        inputs = reader.inputs
        if reader.isOverfull {
            findings.report(
                "has more than \(limits.maxRules) rules, the nested ones included",
                at: members.object)
        }
        if inputs.count > limits.maxInputs {
            findings.report(
                "reads \(inputs.count) values of a cell's data, of which a size may read at most "
                    + "\(limits.maxInputs)", at: members.object)
        }
    }
}
