extension SchemaComparison {
    mutating func arrays(_ old: Subschema, _ new: Subschema) -> Bool {
        guard let rules = new.arrays else { return true }
        let others = old.arrays ?? ArrayRules()
        var keeps = holds(
            rules.minItems <= others.minItems, keyword: "minItems", of: new, "is higher than it was"
        )
        let isWide = rules.maxItems >= others.maxItems
        keeps = holds(isWide, keyword: "maxItems", of: new, "is lower than it was") && keeps
        let isUnique = !rules.areUnique || others.areUnique
        keeps = holds(isUnique, keyword: "uniqueItems", of: new, "was not there") && keeps
        for index in 0..<max(rules.prefix.count, others.prefix.count) {
            let one = index < others.prefix.count ? others.prefix[index] : others.items
            let two = index < rules.prefix.count ? rules.prefix[index] : rules.items
            keeps = accepts(one, two) && keeps
        }
        keeps = accepts(others.items, rules.items) && keeps
        return contains(from: old, to: new, rules, against: others) && keeps
    }

    private mutating func contains(
        from old: Subschema, to new: Subschema, _ rules: ArrayRules, against others: ArrayRules
    ) -> Bool {
        guard rules.contains != nil else { return true }
        if rules.minContains == 0, rules.maxContains == .max { return true }
        let detail = "is not seen to accept what it did"
        guard let one = others.contains else {
            return holds(false, keyword: "contains", of: new, "was not there")
        }
        let isSame = isSame("contains", in: old, and: new)
        let isWide = rules.maxContains == .max && acceptsSilently(one, rules.contains)
        var keeps = holds(isSame || isWide, keyword: "contains", of: new, detail)
        let isLess = rules.minContains <= others.minContains
        keeps = holds(isLess, keyword: "minContains", of: new, "is higher than it was") && keeps
        let isMore = rules.maxContains >= others.maxContains
        return holds(isMore, keyword: "maxContains", of: new, "is lower than it was") && keeps
    }

    mutating func objects(_ old: Subschema, _ new: Subschema) -> Bool {
        let rules = new.objects ?? ObjectRules()
        let others = old.objects ?? ObjectRules()
        guard new.objects != nil else { return true }
        var keeps = holds(
            rules.minProperties <= others.minProperties, keyword: "minProperties", of: new,
            "is higher than it was")
        let isWide = rules.maxProperties >= others.maxProperties
        keeps = holds(isWide, keyword: "maxProperties", of: new, "is lower than it was") && keeps
        keeps = required(rules, against: others, in: new) && keeps
        keeps = properties(rules, against: others, from: old, to: new) && keeps
        keeps = patterns(rules, against: others, in: new) && keeps
        keeps = accepts(others.propertyNames, rules.propertyNames) && keeps
        keeps = accepts(others.additional, rules.additional) && keeps
        return dependents(rules, against: others, in: new) && keeps
    }

    private mutating func required(
        _ rules: ObjectRules, against others: ObjectRules, in new: Subschema
    ) -> Bool {
        let oldNames = Set(others.required.map(others.names.text).map(Identifier.init))
        var keeps = true
        for name in rules.required.map(rules.names.text) where !oldNames.contains(Identifier(name))
        {
            keeps = holds(false, keyword: "required", of: new, "requires \"\(name)\", too") && keeps
        }
        return keeps
    }

    /// Compares the schemas of members by name; one that a schema does not name has that of
    /// `additionalProperties`.
    private mutating func properties(
        _ rules: ObjectRules, against others: ObjectRules, from old: Subschema, to new: Subschema
    ) -> Bool {
        let (mine, theirs) = (rules.properties, others.properties)
        var keeps = true
        for (name, schema) in mine {
            if let oldSchema = theirs[name] {
                keeps = accepts(oldSchema, schema) && keeps
            } else if others.patterns.isEmpty {
                keeps = accepts(others.additional, schema) && keeps
            } else {
                let isWide = self.new.subschemas[schema].isAlways
                let member = JSONPointer.appending("properties", name.text)
                keeps = holds(isWide, keyword: member, of: new, "was not there") && keeps
            }
        }
        for (name, schema) in theirs where mine[name] == nil {
            let isWide =
                rules.patterns.isEmpty ? acceptsSilently(schema, rules.additional) : false
            let isOpen = rules.patterns.isEmpty && rules.additional == nil
            keeps =
                holds(
                    isOpen || isWide, keyword: JSONPointer.appending("properties", name.text),
                    of: old,
                    isInOld: true,
                    "is gone, and other members are not seen to be accepted as it was")
                && keeps
        }
        return keeps
    }

    private mutating func patterns(
        _ rules: ObjectRules, against others: ObjectRules, in new: Subschema
    ) -> Bool {
        var keeps = true
        for (pattern, schema) in rules.patterns {
            if let oldPattern = others.patterns.first(where: { $0.pattern.source == pattern.source }
            ) {
                keeps = accepts(oldPattern.schema, schema) && keeps
            } else {
                let isWide = self.new.subschemas[schema].isAlways
                let member = JSONPointer.appending("patternProperties", pattern.source)
                keeps = holds(isWide, keyword: member, of: new, "was not there") && keeps
            }
        }
        let isGone = others.patterns.contains { other in
            !rules.patterns.contains { $0.pattern.source == other.pattern.source }
        }
        let isOpen = rules.additional.map { self.new.subschemas[$0].isAlways } ?? true
        return holds(
            !isGone || isOpen, keyword: "additionalProperties", of: new,
            "judges members that a pattern was for") && keeps
    }

    private mutating func dependents(
        _ rules: ObjectRules, against others: ObjectRules, in new: Subschema
    ) -> Bool {
        var keeps = true
        for number in rules.dependents {
            let name = rules.names.text(number)
            let other = others.rule(of: name)
            let oldNames = Set((other?.required ?? []).map(others.names.text).map(Identifier.init))
            let needed = rules.rules[number].required.map(rules.names.text).map(Identifier.init)
            let isWide = oldNames.isSuperset(of: needed)
            keeps =
                holds(
                    isWide, keyword: JSONPointer.appending("dependentRequired", name), of: new,
                    "requires more than it did") && keeps
            keeps = accepts(other?.dependentSchema, rules.rules[number].dependentSchema) && keeps
        }
        return keeps
    }
}

extension ObjectRules {
    fileprivate var properties: [Identifier: Int] {
        rules.indices.reduce(into: [:]) { properties, number in
            if let schema = rules[number].property {
                properties[Identifier(names.text(number))] = schema
            }
        }
    }

    fileprivate func rule(of name: String) -> Rule? {
        rules.indices.first { names.text($0).utf8.elementsEqual(name.utf8) }.map { rules[$0] }
    }
}
