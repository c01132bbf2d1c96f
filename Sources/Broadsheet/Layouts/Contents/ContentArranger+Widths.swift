/// Widths, from the root to the leaves.
extension ContentArranger {
    /// Returns the natural width of a box in points, which is found at most once for an item.
    mutating func naturalWidth(_ index: Int32) -> Double {
        let known = states[Int(index)].naturalWidth
        if known >= 0 { return known }
        let box = boxes[Int(index)]
        var width = 0.0
        switch box.kind {
        case .text(let input, let rule): width = naturalWidth(ofText: Int(input), rule)
        case .row:
            var count = 0.0
            for child in ContentChildren(of: index, states) {
                width += widthInParent(child)
                count += 1
            }
            width += box.paddingAcross + box.spacing * max(0, count - 1)
        case .column, .overlay:
            for child in ContentChildren(of: index, states) {
                width = max(width, widthInParent(child))
            }
            width += box.paddingAcross
        case .image, .space, .choice: break
        }
        width = Sanitation.size(width)
        states[Int(index)].naturalWidth = width
        return width
    }

    /// Returns the width with which a box counts in the natural width of its parent.
    private mutating func widthInParent(_ index: Int32) -> Double {
        let box = boxes[Int(index)]
        (scope.length, scope.width) = (0, 0)
        let width = length(box.width.withoutFraction) ?? naturalWidth(index)
        if box.widthBounds.isEmpty { return max(width, box.paddingAcross) }
        (scope.length, scope.width) = (0, 0)
        let bounds = ContentBounds(
            lower: box.widthBounds.lower.withoutFraction,
            upper: box.widthBounds.upper.withoutFraction)
        return max(bounded(width, bounds), box.paddingAcross)
    }

    /// Returns the longest of the lines of a text that is not wrapped, in points.
    private func naturalWidth(ofText input: Int, _ rule: TextRule) -> Double {
        guard let text = scope.text(input) else { return 0 }
        let request = rule.request(
            width: Length.limit, factor: rule.font.factor(scope.textScale))
        return scope.roundedUp(Sanitation.size(text.measure(request).longestLine))
    }

    mutating func placeWidths(_ index: Int32, x: Double, width: Double) {
        states[Int(index)].x = x
        states[Int(index)].width = width
        let box = boxes[Int(index)]
        let inner = max(0, width - box.paddingAcross)
        switch box.kind {
        case .row: placeRow(index, box, x: x + box.padding.left, inner: inner)
        case .column, .overlay:
            for child in ContentChildren(of: index, states) {
                let (offset, width) = across(child, box.align, inner: inner)
                placeWidths(child, x: x + box.padding.left + offset, width: width)
            }
        case .text, .image, .space, .choice: break
        }
    }

    private mutating func placeRow(_ index: Int32, _ box: ContentBox, x: Double, inner: Double) {
        let children = ContentChildren(of: index, states)
        var count = 0.0
        for child in children {
            beginWidth(child, inner)
            count += 1
        }
        let spacing = box.spacing * max(0, count - 1)
        children.share(inner - spacing)
        let length = children.reduce(spacing) { $0 + states[Int($1)].flex.target }
        var (position, gap) = box.justified(left: inner - length, count: count)
        position += x
        for child in children {
            let width = Sanitation.size(states[Int(child)].flex.target)
            placeWidths(child, x: position, width: width)
            position += width + gap
        }
    }

    private mutating func beginWidth(_ index: Int32, _ inner: Double) {
        let box = boxes[Int(index)]
        (scope.length, scope.width) = (inner, 0)
        var flex = FlexibleLength()
        flex.lower = max(length(box.widthBounds.lower) ?? 0, box.paddingAcross)
        flex.upper = length(box.widthBounds.upper) ?? .infinity
        let rule = length(box.width)
        flex.base = max(rule ?? (box.fill > 0 ? 0 : naturalWidth(index)), box.paddingAcross)
        flex.grow = box.fill
        if box.fill > 0 || (rule == nil && box.shrinks) {
            flex.shrink = flex.base - box.paddingAcross
        }
        states[Int(index)].flex = flex
    }

    /// Returns the width of a box across its parent, and its distance from where reading starts.
    private mutating func across(
        _ index: Int32, _ align: ContentAlignment, inner: Double
    ) -> (offset: Double, width: Double) {
        let box = boxes[Int(index)]
        let alignment = box.horizontal ?? align
        (scope.length, scope.width) = (inner, 0)
        var width = inner
        if let length = length(box.width) {
            width = length
        } else if alignment != .stretch || box.width.isNatural {
            width = min(inner, naturalWidth(index))
            (scope.length, scope.width) = (inner, 0)
        }
        width = Sanitation.size(max(bounded(width, box.widthBounds), box.paddingAcross))
        return (alignment.offset(of: width, in: inner), width)
    }
}

extension ContentBox {
    /// `left` is the length that is left, negative if the boxes are too long.
    @inline(__always)
    func justified(left: Double, count: Double) -> (start: Double, gap: Double) {
        switch justify {
        case .start: (0, spacing)
        case .center: (left / 2, spacing)
        case .end: (left, spacing)
        case .spaceBetween: (0, count > 1 && left > 0 ? spacing + left / (count - 1) : spacing)
        }
    }
}

extension ContentAlignment {
    @inline(__always)
    func offset(of length: Double, in parent: Double) -> Double {
        switch self {
        case .start, .stretch: 0
        case .center: (parent - length) / 2
        case .end: parent - length
        }
    }
}
