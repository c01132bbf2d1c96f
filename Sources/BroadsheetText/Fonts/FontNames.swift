import Broadsheet

/// The names and the style of a font, by its tables `name`, `OS/2` and `head`.
struct FontNames: Sendable, Hashable {
    /// The name of the family; empty if the font has none.
    let family: String
    /// The weight, 1 to 1000.
    let weight: Int
    let isItalic: Bool
    /// A Boolean value that indicates whether the outlines are in the format of PostScript.
    let isPostScript: Bool

    private static let maxNameBytes = 1024
    /// The names of families that are looked for: that of all styles, or else that of four.
    private static let familyIDs: [UInt16] = [16, 1]
    private static let english: UInt16 = 0x0409

    /// Reads the names of a font whose tables were checked.
    init(of tables: SFNTTables) {
        family = Self.family(in: tables["name"])
        let style = tables["OS/2"]
        weight = style.number16(at: 4).map { min(max(Int($0), 1), 1000) } ?? 400
        let isOblique = style.number16(at: 62).map { $0 & 1 != 0 }
        isItalic = isOblique ?? ((tables["head"].number16(at: 44) ?? 0) & 2 != 0)
        isPostScript = !tables["CFF "].isEmpty || !tables["CFF2"].isEmpty
    }

    private static func family(in table: Slice<UnsafeRawBufferPointer>) -> String {
        guard let count = table.number16(at: 2), let start = table.number16(at: 4) else {
            return ""
        }
        var best: (rank: Int, name: String) = (.max, "")
        for number in 0..<Int(count) {
            let record = 6 + 12 * number
            guard let platform = table.number16(at: record),
                let language = table.number16(at: record + 4),
                let id = table.number16(at: record + 6),
                let length = table.number16(at: record + 8),
                let offset = table.number16(at: record + 10)
            else { break }
            guard let kind = familyIDs.firstIndex(of: id) else { continue }
            let rank = 4 * kind + (language == english ? 0 : 1) + (platform == 1 ? 2 : 0)
            let first = Int(start) + Int(offset)
            guard rank < best.rank, first + Int(length) <= table.count else { continue }
            let bytes = table.dropFirst(first).prefix(min(Int(length), maxNameBytes))
            let name = text(bytes, isUTF16: platform != 1)
            if !name.isEmpty { best = (rank, name) }
        }
        return best.name
    }

    private static func text(
        _ bytes: Slice<UnsafeRawBufferPointer>, isUTF16: Bool
    ) -> String {
        guard isUTF16 else {
            // The first half of Mac Roman is ASCII; names of other characters have UTF-16, too.
            return bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : ""
        }
        let units = stride(from: 0, to: bytes.count - 1, by: 2).compactMap {
            bytes.number16(at: $0)
        }
        return String(decoding: units, as: UTF16.self)
    }
}

extension TextFontFile {
    init(_ names: FontNames, _ bytes: FontBytes, _ declaration: FontDeclaration.File) {
        let axis = declaration.axes.first { $0.tag == "wght" }?.value
        self.init(
            family: names.family,
            weight: axis.map { Int(min(max($0, 1), 1000).rounded()) } ?? names.weight,
            isItalic: names.isItalic,
            content: Content(
                names.isPostScript ? .otf : .ttf, byteCount: bytes.content.count,
                checksum: bytes.contentHash,
                isCollection: (SFNTTables.fontCount(of: bytes.content) ?? 1) > 1
                    || bytes.content.number32(at: 0) == SFNTTables.tag("ttcf")
            ) { [UInt8](bytes.content) })
    }
}
