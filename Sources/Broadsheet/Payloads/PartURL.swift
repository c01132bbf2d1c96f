/// The URL of a part that is an image, for a value that has one.
struct PartURL {
    private let url: ImageURL
    private let value: UnsafeBufferPointer<UInt8>
    private let pixels: ImageURL.Pixels
    let maxByteCount: Int

    /// Finds the URL of a part.
    ///
    /// - Parameters:
    ///   - element: The index of the element's first input in its page.
    ///   - scale: The number of pixels of images per point.
    ///   - data: The bytes of the element's data; the caller keeps them alive.
    /// - Returns: `nil` for a part without a template, without area, or without a usable value.
    /// - Complexity: O(bytes of the value).
    init?(
        of part: PartFrame, _ contents: ContentTree, at element: UInt32, in page: ResolvedPage,
        scale: Double, data: UnsafeBufferPointer<UInt8>
    ) {
        guard part.url >= 0, part.frame.width > 0, part.frame.height > 0,
            let url = contents.urls[Int(part.url)],
            let value = Self.value(
                in: data, at: page.inputs[Int(element) + Int(part.url)]),
            let byteCount = url.byteCount(of: value)
        else { return nil }
        self.url = url
        self.value = value
        pixels = url.pixels(of: part.frame, scale: scale)
        maxByteCount = url.maxByteCount + byteCount
    }

    /// Returns the content of a string that is there, or the bytes of a number.
    ///
    /// - Parameter place: The input of the part (``SizeInput/url(_:_:)``).
    private static func value(
        in data: UnsafeBufferPointer<UInt8>, at place: Double
    ) -> UnsafeBufferPointer<UInt8>? {
        let start = Int(place) - 1
        guard data.indices.contains(start) else { return nil }
        var scanner = JSONScanner(data).at(start)
        switch data[start] {
        case UInt8(ascii: "\""):
            let content = scanner.string().range
            return content.isEmpty ? nil : UnsafeBufferPointer(rebasing: data[content])
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return UnsafeBufferPointer(rebasing: data[scanner.token()])
        default: return nil
        }
    }

    func write(to cursor: inout JSONCursor) { url.write(value, pixels, to: &cursor) }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.withCapacity(max(1, maxByteCount)) { write(to: &$0) }
        return writer.bytes
    }
}
