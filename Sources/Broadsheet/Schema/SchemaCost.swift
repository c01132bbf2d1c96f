/// The limits of the judgement of a page, or of a request with actions; fixed in service.
struct SchemaLimits: Sendable {
    /// The limits of a request.
    static let ofRequest = SchemaLimits(subject: "request")

    /// The noun for what the limits are of.
    var subject = "page"
    /// The largest number of judgements.
    var maxJudgements = 10_000_000
    /// The largest number of steps.
    var maxSteps = 1_000_000_000
    /// The largest number of subschemas within each other that judge at once, which bounds the
    /// stack.
    var maxNesting = 320
}

/// The work that the judgements of a page have taken.
struct SchemaCost {
    /// A limit of the work of a page.
    enum Excess {
        case judgements
        case steps
        case nesting

        /// Returns the violation of the value at which the limit was crossed, or of one after it.
        func violation(at node: UInt32, _ limits: SchemaLimits) -> SchemaViolation {
            let work =
                switch self {
                case .judgements: "\(limits.maxJudgements) judgements by schemas"
                case .steps: "\(limits.maxSteps) steps of schemas"
                case .nesting: "\(limits.maxNesting) judgements within each other"
                }
            let detail =
                "cannot be judged: its \(limits.subject) takes more than the \(work) that it may take"
            return SchemaViolation(pointer: "", detail: detail, node: node)
        }
    }

    let limits: SchemaLimits

    fileprivate(set) var judgements = 0
    var steps = 0
    /// The limit that was crossed, if any; nothing is judged after that.
    private(set) var excess: Excess?

    init(limits: SchemaLimits) { self.limits = limits }

    /// Adds a judgement, and returns whether it may be made.
    @inline(__always)
    mutating func begin(nesting: Int) -> Bool {
        guard excess == nil else { return false }
        judgements += 1
        if judgements > limits.maxJudgements { excess = .judgements }
        if steps > limits.maxSteps { excess = .steps }
        if nesting >= limits.maxNesting { excess = .nesting }
        return excess == nil
    }
}
