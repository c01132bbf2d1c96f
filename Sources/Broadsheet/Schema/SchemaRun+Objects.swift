extension SchemaRun {
    mutating func object(_ index: Int, at node: UInt32, into own: EvaluatedParts?) -> Bool {
        guard let rules = schema.subschemas[index].objects else { return true }
        let replaced =
            rules.needsDistinctMembers || isReporting || own != nil
            ? replacedMembers(of: node) : nil
        return object(rules, at: node, into: own, without: replaced)
            ?? object(rules, at: node, into: own, without: replacedMembers(of: node)) ?? true
    }

    private mutating func replacedMembers(of node: UInt32) -> Set<UInt32>? {
        // Most names are short, and other values have few bytes a name.
        cost.steps +=
            document.count(of: node) * SchemaCost.stepsOfDistinctMember
            + document.byteRange(of: node).count / Self.bytesOfStep
        return document.replacedMembers(of: node)
    }

    /// The bytes of a name that are passed over in the step of its member; more take steps.
    private static var bytesOfStep: Int { 64 }

    /// Judges an object; returns `nil` if a member occurs twice of which none is in `replaced`.
    private mutating func object(
        _ rules: ObjectRules, at node: UInt32, into own: EvaluatedParts?,
        without replaced: Set<UInt32>?
    ) -> Bool? {
        let count = document.count(of: node)
        guard cost.proceed(count * SchemaCost.stepsOfMember) else { return true }
        var keeps = hasCount(rules, count: count - (replaced?.count ?? 0), at: node)
        var seen = NumberSet()
        var expected = 0
        var name = node + 1
        for ordinal in 0..<count {
            guard keeps || isReporting else { return false }
            let member = (name: name, ordinal: ordinal)
            name = document.node(after: name + 1)
            if let replaced, replaced.contains(member.name) { continue }
            cost.steps += document.byteRange(of: member.name).count / Self.bytesOfStep
            let number = document.withText(of: member.name) {
                rules.names.find($0, expected: expected)
            }
            if let number {
                expected = number + 1
                guard seen.insert(number) else { return nil }
            }
            keeps = self.member(rules, member, number: number, into: own) && keeps
        }
        guard keeps || isReporting else { return false }
        return hasMembers(rules, seen: seen, at: node, into: own) && keeps
    }

    private mutating func hasCount(_ rules: ObjectRules, count: Int, at node: UInt32) -> Bool {
        let isEnough = holds(
            count >= rules.minProperties, at: node,
            "must have at least \(rules.minProperties) members")
        return holds(
            count <= rules.maxProperties, at: node,
            "must have at most \(rules.maxProperties) members")
            && isEnough
    }

    private mutating func member(
        _ rules: ObjectRules, _ member: (name: UInt32, ordinal: Int), number: Int?,
        into own: EvaluatedParts?
    ) -> Bool {
        let value = member.name + 1
        var keeps = true
        var isEvaluated = false
        if let number, let property = rules.rules[number].property {
            isEvaluated = true
            keeps = judge(property, at: value)
        }
        for (pattern, schema) in rules.patterns where matches(pattern, member.name) {
            isEvaluated = true
            keeps = judge(schema, at: value) && keeps
        }
        if !isEvaluated, let additional = rules.additional {
            isEvaluated = true
            keeps = self.additional(additional, by: rules, at: member.name) && keeps
        }
        if isEvaluated { own?.insert(member.ordinal) }
        if let names = rules.propertyNames { keeps = judge(names, at: member.name) && keeps }
        return keeps
    }

    private mutating func additional(
        _ index: Int, by rules: ObjectRules, at name: UInt32
    ) -> Bool {
        guard schema.subschemas[index].isNever else { return judge(index, at: name + 1) }
        let document = document
        // The name is compared with all others.
        if lists(name + 1) { cost.steps += rules.names.count * Self.bytesOfStep }
        return holds(false, at: name + 1, Self.unknown(name, by: rules, in: document))
    }

    private static func unknown(
        _ name: UInt32, by rules: ObjectRules, in document: JSONDocument
    ) -> String {
        let names = rules.rules.indices.filter { rules.rules[$0].property != nil }
            .map(rules.names.text)
        let nearest = NearestName.of(document.value(at: name).string ?? "", among: names)
        return "is not a member that the schema knows"
            + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
    }

    /// Judges the members that must be there, always or beside others.
    private mutating func hasMembers(
        _ rules: ObjectRules, seen: NumberSet, at node: UInt32, into own: EvaluatedParts?
    ) -> Bool {
        var keeps = true
        cost.steps += rules.required.count + rules.dependents.count
        for number in rules.required {
            guard keeps || isReporting else { return false }
            let isThere = seen.contains(number)
            keeps =
                holds(isThere, at: node, "must have the member \"\(rules.names.text(number))\"")
                && keeps
        }
        for number in rules.dependents where seen.contains(number) {
            let rule = rules.rules[number]
            cost.steps += rule.required.count
            for other in rule.required {
                let isThere = seen.contains(other)
                keeps =
                    holds(
                        isThere, at: node,
                        "must have the member \"\(rules.names.text(other))\" beside "
                            + "\"\(rules.names.text(number))\"") && keeps
            }
            if let schema = rule.dependentSchema {
                keeps = judge(schema, at: node, into: own) && keeps
            }
        }
        return keeps
    }

    /// Judges the members that no keyword of the subschema, and of those that judge the same
    /// object, has evaluated.
    mutating func unevaluatedProperties(
        _ index: Int, at node: UInt32, into own: EvaluatedParts
    ) -> Bool {
        guard let rules = schema.subschemas[index].objects, let unevaluated = rules.unevaluated
        else { return true }
        var keeps = true
        if !own.areAll {
            let replaced = replacedMembers(of: node)
            let count = document.count(of: node)
            cost.steps += count
            var name = node + 1
            for ordinal in 0..<count {
                let member = name
                name = document.node(after: name + 1)
                if own.contains(ordinal) || replaced?.contains(member) == true { continue }
                keeps = additional(unevaluated, by: rules, at: member) && keeps
                guard keeps || isReporting else { return false }
            }
        }
        own.insertAll()
        return keeps
    }
}

extension ObjectRules {
    /// A Boolean value that indicates whether the members that a later one replaces have to be
    /// known beforehand, because members count whose names are not in the schema.
    fileprivate var needsDistinctMembers: Bool {
        minProperties > 0 || maxProperties < .max || !patterns.isEmpty || additional != nil
            || unevaluated != nil
    }
}

/// A set of small numbers; those below 64 without an allocation.
private struct NumberSet {
    private var low: UInt64 = 0
    private var high: Set<Int> = []

    @inline(__always)
    mutating func insert(_ number: Int) -> Bool {
        guard number < 64 else { return high.insert(number).inserted }
        let bit: UInt64 = 1 << UInt64(number)
        defer { low |= bit }
        return low & bit == 0
    }

    @inline(__always)
    func contains(_ number: Int) -> Bool {
        number < 64 ? low & 1 << UInt64(number) != 0 : high.contains(number)
    }
}
