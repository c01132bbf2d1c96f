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

    /// Reads the rule at the collector' path, for a length along `axis`; nil when it is none.
    mutating func rule(
        _ value: JSONValue, _ axis: Axis, _ collector: inout ViolationCollector
    ) -> SizeRule? {
        count += 1
        if isOverfull { return nil }
        if let points = value.double { return .points(Length.sanitised(points)) }
        guard let form = form(of: value, &collector), let members = Members(value, &collector) else {
            return nil
        }
        if axis == .horizontal, form == .ratio || form == .stack {
            _ = members.read(form.rawValue, &collector) { value, collector -> Void? in
                collector.report("is for heights only", at: value)
            }
            return nil
        }
        switch form {
        case .fraction: return members.length("fraction", &collector).map(SizeRule.fraction)
        case .ratio: return members.length("ratio", &collector).map(SizeRule.ratio)
        case .value: return posted(members, &collector)
        case .stack: return stack(members, axis, &collector)
        case .choice: return choice(members, axis, &collector)
        case .clamp: return clamp(members, axis, &collector)
        }
    }

    /// Which rule an object is; reports one that is none, or several.
    private func form(of value: JSONValue, _ collector: inout ViolationCollector) -> Form? {
        let isThere = { (name: String) in value[name].map { !$0.isNull } == true }
        let forms = Form.allCases.filter { isThere($0.rawValue) }
        if forms.count > 1 {
            let names = forms.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
            collector.report("must be one rule, not \(names)", at: value)
            return nil
        }
        if let form = forms.first { return form }
        if isThere("min") || isThere("max") { return .clamp }
        let names = Form.allCases.map(\.rawValue).alternatives
        return value.expecting("a number or an object with \(names)", nil, &collector)
    }

    private mutating func posted(_ members: Members, _ collector: inout ViolationCollector) -> SizeRule? {
        let pointer = members.pointer("value", &collector)
        let fallback = members.length("default", &collector) ?? 0
        return pointer.map { .input(input($0, .number(default: fallback))) }
    }

    private mutating func stack(
        _ members: Members, _ axis: Axis, _ collector: inout ViolationCollector
    ) -> SizeRule? {
        let parts: [SizeRule]? = members.read("stack", &collector) { value, collector in
            guard value.kind == .array else {
                return value.expecting("an array of rules", nil, &collector)
            }
            var parts: [SizeRule] = []
            for (index, element) in value.elements.enumerated() where !isOverfull {
                collector.path.descend(to: index)
                if let part = rule(element, axis, &collector) { parts.append(part) }
                collector.path.ascend()
            }
            return parts
        }
        let spacing = members.length("spacing", &collector) ?? 0
        let padding = members.insets("padding", &collector) ?? .zero
        return parts.map { .stack($0, spacing: spacing, padding: padding) }
    }

    private mutating func choice(
        _ members: Members, _ axis: Axis, _ collector: inout ViolationCollector
    ) -> SizeRule? {
        let pointer = members.pointer("switch", &collector)
        var names: [String] = []
        var cases: [SizeRule] = []
        let table: Void? = members.required("cases", &collector) { value, collector in
            guard let table = Members(value, &collector) else { return nil }
            for entry in table.entries where !isOverfull {
                collector.path.descend(to: entry.name)
                cases.append(rule(entry.value, axis, &collector) ?? .points(0))
                collector.path.ascend()
                names.append(entry.name)
            }
        }
        let otherwise = members.read("default", &collector) { rule($0, axis, &$1) }
        guard let pointer, table != nil else { return nil }
        let index = input(pointer, .choice(cases: names))
        return .choice(input: index, cases: cases + [otherwise ?? .points(0)])
    }

    private mutating func clamp(
        _ members: Members, _ axis: Axis, _ collector: inout ViolationCollector
    ) -> SizeRule? {
        let lower = members.read("min", &collector) { rule($0, axis, &$1) }
        let upper = members.read("max", &collector) { rule($0, axis, &$1) }
        let inner = members.required("of", &collector) { rule($0, axis, &$1) }
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
