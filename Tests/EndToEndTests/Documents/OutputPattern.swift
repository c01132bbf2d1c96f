/// Compares the output that a document shows, in which `…` matches anything, with actual output.
enum OutputPattern {
    /// The ellipsis, which matches any characters within a line, or any lines if it is a line.
    private static let ellipsis: Character = "…"

    /// Returns whether lines match a pattern.
    static func matches(_ pattern: [String], _ lines: [String]) -> Bool {
        matches(pattern, lines, isGap: { $0 == String(ellipsis) }) { shown, line in
            matches(Array(shown), Array(line), isGap: { $0 == ellipsis }, accepts: ==)
        }
    }

    /// Returns whether elements match a pattern in which a gap matches any number of elements.
    ///
    /// The algorithm backtracks to the latest gap only.
    private static func matches<Element>(
        _ pattern: [Element], _ elements: [Element], isGap: (Element) -> Bool,
        accepts: (Element, Element) -> Bool
    ) -> Bool {
        var (at, next) = (0, 0)
        var gap: (at: Int, next: Int)?
        while next < elements.count {
            if at < pattern.count, isGap(pattern[at]) {
                gap = (at, next)
                at += 1
            } else if at < pattern.count, accepts(pattern[at], elements[next]) {
                at += 1
                next += 1
            } else if let latest = gap {
                gap = (latest.at, latest.next + 1)
                (at, next) = (latest.at + 1, latest.next + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy(isGap)
    }
}
