/// Why a catalog cannot be used.
public enum CatalogError: Error, Sendable, Hashable {
    /// It is no JSON.
    case invalidJSON(JSONError)
    /// It is no catalog: the first faults in document order, at most `CatalogLimits.maxViolations`, and
    /// how many there are altogether.
    case violations([ContractViolation], total: Int)
}
