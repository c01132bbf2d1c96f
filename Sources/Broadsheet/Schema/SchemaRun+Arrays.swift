extension SchemaRun {
    mutating func array(_ index: Int, at node: UInt32, into own: EvaluatedParts?) -> Bool {
        guard let rules = schema.subschemas[index].arrays else { return true }
        let count = document.count(of: node)
        var keeps = holds(
            count >= rules.minItems, at: node, "must have at least \(rules.minItems) elements")
        let isKept = count <= rules.maxItems
        keeps = holds(isKept, at: node, "must have at most \(rules.maxItems) elements") && keeps
        guard keeps || isReporting else { return false }
        keeps = elements(rules, at: node, into: own) && keeps
        guard keeps || isReporting else { return false }
        if let contains = rules.contains {
            keeps = containsEnough(contains, by: rules, at: node, into: own) && keeps
        }
        guard keeps || isReporting else { return false }
        return (!rules.areUnique || areUnique(node)) && keeps
    }

    private mutating func elements(
        _ rules: ArrayRules, at node: UInt32, into own: EvaluatedParts?
    ) -> Bool {
        guard rules.items != nil || !rules.prefix.isEmpty else { return true }
        let count = document.count(of: node)
        cost.steps += count
        var element = node + 1
        var keeps = true
        for ordinal in 0..<count {
            guard keeps || isReporting else { return false }
            if ordinal < rules.prefix.count {
                keeps = judge(rules.prefix[ordinal], at: element) && keeps
                own?.insert(ordinal)
            } else if let items = rules.items {
                keeps = judge(items, at: element) && keeps
            } else {
                break
            }
            element = document.node(after: element)
        }
        if rules.items != nil { own?.insertAll() }
        return keeps
    }

    private mutating func containsEnough(
        _ contains: Int, by rules: ArrayRules, at node: UInt32, into own: EvaluatedParts?
    ) -> Bool {
        let count = document.count(of: node)
        cost.steps += count
        var matches = 0
        var element = node + 1
        for ordinal in 0..<count {
            if judgeSilently(contains, at: element) {
                matches += 1
                own?.insert(ordinal)
            }
            element = document.node(after: element)
        }
        let isEnough = holds(
            matches >= rules.minContains, at: node,
            "must have at least \(rules.minContains) elements that keep the schema of \"contains\"")
        return holds(
            matches <= rules.maxContains, at: node,
            "must have at most \(rules.maxContains) elements that keep the schema of \"contains\"")
            && isEnough
    }

    /// Reports the first element that equals an earlier one.
    ///
    /// - Complexity: O(size), expected.
    private mutating func areUnique(_ node: UInt32) -> Bool {
        let count = document.count(of: node)
        guard count > 1, cost.excess == nil else { return true }
        var earlier: [Int: UInt32] = [:]
        earlier.reserveCapacity(count)
        // Different values of one hash, of which there are practically none.
        var others: [Int: [UInt32]] = [:]
        var element = node + 1
        for _ in 0..<count {
            guard cost.proceed(document.stepsOfHash(of: element)) else { return true }
            let hash = document.valueHash(of: element)
            if let first = earlier.updateValue(element, forKey: hash) {
                others[hash, default: []].append(first)
                let isRepeated = (others[hash] ?? []).contains {
                    document.isEqual(element, to: $0, of: document)
                }
                guard !isRepeated else {
                    return holds(false, at: element, "equals an earlier element of its array")
                }
            }
            element = document.node(after: element)
        }
        return true
    }

    /// Judges the elements that no keyword of the subschema, and of those that judge the same
    /// array, has evaluated.
    mutating func unevaluatedItems(
        _ index: Int, at node: UInt32, into own: EvaluatedParts
    ) -> Bool {
        guard let unevaluated = schema.subschemas[index].arrays?.unevaluated else { return true }
        var keeps = true
        if !own.areAll {
            let count = document.count(of: node)
            cost.steps += count
            var element = node + 1
            for ordinal in 0..<count {
                if !own.contains(ordinal) { keeps = judge(unevaluated, at: element) && keeps }
                guard keeps || isReporting else { return false }
                element = document.node(after: element)
            }
        }
        own.insertAll()
        return keeps
    }
}

extension JSONDocument {
    /// Returns the steps of hashing the value at a node, and of comparing it with an equal one.
    func stepsOfHash(of node: UInt32) -> Int {
        let values = Int(self.node(after: node) - node)
        return byteRange(of: node).count + values * SchemaCost.stepsOfHashedValue
    }
}
