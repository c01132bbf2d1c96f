import Broadsheet

/// The checkpoints of shaping a text and of filling its lines (``LongWork``).
///
/// Steps are counted from text to text, so that many short ones have checkpoints, too.
struct TextCheckpoints {
    /// The number of steps between two checkpoints; a step takes some 50 nanoseconds.
    static let interval = 16_384

    /// The steps of looking at a character and at its neighbours.
    static let character = 2
    /// The steps of one call of ICU for a boundary.
    static let boundary = 12
    /// The steps of shaping a code unit.
    static let shapedUnit = 16
    /// The steps of a call of HarfBuzz, besides those of its code units.
    static let call = 20

    private var steps = 0
    /// A Boolean value that indicates whether the result is dropped, so that the computation may
    /// end with any.
    private(set) var isAbandoned = false

    mutating func begin() { isAbandoned = LongWork.isDropped }

    /// Counts steps, and gives way to other work after some.
    ///
    /// - Returns: The value of ``isAbandoned``.
    @inline(__always) @discardableResult
    mutating func pass(_ count: Int) -> Bool {
        steps &+= count
        if steps >= Self.interval { giveWay() }
        return isAbandoned
    }

    @inline(never)
    private mutating func giveWay() {
        steps = 0
        if LongWork.isAbandoned() { isAbandoned = true }
    }
}
