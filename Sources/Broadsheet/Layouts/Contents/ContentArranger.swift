/// The state of a box while the content of an item is laid out.
struct ContentState {
    /// The index of the first box in it that is there; -1 for none.
    var first: Int32 = -1
    /// The index of the next box in the same one; -1 for none.
    var next: Int32 = -1
    var isThere = false
    var isTruncated = false
    var lines = 0
    /// The distance from the edge at which reading starts, in points.
    var x = 0.0
    /// The distance from the item's top edge, in points.
    var y = 0.0
    var width = 0.0
    var height = 0.0
    /// The natural width, in points; negative as long as it is not known.
    var naturalWidth = -1.0
    /// The natural height at the width, in points.
    var naturalHeight = 0.0
    /// The length along the parent's axis.
    var flex = FlexibleLength()
}

/// The arrangement of the contents of items of a type, one after the other: all widths, then the
/// lines of texts, then all heights (docs/layout.md, B).
///
/// Laying out many items with one arranger allocates nothing for each.
struct ContentArranger: ~Copyable {
    let tree: ContentTree
    /// The numbers and the texts of the items; `start` is the index of an item's first number.
    var scope: SizeScope
    let boxes: UnsafeBufferPointer<ContentBox>
    let states: UnsafeMutablePointer<ContentState>
    /// The index of the box that is the root; -1 if a `switch` selects none.
    private(set) var root: Int32 = -1
    private(set) var hasText = false
    /// The number of boxes after which other work may run.
    private var boxesToCheckpoint = maxBoxesAtOnce

    /// The number of boxes that are laid out without a checkpoint: about a millisecond; fixed.
    private static let maxBoxesAtOnce = 16_384

    init(_ tree: ContentTree, _ scope: SizeScope) {
        self.tree = tree
        self.scope = scope
        boxes = tree.boxes
        states = .allocate(capacity: tree.boxes.count)
        states.initialize(repeating: ContentState(), count: tree.boxes.count)
    }

    deinit { states.deallocate() }

    /// Returns the size of the item in points, of which the layout may fix a length.
    ///
    /// - Complexity: O(boxes), and that of breaking each text into lines if the height depends on
    ///   them.
    mutating func size(_ request: SizeRequest) -> Size {
        select()
        let isVertical = request.container.axis == .vertical
        let fixed = request.contentCross ?? request.fixedCross
        let width = (isVertical ? fixed : nil) ?? rootWidth(request)
        if !isVertical, let fixed { return Size(width: width, height: fixed) }
        return Size(width: width, height: rootHeight(request, width))
    }

    /// Lays the item out in a size: the states have the frames of the boxes that are there.
    mutating func arrange(in size: Size) {
        select()
        guard root >= 0 else { return }
        placeWidths(root, x: 0, width: size.width)
        fillLines()
        findHeights(root)
        placeHeights(root, y: 0, height: size.height)
    }
}

/// The boxes that are there.
extension ContentArranger {
    private mutating func select() {
        hasText = false
        boxesToCheckpoint -= boxes.count
        if boxesToCheckpoint <= 0 {
            boxesToCheckpoint = Self.maxBoxesAtOnce
            _ = LongWork.isAbandoned()
        }
        for index in boxes.indices {
            states[index].isThere = false
            states[index].naturalWidth = -1
        }
        root = tree.selected(0, in: scope)
        // The root stays, whatever is in it.
        if root >= 0 { _ = link(root) }
    }

    /// Links the boxes in a box that are there, and returns whether the box has something to show
    /// itself.
    private mutating func link(_ index: Int32) -> Bool {
        let box = boxes[Int(index)]
        states[Int(index)].isThere = true
        states[Int(index)].first = -1
        switch box.kind {
        case .text(let input, let rule):
            hasText = true
            return scope.input(Int(input)) >= 0 || rule.minLines > 0
        case .image(let input, _): return scope.input(Int(input)) != 0
        case .space: return false
        case .column, .row, .overlay: return linkChildren(of: index, upTo: box.end)
        case .choice: return false
        }
    }

    private mutating func linkChildren(of index: Int32, upTo end: Int32) -> Bool {
        var (child, last, hasContent) = (index + 1, Int32(-1), false)
        while child < end {
            let box = tree.selected(child, in: scope)
            child = boxes[Int(child)].end
            guard box >= 0, isIncluded(box) else { continue }
            states[Int(box)].next = -1
            if last < 0 {
                states[Int(index)].first = box
            } else {
                states[Int(last)].next = box
            }
            last = box
            if case .space = boxes[Int(box)].kind { continue }
            hasContent = true
        }
        return hasContent
    }

    /// Links a box, and returns whether it is not left out.
    private mutating func isIncluded(_ index: Int32) -> Bool {
        let condition = boxes[Int(index)].condition
        if condition >= 0, scope.input(Int(condition)) == 0 { return false }
        let hadText = hasText
        if link(index) { return true }
        if case .space = boxes[Int(index)].kind { return true }
        leaveOut(index)
        hasText = hadText
        return false
    }

    /// Leaves out a box, and the spaces in it.
    private func leaveOut(_ index: Int32) {
        for box in Int(index)..<Int(boxes[Int(index)].end) { states[box].isThere = false }
    }
}

/// The size of the root, as far as the layout does not fix it.
extension ContentArranger {
    private mutating func rootWidth(_ request: SizeRequest) -> Double {
        let available = request.container.available.width
        // C13: a header or footer is as wide as its reference, not as the viewport.
        let limit = request.container.axis == .vertical ? request.absent.width : available
        guard root >= 0 else { return request.hasNaturalWidths ? 0 : limit }
        let box = boxes[Int(root)]
        scope.width = 0
        scope.length = available
        let isNatural =
            box.width.isNatural || (!box.width.isRule && request.hasNaturalWidths)
        var width = limit
        if let length = length(box.width) {
            width = length
        } else if isNatural {
            width = min(limit, naturalWidth(root))
            scope.length = available
        }
        width = max(bounded(width, box.widthBounds), box.paddingAcross)
        return isNatural && hasText ? scope.roundedUp(width) : width
    }

    private mutating func rootHeight(_ request: SizeRequest, _ width: Double) -> Double {
        guard root >= 0 else { return 0 }
        let box = boxes[Int(root)]
        var height = 0.0
        if !box.height.isRule {
            placeWidths(root, x: 0, width: width)
            fillLines()
            findHeights(root)
            height = states[Int(root)].naturalHeight
        }
        scope.width = width
        scope.length = request.container.available.height
        if let length = length(box.height) { height = length }
        height = max(bounded(height, box.heightBounds), box.paddingDown)
        return hasText ? scope.roundedUp(height) : height
    }
}

/// The lengths of rules.
extension ContentArranger {
    /// Returns the length of a rule, never negative; `nil` without one.
    @inline(__always)
    mutating func length(_ rule: ContentLength) -> Double? {
        switch rule {
        case .none, .natural: nil
        case .points(let points): max(0, points)
        case .rule(let index, _): max(0, tree.rules[Int(index)].length(in: &scope))
        }
    }

    /// Returns a length within bounds; the lower one has precedence over the upper.
    @inline(__always)
    mutating func bounded(_ length: Double, _ bounds: ContentBounds) -> Double {
        if bounds.isEmpty { return length }
        let upper = self.length(bounds.upper) ?? .infinity
        return max(self.length(bounds.lower) ?? 0, min(upper, length))
    }
}

extension ContentLength {
    /// The rule as natural widths see it: without one whose length depends on that of a container.
    @inline(__always)
    var withoutFraction: ContentLength {
        if case .rule(_, hasFraction: true) = self { .none } else { self }
    }
}
