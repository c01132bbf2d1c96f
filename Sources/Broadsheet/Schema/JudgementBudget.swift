import BroadsheetClient

/// The judgements and steps that one request may take for all of its documents together.
///
/// The copies of a registry that have it (``CellRegistry/judgementBudget``) share it. Pages that
/// were stored before are read by registries without one: each of them has its own limits only.
package final class JudgementBudget: Sendable {
    let limits: SchemaLimits
    private let state: LockedValue<State>

    private struct State {
        var spent: (judgements: Int, steps: Int)
        var isAbandoned = false
        var firstExcess: ContractError?
    }

    /// `isCatalogPosted`: the catalog came with the request; a client has chosen its schemas.
    package convenience init(isCatalogPosted: Bool = false) {
        self.init(limits: isCatalogPosted ? .withPostedCatalog : .ofWholeRequest)
    }

    init(limits: SchemaLimits, judgements: Int = 0, steps: Int = 0) {
        self.limits = limits
        state = LockedValue(State(spent: (judgements, steps)))
    }

    /// Returns a budget with the same rest, for an attempt of a write that may begin again.
    package func copy() -> JudgementBudget {
        let spent = spent
        return JudgementBudget(limits: limits, judgements: spent.judgements, steps: spent.steps)
    }

    var spent: (judgements: Int, steps: Int) { state.withLock(\.spent) }

    var excess: SchemaCost.Excess? {
        let (spent, isAbandoned) = state.withLock { ($0.spent, $0.isAbandoned) }
        if isAbandoned { return .abandoned }
        if spent.judgements > limits.maxJudgements { return .judgementsOfRequest }
        return spent.steps > limits.maxSteps ? .stepsOfRequest : nil
    }

    /// A Boolean value that indicates whether nothing more is judged for the request.
    package var isExhausted: Bool { excess != nil }

    func add(judgements: Int, steps: Int) {
        state.withLock { state in
            state.spent.judgements &+= judgements
            state.spent.steps &+= steps
        }
    }

    /// Ends the judgements, because the client has gone.
    func abandon() { state.withLock { $0.isAbandoned = true } }

    /// Notes the violation of a page at which the budget was crossed; the first one stays.
    func note(_ error: ContractError) {
        state.withLock { $0.firstExcess = $0.firstExcess ?? error }
    }

    /// Throws the violation at which the budget was crossed while a page was resolved, if it was.
    package func check() throws(ContractError) {
        if let error = state.withLock(\.firstExcess) { throw error }
    }
}
