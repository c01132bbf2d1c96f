/// Why a catalog cannot be used.
public enum CatalogError: Error, Sendable, Hashable {
    /// It is no JSON.
    case invalidJSON(JSONError)
    /// It is no catalog: the first faults in document order, at most `CatalogLimits.maxFaults`, and
    /// how many there are altogether.
    case faults([ContractViolation], total: Int)
}
