/// A line of the table: a figure, its yardstick, and whether it is as good as it should be.
struct Row {
    /// What was measured.
    let name: String
    /// The figure with its unit.
    let figure: String
    /// The yardstick's figure, taken in the same run; empty where there is none.
    var yardstick = ""
    /// The figure by the yardstick.
    var ratio = ""
    /// What should hold; empty for a figure that is only told.
    var target = ""
    /// Whether it does.
    var isMet: Bool?

    /// The cells in the order of the table's columns.
    var cells: [String] {
        [name, figure, yardstick, ratio, target, isMet.map { $0 ? "met" : "MISSED" } ?? ""]
    }
}

extension Double {
    /// The number with so many digits behind the point.
    func shown(_ digits: Int = 2) -> String {
        guard isFinite else { return "n/a" }
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let (whole, part) = Int64((magnitude * scale).rounded())
            .quotientAndRemainder(dividingBy: Int64(scale))
        let fraction = String(part)
        let padding = String(repeating: "0", count: max(0, digits - fraction.count))
        let number = digits == 0 ? "\(whole)" : "\(whole).\(padding)\(fraction)"
        return sign == .minus && (whole, part) != (0, 0) ? "-\(number)" : number
    }
}
