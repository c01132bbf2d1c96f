import Broadsheet

/// The violations in a body with several pages: the first in document order, and their number.
struct ComposeViolations {
    private var violations: [ContractViolation] = []
    private var total = 0

    /// A Boolean value that indicates whether as many violations are known as are ever reported.
    var isFull: Bool { violations.count >= ContractError.maxViolations }

    mutating func add(_ pointer: String, _ detail: String, at value: JSONValue) {
        add(pointer, detail, at: value.byteRange.lowerBound)
    }

    mutating func add(_ pointer: String, _ detail: String, at offset: Int) {
        violations.append(ContractViolation(pointer: pointer, detail: detail, offset: offset))
        total += 1
    }

    mutating func add(_ error: ContractError) {
        violations += error.violations
        total += error.total
    }

    /// Adds the violations of a page with a document of its own, which begins at `offset` of the
    /// body.
    mutating func add(_ error: ContractError, at offset: Int) {
        violations += error.violations.map { violation in
            ContractViolation(
                pointer: violation.pointer, detail: violation.detail,
                offset: offset + violation.offset)
        }
        total += error.total
    }

    var isEmpty: Bool { total == 0 }

    /// The problem `INVALID_CONTRACT` of these violations.
    var problem: Problem {
        let sorted = violations.sorted { $0.offset < $1.offset }
        return Problem(.invalidContract, violations: sorted, total: total)
    }

    func throwIfAny() throws(Problem) { if !isEmpty { throw problem } }
}
