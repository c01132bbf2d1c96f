/// One length of a cell as a catalog specifies it (docs/catalog.md, `size`).
///
/// This file declares everything about each rule: its case, its evaluation in ``length(in:)``, and
/// its form, which holds its members, their documentation and its reader. Its depth is that of the
/// catalog's JSON, which is bounded; evaluation visits each part at most once.
enum SizeRule: Sendable, Hashable {
    /// A number of points.
    case points(Double)
    /// A fraction of the container's length on this axis.
    case fraction(Double)
    /// A fraction of the resolved width.
    case ratio(Double)
    /// The index of a number in the cell's data, read when the page is resolved.
    case input(Int)
    /// The sum of the parts, each in the width that the padding leaves.
    case stack([SizeRule], spacing: Double, padding: Insets)
    /// The case whose index is an input: that of a string in the cell's data.
    case choice(input: Int, cases: [SizeRule])
    /// A length between bounds; the lower bound has precedence over the upper.
    indirect case clamp(lower: SizeRule?, upper: SizeRule?, of: SizeRule)

    /// Returns the length in points, finite by rule G2; parts may be negative.
    ///
    /// - Complexity: O(parts).
    func length(in scope: SizeScope) -> Double {
        switch self {
        case .points(let points): points
        case .fraction(let fraction): Length.sanitised(fraction * scope.length)
        case .ratio(let ratio): Length.sanitised(ratio * scope.width)
        case .input(let index): scope.input(index)
        case .stack(let parts, let spacing, let padding):
            Self.stacked(parts, spacing: spacing, padding: padding, in: scope)
        case .choice(let input, let cases):
            Self.chosen(scope.input(input), among: cases, in: scope)
        case .clamp(let lower, let upper, let rule):
            max(
                lower?.length(in: scope) ?? -.infinity,
                min(upper?.length(in: scope) ?? .infinity, rule.length(in: scope)))
        }
    }

    private static func stacked(
        _ parts: [SizeRule], spacing: Double, padding: Insets, in scope: SizeScope
    ) -> Double {
        if parts.isEmpty { return 0 }
        var inner = scope
        inner.width = max(0, scope.width - padding.left - padding.right)
        let gaps = Double(parts.count - 1) * spacing
        let sum = parts.reduce(0) { $0 + $1.length(in: inner) }
        return Length.sanitised(sum + gaps + padding.top + padding.bottom)
    }

    private static func chosen(
        _ choice: Double, among cases: [SizeRule], in scope: SizeScope
    ) -> Double {
        guard let index = Int(exactly: choice), cases.indices.contains(index) else { return 0 }
        return cases[index].length(in: scope)
    }
}

/// The JSON form of a size rule that is an object.
///
/// The reader and the OpenAPI document derive from ``all``.
package final class SizeRuleForm: Sendable {
    /// The kinds of values that members of a rule have.
    package enum Value: Sendable {
        /// A number.
        case number
        /// A JSON Pointer into the cell's data.
        case pointer
        /// A number or an object of edges.
        case insets
        /// A rule.
        case rule
        /// An array of rules.
        case rules
        /// An object of rules by name.
        case rulesByName
    }

    /// One member of a rule.
    package struct Member: Sendable {
        /// The name.
        package let name: String
        /// The kind of the value.
        package let value: Value
        /// A Boolean value that indicates whether the rule is invalid without the member.
        package let isRequired: Bool

        init(_ name: String, _ value: Value, isRequired: Bool = false) {
            self.name = name
            self.value = value
            self.isRequired = isRequired
        }
    }

    /// A function that reads the other members once ``name`` has identified the rule.
    typealias Read =
        @Sendable (inout SizeRuleReader, Members, Axis, inout ViolationCollector) -> SizeRule?

    /// The required member that identifies the rule.
    package let name: String
    /// A description of the length.
    package let summary: String
    /// A Boolean value that indicates whether the rule is invalid for a width.
    package let isForHeightsOnly: Bool
    /// The members, in the order of the documentation.
    package let members: [Member]
    /// Members that identify the rule if no rule's `name` is present.
    let impliedBy: [String]
    /// The reader of the rule.
    let read: Read

    private init(
        _ name: String, _ summary: String, isForHeightsOnly: Bool = false, _ members: [Member],
        impliedBy: [String] = [], read: @escaping Read
    ) {
        self.name = name
        self.summary = summary
        self.isForHeightsOnly = isForHeightsOnly
        self.members = members
        self.impliedBy = impliedBy
        self.read = read
    }

    /// All forms, in the order in which messages list them.
    package static let all = [fraction, ratio, value, stack, choice, clamp]

    private static let fraction = SizeRuleForm(
        "fraction", "A fraction of the container.", [Member("fraction", .number, isRequired: true)]
    ) { _, members, _, collector in
        members.length("fraction", &collector).map(SizeRule.fraction)
    }

    private static let ratio = SizeRuleForm(
        "ratio", "A ratio to the width.", isForHeightsOnly: true,
        [Member("ratio", .number, isRequired: true)]
    ) { _, members, _, collector in
        members.length("ratio", &collector).map(SizeRule.ratio)
    }

    private static let value = SizeRuleForm(
        "value", "A number in the data.",
        [Member("value", .pointer, isRequired: true), Member("default", .number)]
    ) { reader, members, _, collector in
        let pointer = members.pointer("value", &collector)
        let fallback = members.length("default", &collector) ?? 0
        return pointer.map { .input(reader.input($0, .number(default: fallback))) }
    }

    private static let stack = SizeRuleForm(
        "stack", "A sum.", isForHeightsOnly: true,
        [
            Member("stack", .rules, isRequired: true), Member("spacing", .number),
            Member("padding", .insets),
        ]
    ) { reader, members, axis, collector in
        let parts = reader.rules("stack", in: members, axis, &collector)
        let spacing = members.length("spacing", &collector) ?? 0
        let padding = members.insets("padding", &collector) ?? .zero
        return parts.map { .stack($0, spacing: spacing, padding: padding) }
    }

    private static let choice = SizeRuleForm(
        "switch", "A choice by a string in the data.",
        [
            Member("switch", .pointer, isRequired: true),
            Member("cases", .rulesByName, isRequired: true), Member("default", .rule),
        ]
    ) { reader, members, axis, collector in
        let pointer = members.pointer("switch", &collector)
        var names: [String] = []
        var cases: [SizeRule] = []
        let table: Void? = members.required("cases", &collector) { value, collector in
            guard let table = Members(value, &collector) else { return nil }
            for entry in table.entries where !reader.isOverfull {
                collector.path.descend(to: entry.name)
                cases.append(reader.rule(entry.value, axis, &collector) ?? .points(0))
                collector.path.ascend()
                names.append(entry.name)
            }
        }
        let otherwise = members.read("default", &collector) { reader.rule($0, axis, &$1) }
        guard let pointer, table != nil else { return nil }
        let index = reader.input(pointer, .choice(cases: names))
        return .choice(input: index, cases: cases + [otherwise ?? .points(0)])
    }

    private static let clamp = SizeRuleForm(
        "of", "A length within bounds.",
        [Member("min", .rule), Member("max", .rule), Member("of", .rule, isRequired: true)],
        impliedBy: ["min", "max"]
    ) { reader, members, axis, collector in
        let lower = members.read("min", &collector) { reader.rule($0, axis, &$1) }
        let upper = members.read("max", &collector) { reader.rule($0, axis, &$1) }
        let inner = members.required("of", &collector) { reader.rule($0, axis, &$1) }
        return inner.map { .clamp(lower: lower, upper: upper, of: $0) }
    }
}

/// A number that a cell type's size rules read from a cell's data when the page is resolved.
struct SizeInput: Sendable, Hashable {
    /// The conversion of data to a number.
    enum Source: Sendable, Hashable {
        /// A number in points, or the default.
        case number(default: Double)
        /// The index of the case that a string names, or the number of cases.
        case choice(cases: [String])
    }

    /// The pointer from the cell's data to the value.
    let pointer: JSONPointer
    /// The conversion of the value.
    let source: Source

    /// Returns the number for a cell of `data`, always finite (rule G2).
    func value(in data: JSONValue) -> Double {
        let found = pointer.evaluate(on: data)
        switch source {
        case .number(let fallback):
            return found?.double.map(Length.sanitised) ?? fallback
        case .choice(let cases):
            guard let found, found.kind == .string, let text = found.text else {
                return Double(cases.count)
            }
            return Double(cases.firstIndex(where: text.equals) ?? cases.count)
        }
    }
}
