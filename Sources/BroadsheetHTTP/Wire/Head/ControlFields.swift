/// The fields of a head that HTTP itself acts on: Host, Content-Length, Transfer-Encoding,
/// Connection and Expect.
///
/// Every doubt about where a body ends is an error. To guess is to differ from a proxy in front
/// that guessed otherwise, and then one client's bytes become another's request.
struct ControlFields: Sendable {
    /// Where Host's value lies.
    private(set) var host: Range<Int>?
    /// Whether `Expect: 100-continue` was sent.
    private(set) var expectsContinue = false

    private var contentLength: Int?
    private var codings = TransferCodings()
    private var saysClose = false
    private var saysKeepAlive = false
    private var expectsUnknown = false

    /// Takes note of a field; most are none of HTTP's business.
    mutating func note(_ field: HTTPHeaders.Field, in bytes: [UInt8]) throws(HTTPError) {
        func isNamed(_ name: String) -> Bool {
            bytes.span.extracting(field.name).equalsIgnoringCase(name.utf8.span)
        }
        switch field.name.count {
        case 4 where isNamed("host"): try noteHost(field.value, in: bytes)
        case 6 where isNamed("expect"): noteExpect(field.value, in: bytes)
        case 10 where isNamed("connection"): noteConnection(field.value, in: bytes)
        case 14 where isNamed("content-length"): try noteContentLength(field.value, in: bytes)
        case 17 where isNamed("transfer-encoding"): try codings.note(field.value, in: bytes)
        default: break
        }
    }

    /// How the body is framed, all fields noted (RFC 9112 §6.3, and §3.2 for Host).
    func framing(for line: RequestLine, limits: HTTPLimits) throws(HTTPError) -> BodyFraming {
        if host == nil, line.version == .http11 { throw .badRequest(.missingHost) }
        if codings.isPresent {
            if line.version == .http10 { throw .badRequest(.transferEncodingInHTTP10) }
            if contentLength != nil { throw .badRequest(.lengthAndTransferEncoding) }
            guard codings.isChunkedAlone else { throw .unsupportedTransferCoding }
        }
        if expectsUnknown { throw .expectationFailed }
        if codings.isPresent { return .chunked }
        guard let contentLength else {
            if line.method.requiresContentLength { throw .lengthRequired }
            return .none
        }
        guard contentLength <= limits.maxBody else { throw .bodyTooLarge(limit: limits.maxBody) }
        return contentLength == 0 ? .none : .length(contentLength)
    }

    /// Whether the connection may serve another request (RFC 9112 §9.3).
    func keepsAlive(_ version: HTTPVersion) -> Bool {
        !saysClose && (version == .http11 || saysKeepAlive)
    }

    private mutating func noteHost(_ value: Range<Int>, in bytes: [UInt8]) throws(HTTPError) {
        guard host == nil else { throw .badRequest(.repeatedHost) }
        guard Authority.isValid(bytes.span.extracting(value)) else {
            throw .badRequest(.malformedHost)
        }
        host = value
    }

    /// One plain row of digits, once.
    ///
    /// RFC 9110 §8.6 would allow `5, 5` to be mended; refusing it
    /// costs no honest client anything.
    private mutating func noteContentLength(
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

    private mutating func noteConnection(_ value: Range<Int>, in bytes: [UInt8]) {
        for option in ListElements(value, in: bytes) {
            let option = bytes.span.extracting(option)
            if option.equalsIgnoringCase("close".utf8.span) { saysClose = true }
            if option.equalsIgnoringCase("keep-alive".utf8.span) { saysKeepAlive = true }
        }
    }

    private mutating func noteExpect(_ value: Range<Int>, in bytes: [UInt8]) {
        for expectation in ListElements(value, in: bytes) where !expectation.isEmpty {
            if bytes.span.extracting(expectation).equalsIgnoringCase("100-continue".utf8.span) {
                expectsContinue = true
            } else {
                expectsUnknown = true
            }
        }
    }
}
