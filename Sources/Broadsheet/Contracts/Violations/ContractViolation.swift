/// One place of a page or a catalog that does not fit, and what would.
public struct ContractViolation: Sendable, Hashable {
    /// A JSON Pointer to the value, or to where the missing one belongs (RFC 6901).
    public let pointer: String
    /// What is wrong, as a sentence to be read after the pointer.
    public let detail: String
    /// Where the value begins in the document's bytes; for a missing one, where its object begins.
    public let offset: Int

    /// Makes a violation.
    public init(pointer: String, detail: String, offset: Int = 0) {
        self.pointer = pointer
        self.detail = detail
        self.offset = offset
    }
}

/// JSON that is no page: everything about it that does not fit the contract.
public struct ContractError: Error, Sendable, Hashable {
    /// The first violations in document order, at most ``maxViolations`` of them.
    public let violations: [ContractViolation]
    /// How many there are altogether.
    public let total: Int

    /// How many violations an error carries.
    public static let maxViolations = 100

    /// Makes an error of what was found; `total` is their count unless more were found.
    public init(violations: [ContractViolation], total: Int? = nil) {
        self.violations = violations
        self.total = total ?? violations.count
    }
}
