/// Compares what a document shows with what came out, `…` standing for anything.
enum Pattern {
    /// The ellipsis: within a line any characters of it, alone in a line any lines.
    private static let ellipsis: Character = "…"

    /// Whether `lines` are what `pattern` shows.
    static func matches(_ pattern: [String], _ lines: [String]) -> Bool {
        matches(pattern, lines, isGap: { $0 == String(ellipsis) }) { shown, line in
            matches(Array(shown), Array(line), isGap: { $0 == ellipsis }, accepts: ==)
        }
    }

    /// Whether `elements` are what `pattern` shows, a gap standing for any number of elements: the
    /// usual wildcard walk, which goes back to the latest gap only.
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
