/// A violation of HTTP's grammar or framing, with the sentence that describes the correction to the
/// client; each causes a response of 400 and closes the connection (RFC 9112 §2.2, §3, §5, §6, §7).
package enum BadRequest: String, Sendable, Hashable, CaseIterable {
    case tlsHandshake = "This port serves plain HTTP, not TLS; use http:// in the URL."
    /// More empty lines before the request line than are skipped (RFC 9112 §2.2).
    case tooManyEmptyLines = "Start the request with its request line, not with empty lines."
    /// A line ends in LF without CR (RFC 9112 §2.2).
    case bareLineFeed = "Every line must end in CR LF; one ends in LF alone."
    /// A CR without LF after it (RFC 9112 §2.2).
    case bareCarriageReturn = "A CR must be followed by LF; one is not."
    /// The request line is not method, target and version with one space between each (RFC 9112
    /// §3).
    case malformedRequestLine =
        "The request line must be a method, a target and HTTP/1.1, with one space between each."
    /// The method contains a byte that is not allowed in a token (RFC 9110 §9.1).
    case malformedMethod = "The method must be a token, such as GET."
    /// The version is not `HTTP/` digit `.` digit (RFC 9112 §2.3).
    case malformedVersion = "The request line must end in HTTP/1.1 or HTTP/1.0."
    /// The target is in none of the forms of RFC 9112 §3.2, or contains a byte that is not allowed.
    case malformedTarget = """
        The request target must be a path that starts with /, or an http URL, without a \
        fragment, and with all other characters percent-encoded.
        """
    /// A field line starts with a blank and so continues another one (obsolete, RFC 9112 §5.2).
    case multilineHeader = "A header must be on one line; one line starts with a blank."
    /// A field line without a colon, or without a name before it (RFC 9112 §5).
    case headerWithoutName = "Every header line must be a name, a colon and a value."
    /// A blank between a field's name and its colon (RFC 9112 §5.1).
    case blankBeforeColon = "A header's colon must follow its name without a blank."
    /// A field name contains a byte that is not allowed in a token (RFC 9110 §5.1).
    case malformedHeaderName = "A header's name contains a character that is not allowed in names."
    /// A field value contains NUL or another control character (RFC 9110 §5.5).
    case controlCharacterInHeader = "A header's value contains a control character."
    /// HTTP/1.1 without a Host field (RFC 9112 §3.2).
    case missingHost = "Send a Host header."
    /// More than one Host field (RFC 9112 §3.2).
    case repeatedHost = "Send one Host header; there are more."
    /// The Host field is not `host[:port]` (RFC 9112 §3.2).
    case malformedHost = "The host must be a name or an address, with or without a port."
    /// Content-Length and Transfer-Encoding in one message (RFC 9112 §6.1).
    case lengthAndTransferEncoding = "Send either Content-Length or Transfer-Encoding, not both."
    /// More than one Content-Length (RFC 9110 §8.6).
    case repeatedContentLength = "Send one Content-Length; there are more."
    /// Content-Length is not a sequence of digits, or is too large to count (RFC 9110 §8.6).
    case malformedContentLength =
        "Content-Length must be the body's length in bytes, in decimal digits alone."
    /// Transfer-Encoding in HTTP/1.0 (RFC 9112 §6.1).
    case transferEncodingInHTTP10 =
        "HTTP/1.0 has no Transfer-Encoding; send Content-Length, or use HTTP/1.1."
    /// Transfer-Encoding is not a list of codings, or `chunked` has parameters (RFC 9112 §7).
    case malformedTransferEncoding = "Transfer-Encoding must be chunked, and nothing else."
    /// `chunked` is not the last coding, or occurs twice (RFC 9112 §6.1).
    case chunkedNotLast = "In Transfer-Encoding, chunked must occur once, and last."
    /// A chunk size is not a hexadecimal number, or is too large to count (RFC 9112 §7.1).
    case malformedChunkSize = "A chunk must start with its size in hexadecimal digits, then CR LF."
    /// A chunk extension violates the grammar (RFC 9112 §7.1.1).
    case malformedChunkExtension = "A chunk extension must be ;name, ;name=token or ;name=\"text\"."
    /// A chunk's data is not followed by CRLF (RFC 9112 §7.1).
    case chunkNotTerminated = "A chunk's data must be followed by CR LF; check its size."
    /// The client stopped sending in the middle of a request (RFC 9112 §8).
    case incomplete = "The connection was closed before the request was complete."
    case tooMuchPipelined = "Wait for responses before sending so many further requests."

    package var detail: String { rawValue }
}

/// The reason why the value of a header is invalid.
package enum InvalidHeader: Sendable, Hashable {
    /// The value is neither a list of entity tags nor `*` (RFC 9110 §13.1.1).
    case notEntityTags
    /// The value is not a media type (RFC 9110 §8.3.1).
    case notMediaType
    case repeated

    func detail(for name: String) -> String {
        switch self {
        case .notEntityTags:
            "\(name) must be * or a list of quoted entity tags, such as \"r3\" or W/\"r3\"."
        case .notMediaType: "\(name) must be a media type, such as application/json."
        case .repeated: "\(name) must be sent once."
        }
    }
}

/// The reason why a path or query parameter cannot be decoded.
package enum InvalidParameter: Error, Sendable, Hashable {
    /// A `%` is not followed by two hexadecimal digits (RFC 3986 §2.1).
    case malformedEscape
    case notUTF8
    case repeated

    func detail(for name: String) -> String {
        switch self {
        case .malformedEscape:
            "In \(name), every % must be followed by two hexadecimal digits; write % itself as %25."
        case .notUTF8: "\(name) must be UTF-8 once its percent-escapes are decoded."
        case .repeated: "\(name) must be given once."
        }
    }
}
