/// The lint of what boxes say that they are (docs/layout.md, "Lint").
extension ContentArranger {
    /// The boxes in another one that are read, and those that need a label.
    private struct Reading {
        var controls = true
        /// A Boolean value that indicates whether other boxes than controls are read.
        var others = true
        /// A Boolean value that indicates whether images and views need a label.
        var needsLabels = true

        /// The boxes in a control without a label, which is said as what is in it.
        static let inControl = Reading(needsLabels: false)
        static let inLabelledBox = Reading(others: false, needsLabels: false)
        static let inLabelledControl = Reading(controls: false, others: false, needsLabels: false)
    }

    /// Adds the problems of the arranged element that concern assistive technology and fingers.
    func addProblemsOfMeaning(to problems: inout ContentProblems, isSaid: (Int) -> Bool) {
        guard root >= 0 else { return }
        let isOne = hasLabel(root) && !isControl(root)
        _ = addProblems(of: root, isOne ? .inLabelledBox : Reading(), to: &problems, isSaid)
    }

    /// Adds the problems of a box and of those in it, and returns the smallest rectangle around
    /// what is read in it; `nil` if nothing is.
    private func addProblems(
        of index: Int32, _ reading: Reading, to problems: inout ContentProblems,
        _ isSaid: (Int) -> Bool
    ) -> Frame? {
        guard !tree.meanings[Int(index)].isHidden else { return nil }
        let isControl = isControl(index)
        if isControl {
            if isSmall(index) { problems.add(.smallTarget, Int(index)) }
            if !saysSomething(index, isSaid) { problems.add(.unlabelled, Int(index)) }
        } else if reading.needsLabels, needsLabel(index) {
            problems.add(.unlabelled, Int(index))
        }
        let inside = self.reading(in: index, reading)
        var rectangles: [Frame?] = []
        for child in ContentChildren(of: index, states) {
            rectangles.append(addProblems(of: child, inside, to: &problems, isSaid))
            if case .overlay = boxes[Int(index)].kind, Self.isLastOutOfOrder(rectangles) {
                problems.add(.outOfOrder, Int(child))
            }
        }
        if isControl ? reading.controls : reading.others, let own = frameToRead(index) {
            rectangles.append(own)
        }
        return rectangles.lazy.compactMap(\.self).reduce(nil) { $0.map($1.union) ?? $1 }
    }

    /// Returns what is read in a box that is itself read as `outer` says.
    private func reading(in index: Int32, _ outer: Reading) -> Reading {
        if isControl(index) {
            return hasLabel(index) || !outer.controls ? .inLabelledControl : .inControl
        }
        let isLabelledBox = boxes[Int(index)].isContainer && hasLabel(index)
        return isLabelledBox && outer.others ? .inLabelledBox : outer
    }

    private func hasLabel(_ index: Int32) -> Bool { tree.meanings[Int(index)].hasLabel(in: scope) }

    private func isControl(_ index: Int32) -> Bool {
        tree.meanings[Int(index)].isControl(in: scope)
    }

    private func isSmall(_ index: Int32) -> Bool {
        let state = states[Int(index)]
        return min(state.width, state.height) < ContentLint.leastTarget - FitTest.tolerance
    }

    /// Returns whether a box is an image or a view with a name and without a label, which is not
    /// decoration.
    private func needsLabel(_ index: Int32) -> Bool {
        guard case .image = boxes[Int(index)].kind, boxes[Int(index)].name >= 0 else {
            return false
        }
        return !hasLabel(index) && !isDecoration(index)
    }

    private func isDecoration(_ index: Int32) -> Bool {
        tree.meanings[Int(index)].role == .nothing
    }

    /// Returns whether a control, or a box in it, has a label or a text.
    private func saysSomething(_ index: Int32, _ isSaid: (Int) -> Bool) -> Bool {
        guard !tree.meanings[Int(index)].isHidden, !isDecoration(index) else { return false }
        let box = boxes[Int(index)]
        if box.name >= 0 {
            if hasLabel(index) { return true }
            if case .text(let input, _) = box.kind { return isSaid(Int(input)) }
        }
        return ContentChildren(of: index, states).contains { saysSomething($0, isSaid) }
    }

    /// Returns the frame of a box that is read itself; `nil` for others, and without an area.
    private func frameToRead(_ index: Int32) -> Frame? {
        let (box, state) = (boxes[Int(index)], states[Int(index)])
        guard box.name >= 0, state.width > 0, state.height > 0, !isDecoration(index) else {
            return nil
        }
        guard !box.isContainer || hasLabel(index) || isControl(index) else { return nil }
        return Frame(x: state.x, y: state.y, width: state.width, height: state.height)
    }

    /// Returns whether the last rectangle comes before another one on the screen.
    private static func isLastOutOfOrder(_ rectangles: [Frame?]) -> Bool {
        guard case let later?? = rectangles.last else { return false }
        return rectangles.dropLast().contains { $0.map(later.comesBefore) ?? false }
    }
}

extension Frame {
    fileprivate func union(_ other: Frame) -> Frame {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Frame(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    /// Returns whether a rectangle is read before another one that it does not overlap, as it is
    /// placed on a screen from left to right.
    ///
    /// Of two in one line, which overlap along y by at least half the height of the lower one, it
    /// is the one that begins further left; of others the higher one.
    fileprivate func comesBefore(_ other: Frame) -> Bool {
        let across = min(x + width, other.x + other.width) - max(x, other.x)
        let down = min(y + height, other.y + other.height) - max(y, other.y)
        guard across <= FitTest.tolerance || down <= FitTest.tolerance else { return false }
        let tolerance = ContentArranger.tolerance
        let areInOneLine = down >= min(height, other.height) / 2 - tolerance
        return areInOneLine ? x < other.x - tolerance : y < other.y - tolerance
    }
}
