/// One length of a cell as data (docs/catalog.md, `size`), compiled.
///
/// As deep as the catalog's JSON, which is bounded; evaluating visits each part once at most.
enum SizeRule: Sendable, Hashable {
    /// That many points.
    case points(Double)
    /// That part of the container's length on this axis.
    case fraction(Double)
    /// That part of the resolved width.
    case ratio(Double)
    /// A number in the cell's data, read when the page was resolved.
    case input(Int)
    /// The sum of the parts, each in the width that the padding leaves.
    case stack([SizeRule], spacing: Double, padding: Insets)
    /// The case whose index a string in the cell's data chose when the page was resolved.
    case choice(input: Int, cases: [SizeRule])
    /// A length kept within bounds; the lower one wins over the upper.
    indirect case clamp(lower: SizeRule?, upper: SizeRule?, of: SizeRule)
}

/// What rules are evaluated in.
struct SizeScope {
    /// The container's length on the rule's axis, in points.
    var length: Double
    /// The resolved width in points; only a height's rules ask for it.
    var width: Double
    /// The numbers of a page's cells, one cell's after another's.
    let inputs: [Double]
    /// Where the cell's own begin, as `SizeRules.inputs` orders them.
    var start: Int

    /// The cell's number at `index`.
    func input(_ index: Int) -> Double {
        let place = start &+ index
        return inputs.indices.contains(place) ? inputs[place] : 0
    }
}

extension SizeRule {
    /// The length in points, finite by rule G2; parts may be negative.
    ///
    /// O(parts).
    func length(in scope: SizeScope) -> Double {
        switch self {
        case .points(let points): points
        case .fraction(let fraction): Length.sanitised(fraction * scope.length)
        case .ratio(let ratio): Length.sanitised(ratio * scope.width)
        case .input(let index): scope.input(index)
        case .stack(let parts, let spacing, let padding):
            Self.stacked(parts, spacing: spacing, padding: padding, in: scope)
        case .choice(let input, let cases):
            Self.chosen(scope.input(input), among: cases, in: scope)
        case .clamp(let lower, let upper, let rule):
            max(
                lower?.length(in: scope) ?? -.infinity,
                min(upper?.length(in: scope) ?? .infinity, rule.length(in: scope)))
        }
    }

    private static func stacked(
        _ parts: [SizeRule], spacing: Double, padding: Insets, in scope: SizeScope
    ) -> Double {
        if parts.isEmpty { return 0 }
        var inner = scope
        inner.width = max(0, scope.width - padding.left - padding.right)
        let gaps = Double(parts.count - 1) * spacing
        let sum = parts.reduce(0) { $0 + $1.length(in: inner) }
        return Length.sanitised(sum + gaps + padding.top + padding.bottom)
    }

    private static func chosen(
        _ choice: Double, among cases: [SizeRule], in scope: SizeScope
    ) -> Double {
        guard let index = Int(exactly: choice), cases.indices.contains(index) else { return 0 }
        return cases[index].length(in: scope)
    }
}
