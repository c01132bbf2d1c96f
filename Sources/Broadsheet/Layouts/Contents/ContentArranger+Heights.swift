/// The lines of texts, and heights.
extension ContentArranger {
    /// The difference of widths that makes no difference to lines, so that a text fits in its own
    /// natural width.
    static let tolerance = 1e-6

    /// Breaks the texts that are there into lines, each in the width of its rounded frame.
    mutating func fillLines() {
        for index in boxes.indices where states[index].isThere {
            guard case .text(let input, let rule) = boxes[index].kind else { continue }
            let lines = lines(ofText: Int(input), rule, width: roundedWidth(index))
            states[index].lines = max(0, lines.lines)
            states[index].isTruncated = lines.isTruncated
        }
    }

    func lines(ofText input: Int, _ rule: TextRule, width: Double) -> TextMeasurement {
        guard let text = scope.text(input) else { return TextMeasurement() }
        let factor = rule.font.factor(scope.textScale)
        return text.measure(rule.request(width: max(0, width) + Self.tolerance, factor: factor))
    }

    /// Returns the width of a box's frame, rounded to device pixels from where reading starts.
    func roundedWidth(_ index: Int) -> Double {
        let (x, width) = (states[index].x, states[index].width)
        guard scope.pixelScale > 0 else { return width }
        return PixelGrid.nearest(x + width, scope.pixelScale)
            - PixelGrid.nearest(x, scope.pixelScale)
    }

    /// Finds the natural heights of a box and of those in it at their widths.
    mutating func findHeights(_ index: Int32) {
        let box = boxes[Int(index)]
        var height = 0.0
        switch box.kind {
        case .text(_, let rule):
            let lines = max(states[Int(index)].lines, Int(rule.minLines))
            height = scope.roundedUp(rule.height(ofLines: lines, scope))
        case .column:
            var count = 0.0
            for child in ContentChildren(of: index, states) {
                findHeights(child)
                beginHeight(child)
                height += states[Int(child)].flex.hypothetical
                count += 1
            }
            height += box.paddingDown + box.spacing * max(0, count - 1)
        case .row, .overlay:
            for child in ContentChildren(of: index, states) {
                findHeights(child)
                height = max(height, heightInParent(child))
            }
            height += box.paddingDown
        case .image, .space, .choice: break
        }
        states[Int(index)].naturalHeight = Sanitation.size(height)
    }

    /// Returns the height with which a box counts in the natural height of a row or an overlay.
    private mutating func heightInParent(_ index: Int32) -> Double {
        let box = boxes[Int(index)]
        beginRules(index)
        let height = length(box.height) ?? states[Int(index)].naturalHeight
        return max(bounded(height, box.heightBounds), box.paddingDown)
    }

    @inline(__always)
    private mutating func beginRules(_ index: Int32) {
        (scope.length, scope.width) = (0, states[Int(index)].width)
    }

    /// Sets the base and the bounds of the height of a box in a column.
    private mutating func beginHeight(_ index: Int32) {
        let box = boxes[Int(index)]
        let natural = states[Int(index)].naturalHeight
        beginRules(index)
        var flex = FlexibleLength()
        flex.upper = length(box.heightBounds.upper) ?? .infinity
        let rule = length(box.height)
        let lower = length(box.heightBounds.lower)
        let least = lower ?? (rule == nil ? min(natural, flex.upper) : 0)
        flex.lower = max(least, box.paddingDown)
        flex.base = max(rule ?? (box.fill > 0 ? 0 : natural), box.paddingDown)
        flex.grow = box.fill
        if box.fill > 0 { flex.shrink = flex.base - box.paddingDown }
        states[Int(index)].flex = flex
    }

    /// Sets the heights and the positions along y of a box and of those in it, whose natural
    /// heights are known.
    mutating func placeHeights(_ index: Int32, y: Double, height: Double) {
        states[Int(index)].y = y
        states[Int(index)].height = height
        let box = boxes[Int(index)]
        let inner = max(0, height - box.paddingDown)
        switch box.kind {
        case .column: placeColumn(index, box, y: y + box.padding.top, inner: inner)
        case .row, .overlay:
            for child in ContentChildren(of: index, states) {
                let (offset, height) = down(child, box.align, inner: inner)
                placeHeights(child, y: y + box.padding.top + offset, height: height)
            }
        case .text, .image, .space, .choice: break
        }
    }

    private mutating func placeColumn(_ index: Int32, _ box: ContentBox, y: Double, inner: Double) {
        // The bases and bounds are those of the natural height.
        let children = ContentChildren(of: index, states)
        let count = children.reduce(0.0) { count, _ in count + 1 }
        let spacing = box.spacing * max(0, count - 1)
        children.share(inner - spacing)
        let length = children.reduce(spacing) { $0 + states[Int($1)].flex.target }
        var (position, gap) = box.justified(left: inner - length, count: count)
        position += y
        for child in children {
            let height = Sanitation.size(states[Int(child)].flex.target)
            placeHeights(child, y: position, height: height)
            position += height + gap
        }
    }

    /// Returns the height of a box in a row or an overlay, and its distance from the top.
    private mutating func down(
        _ index: Int32, _ align: ContentAlignment, inner: Double
    ) -> (offset: Double, height: Double) {
        let box = boxes[Int(index)]
        let alignment = box.vertical ?? align
        beginRules(index)
        var height = inner
        if let length = length(box.height) {
            height = length
        } else if alignment != .stretch || box.height.isNatural {
            height = states[Int(index)].naturalHeight
        }
        height = Sanitation.size(max(bounded(height, box.heightBounds), box.paddingDown))
        return (alignment.offset(of: height, in: inner), height)
    }
}

extension TextRule {
    @inline(__always)
    func height(ofLines lines: Int, _ scope: borrowing SizeScope) -> Double {
        let factor = font.factor(scope.textScale)
        return Length.sanitised(Double(lines) * font.lineHeight * factor)
    }
}
