import Synchronization

/// The judgements and steps that one request may take for all of its documents together.
///
/// The copies of a registry that have it (``CellRegistry/judgementBudget``) share it. Pages that
/// were stored before are read by registries without one: each of them has its own limits only.
package final class JudgementBudget: Sendable {
    /// The limits.
    let limits: SchemaLimits
    private let judgements: Atomic<Int>
    private let steps: Atomic<Int>
    private let isAbandoned = Atomic(false)
    private let firstExcess = Mutex<ContractError?>(nil)

    /// Creates the budget of a request.
    ///
    /// - Parameter isCatalogPosted: A Boolean value that indicates whether the catalog came with
    ///   the request, so that a client has chosen its schemas.
    package convenience init(isCatalogPosted: Bool = false) {
        self.init(limits: isCatalogPosted ? .withPostedCatalog : .ofWholeRequest)
    }

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - judgements: The judgements so far.
    ///   - steps: The steps so far.
    init(limits: SchemaLimits, judgements: Int = 0, steps: Int = 0) {
        self.limits = limits
        self.judgements = Atomic(judgements)
        self.steps = Atomic(steps)
    }

    /// Returns a budget with the same rest, for an attempt of a write that may begin again.
    package func copy() -> JudgementBudget {
        JudgementBudget(limits: limits, judgements: spent.judgements, steps: spent.steps)
    }

    /// The work so far.
    var spent: (judgements: Int, steps: Int) {
        (judgements.load(ordering: .relaxed), steps.load(ordering: .relaxed))
    }

    /// The limit that was crossed, if any.
    var excess: SchemaCost.Excess? {
        if isAbandoned.load(ordering: .relaxed) { return .abandoned }
        let spent = spent
        if spent.judgements > limits.maxJudgements { return .judgementsOfRequest }
        return spent.steps > limits.maxSteps ? .stepsOfRequest : nil
    }

    /// A Boolean value that indicates whether nothing more is judged for the request.
    package var isExhausted: Bool { excess != nil }

    /// Adds work.
    func add(judgements: Int, steps: Int) {
        self.judgements.wrappingAdd(judgements, ordering: .relaxed)
        self.steps.wrappingAdd(steps, ordering: .relaxed)
    }

    /// Ends the judgements, because the client has gone.
    func abandon() { isAbandoned.store(true, ordering: .relaxed) }

    /// Notes the violation of a page at which the budget was crossed; the first one stays.
    func note(_ error: ContractError) { firstExcess.withLock { $0 = $0 ?? error } }

    /// Throws the violation at which the budget was crossed while a page was resolved, if it was.
    package func check() throws(ContractError) {
        if let error = firstExcess.withLock({ $0 }) { throw error }
    }
}
