/// The tables of one font in a file (OpenType specification, "Organization of an OpenType Font").
struct SFNTTables {
    /// The file's bytes, which outlive the check that uses these tables.
    private let bytes: UnsafeRawBufferPointer
    private let ranges: [UInt32: Range<Int>]

    /// The tables without which a text cannot be measured.
    private static let required = ["cmap", "head", "hhea", "hmtx", "maxp"]

    /// The number of fonts in a file, or `nil` if it is not a font.
    static func fontCount(of bytes: UnsafeRawBufferPointer) -> Int? {
        switch bytes.number32(at: 0) {
        case 0x0001_0000, tag("OTTO"), tag("true"): 1
        case tag("ttcf"): bytes.number32(at: 8).map { min(Int($0), maxFonts) }
        default: nil
        }
    }

    /// The maximum number of fonts in a collection that are considered.
    private static let maxFonts = 1024

    static func tag(_ text: String) -> UInt32 {
        text.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Reads the directory of one font and checks the tables that measuring requires.
    init(of bytes: UnsafeRawBufferPointer, index: Int) throws(FontFileError) {
        guard let fonts = Self.fontCount(of: bytes) else { throw .notAFont }
        guard index >= 0, index < fonts else { throw .missingIndex(index, fonts: fonts) }
        var start = 0
        if bytes.number32(at: 0) == Self.tag("ttcf") {
            guard let offset = bytes.number32(at: 12 + 4 * index) else {
                throw .damagedTable("ttcf")
            }
            start = Int(offset)
        }
        self.bytes = bytes
        ranges = try Self.directory(of: bytes, at: start)
        for tag in Self.required where ranges[Self.tag(tag)] == nil { throw .missingTable(tag) }
        try check()
    }

    private static func directory(
        of bytes: UnsafeRawBufferPointer, at start: Int
    ) throws(FontFileError) -> [UInt32: Range<Int>] {
        guard let count = bytes.number16(at: start + 4), count > 0 else { throw .notAFont }
        var ranges: [UInt32: Range<Int>] = [:]
        for number in 0..<Int(count) {
            let entry = start + 12 + 16 * number
            guard let tag = bytes.number32(at: entry), let offset = bytes.number32(at: entry + 8),
                let length = bytes.number32(at: entry + 12)
            else { throw .damagedTable("directory") }
            guard Int(offset) + Int(length) <= bytes.count else {
                throw .damagedTable(name(of: tag))
            }
            ranges[tag] = Int(offset)..<Int(offset) + Int(length)
        }
        return ranges
    }

    private static func name(of tag: UInt32) -> String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (24 - 8 * $0)) }
        return bytes.allSatisfy { (0x20..<0x7F).contains($0) }
            ? String(decoding: bytes, as: UTF8.self) : "?"
    }

    /// Checks what HarfBuzz would pass over in silence: it measures with an empty table then.
    private func check() throws(FontFileError) {
        guard let magic = number32("head", 12), magic == 0x5F0F_3CF5,
            let unitsPerEm = number16("head", 18), (16...16_384).contains(unitsPerEm)
        else { throw .damagedTable("head") }
        guard let glyphs = number16("maxp", 4), glyphs > 0 else { throw .damagedTable("maxp") }
        guard let advances = number16("hhea", 34), advances > 0, advances <= glyphs else {
            throw .damagedTable("hhea")
        }
        guard self["hmtx"].count >= 4 * Int(advances) + 2 * Int(glyphs - advances) else {
            throw .damagedTable("hmtx")
        }
    }

    /// The bytes of a table; empty if there is none.
    subscript(tag: String) -> Slice<UnsafeRawBufferPointer> {
        bytes[ranges[Self.tag(tag)] ?? 0..<0]
    }

    private func number16(_ tag: String, _ offset: Int) -> UInt16? {
        let table = self[tag]
        return offset + 2 <= table.count ? bytes.number16(at: table.startIndex + offset) : nil
    }

    private func number32(_ tag: String, _ offset: Int) -> UInt32? {
        let table = self[tag]
        return offset + 4 <= table.count ? bytes.number32(at: table.startIndex + offset) : nil
    }
}

extension RandomAccessCollection where Element == UInt8, Index == Int {
    /// Returns the number of 2 bytes, the greatest byte first, at an offset from the start.
    func number16(at offset: Int) -> UInt16? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return UInt16(self[startIndex + offset]) << 8 | UInt16(self[startIndex + offset + 1])
    }

    /// Returns the number of 4 bytes, the greatest byte first, at an offset from the start.
    func number32(at offset: Int) -> UInt32? {
        guard let high = number16(at: offset), let low = number16(at: offset + 2) else {
            return nil
        }
        return UInt32(high) << 16 | UInt32(low)
    }
}
