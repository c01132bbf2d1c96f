/// A text of a size rule with its position in the cell, for pictures and lint.
struct PlacedText: Sendable {
    /// The index of the text's input.
    let input: Int
    let rule: TextRule
    /// The distance of the first line from the cell's left edge, in points.
    var x: Double
    /// The distance of the first line from the cell's top edge, in points.
    var y: Double
    /// The width that the lines may fill, in points.
    let width: Double
    /// A Boolean value that indicates whether the rules place the text, and no function of a
    /// program.
    var isExact = true
}

extension SizeRules {
    /// Returns the texts of a cell of a size, which `scope` has the inputs of: those of the height
    /// where its parts are, or else those of the width in the middle.
    ///
    /// - Complexity: O(rules), and that of breaking the texts into lines.
    func texts(ofCell size: Size, in scope: inout SizeScope) -> [PlacedText] {
        var placed: [PlacedText] = []
        scope.width = size.width
        height?.place(at: (0, 0), in: &scope, into: &placed)
        guard placed.isEmpty else { return placed }
        width?.place(at: (0, 0), in: &scope, into: &placed)
        for index in placed.indices {
            let rule = placed[index].rule
            let factor = rule.font.factor(scope.textScale)
            let lines = scope.text(placed[index].input)?.measure(
                rule.request(width: size.width, factor: factor))
            guard let lines else { continue }
            let height = Double(lines.lines) * rule.font.lineHeight * factor
            placed[index].x = max(0, (size.width - lines.longestLine) / 2)
            placed[index].y = (size.height - height) / 2
        }
        return placed
    }

    /// Returns whether a cell of a size ends above or below lines of its texts, by more than a
    /// tolerance in points.
    ///
    /// - Complexity: O(rules), and that of breaking the texts into lines.
    func cutsTexts(
        ofCell size: Size, in scope: inout SizeScope, tolerance: Double
    ) -> Bool {
        for text in texts(ofCell: size, in: &scope) where text.isExact {
            let factor = text.rule.font.factor(scope.textScale)
            let request = text.rule.request(width: text.width, factor: factor)
            let lines = scope.text(text.input)?.measure(request).lines ?? 0
            let end = text.y + text.rule.height(ofLines: lines, scope)
            if lines > 0, text.y < -tolerance || end > size.height + tolerance { return true }
        }
        return false
    }
}

extension SizeRule {
    fileprivate func place(
        at origin: (x: Double, y: Double), in scope: inout SizeScope,
        into placed: inout [PlacedText]
    ) {
        switch self {
        case .text(let input, let rule):
            placed.append(
                PlacedText(
                    input: input, rule: rule, x: origin.x, y: origin.y, width: scope.width))
        case .stack(let parts, let spacing, let padding):
            let width = scope.width
            scope.width = max(0, width - padding.left - padding.right)
            Self.place(
                parts, at: (origin.x + padding.left, origin.y + padding.top), spacing: spacing,
                in: &scope, into: &placed)
            scope.width = width
        case .sum(let parts):
            Self.place(parts, at: origin, spacing: 0, in: &scope, into: &placed)
        case .custom(_, let parts):
            let first = placed.count
            Self.place(parts, at: origin, spacing: 0, in: &scope, into: &placed)
            for index in first..<placed.count { placed[index].isExact = false }
        case .product(let rule, _), .clamp(_, _, let rule):
            rule.place(at: origin, in: &scope, into: &placed)
        case .choice(let input, let cases):
            Self.chosen(input, among: cases, in: scope)?
                .place(at: origin, in: &scope, into: &placed)
        default: break
        }
    }

    /// Appends the texts of parts below each other.
    private static func place(
        _ parts: [SizeRule], at origin: (x: Double, y: Double), spacing: Double,
        in scope: inout SizeScope, into placed: inout [PlacedText]
    ) {
        var y = origin.y
        for part in parts {
            part.place(at: (origin.x, y), in: &scope, into: &placed)
            y += part.length(in: &scope) + spacing
        }
    }
}
