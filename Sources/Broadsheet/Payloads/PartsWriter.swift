/// Writes the member `parts` of items, headers and footers with contents.
final class PartsWriter {
    private let arranger: PartsArranger
    private let pieces: PartPieces

    init(_ conditions: ContentConditions, style: StructuredJSONWriter.Style, depth: Int) {
        arranger = PartsArranger(conditions)
        pieces = PartPieces(style, depth: depth)
    }

    /// Writes the member behind an element's frame, with the comma before it.
    ///
    /// - Parameters:
    ///   - tree: The content.
    ///   - element: The index of the element's first input in its page.
    ///   - size: The size of the element before rounding.
    ///   - data: The bytes of the element's data; `nil` if they are not in the tree, which then has
    ///     no URLs.
    func write(
        _ tree: ContentTree, at element: UInt32, in page: ResolvedPage, _ size: Size,
        data: UnsafeBufferPointer<UInt8>?, to writer: inout JSONWriter
    ) {
        writer.raw(pieces.first)
        var isFirst = true
        arranger.forEachPart(of: tree, at: element, in: page, size) { name, part in
            let url = data.flatMap {
                PartURL(
                    of: part, tree, at: element, in: page,
                    scale: arranger.conditions.imageScale, data: $0)
            }
            write(tree.names[name], part, url, isFirst: isFirst, to: &writer)
            isFirst = false
        }
        if !isFirst { writer.raw(pieces.last) }
        writer.raw("}")
    }

    private func write(
        _ name: [UInt8], _ part: PartFrame, _ url: PartURL?, isFirst: Bool,
        to writer: inout JSONWriter
    ) {
        let capacity =
            name.count + pieces.byteCount + 5 * JSONCursor.longestNumber + (url?.maxByteCount ?? 0)
        writer.withCapacity(capacity) { cursor in
            if !isFirst { cursor.byte(UInt8(ascii: ",")) }
            cursor.copy(pieces.part)
            cursor.copy(name)
            cursor.copy(pieces.frame)
            cursor.number(part.frame.x)
            cursor.copy(pieces.y)
            cursor.number(part.frame.y)
            cursor.copy(pieces.width)
            cursor.number(part.frame.width)
            cursor.copy(pieces.height)
            cursor.number(part.frame.height)
            cursor.byte(UInt8(ascii: "}"))
            if let lines = part.lines {
                cursor.copy(pieces.lines)
                cursor.digits(of: UInt64(lines.magnitude))
                if part.isTruncated { cursor.copy(pieces.truncated) }
            }
            if let url {
                cursor.copy(pieces.url)
                url.write(to: &cursor)
                cursor.byte(UInt8(ascii: "\""))
            }
            cursor.byte(UInt8(ascii: "}"))
        }
    }
}

/// The JSON between the names and the numbers of parts.
private struct PartPieces {
    /// From the preceding member to the first part.
    let first: [UInt8]
    /// From the last part to the end of the object of all.
    let last: [UInt8]
    /// Before a part's name, with its opening quote.
    let part: [UInt8]
    /// From a part's name to its x.
    let frame: [UInt8]
    /// From x to y.
    let y: [UInt8]
    /// From y to the width.
    let width: [UInt8]
    /// From the width to the height.
    let height: [UInt8]
    /// From the frame to the number of lines.
    let lines: [UInt8]
    let truncated: [UInt8]
    /// From the preceding member to an image's URL, with its opening quote.
    let url: [UInt8]

    let byteCount: Int

    init(_ style: StructuredJSONWriter.Style, depth: Int) {
        let colon: [UInt8] = style == .pretty ? [0x22, 0x3A, 0x20] : [0x22, 0x3A]
        first =
            [UInt8(ascii: ",")] + style.lineBreak(depth + 1) + style.key("parts")
            + [UInt8(ascii: "{")]
        last = style.lineBreak(depth + 1)
        part = style.lineBreak(depth + 2) + [UInt8(ascii: "\"")]
        frame =
            colon + [UInt8(ascii: "{")] + style.key("frame") + [UInt8(ascii: "{")]
            + style.key("x")
        y = style.inlineComma + style.key("y")
        width = style.inlineComma + style.key("width")
        height = style.inlineComma + style.key("height")
        lines = style.inlineComma + style.key("lines")
        truncated = style.inlineComma + style.key("truncated") + Array("true".utf8)
        url = style.inlineComma + style.key("url") + [UInt8(ascii: "\"")]
        byteCount = [part, frame, y, width, height, lines, truncated, url].reduce(4) {
            $0 + $1.count
        }
    }
}
