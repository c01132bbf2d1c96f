/// The fair shares of several holders of one capacity: those that have little keep all of it, and
/// the others have equal parts of the rest.
enum FairShare {
    /// Returns the largest amount that a holder may keep, so that all of them together have at most
    /// `capacity`; `Int.max` if they have no more than that already.
    ///
    /// - Parameters:
    ///   - amounts: The amounts that the holders have.
    ///   - capacity: The amount that they may have together.
    /// - Complexity: O(n log n).
    static func level(of amounts: some Sequence<Int>, within capacity: Int) -> Int {
        let sorted = amounts.sorted()
        var left = max(0, capacity)
        for (index, amount) in sorted.enumerated() {
            let share = left / (sorted.count - index)
            guard amount <= share else { return share }
            left -= amount
        }
        return .max
    }
}
