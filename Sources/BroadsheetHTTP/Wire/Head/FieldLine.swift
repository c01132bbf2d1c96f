/// Reads one line of a head or of a trailer section, `name: value` (RFC 9112 §5).
enum FieldLine {
    /// Where name and value lie in `bytes`, which hold the line at `line`, CRLF left out.
    static func parse(
        _ line: Range<Int>, in bytes: borrowing Span<UInt8>
    ) throws(HTTPError) -> HTTPHeaders.Field {
        let colon = try nameEnd(line, in: bytes)
        try checkValue(colon + 1..<line.upperBound, in: bytes)
        let value = bytes.trimmingBlanks(colon + 1..<line.upperBound)
        return HTTPHeaders.Field(
            nameStart: UInt32(clamping: line.lowerBound), nameEnd: UInt32(clamping: colon),
            valueStart: UInt32(clamping: value.lowerBound),
            valueEnd: UInt32(clamping: value.upperBound))
    }

    /// Where the colon is.
    ///
    /// A line must not start with a blank (obsolete folding, RFC 9112 §5.2),
    /// and no blank may part a name from its colon (§5.1): intermediaries read such lines in
    /// different ways, which is how requests are smuggled.
    private static func nameEnd(
        _ line: Range<Int>, in bytes: borrowing Span<UInt8>
    ) throws(HTTPError) -> Int {
        var index = line.lowerBound
        while index < line.upperBound, bytes[index].isTokenByte { index += 1 }
        guard index < line.upperBound else { throw .badRequest(.headerWithoutName) }
        let byte = bytes[index]
        if byte == UInt8(ascii: ":") {
            guard index > line.lowerBound else { throw .badRequest(.headerWithoutName) }
            return index
        }
        if byte == .carriageReturn { throw .badRequest(.bareCarriageReturn) }
        guard byte.isBlank else { throw .badRequest(.malformedHeaderName) }
        throw .badRequest(index == line.lowerBound ? .foldedHeader : .blankBeforeColon)
    }

    private static func checkValue(
        _ value: Range<Int>, in bytes: borrowing Span<UInt8>
    ) throws(HTTPError) {
        for index in value where !bytes[index].isFieldValueByte {
            throw .badRequest(
                bytes[index] == .carriageReturn ? .bareCarriageReturn : .controlCharacterInHeader)
        }
    }
}
