import Broadsheet

/// What does not fit in a compose request's body: the first places in document order, and how many
/// there are.
struct ComposeFaults: Sendable {
    private var violations: [ContractViolation] = []
    private var total = 0

    /// Whether as many places are known as are ever told.
    var isFull: Bool { violations.count >= ContractError.maxViolations }

    /// Notes that the value at `pointer` does not fit.
    mutating func note(_ pointer: String, _ detail: String, at value: JSONValue) {
        violations.append(
            ContractViolation(
                pointer: pointer, detail: detail, offset: value.byteRange.lowerBound))
        total += 1
    }

    /// Notes what does not fit in a page.
    mutating func note(_ error: ContractError) {
        violations += error.violations
        total += error.total
    }

    /// Throws `INVALID_CONTRACT` when anything was noted.
    func throwIfAny() throws(Problem) {
        guard total > 0 else { return }
        let sorted = violations.sorted { $0.offset < $1.offset }
        throw Problem(.invalidContract, violations: sorted, total: total)
    }
}
