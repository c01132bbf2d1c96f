/// The limits of the judgement of a page, or of the parts of a request; fixed in service.
struct SchemaLimits: Sendable {
    /// The limits of the inputs of a request, and those of what its actions leave.
    static let ofRequest = SchemaLimits(subject: "request")
    /// The limits of all documents of a request: three times those of a page, because an edited
    /// page is judged up to three times (its items, strictly, and when it is resolved).
    static let ofWholeRequest = SchemaLimits(
        subject: "request", maxJudgements: 30_000_000, maxSteps: 3_000_000_000)
    /// The limits of all documents of a request with a catalog of its own, whose sender may have
    /// written the schemas to be expensive.
    static let withPostedCatalog = SchemaLimits(
        subject: "request, which has a catalog of its own,", maxJudgements: 1_000_000,
        maxSteps: 100_000_000)

    /// The limits of the inputs of actions that the contents of a catalog send.
    static let ofCatalog = SchemaLimits(
        subject: "catalog", maxJudgements: 1_000_000, maxSteps: 100_000_000)

    var subject = "page"
    var maxJudgements = 10_000_000
    var maxSteps = 1_000_000_000
    /// The largest number of subschemas within each other that judge at once, which bounds the
    /// stack.
    var maxNesting = 320
}

/// The work that the judgements of a page have taken.
struct SchemaCost {
    /// A limit of the work of a page or a request, or another reason to judge nothing more.
    enum Excess {
        case judgements
        case steps
        case nesting
        case judgementsOfRequest
        case stepsOfRequest
        /// The client has gone, so that the result is used by no one.
        case abandoned

        /// A Boolean value that indicates whether all documents of the request crossed the limit
        /// together, so that the request cannot be done.
        var isOfRequest: Bool {
            switch self {
            case .judgementsOfRequest, .stepsOfRequest: true
            case .judgements, .steps, .nesting, .abandoned: false
            }
        }

        fileprivate func detail(_ limits: SchemaLimits) -> String {
            let work =
                switch self {
                case .judgements, .judgementsOfRequest:
                    "\(limits.maxJudgements) judgements by schemas"
                case .steps, .stepsOfRequest: "\(limits.maxSteps) steps of schemas"
                case .nesting: "\(limits.maxNesting) judgements within each other"
                case .abandoned: "time until its connection was lost"
                }
            return "cannot be judged: its \(limits.subject) takes more than the \(work) that it "
                + "may take"
        }
    }

    /// The steps of a member whose name is looked up.
    static let stepsOfMember = 16
    /// The steps of a member whose name is compared with all others of its object.
    static let stepsOfDistinctMember = 32
    /// The steps of a value in an array or object that is hashed, besides its bytes.
    static let stepsOfHashedValue = 64

    /// The work after which a checkpoint of long computations follows: about a millisecond.
    private static let interval = (judgements: 1 << 12, steps: 1 << 20)

    let limits: SchemaLimits
    /// The budget of the request; `nil` for a page that was stored before.
    private let budget: JudgementBudget?
    private(set) var judgements = 0
    var steps = 0
    /// The limit that was crossed, if any; nothing is judged after that.
    private(set) var excess: Excess?
    /// The work that the budget of the request knows of.
    private var settled = (judgements: 0, steps: 0)
    /// The work up to which there is nothing to check.
    private var next = (judgements: 0, steps: 0)

    init(limits: SchemaLimits, _ budget: JudgementBudget? = nil) {
        self.limits = limits
        self.budget = budget
        setNext()
    }

    @inline(__always)
    mutating func begin(nesting: Int) -> Bool {
        guard excess == nil else { return false }
        judgements += 1
        if judgements > next.judgements || steps > next.steps { check() }
        if nesting >= limits.maxNesting { excess = .nesting }
        return excess == nil
    }

    /// Adds steps of one judgement that may take many, and returns whether it may go on.
    @inline(__always)
    mutating func proceed(_ count: Int) -> Bool {
        steps += count
        if steps > next.steps { check() }
        return excess == nil
    }

    /// Adds the work since the last call to the budget of the request.
    mutating func settle() {
        guard let budget else { return }
        budget.add(judgements: judgements - settled.judgements, steps: steps - settled.steps)
        settled = (judgements, steps)
        setNext()
    }

    /// Returns the violation of the value at which the limit was crossed, or of one after it;
    /// `nil` before.
    func violation(at node: UInt32) -> SchemaViolation? {
        excess.map { excess in
            let limits = excess.isOfRequest ? budget?.limits ?? self.limits : self.limits
            return SchemaViolation(pointer: "", detail: excess.detail(limits), node: node)
        }
    }

    /// Compares the work with the limits, and lets other work go first.
    @inline(never)
    private mutating func check() {
        guard excess == nil else { return }
        settle()
        if judgements > limits.maxJudgements {
            excess = .judgements
        } else if steps > limits.maxSteps {
            excess = .steps
        } else if let crossed = budget?.excess {
            excess = crossed
        } else if LongWork.isAbandoned() {
            budget?.abandon()
            excess = .abandoned
        }
        setNext()
    }

    private mutating func setNext() {
        next = (
            min(judgements + Self.interval.judgements, limits.maxJudgements),
            min(steps + Self.interval.steps, limits.maxSteps)
        )
        guard let budget else { return }
        let spent = budget.spent
        next.judgements = min(
            next.judgements, judgements + budget.limits.maxJudgements - spent.judgements)
        next.steps = min(next.steps, steps + budget.limits.maxSteps - spent.steps)
    }
}
