/// The ways in which a message breaks HTTP's grammar or framing; each answered 400 and followed by
/// closing the connection (RFC 9112 §2.2, §3, §5, §6, §7).
package enum BadRequest: Sendable, Hashable, CaseIterable {
    /// The first bytes are a TLS handshake.
    case tlsHandshake
    /// More empty lines before the request line than are skipped (RFC 9112 §2.2).
    case tooManyEmptyLines
    /// A line ends in LF without CR (RFC 9112 §2.2).
    case bareLineFeed
    /// A CR that no LF follows (RFC 9112 §2.2).
    case bareCarriageReturn
    /// The request line is not method, target and version parted by one space each (RFC 9112 §3).
    case malformedRequestLine
    /// The method holds a byte that no token may have (RFC 9110 §9.1).
    case malformedMethod
    /// The version is not `HTTP/` digit `.` digit (RFC 9112 §2.3).
    case malformedVersion
    /// The target is in none of the forms of RFC 9112 §3.2, or holds a byte it may not.
    case malformedTarget
    /// A field line starts with a blank: obsolete folding (RFC 9112 §5.2).
    case foldedHeader
    /// A field line without a colon, or with nothing before it (RFC 9112 §5).
    case headerWithoutName
    /// A blank between a field's name and its colon (RFC 9112 §5.1).
    case blankBeforeColon
    /// A field name holds a byte that no token may have (RFC 9110 §5.1).
    case malformedHeaderName
    /// A field value holds NUL or another control character (RFC 9110 §5.5).
    case controlCharacterInHeader
    /// HTTP/1.1 without a Host field (RFC 9112 §3.2).
    case missingHost
    /// More than one Host field (RFC 9112 §3.2).
    case repeatedHost
    /// The Host field is no `host[:port]` (RFC 9112 §3.2).
    case malformedHost
    /// Content-Length and Transfer-Encoding in one message (RFC 9112 §6.1).
    case lengthAndTransferEncoding
    /// More than one Content-Length (RFC 9110 §8.6).
    case repeatedContentLength
    /// Content-Length is not a plain row of digits, or is beyond counting (RFC 9110 §8.6).
    case malformedContentLength
    /// Transfer-Encoding in HTTP/1.0 (RFC 9112 §6.1).
    case transferEncodingInHTTP10
    /// Transfer-Encoding is no list of codings, or `chunked` has parameters (RFC 9112 §7).
    case malformedTransferEncoding
    /// `chunked` is not the last coding, or stands twice (RFC 9112 §6.1).
    case chunkedNotLast
    /// A chunk size that is no hexadecimal number, or is beyond counting (RFC 9112 §7.1).
    case malformedChunkSize
    /// A chunk extension outside the grammar (RFC 9112 §7.1.1).
    case malformedChunkExtension
    /// A chunk's data is not followed by CRLF (RFC 9112 §7.1).
    case chunkNotTerminated
    /// The client stopped sending in the middle of a request (RFC 9112 §8).
    case incomplete
    /// More sent ahead of an answer than is kept.
    case tooMuchPipelined
}
