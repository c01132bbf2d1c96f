/// The glyphs that HarfBuzz may make while a text is shaped and its breaks are measured.
///
/// HarfBuzz bounds the glyphs of a call by a multiple of its length, but by no less than 16,384:
/// the tables of a hostile font can make as many of one character, and each break shapes parts of
/// the text again. Beyond these limits the tables of the font are no longer applied to the text.
struct ShapingBudget {
    /// The number of glyphs that are left.
    private(set) var remaining: Int

    init(length: Int) { remaining = Self.maxGlyphs(length: length) }

    /// Returns the maximum number of glyphs that all calls for a text make together.
    static func maxGlyphs(length: Int) -> Int { 4_096 + 64 * length }

    /// Returns the maximum number of glyphs that a call makes for a number of code units.
    static func maxGlyphsOfCall(length: Int) -> Int { 1_024 + 32 * length }

    /// A Boolean value that indicates whether a call has made too many glyphs, or all together.
    var isExhausted: Bool { remaining < 0 }

    /// Counts the glyphs that a call has made for a number of code units.
    mutating func spend(_ glyphs: Int, length: Int) {
        remaining = glyphs > Self.maxGlyphsOfCall(length: length) ? -1 : remaining - glyphs
    }
}
