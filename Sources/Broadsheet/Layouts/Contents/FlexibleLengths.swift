/// The lengths of boxes that share the length of their parent (CSS Flexible Box Layout 1, 9.7).
struct FlexibleLength: Sendable {
    /// The length before the boxes share what is left, in points.
    var base = 0.0
    var lower = 0.0
    /// The greatest length, in points; `lower` has precedence over it.
    var upper = Double.infinity
    /// The factor with which the box takes a part of the length that is left; 0 for none.
    var grow = 0.0
    /// The factor with which the box gives a part of the length that is missing: its base without
    /// its padding, or 0.
    var shrink = 0.0
    var target = 0.0
    var isFrozen = false

    @inline(__always)
    var hypothetical: Double { bounded(base) }

    @inline(__always)
    func bounded(_ length: Double) -> Double { max(lower, min(upper, length)) }
}

/// The children of a box, of which each has the position of the next one.
struct ContentChildren: Sequence, IteratorProtocol {
    private let states: UnsafeMutablePointer<ContentState>
    private var index: Int32

    @inline(__always)
    init(of box: Int32, _ states: UnsafeMutablePointer<ContentState>) {
        self.states = states
        index = states[Int(box)].first
    }

    @inline(__always)
    mutating func next() -> Int32? {
        guard index >= 0 else { return nil }
        defer { index = states[Int(index)].next }
        return index
    }

    /// Shares a length, the spaces between the children excluded, among them.
    ///
    /// - Complexity: O(children), times the number of rounds in which bounds are met: usually 1,
    ///   at most one for each child.
    func share(_ available: Double) {
        let isGrowing = reduce(0) { $0 + states[Int($1)].flex.hypothetical } < available
        for child in self { begin(&states[Int(child)].flex, isGrowing) }
        while takeRound(available, isGrowing) {}
    }

    /// Freezes a length that does not change.
    @inline(__always)
    private func begin(_ flex: inout FlexibleLength, _ isGrowing: Bool) {
        let hypothetical = flex.hypothetical
        flex.target = hypothetical
        flex.isFrozen =
            isGrowing
            ? flex.grow == 0 || flex.base > hypothetical
            : flex.shrink == 0 || flex.base < hypothetical
    }

    /// Shares the length once, and freezes the lengths beyond their bounds, or all if there are
    /// none.
    ///
    /// - Returns: A Boolean value that indicates whether lengths are left that are not frozen.
    private func takeRound(_ available: Double, _ isGrowing: Bool) -> Bool {
        var (free, factors) = (available, 0.0)
        for child in self {
            let flex = states[Int(child)].flex
            free -= flex.isFrozen ? flex.target : flex.base
            if !flex.isFrozen { factors += isGrowing ? flex.grow : flex.shrink }
        }
        guard factors > 0 else { return false }
        var violation = 0.0
        for child in self where !states[Int(child)].flex.isFrozen {
            let flex = states[Int(child)].flex
            let length = flex.base + free * ((isGrowing ? flex.grow : flex.shrink) / factors)
            states[Int(child)].flex.target = length
            violation += flex.bounded(length) - length
        }
        var isLeft = false
        for child in self where !states[Int(child)].flex.isFrozen {
            let flex = states[Int(child)].flex
            let bounded = flex.bounded(flex.target)
            let isBeyond =
                violation > 0 ? bounded > flex.target : bounded < flex.target
            states[Int(child)].flex.isFrozen = violation == 0 || isBeyond
            if states[Int(child)].flex.isFrozen {
                states[Int(child)].flex.target = bounded
            } else {
                isLeft = true
            }
        }
        return isLeft
    }
}
