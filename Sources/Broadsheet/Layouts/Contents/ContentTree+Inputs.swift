extension ContentTree {
    /// Returns the indexes of the inputs that a cell's content depends on, in the order of the
    /// boxes: those of boxes that a `switch` selects, and whose `if` is there.
    ///
    /// - Complexity: O(boxes).
    func inputs(in scope: SizeScope) -> [Int] {
        var indexes: [Int] = []
        appendInputs(of: 0, in: scope, to: &indexes)
        return indexes
    }

    private func appendInputs(of index: Int, in scope: SizeScope, to indexes: inout [Int]) {
        let box = boxes[index]
        if box.condition >= 0 {
            indexes.append(Int(box.condition))
            if scope.input(Int(box.condition)) == 0 { return }
        }
        if case .text(let input, _) = box.kind { indexes.append(Int(input)) }
        for case .rule(let rule, _) in box.lengths {
            rules[Int(rule)].appendInputs(in: scope, to: &indexes)
        }
        switch box.kind {
        case .image(let input, _): indexes.append(Int(input))
        case .text, .space: break
        case .choice(let input):
            indexes.append(Int(input))
            let chosen = selected(Int32(index), in: scope)
            if chosen >= 0 { appendInputs(of: Int(chosen), in: scope, to: &indexes) }
        case .column, .row, .overlay:
            var child = index + 1
            while child < Int(box.end) {
                appendInputs(of: child, in: scope, to: &indexes)
                child = Int(boxes[child].end)
            }
        }
    }

    /// Returns the box that stands at an index; -1 if a `switch` selects none.
    @inline(__always)
    func selected(_ index: Int32, in scope: borrowing SizeScope) -> Int32 {
        var index = index
        while case .choice(let input) = boxes[Int(index)].kind {
            let end = boxes[Int(index)].end
            var number = scope.input(Int(input))
            index += 1
            while index < end, number >= 1 {
                index = boxes[Int(index)].end
                number -= 1
            }
            guard index < end else { return -1 }
        }
        return index
    }
}

extension ContentBox {
    fileprivate var lengths: [ContentLength] {
        [
            width, height, widthBounds.lower, widthBounds.upper, heightBounds.lower,
            heightBounds.upper,
        ]
    }
}

extension ContentTree {
    /// The approximate number of bytes of a part in a tree, besides its name.
    private static let partByteCount = 68

    /// The approximate number of bytes that all parts of an item take in a tree, and of those that
    /// could be written while the boxes are laid out and the lines of their texts are filled.
    ///
    /// - Parameter dataByteCount: The number of bytes of the item's data, which may all be texts.
    func partsCost(dataByteCount: Int) -> Int {
        var cost = names.reduce(12) { $0 + $1.count + Self.partByteCount }
        let text = dataByteCount / Self.bytesOfTextPerByte
        for box in boxes {
            cost += Self.boxCost
            if case .text = box.kind { cost += text }
            if box.url >= 0, let url = urls[Int(box.url)] {
                cost += url.maxByteCount + min(dataByteCount, ImageURL.maxValueBytes) + text
            }
        }
        return cost
    }

    /// The bytes that could be written while a box is laid out.
    private static let boxCost = 16
    /// The bytes of text of which lines are filled while a byte could be written.
    private static let bytesOfTextPerByte = 8
}
