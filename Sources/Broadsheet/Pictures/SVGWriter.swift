/// Writes the elements of an SVG document into one buffer.
///
/// Posted text is written only by ``text(_:)``, which escapes it; everything else is known at
/// compile time or is a number.
struct SVGWriter {
    private var buffer: JSONWriter

    /// The side of a text at its x coordinate.
    enum Anchor {
        case start, middle, end

        /// The attribute with a space before it; empty for the default.
        fileprivate var attribute: StaticString {
            switch self {
            case .start: ""
            case .middle: " text-anchor=\"middle\""
            case .end: " text-anchor=\"end\""
            }
        }

        var mirrored: Anchor {
            switch self {
            case .start: .end
            case .middle: .middle
            case .end: .start
            }
        }
    }

    var bytes: [UInt8] { buffer.bytes }

    var count: Int { buffer.bytes.count }

    init(reservingCapacity capacity: Int) {
        buffer = JSONWriter(reservingCapacity: capacity)
    }

    mutating func raw(_ markup: StaticString) { buffer.raw(markup) }

    /// Writes a length, rounded to thousandths.
    mutating func number(_ value: Double) { buffer.number(value) }

    mutating func attribute(_ name: StaticString, _ value: Double) {
        raw(" ")
        raw(name)
        raw("=\"")
        number(value)
        raw("\"")
    }

    /// Writes character data: markup is escaped, line breaks and tabs become spaces, and characters
    /// that XML 1.0 section 2.2 does not permit become U+FFFD.
    mutating func text(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": raw("&amp;")
            case "<": raw("&lt;")
            case ">": raw("&gt;")
            case "\"": raw("&quot;")
            case "\t", "\n", "\r": raw(" ")
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": raw("\u{FFFD}")
            default: for unit in UTF8.encode(scalar) ?? .init() { buffer.raw(byte: unit) }
            }
        }
    }

    mutating func rectangle(_ frame: Frame, _ kind: StaticString, radius: Double = 0) {
        raw("<rect class=\"")
        raw(kind)
        raw("\"")
        attributes(of: frame)
        if radius > 0 { attribute("rx", min(radius, frame.width / 2, frame.height / 2)) }
        raw("/>\n")
    }

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

    /// Writes one line of text whose baseline has the anchor at (x, y).
    ///
    /// A vertical text runs upwards.
    mutating func label(
        _ words: String, x: Double, y: Double, _ kind: StaticString, anchor: Anchor = .start,
        isVertical: Bool = false
    ) {
        raw("<text class=\"")
        raw(kind)
        raw("\"")
        if isVertical { raw(" transform=\"rotate(-90)\"") }
        // The turned axes: x runs upwards, and y to the right.
        attribute("x", isVertical ? -y : x)
        attribute("y", isVertical ? x : y)
        line(words, anchor)
    }

    mutating func words(
        _ words: String, x: Double, y: Double, size: Double, anchor: Anchor
    ) {
        raw("<text")
        attribute("font-size", size)
        attribute("x", x)
        attribute("y", y)
        line(words, anchor)
    }

    /// Writes the rest of a text: its anchor, which is at the right of one that is read from right
    /// to left if it is its start, its direction and its words.
    private mutating func line(_ words: String, _ anchor: Anchor) {
        let isRightToLeft = PictureText.isRightToLeft(words)
        if isRightToLeft { raw(" direction=\"rtl\"") }
        raw((isRightToLeft ? anchor.mirrored : anchor).attribute)
        raw(">")
        text(words)
        raw("</text>\n")
    }

    /// Begins a part of the picture with its own coordinates, in which nothing is drawn outside
    /// `frame`.
    mutating func beginPart(_ frame: Frame) {
        raw("<svg")
        attributes(of: frame)
        raw(">\n")
    }

    mutating func endPart() { raw("</svg>\n") }

    mutating func photo(_ frame: Frame) {
        raw("<use href=\"#photo\" class=\"glyph\"")
        attributes(of: frame)
        raw("/>\n")
    }

    mutating func tooltip(_ words: String) {
        raw("<title>")
        text(words)
        raw("</title>\n")
    }

    private mutating func attributes(of frame: Frame) {
        attribute("x", frame.x)
        attribute("y", frame.y)
        attribute("width", frame.width)
        attribute("height", frame.height)
    }
}
