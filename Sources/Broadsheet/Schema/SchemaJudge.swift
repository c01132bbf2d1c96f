/// Judges the data of a page's units, and of their items, by the schemas of their types.
///
/// The work for one page is bounded: its judgements (one subschema, one value) and its steps
/// (members passed over, characters compared with patterns, bytes hashed).
struct SchemaJudge {
    var document: JSONDocument
    private(set) var cost: SchemaCost
    private var memo = SchemaMemo()
    /// A Boolean value that indicates whether values that exceed the limits of the work are
    /// accepted, because a later judge decides about them.
    private let isLenient: Bool
    /// The first value that was not judged because of the budget of the request.
    private(set) var unjudged: UInt32?

    init(
        _ document: JSONDocument, limits: SchemaLimits = SchemaLimits(), isLenient: Bool = false
    ) {
        self.init(document, SchemaCost(limits: limits), isLenient: isLenient)
    }

    init(_ document: JSONDocument, _ cost: SchemaCost, isLenient: Bool = false) {
        self.document = document
        self.isLenient = isLenient
        self.cost = cost
    }

    var judgements: Int { cost.judgements }
    var steps: Int { cost.steps }

    /// Returns the violations of the data at `node` by a schema.
    ///
    /// - Parameters:
    ///   - node: The data.
    ///   - limit: The number of violations to return, the first in document order.
    /// - Returns: Violations, and the number of all; none if the data keeps the schema.
    /// - Complexity: O(judgements).
    mutating func violations(
        of node: UInt32, by schema: UnitSchema, keeping limit: Int
    ) -> (first: [SchemaViolation], total: Int) {
        var run = begin(by: schema)
        var report: SchemaReport?
        if !run.judge(0, at: node), run.cost.excess == nil {
            run.beginReport(keeping: limit)
            _ = run.judge(0, at: node)
            report = run.report
        }
        end(&run, node)
        if let violation = cost.violation(at: node) {
            if isLenient { return ([], 0) }
            return (limit > 0 ? [violation] : [], 1)
        }
        guard let report else { return ([], 0) }
        return (report.violations(in: document, below: node), report.total)
    }

    /// Returns whether the data at `node` keeps a schema.
    ///
    /// - Complexity: O(judgements).
    mutating func keeps(_ node: UInt32, _ schema: UnitSchema) -> Bool {
        var run = begin(by: schema)
        let keeps = run.judge(0, at: node)
        end(&run, node)
        return cost.excess == nil ? keeps : isLenient
    }

    /// Begins to judge a value, with the table of results, of which there is only one.
    private mutating func begin(by schema: UnitSchema) -> SchemaRun {
        SchemaRun(schema, document: document, cost: cost, memo: memo.take())
    }

    private mutating func end(_ run: inout SchemaRun, _ node: UInt32) {
        cost = run.cost
        cost.settle()
        if unjudged == nil, cost.excess?.isOfRequest == true { unjudged = node }
        memo = run.takeMemo()
        memo.removeAll()
    }
}

/// The judgement of one value by one schema: first whether it keeps it, then, if not, the
/// violations.
struct SchemaRun {
    let schema: UnitSchema
    let document: JSONDocument
    var cost: SchemaCost
    private var memo: SchemaMemo
    private(set) var report: SchemaReport?

    /// The evaluated parts that belong to results in `memo`.
    private var evaluated: [UInt64: EvaluatedParts] = [:]
    /// The number of judgements around the current one whose violations are not reported, because
    /// only their result counts.
    private var silence = 0
    private var nesting = 0

    init(_ schema: UnitSchema, document: JSONDocument, cost: SchemaCost, memo: SchemaMemo) {
        self.schema = schema
        self.document = document
        self.cost = cost
        self.memo = memo
    }

    mutating func takeMemo() -> SchemaMemo { memo.take() }

    /// Begins to collect violations, by judging a second time all that was not kept.
    mutating func beginReport(keeping limit: Int) { report = SchemaReport(keeping: limit) }

    /// A Boolean value that indicates whether violations are collected, so that judging goes on
    /// after the first.
    @inline(__always) var isReporting: Bool { report != nil && silence == 0 }

    /// Returns whether a violation by the value at a node would be described.
    func lists(_ node: UInt32) -> Bool { isReporting && report?.lists(node) == true }

    @inline(__always)
    mutating func holds(
        _ condition: Bool, at node: UInt32, _ detail: @autoclosure () -> String
    ) -> Bool {
        if !condition, isReporting { report?.add(detail(), at: node) }
        return condition
    }

    /// Returns whether the value at `node` keeps a subschema, and adds the parts that it evaluates
    /// to `outer`.
    ///
    /// The result has no meaning after the page has taken too much work.
    mutating func judge(_ start: Int, at node: UInt32, into outer: EvaluatedParts? = nil) -> Bool {
        var index = start
        while let target = schema.subschemas[index].alias { index = target }
        if schema.subschemas[index].isAlways {
            cost.steps += 1
            return true
        }
        let isShared = schema.subschemas[index].isShared
        let key = SchemaMemo.key(index, node)
        if isShared, let result = keptResult(of: key, into: outer) { return result }
        guard cost.begin(nesting: nesting) else { return true }
        nesting += 1
        defer { nesting -= 1 }
        let own = schema.subschemas[index].collects ? EvaluatedParts() : nil
        let keeps = conditions(index, at: node, into: own)
        if isShared {
            memo[key] = keeps ? .valid : isReporting ? .reported : .invalid
            if keeps, let own { evaluated[key] = own }
        }
        if keeps, let own, let outer {
            cost.steps += own.wordCount
            outer.formUnion(own)
        }
        return keeps
    }

    /// Returns the kept result of a subschema and a value, unless its violations are still to be
    /// reported.
    private mutating func keptResult(of key: UInt64, into outer: EvaluatedParts?) -> Bool? {
        cost.steps += 1
        switch memo[key] {
        case .valid:
            if let outer, let own = evaluated[key] {
                cost.steps += own.wordCount
                outer.formUnion(own)
            }
            return true
        case .invalid: return isReporting ? nil : false
        case .reported: return false
        case nil: return nil
        }
    }

    mutating func judgeSilently(
        _ index: Int, at node: UInt32, into outer: EvaluatedParts? = nil
    ) -> Bool {
        silence += 1
        defer { silence -= 1 }
        return judge(index, at: node, into: outer)
    }

    private mutating func conditions(
        _ index: Int, at node: UInt32, into own: EvaluatedParts?
    ) -> Bool {
        guard holds(!schema.subschemas[index].isNever, at: node, "is not permitted here") else {
            return false
        }
        let byte = document.firstByte(of: node)
        guard hasKind(index, at: node, byte: byte) else { return false }
        var keeps = true
        for set in schema.subschemas[index].values {
            let isContainer = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
            cost.steps +=
                isContainer ? document.stepsOfHash(of: node) : document.byteRange(of: node).count
            let isIn = set.contains(node, of: document)
            keeps = holds(isIn, at: node, "must be \(set.expectation)") && keeps
        }
        guard keeps || isReporting else { return false }
        switch byte {
        case UInt8(ascii: "{"): keeps = object(index, at: node, into: own) && keeps
        case UInt8(ascii: "["): keeps = array(index, at: node, into: own) && keeps
        case UInt8(ascii: "\""): keeps = string(index, node) && keeps
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): break
        default: keeps = number(index, node) && keeps
        }
        guard keeps || isReporting else { return false }
        if schema.subschemas[index].hasInPlace {
            keeps = inPlace(index, at: node, into: own) && keeps
        }
        guard keeps || isReporting, let own else { return keeps }
        return unevaluated(index, at: node, byte: byte, into: own) && keeps
    }

    private mutating func hasKind(_ index: Int, at node: UInt32, byte: UInt8) -> Bool {
        let kinds = schema.subschemas[index].kinds
        if kinds == .all { return true }
        let kind: ValueKinds
        switch byte {
        case UInt8(ascii: "{"): kind = .object
        case UInt8(ascii: "["): kind = .array
        case UInt8(ascii: "\""): kind = .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): kind = .boolean
        case UInt8(ascii: "n"): kind = .null
        default:
            let number = kinds.intersection(.number)
            let isDecided = number.isEmpty || number == .number
            kind =
                isDecided || !readsNumber(node, times: 8)
                ? .integer : document.exactNumber(at: node).isInteger ? .integer : .fraction
        }
        let document = document
        return holds(
            kinds.isSuperset(of: kind), at: node,
            "must be \(kinds.description)\(document.value(at: node).insteadOf)")
    }

    private mutating func unevaluated(
        _ index: Int, at node: UInt32, byte: UInt8, into own: EvaluatedParts
    ) -> Bool {
        switch byte {
        case UInt8(ascii: "{"): unevaluatedProperties(index, at: node, into: own)
        case UInt8(ascii: "["): unevaluatedItems(index, at: node, into: own)
        default: true
        }
    }
}

extension SchemaRun {
    /// The bytes of a number that is read in the time of its judgement.
    private static var bytesOfShortNumber: Int { 32 }

    /// Adds the steps of reading and comparing a number, some for each byte of a long one; returns
    /// whether the limits permit it.
    @inline(__always)
    private mutating func readsNumber(_ node: UInt32, times factor: Int) -> Bool {
        let count = document.byteRange(of: node).count
        return count <= Self.bytesOfShortNumber || cost.proceed(count * factor)
    }

    private mutating func number(_ index: Int, _ node: UInt32) -> Bool {
        guard let rules = schema.subschemas[index].numbers,
            readsNumber(node, times: rules.divisor == nil ? 8 : 64)
        else { return true }
        let value = document.exactNumber(at: node)
        var keeps = true
        if let bound = rules.minimum {
            keeps = holds(
                value.order(to: bound.value) >= 0, at: node, "must be at least \(bound.text)")
        }
        if let bound = rules.maximum {
            let isKept = value.order(to: bound.value) <= 0
            keeps = holds(isKept, at: node, "must be at most \(bound.text)") && keeps
        }
        if let bound = rules.exclusiveMinimum {
            let isKept = value.order(to: bound.value) > 0
            keeps = holds(isKept, at: node, "must be more than \(bound.text)") && keeps
        }
        if let bound = rules.exclusiveMaximum {
            let isKept = value.order(to: bound.value) < 0
            keeps = holds(isKept, at: node, "must be less than \(bound.text)") && keeps
        }
        if let divisor = rules.divisor {
            let isKept = value.isMultiple(of: divisor.value)
            keeps = holds(isKept, at: node, "must be a multiple of \(divisor.text)") && keeps
        }
        return keeps
    }

    private mutating func string(_ index: Int, _ node: UInt32) -> Bool {
        guard let rules = schema.subschemas[index].strings else { return true }
        var keeps = true
        if rules.minLength > 0 || rules.maxLength < .max {
            let length = document.withText(of: node, \.codePointCount)
            cost.steps += document.byteRange(of: node).count
            keeps = holds(
                length >= rules.minLength, at: node,
                "must have at least \(rules.minLength) characters")
            let isKept = length <= rules.maxLength
            keeps =
                holds(isKept, at: node, "must have at most \(rules.maxLength) characters") && keeps
        }
        if let pattern = rules.pattern {
            let isKept = matches(pattern, node)
            keeps = holds(isKept, at: node, "must match the pattern \(pattern.source)") && keeps
        }
        return keeps
    }

    mutating func matches(_ pattern: Pattern, _ node: UInt32) -> Bool {
        document.withText(of: node) { pattern.matches(PatternText($0), &cost) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var codePointCount: Int { reduce(0) { $0 &+ ($1 & 0xC0 != 0x80 ? 1 : 0) } }
}

/// Subschemas for the same value.
extension SchemaRun {
    private mutating func inPlace(
        _ index: Int, at node: UInt32, into own: EvaluatedParts?
    ) -> Bool {
        let rules = schema.subschemas[index].inPlace
        var keeps = true
        for schema in rules.allOf {
            keeps = judge(schema, at: node, into: own) && keeps
            guard keeps || isReporting else { return false }
        }
        if let reference = rules.reference {
            keeps = judge(reference, at: node, into: own) && keeps
        }
        guard keeps || isReporting else { return false }
        if !rules.anyOf.isEmpty { keeps = anyOf(rules.anyOf, at: node, into: own) && keeps }
        if !rules.oneOf.isEmpty { keeps = oneOf(rules.oneOf, at: node, into: own) && keeps }
        guard keeps || isReporting else { return false }
        if let not = rules.not {
            let isKept = !judgeSilently(not, at: node)
            keeps =
                holds(isKept, at: node, "keeps the schema of \"not\", which it must not") && keeps
        }
        if let condition = rules.condition {
            let isMet = judgeSilently(condition, at: node, into: own)
            if let next = isMet ? rules.then : rules.otherwise {
                keeps = judge(next, at: node, into: own) && keeps
            }
        }
        return keeps
    }

    private mutating func anyOf(
        _ schemas: [Int], at node: UInt32, into own: EvaluatedParts?
    ) -> Bool {
        var isKept = false
        for schema in schemas where judgeSilently(schema, at: node, into: own) {
            isKept = true
            // The others may evaluate more parts.
            if own == nil { break }
        }
        return holds(
            isKept, at: node, "keeps none of the \(schemas.count) schemas of \"anyOf\"")
    }

    private mutating func oneOf(
        _ schemas: [Int], at node: UInt32, into own: EvaluatedParts?
    ) -> Bool {
        var count = 0
        for schema in schemas where judgeSilently(schema, at: node, into: own) {
            count += 1
            if count > 1, !isReporting { return false }
        }
        return holds(
            count == 1, at: node,
            "keeps \(count) of the \(schemas.count) schemas of \"oneOf\", instead of one")
    }
}
