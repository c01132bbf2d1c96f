/// The search for the name that a misspelt one was probably meant to be.
package enum NearestName {
    /// The number of letters by which a misspelt name is off the one that was meant, at most.
    package static let maxTypingErrors = 2

    /// Returns the first of `candidates` with the fewest edits to `name`, or `nil` if even that one
    /// differs by more than a typing error.
    ///
    /// Case is ignored. A name of more than 64 bytes has no nearest name. Among candidates with as
    /// many edits, it is the one that begins and ends with more of the same characters: `cels` is
    /// `cells` rather than `cell`.
    ///
    /// - Parameters:
    ///   - name: The misspelt name.
    ///   - candidates: The known names.
    ///   - limit: The maximum number of edits; by default a third of the name's characters, and two
    ///     in a short name.
    /// - Complexity: O(candidates × length × the maximum number of edits).
    package static func of(
        _ name: String, among candidates: [String], atMost limit: Int? = nil
    ) -> String? {
        guard !name.isEmpty, name.utf8.count <= 64 else { return nil }
        let typed = Array(name.lowercased().unicodeScalars)
        let maxEdits = min(limit ?? max(maxTypingErrors, typed.count / 3), typed.count - 1)
        var best: (name: String, edits: Int, common: Int)?
        for candidate in candidates {
            let letters = Array(candidate.lowercased().unicodeScalars)
            // Names whose lengths differ by more edits than that cannot be near.
            guard abs(letters.count - typed.count) <= maxEdits else { continue }
            let distance = edits(typed, letters, atMost: maxEdits)
            guard distance <= maxEdits else { continue }
            let found = (edits: distance, common: commonEnds(typed, letters))
            if let best, (best.edits, -best.common) <= (found.edits, -found.common) { continue }
            best = (candidate, found.edits, found.common)
        }
        return best?.name
    }

    /// The largest number of names that one is searched for among; fixed.
    package static let maxCandidates = 1000

    /// Returns a question about the name that was probably meant, at most ``maxTypingErrors``
    /// letters off, or an empty text.
    ///
    /// - Parameters:
    ///   - name: The misspelt name.
    ///   - candidates: The known names, of which the first ``maxCandidates`` are compared.
    package static func question(
        about name: String, among candidates: some Sequence<String>
    ) -> String {
        let letters = Self.letters(of: name)
        // An edit adds at most one letter, and removes at most one.
        let near = candidates.prefix(maxCandidates).filter {
            (Self.letters(of: $0) ^ letters).nonzeroBitCount <= 2 * maxTypingErrors
        }
        return of(name, among: near, atMost: maxTypingErrors).map { "; did you mean \"\($0)\"?" }
            ?? ""
    }

    private static func letters(of name: String) -> UInt64 {
        name.utf8.reduce(into: 0) { $0 |= 1 << UInt64($1 & 31) }
    }

    /// Returns the number of characters that two names have in common at their beginnings, and at
    /// their ends after those.
    private static func commonEnds(_ name: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        let start = zip(name, other).prefix { $0 == $1 }.count
        let end = zip(name[start...].reversed(), other[start...].reversed()).prefix { $0 == $1 }
        return start + end.count
    }

    /// Returns the number of insertions, deletions, replacements and swaps of adjacent characters
    /// that turn `source` into `target` (the optimal string alignment distance, computed row by
    /// row); a number above `limit` if they are more.
    ///
    /// Only the columns near the diagonal are computed: every other one is above the limit.
    private static func edits(
        _ source: [Unicode.Scalar], _ target: [Unicode.Scalar], atMost limit: Int
    ) -> Int {
        let (far, width) = (limit + 1, target.count)
        var beforeLast = [Int](repeating: far, count: width + 1)
        var last = (0...width).map { min($0, far) }
        var current = beforeLast
        for (row, letter) in source.enumerated() {
            let (low, high) = (max(1, row + 1 - limit), min(width, row + 1 + limit))
            guard low <= high else { return far }
            current[low - 1] = low == 1 ? min(row + 1, far) : far
            for column in low...high {
                let other = target[column - 1]
                var cost = min(
                    last[column] + 1, current[column - 1] + 1,
                    last[column - 1] + (letter == other ? 0 : 1))
                if row > 0, column > 1, letter == target[column - 2], other == source[row - 1] {
                    cost = min(cost, beforeLast[column - 2] + 1)
                }
                current[column] = min(cost, far)
            }
            if high < width { current[high + 1] = far }
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[width]
    }
}
