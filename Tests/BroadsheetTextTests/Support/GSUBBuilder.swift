/// A table `GSUB` whose lookups call themselves.
enum GSUBBuilder {
    /// Returns a table with lookups of contexts (type 5, format 1), which the feature `ccmp`
    /// applies to the letter a.
    ///
    /// The lookups share one subtable, and its rules share two bodies, so that the table is small
    /// for the work that it asks for. The first rules do not match after their last glyph; the last
    /// one matches, and applies the first lookups to its glyphs again.
    static func contexts(lookups: Int, rules: Int) -> [UInt8] {
        let scripts =
            FontBuilder.bytes([1]) + Array("DFLT".utf8)
            + FontBuilder.bytes([8, 4, 0, 0, 0xFFFF, 1, 0])
        let features =
            FontBuilder.bytes([1]) + Array("ccmp".utf8)
            + FontBuilder.bytes([8, 0, UInt16(lookups)])
            + FontBuilder.bytes((0..<lookups).map(UInt16.init))
        let scriptOffset = 10
        let featureOffset = scriptOffset + scripts.count
        let lookupOffset = featureOffset + features.count
        let header = FontBuilder.bytes([
            1, 0, UInt16(scriptOffset), UInt16(featureOffset), UInt16(lookupOffset),
        ])
        return header + scripts + features + lookupList(lookups, rules)
    }

    private static func lookupList(_ lookups: Int, _ rules: Int) -> [UInt8] {
        // All lookups are one: type 5, a subtable.
        let offsets = [UInt16](repeating: UInt16(2 + 2 * lookups), count: lookups)
        return FontBuilder.bytes([UInt16(lookups)] + offsets) + FontBuilder.bytes([5, 0, 1, 8])
            + subtable(rules, lookups)
    }

    /// Returns a context of format 1: a coverage, one set, its rules.
    private static func subtable(_ rules: Int, _ lookups: Int) -> [UInt8] {
        let glyph = UInt16(0x61 - 0x20 + 1)
        let set = FontBuilder.bytes([UInt16(rules)])
        let bodies = UInt16(2 + 2 * rules)
        // Ten bytes: glyphs 2, records 0, the second glyph (one that no text has) and a spare one.
        let failing = FontBuilder.bytes([3, 0, glyph + 1, 90])
        let calls = min(lookups, 8)
        var matching = FontBuilder.bytes([2, UInt16(calls), glyph + 1])
        for call in 0..<calls { matching += FontBuilder.bytes([UInt16(call & 1), UInt16(call)]) }
        var offsets = [UInt16](repeating: bodies, count: rules)
        offsets[rules - 1] = bodies + UInt16(failing.count)
        let coverage = FontBuilder.bytes([1, 1, glyph])
        return FontBuilder.bytes([1, 8, 1, UInt16(8 + coverage.count)]) + coverage + set
            + FontBuilder.bytes(offsets) + failing + matching
    }
}
