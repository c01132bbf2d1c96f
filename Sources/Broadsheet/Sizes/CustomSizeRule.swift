/// A size rule that a Swift program adds to those of catalogs (docs/custom-layouts.md).
///
/// A catalog uses it as it uses the engine's own: `{"NAME": [rule, …]}` is the length that the
/// function returns for the lengths of the parts.
public struct CustomSizeRule: Sendable {
    /// A function from the lengths of the parts to a length, all in points.
    ///
    /// It is called for each item at each layout, on any thread. The length may depend on the
    /// arguments only, since items with the same data have the same size. A length that is NaN or
    /// infinite is 0, and others are clamped (G2).
    public typealias LengthFunction = @Sendable (_ parts: [Double], _ space: Space) -> Double

    /// The lengths that a rule is evaluated with.
    public struct Space: Sendable, Hashable {
        /// The container's length on the rule's axis, in points.
        public let available: Double
        /// The item's width in points; 0 for a rule of a width.
        public let width: Double
        /// The reader's text size.
        public let textScale: Double
    }

    /// The name of the rule, by which catalogs use it.
    public let name: String

    private let function: Function

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - name: The name of the rule. One that is empty, too long, or that of another rule or of a
    ///     member of another rule is a violation of every catalog that is compiled with the rule.
    ///   - length: The function.
    public init(_ name: String, length: @escaping LengthFunction) {
        self.name = name
        function = Function(length: length)
    }

    /// The function of a rule, compared by identity.
    final class Function: Sendable, Hashable {
        private let length: LengthFunction

        fileprivate init(length: @escaping LengthFunction) {
            self.length = length
        }

        /// Returns the length for the lengths of the parts, finite by rule G2.
        func length(of parts: [SizeRule], in scope: inout SizeScope) -> Double {
            let space = Space(
                available: scope.length, width: scope.width, textScale: scope.textScale)
            return Length.sanitised(length(parts.map { $0.length(in: &scope) }, space))
        }

        static func == (one: Function, other: Function) -> Bool { one === other }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

extension CustomSizeRule {
    var form: SizeRuleForm {
        SizeRuleForm(
            name, "A rule of the program.",
            [SizeRuleForm.Member(name, SizeRuleForm.rules, isRequired: true)]
        ) { [name, function] reader, members, axis, collector in
            reader.rules(name, in: members, axis, &collector).map { .custom(function, $0) }
        }
    }

    /// Returns the forms of rules; those with names that are not possible are violations of the
    /// catalog `value`.
    static func forms(
        of rules: [CustomSizeRule], _ value: JSONValue, _ collector: inout ViolationCollector
    ) -> [SizeRuleForm] {
        var taken = Set(SizeRuleForm.all.flatMap { $0.members.map(\.name) })
        return rules.compactMap { rule in
            guard 1...CatalogLimits.maxNameBytes ~= rule.name.utf8.count,
                taken.insert(rule.name).inserted
            else {
                collector.report(
                    "is compiled with a size rule whose name is not possible: "
                        + "\"\(rule.name.prefix(CatalogLimits.maxNameBytes))\"", at: value)
                return nil
            }
            return rule.form
        }
    }
}
