/// An error in a request on the level of HTTP, before its endpoint is known.
package enum HTTPError: Error, Sendable, Hashable {
    /// The message violates the grammar or the framing rules; the bytes after it are not
    /// interpreted.
    case badRequest(BadRequest)
    /// The value of a well-framed header is invalid; the connection stays usable.
    case invalidHeader(HTTPFieldName, InvalidHeader)
    /// A path or query parameter cannot be decoded; the connection stays usable.
    case invalidParameter(name: String, InvalidParameter)
    /// The head or the body did not arrive in time.
    case requestTimeout
    /// POST, PUT or PATCH with neither Content-Length nor Transfer-Encoding.
    case lengthRequired
    /// The body is, or will be, longer than `limit` bytes.
    case bodyTooLarge(limit: Int)
    case chunkExtensionsTooLarge(limit: Int)
    case uriTooLong(limit: Int)
    /// An expectation other than `100-continue`.
    case expectationFailed
    case headersTooLarge(limit: Int)
    case tooManyHeaders(limit: Int)
    case trailersTooLarge(limit: Int)
    case tooManyTrailers(limit: Int)
    /// A method that no origin server offers (CONNECT), or one that is too long.
    case methodNotImplemented
    /// A transfer coding other than `chunked`.
    case unsupportedTransferCoding
    /// The maximum number of connections is open.
    case overloaded
    /// The memory for requests was not free in time.
    case outOfMemory
    /// A major version other than 1.
    case versionNotSupported

    package var status: HTTPStatus { properties.status }

    /// A sentence that describes the correction to the client.
    package var detail: String { properties.detail }

    /// The status and the detail of each case: the only table of them.
    private var properties: (status: HTTPStatus, detail: String) {
        switch self {
        case .badRequest(let reason):
            (.badRequest, reason.detail)
        case .invalidHeader(let name, let reason):
            (.badRequest, reason.detail(for: name.spelling))
        case .invalidParameter(let name, let reason):
            (.badRequest, reason.detail(for: name))
        case .requestTimeout:
            (.requestTimeout, "The request did not arrive in time; send it without long pauses.")
        case .lengthRequired:
            (.lengthRequired, "Send Content-Length, or Transfer-Encoding: chunked.")
        case .bodyTooLarge(let limit):
            (.contentTooLarge, Self.exceeding("The body is", limit: limit, flag: "--max-body"))
        case .chunkExtensionsTooLarge(let limit):
            (.contentTooLarge, "The chunk extensions exceed \(limit) bytes; leave them out.")
        case .uriTooLong(let limit):
            (
                .uriTooLong,
                Self.exceeding("The request target is", limit: limit, flag: "--max-target")
            )
        case .expectationFailed:
            (.expectationFailed, "The only supported expectation is \"Expect: 100-continue\".")
        case .headersTooLarge(let limit):
            (
                .requestHeaderFieldsTooLarge,
                Self.exceeding("The headers are", limit: limit, flag: "--max-header-bytes")
            )
        case .trailersTooLarge(let limit):
            (
                .requestHeaderFieldsTooLarge,
                Self.exceeding("The trailers are", limit: limit, flag: "--max-header-bytes")
            )
        case .tooManyHeaders(let limit):
            (
                .requestHeaderFieldsTooLarge,
                "There are more than the \(limit) headers that --max-headers allows."
            )
        case .tooManyTrailers(let limit):
            (
                .requestHeaderFieldsTooLarge,
                "There are more than the \(limit) trailers that --max-headers allows."
            )
        case .methodNotImplemented:
            (
                .notImplemented,
                "This method is not implemented; use GET, HEAD, POST, PUT, DELETE or OPTIONS."
            )
        case .unsupportedTransferCoding:
            (.notImplemented, "The only supported transfer coding is chunked.")
        case .overloaded:
            (.serviceUnavailable, "There are too many connections at the moment; try again later.")
        case .outOfMemory:
            (
                .serviceUnavailable,
                "The memory for requests is in use at the moment; try again later."
            )
        case .versionNotSupported:
            (.httpVersionNotSupported, "The only supported versions are HTTP/1.1 and HTTP/1.0.")
        }
    }

    private static func exceeding(_ part: String, limit: Int, flag: String) -> String {
        "\(part) longer than the \(limit) bytes that \(flag) allows."
    }
}
