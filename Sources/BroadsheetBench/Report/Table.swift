/// Rows under headings, in columns as wide as they need to be.
struct Table {
    private static let headings = ["what", "figure", "yardstick", "ratio", "target", ""]
    private var rows: [Row] = []

    /// Adds rows below those that are there.
    mutating func add(_ more: [Row]) { rows += more }

    /// How many rows say what should hold, and of how many it does.
    var verdict: (met: Int, judged: Int) {
        let judged = rows.compactMap(\.isMet)
        return (judged.count { $0 }, judged.count)
    }

    /// The table as text, a Markdown table that is also legible as it stands.
    var text: String {
        let lines = [Self.headings] + rows.map(\.cells)
        let widths = Self.headings.indices.map { column in
            lines.map { $0[column].count }.max() ?? 0
        }
        let rule = widths.map { String(repeating: "-", count: max(3, $0)) }
        return ([lines[0], rule] + lines.dropFirst()).map { cells in
            let padded = zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, max(3, width) - cell.count))
            }
            return "| " + padded.joined(separator: " | ") + " |\n"
        }.joined()
    }
}
