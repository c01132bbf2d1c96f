/// The texts and the image that a picture shows of one item, header or footer.
struct CellContent {
    let title: String?
    var subtitle: String?
    /// A number that differs between images; `nil` without an image.
    let image: UInt32?
    /// A Boolean value that indicates whether items of the type can have a subtitle, so that it has
    /// its place in all of them.
    let canHaveSubtitle: Bool

    /// Creates the content that `picture` points to in the data at `range` of a page's bytes.
    ///
    /// - Returns: `nil` if the data has neither a text nor an image there.
    /// - Complexity: O(bytes in the range).
    init?(_ picture: CellPicture, data range: Range<Int>, in page: ResolvedPage) {
        // The page's depth has been checked.
        guard
            let document = try? JSONDocument(Array(page.bytes[range]), maxDepth: Int(Int32.max))
        else { return nil }
        let data = document.root
        title = picture.title?.evaluate(on: data)?.shownText
        subtitle = picture.subtitle?.evaluate(on: data)?.shownText
        image = picture.image?.evaluate(on: data)?.shownImage
        canHaveSubtitle = picture.subtitle != nil
        if title == nil, subtitle == nil, image == nil { return nil }
    }

    var hasText: Bool { title != nil || subtitle != nil }
}

extension JSONValue {
    /// The string or the number as a text; `nil` for other values and for strings without visible
    /// characters.
    fileprivate var shownText: String? {
        guard let text = text?.string, text.contains(where: { !$0.isWhitespace }) else {
            return nil
        }
        return text
    }

    /// A number that differs between images (FNV-1a over the value's bytes); `nil` for null, false
    /// and an empty string, which stand for no image.
    var shownImage: UInt32? {
        let bytes = document.bytes[byteRange]
        guard !isNull, bool != false, !(kind == .string && bytes.count == 2) else { return nil }
        let hash = bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return hash ^ hash >> 16
    }
}
