/// What surrounds the ids, the numbers and the data of a tree's items, put together once.
struct ItemPieces {
    /// Before a section's first item, up to its id and the opening quote.
    let first: [UInt8]
    /// From one item's end to the next one's id.
    let between: [UInt8]
    /// Behind a section's last item.
    let last: [UInt8]
    /// From an id to the type.
    let type: [UInt8]
    /// From the type to the frame's x.
    let frame: [UInt8]
    /// From x to y.
    let y: [UInt8]
    /// From y to the width.
    let width: [UInt8]
    /// From the width to the height.
    let height: [UInt8]
    /// From a frame to the place in depth.
    let zIndex: [UInt8]
    /// From what stands before it to a separator's x.
    let separator: [UInt8]
    /// From what stands before it to the data; empty when no data is written.
    let data: [UInt8]
    /// The most bytes that the pieces of one item take; a separator repeats some of its frame's.
    let byteCount: Int

    /// Puts the pieces together for items that stand `depth` containers deep.
    init(style: StructuredJSONWriter.Style, depth: Int, writesData: Bool) {
        func inner(_ name: StaticString) -> [UInt8] {
            style.lineBreak(depth + 1) + style.key(name)
        }
        func inline(_ name: StaticString) -> [UInt8] {
            style.inlineComma + style.key(name)
        }
        let quote = [UInt8(ascii: "\"")]
        let comma = [UInt8(ascii: ",")]
        let brace = [UInt8(ascii: "{")]
        first = style.lineBreak(depth) + brace + inner("id") + quote
        last = style.lineBreak(depth) + [UInt8(ascii: "}")]
        between = last + comma + first
        type = quote + comma + inner("type")
        frame = comma + inner("frame") + brace + style.key("x")
        y = inline("y")
        width = inline("width")
        height = inline("height")
        zIndex = comma + inner("zIndex")
        separator = comma + inner("separator") + brace + style.key("x")
        data = writesData ? comma + inner("data") : []
        byteCount = [
            between, type, frame, y, width, height, zIndex, separator, y, width, height, data,
        ].reduce(0) { $0 + $1.count }
    }
}
