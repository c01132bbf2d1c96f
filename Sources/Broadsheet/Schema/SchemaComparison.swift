/// A comparison of the schema that a catalog had with the one that it has now: whether each value
/// that kept the old one keeps the new one.
///
/// It sees that from the keywords, one by one. A change that it cannot see to accept all that was
/// accepted counts as narrower.
struct SchemaComparison {
    /// A keyword that may accept less.
    struct Narrowing {
        /// The pointer from the schema to the keyword.
        let pointer: String
        /// A Boolean value that indicates whether the pointer leads into the old schema, because
        /// the keyword is gone.
        let isInOld: Bool
        /// The second part of a sentence about the keyword.
        let detail: String
    }

    private struct Pair: Hashable {
        let old: Int
        let new: Int
    }

    let old: UnitSchema
    let new: UnitSchema
    /// The keywords that may accept less.
    private(set) var narrowings: [Narrowing] = []
    /// The pairs that are being compared, or were: a pair that is met again in its own comparison
    /// depends on the rest of it.
    private var results: [Pair: Bool] = [:]
    /// The pairs that are true in `known`, in the order in which their comparisons began.
    private var accepted: [Pair] = []
    private var silence = 0
    private var nesting = 0
    /// The number of comparisons that may still be made.
    private var comparisonsLeft = 1_000_000
    /// The largest number of comparisons within each other, which bounds the stack.
    static let maxNesting = 128

    private init(_ old: UnitSchema, _ new: UnitSchema) {
        self.old = old
        self.new = new
    }

    /// Returns the keywords of `new` that may accept less than those of `old`.
    ///
    /// - Complexity: O(subschemas), in the usual case of few alternatives.
    static func narrowings(from old: UnitSchema, to new: UnitSchema) -> [Narrowing] {
        var comparison = SchemaComparison(old, new)
        _ = comparison.accepts(0, 0)
        return comparison.narrowings
    }

    /// Returns whether `new` accepts all that `old` accepts, and reports the keywords that may not.
    ///
    /// `nil` is the schema that accepts everything.
    mutating func accepts(_ oldIndex: Int?, _ newIndex: Int?) -> Bool {
        guard let newIndex else { return true }
        let newSchema = new.subschemas[newIndex]
        if newSchema.isAlways { return true }
        guard let oldIndex else {
            return report("was not there", newSchema.node)
        }
        let oldSchema = old.subschemas[oldIndex]
        if oldSchema.isNever { return true }
        if newSchema.isNever { return report("accepts nothing now", newSchema.node) }
        let pair = Pair(old: oldIndex, new: newIndex)
        if let result = results[pair], result || silence > 0 { return result }
        comparisonsLeft -= 1
        guard comparisonsLeft > 0 else {
            return report("is too large to be compared", newSchema.node)
        }
        guard nesting < Self.maxNesting else {
            return report("is nested too deep to be compared", newSchema.node)
        }
        return result(of: pair) { $0.compare(oldSchema, newSchema) }
    }

    private mutating func result(
        of pair: Pair, _ compare: (inout SchemaComparison) -> Bool
    ) -> Bool {
        let start = accepted.count
        results[pair] = true
        accepted.append(pair)
        nesting += 1
        defer { nesting -= 1 }
        guard !compare(&self) else { return true }
        // Comparisons inside of this one may have relied on it.
        for other in accepted[start...] { results[other] = nil }
        accepted.removeSubrange(start...)
        results[pair] = false
        return false
    }

    mutating func acceptsSilently(_ oldIndex: Int?, _ newIndex: Int?) -> Bool {
        silence += 1
        defer { silence -= 1 }
        return accepts(oldIndex, newIndex)
    }

    // MARK: Reports

    private mutating func report(_ detail: String, _ node: UInt32) -> Bool {
        add(detail, pointer(of: node, in: new), isInOld: false)
    }

    /// Returns a condition, and reports the keyword of a subschema if it does not hold.
    mutating func holds(
        _ condition: Bool, keyword: String, of subschema: Subschema, isInOld: Bool = false,
        _ detail: String
    ) -> Bool {
        guard !condition else { return true }
        let base = pointer(of: subschema.node, in: isInOld ? old : new)
        return add(detail, "\(base)/\(keyword)", isInOld: isInOld)
    }

    private mutating func add(_ detail: String, _ pointer: String, isInOld: Bool) -> Bool {
        if silence == 0 {
            narrowings.append(Narrowing(pointer: pointer, isInOld: isInOld, detail: detail))
        }
        return false
    }

    private func pointer(of node: UInt32, in schema: UnitSchema) -> String {
        schema.value.document.pointer(to: node, inside: schema.value.node)
    }

    // MARK: Keywords

    private mutating func compare(_ old: Subschema, _ new: Subschema) -> Bool {
        var keeps = holds(
            new.kinds.isSuperset(of: old.kinds), keyword: "type", of: new,
            "accepts \(new.kinds.description), and accepted \(old.kinds.description)")
        keeps = values(old, new) && keeps
        keeps = numbers(old.numbers ?? NumberRules(), new) && keeps
        keeps = strings(old.strings ?? StringRules(), new) && keeps
        keeps = arrays(old, new) && keeps
        keeps = objects(old, new) && keeps
        keeps = inPlace(old, new) && keeps
        return unevaluated(old, new) && keeps
    }

    /// Compares `const` and `enum`: all values of one of the old sets have to be in each new one.
    private mutating func values(_ old: Subschema, _ new: Subschema) -> Bool {
        var keeps = true
        for set in new.values {
            let isSuperset = old.values.contains { $0.isSubset(of: set) }
            keeps =
                holds(
                    isSuperset, keyword: set.keyword, of: new,
                    "does not have all values that it accepted")
                && keeps
        }
        return keeps
    }

    private mutating func numbers(_ old: NumberRules, _ new: Subschema) -> Bool {
        guard let rules = new.numbers else { return true }
        let isLower = isWithin(rules.minimum, old.minimum, exclusive: old.exclusiveMinimum) {
            $0 <= 0
        }
        let isLess = isWithin(rules.exclusiveMinimum, nil, exclusive: old.exclusiveMinimum) {
            $0 <= 0
        }
        let isHigher = isWithin(rules.maximum, old.maximum, exclusive: old.exclusiveMaximum) {
            $0 >= 0
        }
        let isMore = isWithin(rules.exclusiveMaximum, nil, exclusive: old.exclusiveMaximum) {
            $0 >= 0
        }
        var keeps = holds(isLower, keyword: "minimum", of: new, "is higher than it was")
        keeps =
            holds(isLess, keyword: "exclusiveMinimum", of: new, "is higher than it was") && keeps
        keeps = holds(isHigher, keyword: "maximum", of: new, "is lower than it was") && keeps
        keeps = holds(isMore, keyword: "exclusiveMaximum", of: new, "is lower than it was") && keeps
        guard let divisor = rules.divisor else { return keeps }
        let isDivisor = old.divisor?.value.isMultiple(of: divisor.value) ?? false
        return holds(isDivisor, keyword: "multipleOf", of: new, "does not divide what it was")
            && keeps
    }

    private func isWithin(
        _ new: NumberRules.Bound?, _ old: NumberRules.Bound?, exclusive: NumberRules.Bound?,
        _ isWide: (Int) -> Bool
    ) -> Bool {
        guard let new else { return true }
        return [old, exclusive].contains {
            $0.map { isWide(new.value.order(to: $0.value)) } ?? false
        }
    }

    private mutating func strings(_ old: StringRules, _ new: Subschema) -> Bool {
        guard let rules = new.strings else { return true }
        var keeps = holds(
            rules.minLength <= old.minLength, keyword: "minLength", of: new, "is higher than it was"
        )
        let isWide = rules.maxLength >= old.maxLength
        keeps = holds(isWide, keyword: "maxLength", of: new, "is lower than it was") && keeps
        let isSame = rules.pattern == nil || rules.pattern?.source == old.pattern?.source
        return holds(isSame, keyword: "pattern", of: new, "is another pattern") && keeps
    }

    /// Compares the subschemas that judge the same value.
    private mutating func inPlace(_ old: Subschema, _ new: Subschema) -> Bool {
        var keeps = true
        let (mine, others) = (new.inPlace, old.inPlace)
        let oldParts = others.allOf + [others.reference].compactMap { $0 }
        for (index, part) in mine.allOf.enumerated() {
            let counterpart = index < others.allOf.count ? others.allOf[index] : nil
            keeps = self.part(part, against: counterpart, orAnyOf: oldParts) && keeps
        }
        if let reference = mine.reference {
            keeps = part(reference, against: others.reference, orAnyOf: oldParts) && keeps
        }
        keeps = anyOf(from: others.anyOf, to: mine.anyOf, of: new) && keeps
        if !mine.oneOf.isEmpty {
            let isSame = isSame("oneOf", in: old, and: new)
            keeps =
                holds(isSame, keyword: "oneOf", of: new, "is not seen to accept what it did")
                && keeps
        }
        if mine.not != nil {
            let isSame = isSame("not", in: old, and: new)
            keeps =
                holds(isSame, keyword: "not", of: new, "is not seen to accept what it did") && keeps
        }
        return conditions(old, new) && keeps
    }

    /// Compares one part of `allOf`, or the target of `$ref`: with its counterpart, else with any
    /// part that all old values kept.
    private mutating func part(
        _ part: Int, against counterpart: Int?, orAnyOf oldParts: [Int]
    ) -> Bool {
        if oldParts.contains(where: { acceptsSilently($0, part) }) { return true }
        return accepts(counterpart, part)
    }

    private mutating func anyOf(from old: [Int], to new: [Int], of subschema: Subschema) -> Bool {
        guard !new.isEmpty else { return true }
        let isWide =
            !old.isEmpty && old.allSatisfy { one in new.contains { acceptsSilently(one, $0) } }
        return holds(isWide, keyword: "anyOf", of: subschema, "is not seen to accept what it did")
    }

    private mutating func conditions(_ old: Subschema, _ new: Subschema) -> Bool {
        let (mine, others) = (new.inPlace, old.inPlace)
        guard mine.then != nil || mine.otherwise != nil else { return true }
        guard isSame("if", in: old, and: new) else {
            return holds(false, keyword: "if", of: new, "is another condition")
        }
        let keeps = accepts(others.then, mine.then)
        return accepts(others.otherwise, mine.otherwise) && keeps
    }

    /// Compares `unevaluatedItems` and `unevaluatedProperties`, which depend on everything beside
    /// them: only the same schema is seen to accept the same.
    private mutating func unevaluated(_ old: Subschema, _ new: Subschema) -> Bool {
        var keeps = true
        for (keyword, index) in [
            ("unevaluatedItems", new.arrays?.unevaluated),
            ("unevaluatedProperties", new.objects?.unevaluated),
        ] {
            guard let index, !self.new.subschemas[index].isAlways else { continue }
            keeps =
                holds(
                    isSameSchema(old, new), keyword: keyword, of: new,
                    "is beside keywords that have changed") && keeps
        }
        return keeps
    }

    /// Returns whether a keyword has the same value in both, and refers to the same.
    func isSame(_ keyword: String, in old: Subschema, and new: Subschema) -> Bool {
        let (document, other) = (self.old.value.document, self.new.value.document)
        guard let one = document.value(at: old.node)[keyword],
            let two = other.value(at: new.node)[keyword]
        else { return false }
        return document.isEqual(one.node, to: two.node, of: other) && haveSameReferences
    }

    private func isSameSchema(_ old: Subschema, _ new: Subschema) -> Bool {
        let (document, other) = (self.old.value.document, self.new.value.document)
        return document.isEqual(old.node, to: new.node, of: other) && haveSameReferences
    }

    /// A Boolean value that indicates whether equal references mean equal schemas: there are none,
    /// or the whole schemas are equal.
    private var haveSameReferences: Bool {
        let hasReferences = new.subschemas.contains { $0.inPlace.reference != nil }
        return !hasReferences
            || old.value.document.isEqual(
                old.value.node, to: new.value.node, of: new.value.document)
    }
}
