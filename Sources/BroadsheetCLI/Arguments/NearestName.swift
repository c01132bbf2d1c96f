/// Finds the name that a misspelt one was probably meant to be.
enum NearestName {
    /// The first of `candidates` with the fewest edits to `name`, unless even that one is too far off
    /// to be a slip: at most a third of the name's characters, and two in a short name.
    ///
    /// Capitals are no edits.
    ///
    /// - Complexity: O(candidates × the two lengths multiplied); a name beyond 64 characters has none.
    static func of(_ name: String, among candidates: [String]) -> String? {
        guard !name.isEmpty, name.utf8.count <= 64 else { return nil }
        let reach = max(2, name.count / 3)
        let typed = Array(name.lowercased())
        let ranked = candidates.map { (name: $0, edits: edits(typed, Array($0))) }
        guard let best = ranked.min(by: { $0.edits < $1.edits }), best.edits <= reach,
            best.edits < name.count
        else { return nil }
        return best.name
    }

    /// How many insertions, deletions, replacements and swaps of neighbours turn `source` into
    /// `target` (the optimal string alignment distance, row by row).
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
