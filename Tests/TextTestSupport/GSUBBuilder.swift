/// A table `GSUB` whose lookups call themselves, possibly for many glyphs of one letter.
package enum GSUBBuilder {
    /// Returns a table with lookups of contexts (type 5, format 1), which the feature `ccmp`
    /// applies to the letter a.
    ///
    /// The lookups share one subtable, and its rules share two bodies, so that the table is small
    /// for the work that it asks for. The first rules do not match after their last glyph; the last
    /// one matches, and applies the first lookups to its glyphs again.
    ///
    /// - Parameters:
    ///   - lookups: The number of contexts.
    ///   - rules: The number of rules of each.
    ///   - isGrowing: A Boolean value that indicates whether two lookups before them make 16,384
    ///     glyphs of a letter a, as many as HarfBuzz permits for a short text.
    package static func contexts(lookups: Int, rules: Int, isGrowing: Bool = false) -> [UInt8] {
        let total = lookups + (isGrowing ? growths : 0)
        let scripts =
            FontBuilder.bytes([1]) + Array("DFLT".utf8)
            + FontBuilder.bytes([8, 4, 0, 0, 0xFFFF, 1, 0])
        let features =
            FontBuilder.bytes([1]) + Array("ccmp".utf8)
            + FontBuilder.bytes([8, 0, UInt16(total)])
            + FontBuilder.bytes((0..<total).map(UInt16.init))
        let scriptOffset = 10
        let featureOffset = scriptOffset + scripts.count
        let lookupOffset = featureOffset + features.count
        let header = FontBuilder.bytes([
            1, 0, UInt16(scriptOffset), UInt16(featureOffset), UInt16(lookupOffset),
        ])
        return header + scripts + features + lookupList(lookups, rules, isGrowing)
    }

    /// The number of lookups that make more glyphs.
    private static let growths = 2
    private static let letter = UInt16(0x61 - 0x20 + 1)

    private static func lookupList(_ lookups: Int, _ rules: Int, _ isGrowing: Bool) -> [UInt8] {
        let growths = isGrowing ? growths : 0
        // All contexts are one lookup: type 5, a subtable.
        let context =
            FontBuilder.bytes([5, 0, 1, 8]) + subtable(rules, calls: min(lookups, 8), growths)
        let start = 2 + 2 * (lookups + growths)
        let offsets =
            [UInt16](repeating: UInt16(start + context.count), count: growths)
            + [UInt16](repeating: UInt16(start), count: lookups)
        return FontBuilder.bytes([UInt16(offsets.count)] + offsets) + context + growth
    }

    /// A lookup that makes 128 glyphs of a letter a: type 2, a subtable with one sequence.
    private static var growth: [UInt8] {
        FontBuilder.bytes([2, 0, 1, 8, 1, 8, 1, 14, 1, 1, letter, 128])
            + FontBuilder.bytes([UInt16](repeating: letter, count: 128))
    }

    /// Returns a context of format 1: a coverage, one set, its rules, of which the last one calls
    /// lookups from a number on.
    private static func subtable(_ rules: Int, calls: Int, _ first: Int) -> [UInt8] {
        let set = FontBuilder.bytes([UInt16(rules)])
        let bodies = UInt16(2 + 2 * rules)
        // Ten bytes: glyphs 2, records 0, the second glyph (one that no text has) and a spare one.
        let failing = FontBuilder.bytes([3, 0, letter + 1, 90])
        var matching = FontBuilder.bytes([2, UInt16(calls), letter + 1])
        for call in 0..<calls {
            matching += FontBuilder.bytes([UInt16(call & 1), UInt16(first + call)])
        }
        var offsets = [UInt16](repeating: bodies, count: rules)
        offsets[rules - 1] = bodies + UInt16(failing.count)
        let coverage = FontBuilder.bytes([1, 1, letter])
        return FontBuilder.bytes([1, 8, 1, UInt16(8 + coverage.count)]) + coverage + set
            + FontBuilder.bytes(offsets) + failing + matching
    }
}
