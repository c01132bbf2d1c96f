/// The media types that a client accepts in a response (RFC 9110 §12.5.1).
package struct AcceptedMedia: Sendable, Hashable {
    /// A media range; `*` is any type, or any subtype.
    private struct Range: Sendable, Hashable {
        let type: String
        let subtype: String
        /// The weight, in thousandths; 0 excludes the range.
        let quality: Int
    }

    private let ranges: [Range]

    /// Reads the Accept fields of a request.
    ///
    /// Malformed elements are ignored: a response of another type than requested is better than
    /// none (§12.4.1).
    package init(in headers: HTTPHeaders) {
        ranges = headers.values(of: .accept).flatMap(Self.elements).compactMap(Self.range)
    }

    /// Returns the weight of a response of `type`, in thousandths: that of the most specific
    /// matching range; 1000 when the request has no Accept field.
    package func quality(of type: MediaType) -> Int {
        guard !ranges.isEmpty else { return 1000 }
        return quality(type.type, type.subtype) ?? quality(type.type, "*") ?? quality("*", "*")
            ?? 0
    }

    private func quality(_ type: String, _ subtype: String) -> Int? {
        ranges.first { $0.type == type && $0.subtype == subtype }?.quality
    }

    /// Splits a line at the commas outside quotes.
    private static func elements(of line: String) -> [String] {
        var (isQuoted, isEscaped) = (false, false)
        return line.utf8.split { byte in
            defer { isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\") }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func range(_ element: String) -> Range? {
        guard let media = MediaType(element), let quality = quality(media.parameters["q"])
        else { return nil }
        return Range(type: media.type, subtype: media.subtype, quality: quality)
    }

    /// Returns a weight in thousandths; `nil` when it is malformed.
    private static func quality(_ text: String?) -> Int? {
        guard let text else { return QualityValue.unspecified }
        return QualityValue.thousandths(text.utf8.span)
    }
}
