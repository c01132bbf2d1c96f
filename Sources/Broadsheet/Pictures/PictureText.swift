/// The estimated widths of texts, their truncation and their division into lines.
///
/// The server has no font to measure with. The estimates are generous, so that a label rather loses
/// a character than overlaps another one.
enum PictureText {
    /// The maximum number of Unicode scalars of a text; longer texts are cut before they are
    /// measured.
    static let maxLength = 200
    /// The minimum number of columns of a truncated text, which would say nothing with fewer.
    ///
    /// East Asian characters and emoji have two columns.
    static let minColumns = 4

    /// Returns the estimated width of a text at a font size, in points.
    static func width(of words: String, size: Double) -> Double {
        words.unicodeScalars.reduce(0) { $0 + size * share(of: $1) }
    }

    /// Returns a text truncated to a width, with an ellipsis if characters are missing, or `nil` if
    /// fewer than ``minColumns`` fit.
    static func fitting(_ words: String, width: Double, size: Double) -> String? {
        let words = bounded(words)
        if Self.width(of: words, size: size) <= width { return words }
        var rest = width - size * share(of: "…")
        var kept = ""
        var columns = 0
        for character in words {
            let next = Self.width(of: String(character), size: size)
            rest -= next
            if rest < 0 { break }
            kept.append(character)
            columns += next >= size ? 2 : 1
        }
        while kept.last?.isWhitespace == true { kept.removeLast() }
        return columns >= minColumns ? kept + "…" : nil
    }

    /// Returns the lines of a text in a width, divided at its spaces.
    ///
    /// The last line is truncated if characters are missing. The text has no lines if the last one
    /// would be too short.
    ///
    /// - Returns: At most `count` lines, and whether they have all of the text.
    static func lines(
        _ words: String, width: Double, size: Double, atMost count: Int
    ) -> (lines: [String], areWhole: Bool) {
        let text = bounded(words)
        var rest = text.split(whereSeparator: \.isWhitespace).map(String.init)[...]
        var lines: [String] = []
        while lines.count + 1 < count, let first = rest.popFirst() {
            var line = first
            while let next = rest.first, Self.width(of: "\(line) \(next)", size: size) <= width {
                line += " \(rest.removeFirst())"
            }
            guard Self.width(of: line, size: size) <= width else {
                rest.insert(line, at: rest.startIndex)
                break
            }
            lines.append(line)
        }
        let isCut = text.unicodeScalars.count < words.unicodeScalars.count
        guard !rest.isEmpty else { return (lines, !isCut) }
        let joined = rest.joined(separator: " ")
        guard let last = fitting(joined, width: width, size: size) else { return ([], false) }
        return (lines + [last], last == joined && !isCut)
    }

    /// Returns the first ``maxLength`` scalars: no label is wide enough for more.
    static func bounded(_ words: String) -> String {
        String(String.UnicodeScalarView(words.unicodeScalars.prefix(maxLength)))
    }

    /// Returns whether a text is read from right to left: by its first letter or direction mark
    /// (docs/layout.md, T8).
    static func isRightToLeft(_ text: String) -> Bool {
        for scalar in text.unicodeScalars {
            if scalar.isASCII ? scalar.properties.isAlphabetic : scalar.value == 0x200E {
                return false
            }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                .otherLetter, .letterNumber, .spacingMark:
                return isInRightToLeftBlock(scalar)
            default:
                if scalar.value == 0x200F || scalar.value == 0x61C { return true }
            }
        }
        return false
    }

    private static func isInRightToLeftBlock(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590..<0x900, 0xFB1D..<0xFE00, 0xFE70..<0xFF00, 0x10800..<0x11000,
            0x1E800..<0x1F000:
            true
        default: false
        }
    }

    /// Returns a line of a text so that the line alone has the direction of the text: with a
    /// direction mark, if its own first letter has the other one.
    static func line(_ words: String, isRightToLeft: Bool) -> String {
        guard Self.isRightToLeft(words) != isRightToLeft else { return words }
        return (isRightToLeft ? "\u{200F}" : "\u{200E}") + words
    }

    /// Returns a scalar's width as a fraction of the font size: East Asian scripts and emoji are
    /// square, and combining marks and joiners have no width.
    private static func share(of scalar: Unicode.Scalar) -> Double {
        switch scalar.value {
        case 0x1100...0x11FF, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
            0xFF00...0xFF60, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            1.0
        case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F: 0
        case 0x4D, 0x57, 0x6D, 0x77: 0.9
        case 0x41...0x48, 0x4A...0x5A, 0x40, 0x25, 0x2026: 0.72
        case 0x20...0x22, 0x27...0x2A, 0x2C...0x2F, 0x3A, 0x3B, 0x49, 0x5B...0x5D, 0x60,
            0x66, 0x69, 0x6A, 0x6C, 0x72, 0x74, 0x7B...0x7D, 0xB7, 0x2019:
            0.4
        default: 0.6
        }
    }
}
