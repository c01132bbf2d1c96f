/// A table of results in columns that are as wide as their longest cell.
struct ResultTable {
    private static let headings = ["measured", "figure", "baseline", "ratio", "target", ""]
    private var rows: [ResultRow] = []

    /// Appends rows.
    mutating func add(_ more: [ResultRow]) { rows += more }

    /// The number of targets that are met, and of all targets.
    var targets: (met: Int, total: Int) {
        let targets = rows.compactMap(\.target)
        return (targets.count { $0.isMet }, targets.count)
    }

    /// The table as Markdown, aligned so that it is also legible as plain text.
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

/// A row of the table: a figure, its baseline and its target.
struct ResultRow {
    /// The name of the figure; two leading spaces mark details of the row above.
    let name: String
    /// The figure with its unit.
    let figure: String
    /// The baseline's figure, measured in the same rounds; empty without a baseline.
    var baseline = ""
    /// The figure divided by the baseline.
    var ratio = ""
    /// The target; `nil` for a figure that has none.
    var target: Target?

    /// The cells in the order of the table's columns.
    fileprivate var cells: [String] {
        [
            name, figure, baseline, ratio, target?.text ?? "",
            target.map { $0.isMet ? "met" : "MISSED" } ?? "",
        ]
    }
}

/// A limit on a measured value.
struct Target {
    /// The values that meet a target.
    enum Limit {
        case atLeast(Double)
        case atMost(Double)
        case above(Double)
        case below(Double)
    }

    /// The limit in words, such as `ratio at most 8` or `below 30 MB`.
    let text: String
    /// A Boolean value that indicates whether the measured value meets the limit.
    let isMet: Bool

    /// Creates a target in words.
    init(_ text: String, isMet: Bool) {
        self.text = text
        self.isMet = isMet
    }

    /// Creates a target for a measured ratio to the baseline.
    init(ratio: Double, _ limit: Limit) {
        text = "ratio " + limit.text
        isMet = limit.contains(ratio)
    }

    /// Creates a target for a measured figure in a unit.
    init(figure: Double, _ limit: Limit, unit: String) {
        text = limit.text + " " + unit
        isMet = limit.contains(figure)
    }
}

extension Target.Limit {
    fileprivate var text: String {
        switch self {
        case .atLeast(let limit): "at least \(limit.brief)"
        case .atMost(let limit): "at most \(limit.brief)"
        case .above(let limit): "above \(limit.brief)"
        case .below(let limit): "below \(limit.brief)"
        }
    }

    fileprivate func contains(_ value: Double) -> Bool {
        switch self {
        case .atLeast(let limit): value >= limit
        case .atMost(let limit): value <= limit
        case .above(let limit): value > limit
        case .below(let limit): value < limit
        }
    }
}

extension Double {
    /// The number with two decimals at most.
    fileprivate var brief: String {
        if self == rounded() { return formatted(0) }
        return formatted(self * 10 == (self * 10).rounded() ? 1 : 2)
    }

    /// Returns the number with a fixed count of decimals.
    func formatted(_ decimals: Int = 2) -> String {
        guard isFinite else { return "n/a" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let (whole, part) = Int64((magnitude * scale).rounded())
            .quotientAndRemainder(dividingBy: Int64(scale))
        let fraction = String(part)
        let padding = String(repeating: "0", count: max(0, decimals - fraction.count))
        let number = decimals == 0 ? "\(whole)" : "\(whole).\(padding)\(fraction)"
        return sign == .minus && (whole, part) != (0, 0) ? "-\(number)" : number
    }

    /// The duration of this many seconds, in milliseconds with one decimal.
    var milliseconds: String { "\((self * 1e3).formatted(1)) ms" }
}
