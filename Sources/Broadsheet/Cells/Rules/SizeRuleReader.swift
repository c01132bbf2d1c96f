/// Reads the rules of one size and gathers what they need of a cell's data.
///
/// It stops at the limit on rules, which also bounds how deep it goes.
struct SizeRuleReader {
    /// What the rules read so far need of a cell's data, each once.
    private(set) var inputs: [SizeInput] = []
    /// Whether there were more rules than the limit.
    var isOverfull: Bool { count > limits.maxRules }

    private var count = 0
    private let limits: CatalogLimits

    init(_ limits: CatalogLimits) {
        self.limits = limits
    }

    /// The members by which a rule is known; `min` and `max` alone make a clamp that lacks its `of`.
    private enum Form: String, CaseIterable {
        case fraction, ratio, value, stack
        case choice = "switch"
        case clamp = "of"
    }

    /// Reads the rule at the findings' path, for a length along `axis`; nil when it is none.
    mutating func rule(
        _ value: JSONValue, _ axis: Axis, _ findings: inout Findings
    ) -> SizeRule? {
        count += 1
        if isOverfull { return nil }
        if let points = value.double { return .points(Length.sanitised(points)) }
        guard let form = form(of: value, &findings), let members = Members(value, &findings) else {
            return nil
        }
        if axis == .horizontal, form == .ratio || form == .stack {
            _ = members.read(form.rawValue, &findings) { value, findings -> Void? in
                findings.report("is for heights only", at: value)
            }
            return nil
        }
        switch form {
        case .fraction: return members.length("fraction", &findings).map(SizeRule.fraction)
        case .ratio: return members.length("ratio", &findings).map(SizeRule.ratio)
        case .value: return posted(members, &findings)
        case .stack: return stack(members, axis, &findings)
        case .choice: return choice(members, axis, &findings)
        case .clamp: return clamp(members, axis, &findings)
        }
    }

    /// Which rule an object is; reports one that is none, or several.
    private func form(of value: JSONValue, _ findings: inout Findings) -> Form? {
        let isThere = { (name: String) in value[name].map { !$0.isNull } == true }
        let forms = Form.allCases.filter { isThere($0.rawValue) }
        if forms.count > 1 {
            let names = forms.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
            findings.report("must be one rule, not \(names)", at: value)
            return nil
        }
        if let form = forms.first { return form }
        if isThere("min") || isThere("max") { return .clamp }
        let names = Form.allCases.map(\.rawValue).alternatives
        return value.expecting("a number or an object with \(names)", nil, &findings)
    }

    private mutating func posted(_ members: Members, _ findings: inout Findings) -> SizeRule? {
        let pointer = members.pointer("value", &findings)
        let fallback = members.length("default", &findings) ?? 0
        return pointer.map { .input(input($0, .number(default: fallback))) }
    }

    private mutating func stack(
        _ members: Members, _ axis: Axis, _ findings: inout Findings
    ) -> SizeRule? {
        let parts: [SizeRule]? = members.read("stack", &findings) { value, findings in
            guard value.kind == .array else {
                return value.expecting("an array of rules", nil, &findings)
            }
            var parts: [SizeRule] = []
            for (index, element) in value.elements.enumerated() where !isOverfull {
                findings.path.descend(to: index)
                if let part = rule(element, axis, &findings) { parts.append(part) }
                findings.path.ascend()
            }
            return parts
        }
        let spacing = members.length("spacing", &findings) ?? 0
        let padding = members.insets("padding", &findings) ?? .zero
        return parts.map { .stack($0, spacing: spacing, padding: padding) }
    }

    private mutating func choice(
        _ members: Members, _ axis: Axis, _ findings: inout Findings
    ) -> SizeRule? {
        let pointer = members.pointer("switch", &findings)
        var names: [String] = []
        var cases: [SizeRule] = []
        let table: Void? = members.required("cases", &findings) { value, findings in
            guard let table = Members(value, &findings) else { return nil }
            for entry in table.entries where !isOverfull {
                findings.path.descend(to: entry.name)
                cases.append(rule(entry.value, axis, &findings) ?? .points(0))
                findings.path.ascend()
                names.append(entry.name)
            }
        }
        let otherwise = members.read("default", &findings) { rule($0, axis, &$1) }
        guard let pointer, table != nil else { return nil }
        let index = input(pointer, .choice(cases: names))
        return .choice(input: index, cases: cases + [otherwise ?? .points(0)])
    }

    private mutating func clamp(
        _ members: Members, _ axis: Axis, _ findings: inout Findings
    ) -> SizeRule? {
        let lower = members.read("min", &findings) { rule($0, axis, &$1) }
        let upper = members.read("max", &findings) { rule($0, axis, &$1) }
        let inner = members.required("of", &findings) { rule($0, axis, &$1) }
        return inner.map { .clamp(lower: lower, upper: upper, of: $0) }
    }

    /// The index of an input among those of the size; equal ones are read once.
    private mutating func input(_ pointer: JSONPointer, _ source: SizeInput.Source) -> Int {
        let input = SizeInput(pointer: pointer, source: source)
        if let index = inputs.firstIndex(of: input) { return index }
        inputs.append(input)
        return inputs.count - 1
    }
}
