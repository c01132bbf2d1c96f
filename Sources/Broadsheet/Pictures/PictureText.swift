/// How much room words take in a picture, and what is left of them in less.
///
/// An SVG on a server has no font to measure: widths are estimates that err on the wide side, so
/// that a label rather loses a letter than runs over its neighbour.
enum PictureText {
    /// The width in points of `words` at the given size of type.
    static func width(of words: String, size: Double) -> Double {
        words.unicodeScalars.reduce(0) { $0 + size * share(of: $1) }
    }

    /// As much of `words` as fits `width`, with an ellipsis where something is missing; nil when
    /// hardly anything does.
    static func fitting(_ words: String, width: Double, size: Double) -> String? {
        // Nobody sees more than this; what is longer need not be measured to its end.
        let words = String(words.prefix(maxLength))
        if Self.width(of: words, size: size) <= width { return words }
        var rest = width - size * share(of: "…")
        var kept = ""
        for character in words {
            rest -= Self.width(of: String(character), size: size)
            if rest < 0 { break }
            kept.append(character)
        }
        return kept.count >= 2 ? kept + "…" : nil
    }

    /// The most characters of a label that are looked at.
    static let maxLength = 200

    /// A scalar's width as a part of the size of type: East Asian scripts and emoji are square.
    private static func share(of scalar: Unicode.Scalar) -> Double {
        switch scalar.value {
        case 0x1100...0x11FF, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
            0xFF00...0xFF60, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            1.0
        case 0x41...0x5A, 0x40, 0x25, 0x2026: 0.72
        default: 0.6
        }
    }
}
