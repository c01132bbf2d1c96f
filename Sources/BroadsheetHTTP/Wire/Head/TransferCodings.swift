/// The codings that Transfer-Encoding names, over all its lines (RFC 9112 §6.1, §7).
struct TransferCodings: Sendable {
    private var hasChunked = false
    private var hasOther = false

    /// Whether the field was sent at all.
    var isPresent: Bool { hasChunked || hasOther }

    /// Whether it says `chunked` and nothing else, which is all that is understood.
    var isChunkedAlone: Bool { hasChunked && !hasOther }

    /// Takes note of one line's value.
    ///
    /// Empty elements are refused though a list may have them: a
    /// proxy that reads `,chunked` as an unknown coding would frame the body differently.
    mutating func note(_ value: Range<Int>, in bytes: [UInt8]) throws(HTTPError) {
        for element in ListElements(value, in: bytes) {
            let nameEnd =
                element.first { !bytes[$0].isTokenByte } ?? element.upperBound
            guard nameEnd > element.lowerBound else {
                throw .badRequest(.malformedTransferEncoding)
            }
            let parameters = bytes.span.trimmingBlanks(nameEnd..<element.upperBound)
            try add(
                isChunked: bytes.span.extracting(element.lowerBound..<nameEnd)
                    .equalsIgnoringCase("chunked".utf8.span),
                parameters: bytes[parameters])
        }
    }

    private mutating func add(
        isChunked: Bool, parameters: ArraySlice<UInt8>
    ) throws(HTTPError) {
        if hasChunked { throw .badRequest(.chunkedNotLast) }
        if let first = parameters.first, isChunked || first != UInt8(ascii: ";") {
            throw .badRequest(.malformedTransferEncoding)
        }
        if isChunked { hasChunked = true } else { hasOther = true }
    }
}
