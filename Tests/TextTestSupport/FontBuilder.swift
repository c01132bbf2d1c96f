/// A TrueType font with a glyph for each of its characters, made in memory.
///
/// The characters from U+0020 to U+007E have the glyphs from 1 on, whose advances are 1,000 units;
/// so have as many glyphs as are asked for beyond.
package struct FontBuilder {
    private let glyphs: Int
    private let tables: [String: [UInt8]]

    /// Creates a font.
    ///
    /// - Parameters:
    ///   - glyphs: The number of glyphs.
    ///   - tables: The tables to add or to replace, by their tags.
    package init(glyphs: Int = 96, tables: [String: [UInt8]] = [:]) {
        self.glyphs = glyphs
        self.tables = tables
    }

    /// Returns the file.
    package func file() -> [UInt8] {
        var all = [
            "head": head, "maxp": bytes(0, 0x5000, UInt16(clamping: glyphs)), "hhea": hhea,
            "hmtx": hmtx, "cmap": cmap,
        ]
        all.merge(tables) { $1 }
        return Self.file(of: all)
    }

    /// Returns a file of tables.
    package static func file(of tables: [String: [UInt8]]) -> [UInt8] {
        let sorted = tables.sorted { $0.key < $1.key }
        var head = bytes([0x0001, 0, UInt16(sorted.count), 0, 0, 0])
        var body: [UInt8] = []
        for (tag, table) in sorted {
            head += Array(tag.utf8) + [0, 0, 0, 0]
            head += long(12 + 16 * sorted.count + body.count) + long(table.count)
            body += table + [UInt8](repeating: 0, count: -table.count & 3)
        }
        return head + body
    }

    private func bytes(_ numbers: UInt16...) -> [UInt8] { Self.bytes(numbers) }

    /// Returns numbers of 2 bytes each.
    package static func bytes(_ numbers: [UInt16]) -> [UInt8] {
        numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    /// Returns a table `fvar` with axes: their tags, and the lowest, the default and the highest
    /// position.
    package static func axes(
        _ axes: [(tag: String, lower: Int, normal: Int, upper: Int)]
    ) -> [UInt8] {
        var table = bytes([1, 0, 16, 2, UInt16(axes.count), 20, 0, UInt16(4 + 4 * axes.count)])
        for axis in axes {
            table += Array(axis.tag.utf8)
            for value in [axis.lower, axis.normal, axis.upper] {
                table += bytes([UInt16(value), 0])
            }
            table += bytes([0, 256])
        }
        return table
    }

    /// Returns a table `HVAR` for a font with one axis, which adds units to the advances of
    /// `glyphs` glyphs at the end of the axis.
    package static func advances(plus delta: UInt16, glyphs: Int = 96) -> [UInt8] {
        let header = bytes([1, 0]) + [20, 0, 0, 0].flatMap(long)
        let store = bytes([1]) + long(12) + bytes([1]) + long(22)
        // F2DOT14: from the default, 0, to the end, 1.
        let region = bytes([1, 1, 0, 0x4000, 0x4000])
        let deltas = bytes([UInt16](repeating: delta, count: glyphs))
        return header + store + region + bytes([UInt16(glyphs), 1, 1, 0]) + deltas
    }

    /// Returns a number of 4 bytes.
    package static func long(_ number: Int) -> [UInt8] {
        bytes([UInt16(truncatingIfNeeded: number >> 16), UInt16(truncatingIfNeeded: number)])
    }

    private var head: [UInt8] {
        bytes(1, 0, 1, 0, 0, 0, 0x5F0F, 0x3CF5, 0, 1000) + [UInt8](repeating: 0, count: 34)
    }

    private var hhea: [UInt8] {
        bytes(1, 0, 800, UInt16(bitPattern: -200), 0) + [UInt8](repeating: 0, count: 24) + bytes(1)
    }

    private var hmtx: [UInt8] {
        bytes(1000, 0) + [UInt8](repeating: 0, count: 2 * max(0, glyphs - 1))
    }

    private var cmap: [UInt8] {
        bytes(
            0, 1, 3, 1, 0, 12, 4, 32, 0, 4, 4, 1, 0, 0x7E, 0xFFFF, 0, 0x20, 0xFFFF,
            UInt16(bitPattern: 1 - 0x20), 1, 0, 0)
    }
}
