/// Puts an SVG document's pieces into one growing buffer of bytes.
///
/// What a client posted goes through ``text(_:)`` only, which escapes it; everything else is known at
/// compile time or is a number.
struct SVGWriter {
    private var buffer: JSONWriter

    /// What has been written.
    var bytes: [UInt8] { buffer.bytes }

    init(reservingCapacity capacity: Int) {
        buffer = JSONWriter(reservingCapacity: capacity)
    }

    /// Writes markup that is known at compile time.
    mutating func raw(_ markup: StaticString) { buffer.raw(markup) }

    /// Writes a length, rounded to thousandths.
    mutating func number(_ value: Double) { buffer.number(value) }

    /// Writes an attribute and its length, with the blank before it.
    mutating func attribute(_ name: StaticString, _ value: Double) {
        raw(" ")
        raw(name)
        raw("=\"")
        number(value)
        raw("\"")
    }

    /// Writes character data so that it can neither end its element nor be refused by a parser:
    /// markup is escaped, and what XML 1.0 section 2.2 has no room for becomes U+FFFD.
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

    /// Writes one line of text whose baseline starts, or in an `end` label ends, at (x, y).
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
