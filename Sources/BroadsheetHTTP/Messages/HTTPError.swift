/// Everything that can be wrong with a request as HTTP, before anyone asks what it wants.
package enum HTTPError: Error, Sendable, Hashable {
    /// 400: the message breaks the grammar or the framing rules; nothing after it can be trusted.
    case badRequest(BadRequest)
    /// 400: the value of a well-framed header cannot be read; the connection is sound.
    case invalidHeader(HTTPFieldName, InvalidHeader)
    /// 400: a path or query parameter cannot be read; the connection is sound.
    case invalidParameter(name: String, InvalidParameter)
    /// 408: the head or the body did not arrive in time.
    case requestTimeout
    /// 411: POST, PUT or PATCH with neither Content-Length nor Transfer-Encoding.
    case lengthRequired
    /// 413: the body is, or will be, longer than `limit` bytes.
    case bodyTooLarge(limit: Int)
    /// 413: the chunk extensions of a body are longer than `limit` bytes.
    case chunkExtensionsTooLarge(limit: Int)
    /// 414: the request target is longer than `limit` bytes.
    case uriTooLong(limit: Int)
    /// 417: an expectation other than `100-continue`.
    case expectationFailed
    /// 431: the head's field lines are longer than `limit` bytes.
    case headersTooLarge(limit: Int)
    /// 431: the head has more than `limit` field lines.
    case tooManyHeaders(limit: Int)
    /// 431: a chunked body's trailers are longer than `limit` bytes.
    case trailersTooLarge(limit: Int)
    /// 431: a chunked body has more than `limit` trailer lines.
    case tooManyTrailers(limit: Int)
    /// 501: a method that no origin server offers (CONNECT) or of absurd length.
    case methodNotImplemented
    /// 501: a transfer coding other than `chunked`.
    case unsupportedTransferCoding
    /// 503: the daemon has no room for another connection.
    case overloaded
    /// 505: a major version other than 1.
    case versionNotSupported

    /// The status that answers it.
    package var status: HTTPStatus {
        switch self {
        case .badRequest, .invalidHeader, .invalidParameter: .badRequest
        case .requestTimeout: .requestTimeout
        case .lengthRequired: .lengthRequired
        case .bodyTooLarge, .chunkExtensionsTooLarge: .contentTooLarge
        case .uriTooLong: .uriTooLong
        case .expectationFailed: .expectationFailed
        case .headersTooLarge, .tooManyHeaders, .trailersTooLarge, .tooManyTrailers:
            .requestHeaderFieldsTooLarge
        case .methodNotImplemented, .unsupportedTransferCoding: .notImplemented
        case .overloaded: .serviceUnavailable
        case .versionNotSupported: .httpVersionNotSupported
        }
    }

    /// Whether the connection must close after the answer, since where the next request would
    /// start is unknown or not worth waiting for.
    package var closesConnection: Bool {
        switch self {
        case .invalidHeader, .invalidParameter: false
        default: true
        }
    }
}

/// Why the value of a header cannot be read.
package enum InvalidHeader: Sendable, Hashable {
    /// No list of entity tags and not `*` (RFC 9110 §13.1.1).
    case notEntityTags
    /// No media type (RFC 9110 §8.3.1).
    case notMediaType
    /// The field may be sent once and was sent more often.
    case repeated
}

/// Why a path or query parameter cannot be read.
package enum InvalidParameter: Error, Sendable, Hashable {
    /// A `%` that is not followed by two hexadecimal digits (RFC 3986 §2.1).
    case malformedEscape
    /// Its escapes decode to bytes that are not UTF-8.
    case notUTF8
    /// The query has it more than once.
    case repeated
}
