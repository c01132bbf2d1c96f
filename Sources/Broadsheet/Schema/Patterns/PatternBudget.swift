/// The rest of what the patterns of one catalog may take.
///
/// Patterns of a few bytes can have thousands of states (`.{4990}`) or of ranges (`\p{L}`), so the
/// length of a catalog limits neither the memory of its patterns nor the time to compile them.
struct PatternBudget: Sendable {
    /// The number of steps in which tables are made; without any left, patterns are matched by
    /// their programs.
    var tableSteps: Int

    private let maxParts: Int
    /// The number of states and ranges that were taken.
    private(set) var partsTaken = 0

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - maxParts: The number of states and ranges of code points together.
    ///   - tableSteps: The number of steps in which tables are made.
    init(
        maxParts: Int = CatalogLimits().maxPatternParts, tableSteps: Int = PatternTable.maxSteps
    ) {
        self.maxParts = maxParts
        self.tableSteps = tableSteps
    }

    /// Takes a number of states and ranges.
    ///
    /// - Throws: An error if that is more than is left; then nothing is left.
    mutating func take(_ parts: Int) throws(PatternError) {
        partsTaken += parts
        guard partsTaken <= maxParts else {
            throw PatternError(
                "takes the patterns of its catalog beyond the \(maxParts) states and ranges of "
                    + "code points that they may have together")
        }
    }
}
