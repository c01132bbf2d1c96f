/// Writes the elements of an SVG document into one buffer.
///
/// Posted text is written only by ``text(_:)``, which escapes it; everything else is known at
/// compile time or is a number.
struct SVGWriter {
    private var buffer: JSONWriter

    /// The bytes written so far.
    var bytes: [UInt8] { buffer.bytes }

    /// Creates an empty writer with space for `capacity` bytes.
    init(reservingCapacity capacity: Int) {
        buffer = JSONWriter(reservingCapacity: capacity)
    }

    /// Writes markup that is known at compile time.
    mutating func raw(_ markup: StaticString) { buffer.raw(markup) }

    /// Writes a length, rounded to thousandths.
    mutating func number(_ value: Double) { buffer.number(value) }

    /// Writes a space and an attribute whose value is a length.
    mutating func attribute(_ name: StaticString, _ value: Double) {
        raw(" ")
        raw(name)
        raw("=\"")
        number(value)
        raw("\"")
    }

    /// Writes character data: markup is escaped, and characters that XML 1.0 section 2.2 does not
    /// permit become U+FFFD.
    mutating func text(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": raw("&amp;")
            case "<": raw("&lt;")
            case ">": raw("&gt;")
            case "\"": raw("&quot;")
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": raw("\u{FFFD}")
            default: for unit in UTF8.encode(scalar) ?? .init() { buffer.raw(byte: unit) }
            }
        }
    }

    /// Writes a rectangle of the given class.
    mutating func rectangle(_ frame: Frame, _ kind: StaticString, radius: Double = 0) {
        raw("<rect class=\"")
        raw(kind)
        raw("\"")
        attribute("x", frame.x)
        attribute("y", frame.y)
        attribute("width", frame.width)
        attribute("height", frame.height)
        if radius > 0 { attribute("rx", min(radius, frame.width / 2, frame.height / 2)) }
        raw("/>\n")
    }

    /// Writes a straight line of the given class.
    mutating func line(
        from start: (x: Double, y: Double), to end: (x: Double, y: Double), _ kind: StaticString
    ) {
        raw("<line class=\"")
        raw(kind)
        raw("\"")
        attribute("x1", start.x)
        attribute("y1", start.y)
        attribute("x2", end.x)
        attribute("y2", end.y)
        raw("/>\n")
    }

    /// Writes one line of text whose baseline starts at (x, y), or ends there if it is anchored at
    /// its end.
    mutating func label(
        _ words: String, x: Double, y: Double, _ kind: StaticString, anchoredAtEnd: Bool = false
    ) {
        raw("<text class=\"")
        raw(kind)
        raw("\"")
        attribute("x", x)
        attribute("y", y)
        if anchoredAtEnd { raw(" text-anchor=\"end\"") }
        raw(">")
        text(words)
        raw("</text>\n")
    }
}

/// The estimated widths of labels, and their truncation.
///
/// The server has no font to measure with. The estimates are generous, so that a label rather loses
/// a character than overlaps another one.
enum PictureText {
    /// Returns the estimated width of a text at a font size, in points.
    static func width(of words: String, size: Double) -> Double {
        words.unicodeScalars.reduce(0) { $0 + size * share(of: $1) }
    }

    /// Returns a text truncated to a width, with an ellipsis if characters are missing, or `nil` if
    /// fewer than two characters fit.
    static func fitting(_ words: String, width: Double, size: Double) -> String? {
        // No label is wide enough for more characters, so that longer texts need not be measured.
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

    /// The maximum number of characters of a label.
    static let maxLength = 200

    /// Returns a scalar's width as a fraction of the font size: East Asian scripts and emoji are
    /// square.
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

/// The colours and font sizes of a picture, in a light and a dark scheme.
enum PictureStyle {
    /// The style element.
    static let sheet: StaticString = """
        <style>
        text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;fill:#1c2430}
        .title{font-size:15px;font-weight:600}.sub,.key{font-size:11px;fill:#5b6675}
        .name{font-size:12px;font-weight:600}.unnamed{font-size:12px;font-style:italic}
        .note{font-size:10px;fill:#5b6675}.type{font-size:10.5px;font-weight:600}
        .id{font-size:9.5px;font-family:ui-monospace,"SF Mono",Menlo,"DejaVu Sans Mono",monospace;fill:#5b6675}
        .ground{fill:#eef1f5}.paper{fill:#fff;stroke:#8d99a9}.gap{fill:url(#hatch)}.fade{fill:url(#out)}
        .hatch{stroke:#cbd4de;stroke-width:1}.outlined{stroke:#c3ccd7}
        .item{fill:#fff;stroke:#9aa7b8}.header{fill:#dfe9ff;stroke:#5b83d6}
        .footer{fill:#e3f3e7;stroke:#5da271}
        .decoration{fill:#fff0cf;stroke:#d9a441;stroke-dasharray:5 3}
        .beyond{fill:#fff;fill-opacity:.6;stroke:#9aa7b8;stroke-dasharray:3 3}
        .edge{stroke:#c3ccd7}.separator{stroke:#c3ccd7}.bracket{stroke:#8d99a9}
        .fold{stroke:#d64545;stroke-width:1.5;stroke-dasharray:8 5}.foldname{font-size:10px;fill:#d64545}
        @media (prefers-color-scheme:dark){
        text{fill:#e7ecf3}.sub,.key,.note,.id{fill:#9aa6b6}
        .ground{fill:#10141a}.paper{fill:#171d25;stroke:#56637a}.hatch{stroke:#333e4b}.outlined{stroke:#46525f}
        .item{fill:#202834;stroke:#5c6a7d}.header{fill:#1d3056;stroke:#6f97ea}
        .footer{fill:#1b3826;stroke:#63ad7a}.decoration{fill:#3a2f16;stroke:#c9973d}
        .beyond{fill:#202834;stroke:#5c6a7d}.edge{stroke:#35404d}.separator{stroke:#46525f}.bracket{stroke:#56637a}
        .fold{stroke:#ff7b72}.foldname{fill:#ff7b72}}
        </style>
        <defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="7"/></pattern>

        """

    /// The font size of the class `type`.
    static let typeSize = 10.5
    /// The font size of the class `id`.
    static let idSize = 9.5
    /// The font size of the class `name`.
    static let nameSize = 12.0
    /// The font size of the class `note`.
    static let noteSize = 10.0
}
