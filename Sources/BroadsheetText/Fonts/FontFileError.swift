/// The reason that a font file cannot be used.
enum FontFileError: Error, Hashable {
    case unreadable(path: String, String)
    /// The file is not below the folder of fonts once links are resolved.
    case outside
    case tooLarge(bytes: Int)
    case notAFont
    /// The collection has fewer fonts than the index requires.
    case missingIndex(Int, fonts: Int)
    /// A table that measuring requires is missing.
    case missingTable(String)
    /// A table is cut off or contradicts itself.
    case damagedTable(String)
    /// The font has no axis of that tag; the axes that it has follow.
    case missingAxis(String, axes: [String])
    case axisRange(String, lower: Double, upper: Double)
    /// Shaping with the font's tables could take more work than ``FontWork`` permits.
    case tooComplex(table: String)

    /// The place in the file's declaration: a member, or empty for the whole.
    var member: String {
        switch self {
        case .missingIndex: "/index"
        case .missingAxis(let tag, _), .axisRange(let tag, _, _):
            "/axes/" + tag.replacing("~", with: "~0").replacing("/", with: "~1")
        default: ""
        }
    }

    /// The second part of a sentence about the file, the index or the axis.
    var detail: String {
        switch self {
        case .unreadable(let path, let reason):
            "cannot be read at \"\(path)\": \(reason) (--fonts names the folder of the fonts)"
        case .outside: "is outside of the folder of fonts"
        case .tooLarge(let bytes): "has \(bytes) bytes, of which \(FontFile.maxBytes) are permitted"
        case .notAFont: "is not a TrueType or OpenType font"
        case .missingIndex(_, let fonts):
            fonts == 1
                ? "must be 0, since the file has one font"
                : "must be below \(fonts), the number of fonts in the file"
        case .missingTable(let tag): "is not usable: it has no table \"\(tag)\""
        case .damagedTable(let tag): "is damaged: its table \"\(tag)\" is cut off or not valid"
        case .missingAxis(_, let axes):
            axes.isEmpty
                ? "is not an axis of the font, which has none"
                : "is not an axis of the font, which has \(axes.joined(separator: ", "))"
        case .axisRange(_, let lower, let upper): "must be from \(lower) to \(upper) in this font"
        case .tooComplex(let table):
            "is not usable: with its table \"\(table)\" a text could take too much time"
        }
    }
}
