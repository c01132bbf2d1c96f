extension HTTPError {
    /// A sentence that tells the sender what to mend.
    package var detail: String {
        switch self {
        case .badRequest(let fault): fault.detail
        case .invalidHeader(let name, let fault): fault.detail(for: name.spelling)
        case .invalidParameter(let name, let fault): fault.detail(for: name)
        case .requestTimeout:
            "The request did not arrive in time; send its head and body without long pauses."
        case .lengthRequired:
            "Send Content-Length, or Transfer-Encoding: chunked, with this method."
        case .bodyTooLarge(let limit):
            "The body is longer than the \(limit) bytes that --max-body allows."
        case .chunkExtensionsTooLarge(let limit):
            "The body's chunk extensions are longer than \(limit) bytes; leave them out."
        case .uriTooLong(let limit):
            "The request target is longer than the \(limit) bytes that --max-target allows."
        case .expectationFailed:
            "The only expectation that can be met is \"Expect: 100-continue\"."
        case .headersTooLarge(let limit):
            "The headers are longer than the \(limit) bytes that --max-header-bytes allows."
        case .tooManyHeaders(let limit):
            "There are more headers than the \(limit) that --max-headers allows."
        case .trailersTooLarge(let limit):
            "The body's trailers are longer than the \(limit) bytes that --max-header-bytes allows."
        case .tooManyTrailers(let limit):
            "There are more trailers than the \(limit) that --max-headers allows."
        case .methodNotImplemented:
            "This method is not implemented here; use GET, HEAD, POST, PUT, DELETE or OPTIONS."
        case .unsupportedTransferCoding:
            "The only transfer coding that is understood is \"Transfer-Encoding: chunked\"."
        case .overloaded:
            "There are too many connections at the moment; try again a little later."
        case .versionNotSupported:
            "Only HTTP/1.1 and HTTP/1.0 are spoken here."
        }
    }
}

extension InvalidHeader {
    fileprivate func detail(for name: String) -> String {
        switch self {
        case .notEntityTags:
            "\(name) must be * or a list of quoted entity tags, such as \"r3\" or W/\"r3\"."
        case .notMediaType: "\(name) must be a media type, such as application/json."
        case .repeated: "\(name) must be sent once."
        }
    }
}

extension InvalidParameter {
    fileprivate func detail(for name: String) -> String {
        switch self {
        case .malformedEscape:
            "In \(name), every % must be followed by two hexadecimal digits; write % itself as %25."
        case .notUTF8: "\(name) must be UTF-8 once its percent-escapes are decoded."
        case .repeated: "\(name) must be given once."
        }
    }
}

extension BadRequest {
    /// A sentence that tells the sender what to mend.
    package var detail: String {
        switch self {
        case .tlsHandshake: "This port speaks plain HTTP, not TLS; use http:// in the URL."
        case .tooManyEmptyLines: "Start the request with its request line, not with empty lines."
        case .bareLineFeed: "Every line must end in CR LF; one ends in LF alone."
        case .bareCarriageReturn: "A CR must be followed by LF; one stands alone."
        case .malformedRequestLine:
            "The request line must be a method, a target and HTTP/1.1, with one space between each."
        case .malformedMethod: "The method must be a token, such as GET."
        case .malformedVersion: "The request line must end in HTTP/1.1 or HTTP/1.0."
        case .malformedTarget:
            "The request target must be a path that starts with /, or an http URL, without a"
                + " fragment, and with all other characters percent-encoded."
        case .foldedHeader: "A header must stand on one line; one line starts with a blank."
        case .headerWithoutName: "Every header line must be a name, a colon and a value."
        case .blankBeforeColon: "A header's colon must follow its name without a blank."
        case .malformedHeaderName: "A header's name holds a character that names may not have."
        case .controlCharacterInHeader: "A header's value holds a control character."
        case .missingHost: "Send a Host header."
        case .repeatedHost: "Send one Host header; there are more."
        case .malformedHost: "The host must be a name or an address, and a port if need be."
        case .lengthAndTransferEncoding:
            "Send either Content-Length or Transfer-Encoding, not both."
        case .repeatedContentLength: "Send one Content-Length; there are more."
        case .malformedContentLength:
            "Content-Length must be the body's length in bytes, in decimal digits alone."
        case .transferEncodingInHTTP10:
            "HTTP/1.0 has no Transfer-Encoding; send Content-Length, or speak HTTP/1.1."
        case .malformedTransferEncoding: "Transfer-Encoding must be chunked, and nothing else."
        case .chunkedNotLast: "In Transfer-Encoding, chunked must stand once, and last."
        case .malformedChunkSize:
            "A chunk must start with its size in hexadecimal digits, then CR LF."
        case .malformedChunkExtension:
            "A chunk extension must be ;name, ;name=token or ;name=\"text\"."
        case .chunkNotTerminated: "A chunk's data must be followed by CR LF; is its size right?"
        case .incomplete: "The connection was closed before the request was complete."
        case .tooMuchPipelined: "Wait for answers before sending so many further requests."
        }
    }
}
