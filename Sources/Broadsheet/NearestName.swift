/// The search for the name that a misspelt one was probably meant to be.
package enum NearestName {
    /// Returns the first of `candidates` with the fewest edits to `name`, or `nil` if even that one
    /// differs by more than a typing error.
    ///
    /// Case is ignored. A name of more than 64 characters has no nearest name.
    ///
    /// - Parameters:
    ///   - name: The misspelt name.
    ///   - candidates: The known names.
    ///   - limit: The maximum number of edits; by default a third of the name's characters, and two
    ///     in a short name.
    /// - Complexity: O(candidates × the product of the two lengths).
    package static func of(
        _ name: String, among candidates: [String], atMost limit: Int? = nil
    ) -> String? {
        guard !name.isEmpty, name.utf8.count <= 64 else { return nil }
        let typed = Array(name.lowercased())
        let maxEdits = limit ?? max(2, typed.count / 3)
        // Names whose lengths differ by more edits than that cannot be near.
        let ranked = candidates.filter { abs($0.count - typed.count) <= maxEdits }.map {
            (name: $0, edits: edits(typed, Array($0.lowercased())))
        }
        guard let best = ranked.min(by: { $0.edits < $1.edits }), best.edits <= maxEdits,
            best.edits < name.count
        else { return nil }
        return best.name
    }

    /// Returns the number of insertions, deletions, replacements and swaps of adjacent
    /// characters that turn
    /// `source` into `target` (the optimal string alignment distance, computed row by row).
    private static func edits(_ source: [Character], _ target: [Character]) -> Int {
        var beforeLast = [Int]()
        var last = Array(0...target.count)
        for (row, letter) in source.enumerated() {
            var current = [row + 1]
            for (column, other) in target.enumerated() {
                var cost = min(
                    last[column + 1] + 1, current[column] + 1,
                    last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == target[column - 1], other == source[row - 1] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[target.count]
    }
}
