/// Tables of Apple's fonts, which substitute and position glyphs by subtables that each look at all
/// glyphs.
package enum AppleTableBuilder {
    private static let letter = UInt16(0x61 - 0x20 + 1)

    /// Returns a table `morx` of one chain, for the letter a.
    ///
    /// - Parameters:
    ///   - insertions: The number of state tables at the beginning that insert 31 glyphs before
    ///     each.
    ///   - lookups: The number of subtables after them that substitute a glyph for itself.
    package static func morx(insertions: Int, lookups: Int) -> [UInt8] {
        let subtables =
            [[UInt8]](repeating: insertion, count: insertions)
            + [[UInt8]](repeating: lookup, count: lookups)
        let body = Array(subtables.joined())
        return FontBuilder.bytes([2, 0])
            + [1, 1, 16 + body.count, 0, subtables.count].flatMap(FontBuilder.long) + body
    }

    /// A subtable of type 4: a lookup of format 8.
    private static var lookup: [UInt8] {
        subtable(type: 4, FontBuilder.bytes([8, letter, 1, letter]))
    }

    /// A subtable of type 5 with a class for the letter, two states, and an entry that inserts.
    private static var insertion: [UInt8] {
        let count = 31
        let classes = FontBuilder.bytes([8, letter, 1, 4])
        let states = FontBuilder.bytes([0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
        let entries = FontBuilder.bytes([0, 0, 0xFFFF, 0xFFFF, 0, UInt16(count << 5), 0, 0xFFFF])
        let glyphs = FontBuilder.bytes([UInt16](repeating: letter, count: count))
        var offsets = [5, 20]
        for part in [classes, states, entries] { offsets.append((offsets.last ?? 0) + part.count) }
        return subtable(
            type: 5, offsets.flatMap(FontBuilder.long) + classes + states + entries + glyphs)
    }

    private static func subtable(type: Int, _ content: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: -content.count & 3)
        // Coverage: all directions.
        return [12 + content.count + padding.count, 0x2000_0000 | type, 1]
            .flatMap(FontBuilder.long) + content + padding
    }

    /// Returns a table `kern` of version 1 with subtables of one pair each.
    package static func kern(subtables: Int) -> [UInt8] {
        let pairs = FontBuilder.bytes([1, 6, 0, 0, letter, letter, 10])
        let subtable = FontBuilder.long(8 + pairs.count) + FontBuilder.bytes([0, 0]) + pairs
        return [0x1_0000, subtables].flatMap(FontBuilder.long)
            + Array(repeatElement(subtable, count: subtables).joined())
    }
}
