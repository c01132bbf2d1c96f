/// One length of a cell as a catalog specifies it (docs/catalog.md, `size`).
///
/// This file declares everything about each rule: its case, its evaluation in ``length(in:)``, and
/// its form, which holds its members, their documentation and its reader. Its depth is that of the
/// catalog's JSON, which is bounded; evaluation visits each part at most once.
enum SizeRule: Sendable, Hashable {
    case points(Double)
    /// A fraction of the container's length on this axis.
    case fraction(Double)
    /// A fraction of the resolved width.
    case ratio(Double)
    /// A fraction of the resolved width that is an input, by its index.
    case ratioInput(Int)
    /// The index of a number in the cell's data, read when the page is resolved.
    case input(Int)
    /// The sum of the parts; 0 without parts.
    case sum([SizeRule])
    indirect case product(SizeRule, Double)
    /// The sum of the parts, each in the width that the padding leaves.
    case stack([SizeRule], spacing: Double, padding: Insets)
    /// The case whose index is an input: that of a value in the cell's data.
    case choice(input: Int, cases: [SizeRule])
    /// The lines of a text that is an input, by its index, or their width.
    case text(input: Int, TextRule)
    /// A length between bounds; the lower bound has precedence over the upper.
    indirect case clamp(lower: SizeRule?, upper: SizeRule?, of: SizeRule)
    /// The length that a program's function returns for those of the parts.
    indirect case custom(CustomSizeRule.Function, [SizeRule])

    /// Returns the length in points, finite by rule G2; parts may be negative.
    ///
    /// Notes the lines of texts in `scope`.
    ///
    /// - Complexity: O(parts).
    func length(in scope: inout SizeScope) -> Double {
        switch self {
        case .points(let points): points
        case .fraction(let fraction): Length.sanitised(fraction * scope.length)
        case .ratio(let ratio): Length.sanitised(ratio * scope.width)
        case .ratioInput(let index): Length.sanitised(scope.input(index) * scope.width)
        case .input(let index): scope.input(index)
        case .sum(let parts):
            Length.sanitised(parts.reduce(0) { $0 + $1.length(in: &scope) })
        case .product(let rule, let factor):
            Length.sanitised(rule.length(in: &scope) * factor)
        case .stack(let parts, let spacing, let padding):
            Self.stacked(parts, spacing: spacing, padding: padding, in: &scope)
        case .choice(let input, let cases):
            Self.chosen(input, among: cases, in: scope)?.length(in: &scope) ?? 0
        case .text(let input, let rule): rule.length(of: scope.text(input), in: &scope)
        case .clamp(let lower, let upper, let rule):
            max(
                lower?.length(in: &scope) ?? -.infinity,
                min(upper?.length(in: &scope) ?? .infinity, rule.length(in: &scope)))
        case .custom(let function, let parts): function.length(of: parts, in: &scope)
        }
    }

    private static func stacked(
        _ parts: [SizeRule], spacing: Double, padding: Insets, in scope: inout SizeScope
    ) -> Double {
        if parts.isEmpty { return 0 }
        let width = scope.width
        scope.width = max(0, width - padding.left - padding.right)
        defer { scope.width = width }
        let gaps = Double(parts.count - 1) * spacing
        let sum = parts.reduce(0) { $0 + $1.length(in: &scope) }
        return Length.sanitised(sum + gaps + padding.top + padding.bottom)
    }

    static func chosen(
        _ input: Int, among cases: [SizeRule], in scope: SizeScope
    ) -> SizeRule? {
        guard let index = Int(exactly: scope.input(input)), cases.indices.contains(index) else {
            return nil
        }
        return cases[index]
    }
}

extension SizeRule {
    /// Appends the indexes of the inputs that the length depends on, in the order of evaluation:
    /// those of the case that a choice selects, and of no other case.
    ///
    /// - Complexity: O(parts).
    func appendInputs(in scope: SizeScope, to indexes: inout [Int]) {
        switch self {
        case .points, .fraction, .ratio: break
        case .input(let index), .ratioInput(let index), .text(let index, _):
            indexes.append(index)
        case .stack(let parts, _, _), .sum(let parts), .custom(_, let parts):
            for part in parts { part.appendInputs(in: scope, to: &indexes) }
        case .product(let rule, _): rule.appendInputs(in: scope, to: &indexes)
        case .choice(let input, let cases):
            indexes.append(input)
            Self.chosen(input, among: cases, in: scope)?.appendInputs(in: scope, to: &indexes)
        case .clamp(let lower, let upper, let rule):
            lower?.appendInputs(in: scope, to: &indexes)
            upper?.appendInputs(in: scope, to: &indexes)
            rule.appendInputs(in: scope, to: &indexes)
        }
    }
}

/// The JSON form of a size rule that is an object.
///
/// The reader and the OpenAPI document derive from ``all``.
package final class SizeRuleForm: Sendable {
    /// One member of a rule.
    package struct Member: Sendable {
        package let name: String
        package let form: MemberForm
        package let isRequired: Bool

        init(_ name: String, _ form: MemberForm, isRequired: Bool = false) {
            self.name = name
            self.form = form
            self.isRequired = isRequired
        }
    }

    /// A function that reads the other members once ``name`` has identified the rule.
    typealias Read =
        @Sendable (inout SizeRuleReader, Members, ScreenAxis, inout ViolationCollector) -> SizeRule?

    /// The required member that identifies the rule.
    package let name: String
    package let summary: String
    /// A Boolean value that indicates whether the rule is invalid for a width.
    package let isForHeightsOnly: Bool
    /// The members, in the order of the documentation.
    package let members: [Member]
    /// Members that identify the rule if no rule's `name` is present.
    let impliedBy: [String]
    let read: Read

    init(
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

    /// The form of a member that is an array of rules.
    static let rules = MemberForm.array(.present("SizeRule"))

    /// All forms, in the order in which messages list them.
    package static let all = [fraction, ratio, value, stack, sum, product, choice, text, clamp]

    private static let fraction = SizeRuleForm(
        "fraction", "A fraction of the container.", [Member("fraction", .number, isRequired: true)]
    ) { _, members, _, collector in
        members.length("fraction", &collector).map(SizeRule.fraction)
    }

    private static let ratio = SizeRuleForm(
        "ratio", "A ratio of the height to the width.", isForHeightsOnly: true,
        [Member("ratio", .named("Ratio"), isRequired: true)]
    ) { reader, members, _, collector in
        members.read("ratio", &collector) { reader.ratio($0, &$1) }
    }

    private static let value = SizeRuleForm(
        "value", "A number in the data.",
        [Member("value", .pointer, isRequired: true), Member("default", .number)]
    ) { reader, members, _, collector in
        let pointer = members.pointer("value", &collector)
        let fallback = members.length("default", &collector) ?? 0
        return pointer.map { .input(reader.input(.number($0, default: fallback))) }
    }

    private static let stack = SizeRuleForm(
        "stack", "A sum.", isForHeightsOnly: true,
        [
            Member("stack", rules, isRequired: true), Member("spacing", .number),
            Member("padding", .named("Insets")),
        ]
    ) { reader, members, axis, collector in
        let parts = reader.rules("stack", in: members, axis, &collector)
        let spacing = members.length("spacing", &collector) ?? 0
        let padding = members.insets("padding", &collector) ?? .zero
        return parts.map { .stack($0, spacing: spacing, padding: padding) }
    }

    private static let sum = SizeRuleForm(
        "sum", "The sum of several lengths.", [Member("sum", rules, isRequired: true)]
    ) { reader, members, axis, collector in
        reader.rules("sum", in: members, axis, &collector).map(SizeRule.sum)
    }

    private static let product = SizeRuleForm(
        "product", "A multiple of a length.",
        [Member("product", .array(.present("SizeRule"), least: 2, most: 2), isRequired: true)]
    ) { reader, members, axis, collector in
        members.read("product", &collector) { reader.product($0, axis, &$1) }
    }

    private static let choice = SizeRuleForm(
        "switch", "A choice by a string, a number or a Boolean value in the data.",
        [
            Member("switch", .pointer, isRequired: true),
            Member("cases", .named("SizeRules"), isRequired: true),
            Member("default", .named("SizeRule")),
        ]
    ) { reader, members, axis, collector in
        let pointer = members.pointer("switch", &collector)
        let table = members.cases(upTo: reader.maxRules, &collector) { value, collector in
            reader.rule(value, axis, &collector) ?? .points(0)
        }
        let otherwise = members.read("default", &collector) { reader.rule($0, axis, &$1) }
        guard let pointer, let table else { return nil }
        let index = reader.input(.choice(pointer, table.keys))
        return .choice(input: index, cases: table.values + [otherwise ?? .points(0)])
    }

    static let text = SizeRuleForm(
        "text", "The lines of a text in the data; as a width, the longest of them.",
        [
            Member("text", .named("MeasuredText"), isRequired: true),
            Member("font", .string, isRequired: true),
            Member("maxLines", .integer(1...CatalogLimits.maxTextLines)),
            Member("minLines", .integer(0...CatalogLimits.maxTextLines)),
            Member("overflow", .choice("TextOverflow", TextRequest.Overflow.self)),
            Member("hangul", .choice("HangulBreaks", ShapingOptions.Hangul.self)),
        ]
    ) { reader, members, axis, collector in
        reader.text(members, axis, &collector)
    }

    private static let clamp = SizeRuleForm(
        "of", "A length within bounds.",
        [
            Member("min", .named("SizeRule")), Member("max", .named("SizeRule")),
            Member("of", .present("SizeRule"), isRequired: true),
        ],
        impliedBy: ["min", "max"]
    ) { reader, members, axis, collector in
        let lower = members.read("min", &collector) { reader.rule($0, axis, &$1) }
        let upper = members.read("max", &collector) { reader.rule($0, axis, &$1) }
        let inner = members.required("of", &collector) { reader.rule($0, axis, &$1) }
        return inner.map { .clamp(lower: lower, upper: upper, of: $0) }
    }
}
