/// The fields of a head that HTTP itself interprets: Host, Content-Length, Transfer-Encoding,
/// Connection and Expect.
///
/// Every ambiguity about the end of a body is an error: a proxy that interprets it otherwise would
/// take one client's bytes for another's request.
struct ControlFields: Sendable {
    private(set) var host: Range<Int>?
    private(set) var expectsContinue = false

    private var contentLength: Int?
    private var codings = TransferCodings()
    private var hasClose = false
    private var hasKeepAlive = false
    private var hasUnknownExpectation = false

    mutating func read(_ field: HTTPHeaders.Field, in bytes: [UInt8]) throws(HTTPError) {
        func isNamed(_ name: String) -> Bool {
            bytes.span.extracting(field.name).equalsIgnoringCase(name.utf8.span)
        }
        switch field.name.count {
        case 4 where isNamed("host"): try readHost(field.value, in: bytes)
        case 6 where isNamed("expect"): readExpect(field.value, in: bytes)
        case 10 where isNamed("connection"): readConnection(field.value, in: bytes)
        case 14 where isNamed("content-length"): try readContentLength(field.value, in: bytes)
        case 17 where isNamed("transfer-encoding"): try codings.read(field.value, in: bytes)
        default: break
        }
    }

    /// Returns the framing of the body, once all fields are read (RFC 9112 §6.3, and §3.2 for
    /// Host).
    func framing(for line: RequestLine, limits: HTTPLimits) throws(HTTPError) -> BodyFraming {
        if host == nil, line.version == .http11 { throw .badRequest(.missingHost) }
        if codings.isPresent {
            if line.version == .http10 { throw .badRequest(.transferEncodingInHTTP10) }
            if contentLength != nil { throw .badRequest(.lengthAndTransferEncoding) }
            guard codings.isChunkedAlone else { throw .unsupportedTransferCoding }
        }
        if hasUnknownExpectation { throw .expectationFailed }
        if codings.isPresent { return .chunked }
        guard let contentLength else {
            if line.method.requiresContentLength { throw .lengthRequired }
            return .none
        }
        guard contentLength <= limits.maxBody else { throw .bodyTooLarge(limit: limits.maxBody) }
        return contentLength == 0 ? .none : .length(contentLength)
    }

    /// Returns whether the connection may serve another request (RFC 9112 §9.3).
    func keepsAlive(_ version: HTTPVersion) -> Bool {
        !hasClose && (version == .http11 || hasKeepAlive)
    }

    private mutating func readHost(_ value: Range<Int>, in bytes: [UInt8]) throws(HTTPError) {
        guard host == nil else { throw .badRequest(.repeatedHost) }
        guard Authority.isValid(bytes.span.extracting(value)) else {
            throw .badRequest(.malformedHost)
        }
        host = value
    }

    /// Reads a sequence of digits, which may occur once.
    ///
    /// RFC 9110 §8.6 permits a server to accept `5, 5`; no known client sends it.
    private mutating func readContentLength(
        _ value: Range<Int>, in bytes: [UInt8]
    ) throws(HTTPError) {
        guard contentLength == nil else { throw .badRequest(.repeatedContentLength) }
        guard !value.isEmpty else { throw .badRequest(.malformedContentLength) }
        var length = 0
        for index in value {
            let (tens, overflowed) = length.multipliedReportingOverflow(by: 10)
            let (sum, overflowedToo) = tens.addingReportingOverflow(Int(bytes[index] &- 0x30))
            guard bytes[index].isDigit, !overflowed, !overflowedToo else {
                throw .badRequest(.malformedContentLength)
            }
            length = sum
        }
        contentLength = length
    }

    private mutating func readConnection(_ value: Range<Int>, in bytes: [UInt8]) {
        for option in ListElements(value, in: bytes) {
            let option = bytes.span.extracting(option)
            if option.equalsIgnoringCase("close".utf8.span) { hasClose = true }
            if option.equalsIgnoringCase("keep-alive".utf8.span) { hasKeepAlive = true }
        }
    }

    private mutating func readExpect(_ value: Range<Int>, in bytes: [UInt8]) {
        for expectation in ListElements(value, in: bytes) where !expectation.isEmpty {
            if bytes.span.extracting(expectation).equalsIgnoringCase("100-continue".utf8.span) {
                expectsContinue = true
            } else {
                hasUnknownExpectation = true
            }
        }
    }
}

/// The codings of Transfer-Encoding, over all its lines (RFC 9112 §6.1, §7).
private struct TransferCodings: Sendable {
    private var hasChunked = false
    private var hasOther = false

    var isPresent: Bool { hasChunked || hasOther }

    /// A Boolean value that indicates whether its only coding is `chunked`, the only supported one.
    var isChunkedAlone: Bool { hasChunked && !hasOther }

    /// Reads the value of one line.
    ///
    /// Empty elements are rejected although a list may have them: a proxy that reads `,chunked` as
    /// an unknown coding would frame the body differently.
    mutating func read(_ value: Range<Int>, in bytes: [UInt8]) throws(HTTPError) {
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

/// The elements of a comma-separated value, without the blanks around them, including empty ones
/// (RFC 9110 §5.6.1).
private struct ListElements: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private let end: Int
    private var start: Int?

    init(_ value: Range<Int>, in bytes: [UInt8]) {
        self.bytes = bytes
        end = value.upperBound
        start = value.lowerBound
    }

    mutating func next() -> Range<Int>? {
        guard let start else { return nil }
        var comma = start
        while comma < end, bytes[comma] != UInt8(ascii: ",") { comma += 1 }
        self.start = comma < end ? comma + 1 : nil
        return bytes.span.trimmingBlanks(start..<comma)
    }
}

/// The grammar of a line of a head or of a trailer section, `name: value` (RFC 9112 §5).
enum FieldLine {
    /// Returns the offsets of name and value in `bytes`; `line` is the line's range without CRLF.
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

    /// Returns the index of the colon.
    ///
    /// A line must not start with a blank and so continue another one (RFC 9112 §5.2), and no blank
    /// may separate a name from its colon (§5.1): intermediaries interpret such lines differently,
    /// which makes request smuggling possible.
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
        throw .badRequest(index == line.lowerBound ? .multilineHeader : .blankBeforeColon)
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
