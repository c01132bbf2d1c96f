import Broadsheet

/// The glyphs that HarfBuzz may make while a text is shaped and its breaks are measured.
///
/// HarfBuzz bounds the glyphs of a call by a multiple of its length, but by no less than 16,384:
/// the tables of a hostile font can make as many of one character, and each break shapes parts of
/// the text again. Beyond these limits the tables of the font are no longer applied to the text.
struct ShapingBudget {
    private(set) var remaining: Int

    init(length: Int) { remaining = Self.maxGlyphs(length: length) }

    /// Returns the maximum number of glyphs that all calls for a text make together.
    static func maxGlyphs(length: Int) -> Int { 4_096 + 64 * length }

    /// Returns the maximum number of glyphs that a call makes for a number of code units.
    static func maxGlyphsOfCall(length: Int) -> Int { 1_024 + 32 * length }

    /// A Boolean value that indicates whether a call has made too many glyphs, or all together.
    var isExhausted: Bool { remaining < 0 }

    mutating func spend(_ glyphs: Int, length: Int) {
        remaining = glyphs > Self.maxGlyphsOfCall(length: length) ? -1 : remaining - glyphs
    }
}

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
